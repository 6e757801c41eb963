/* -*- c++ -*- Target pressures of a barostat along the edges of the box, and the present pressures.
   SPDX-License-Identifier: GPL-2.0-or-later

   Components are xx yy zz yz xz xy. */

#ifndef LMP_DPDSOP_BOX_PRESSURE_H
#define LMP_DPDSOP_BOX_PRESSURE_H

#include "pointers.h"

namespace LAMMPS_NS {

class BoxPressure : protected Pointers {
 public:
  enum { YZ_TILT = 3, XZ_TILT, XY_TILT, NCOMPONENTS };
  enum Couple { NONE, XYZ, XY, YZ, XZ };
  enum Shape { ISO, ANISO, TILTED };

  struct Component {
    bool on;
    double start, stop, period;    // target at the beginning and the end of a run; relaxation time
    double target, current;        // in this step
    double place, rate, mass;      // of a Nose-Hoover barostat: logarithm of the edge, its derivative, its mass
  };

  explicit BoxPressure(class LAMMPS *);

  Component c[NCOMPONENTS];
  Couple couple;

  Shape shape() const;
  bool is_on() const;
  bool needs_tensor() const { return is_on() && shape() != ISO; }    // else the sum of kinetic energies is enough
  bool is_coupled(int axis) const;
  int number_of_edges() const;         // how many of xx yy zz change
  int number_of_components() const;    // how many of them LAMMPS's fixes show among their values
  double volume() const;

  void set_targets(double part_of_run);

  // Finds the present pressures from sums of m v v in energy units and from virials, both xx yy zz xy xz yz, and from the trace
  // of the sums. False: some pressure is not a number

  bool take(const double *kinetic, const double *virial, double trace);

 private:
  void mean_of(int i, int j);
};

// A change of LAMMPS's box, as numbers of DS_REMAP by which positions follow it. The constructor saves the old box. The caller
// then sets corners and tilt factors, and finish() updates LAMMPS's box and gives the numbers

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
