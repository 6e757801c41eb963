/* -*- c++ -*- Pressures that a barostat wants along the edges of the box, and those that are there.
   SPDX-License-Identifier: GPL-2.0-or-later

   Components are xx yy zz yz xz xy. */

#ifndef LMP_DPDSOP_BOX_PRESSURE_H
#define LMP_DPDSOP_BOX_PRESSURE_H

#include "pointers.h"

namespace LAMMPS_NS {

class BoxPressure : protected Pointers {
 public:
  enum { NCOMPONENTS = 6 };
  enum Couple { NONE, XYZ, XY, YZ, XZ };
  enum Shape { ISO, ANISO, TILTED };

  struct Component {
    bool on;
    double start, stop, period;    // of the pressure wanted; time in which it is followed
    double target, current;        // in this step
    double place, rate, mass;      // logarithm of the edge, its derivative: of a barostat that has them
  };

  explicit BoxPressure(class LAMMPS *);

  Component c[NCOMPONENTS];
  Couple couple;

  Shape shape() const;
  bool is_on() const;
  bool needs_tensor() const { return is_on() && shape() != ISO; }    // of kinetic energies; else their sum will do
  bool is_coupled(int axis) const;
  int number_of_edges() const;         // of those that change, xx yy zz
  int number_of_components() const;    // of the values that LAMMPS's fixes show
  double volume() const;

  void set_targets(double part_of_run);

  // From sums of m v v in energy units and of the virial, both xx yy zz xy xz yz, and the trace of the former. False: some
  // pressure is not a number

  bool take(const double *kinetic, const double *virial, double trace);

 private:
  void mean_of(int i, int j);
};

// A change of LAMMPS's box, and what positions have to do to follow it: numbers of DS_REMAP. The box is changed between the
// constructor, which keeps how it was, and finish(), which takes what has been set: corners and tilt factors

class BoxRemap {
 public:
  explicit BoxRemap(class Domain *);
  void finish(double *numbers);

 private:
  class Domain *domain;
  double inverse[6], corner[3];
};

}    // namespace LAMMPS_NS

#endif
