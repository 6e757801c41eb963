/* -*- c++ -*- What LAMMPS's compute temp adds up, made by the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_KINETIC_TERMS_H
#define LMP_DPDSOP_KINETIC_TERMS_H

#include "pointers.h"

#include <vector>

namespace LAMMPS_NS {

class KineticTerms : protected Pointers {
 public:
  KineticTerms(class LAMMPS *);

  // While this lives, compute temp finds the terms where it looks for atoms

  class Shown {
   public:
    Shown(KineticTerms &, const double *terms);
    ~Shown();
    Shown(const Shown &) = delete;
    Shown &operator=(const Shown &) = delete;

   private:
    class Atom *atom;
    double **v, *rmass;
  };

 private:
  double one[3];
  std::vector<double *> rows;
};

}    // namespace LAMMPS_NS

#endif
