/* -*- c++ -*- A box that a fix of LAMMPS changes while atoms stay with the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_CHANGING_BOX_H
#define LMP_DPDSOP_CHANGING_BOX_H

#include "pointers.h"

namespace LAMMPS_NS {

class ChangingBox : protected Pointers {
 public:
  ChangingBox(class LAMMPS *);

  // Lists are rebuilt in the box as it is now. And the square of the way, in length units, beyond which LAMMPS rebuilds
  // them again: half the skin, less what the box's corners have moved since

  void hold();
  double trigger2(double skin) const;

  // Lets the fix change the box. True if it may read variables, which may read anything else

  bool change(class Fix *);

  // LAMMPS's box is that of the last rebuild while this lives

  class Held {
   public:
    explicit Held(ChangingBox &);
    ~Held();
    Held(const Held &) = delete;
    Held &operator=(const Held &) = delete;

   private:
    ChangingBox &box;
    double present[9];
  };

 private:
  double held[9];          // lower and upper corner, xy xz yz
  double corners[8][3];    // of the held box

  void read(double *shape) const;
  void set(const double *shape);
  void find_corners(double (*to)[3]) const;
};

}    // namespace LAMMPS_NS

#endif
