/* -*- c++ -*- The virial of all forces on all ranks, for styles that follow a pressure.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_STEP_VIRIAL_H
#define LMP_DPDSOP_STEP_VIRIAL_H

#include "pointers.h"

namespace LAMMPS_NS {

class StepVirial : protected Pointers {
 public:
  StepVirial(class LAMMPS *);

  // xx yy zz xy xz yz, in energy units, of the forces of this step: what LAMMPS's compute pressure adds to kinetic energies. The
  // part of this package's pair style is a sum of integers. All ranks call this together

  void take(double unit, double *virial) const;    // unit: a power of two near the energy of an atom

 private:
  void of_pairs(double *virial, double *mine) const;
  void of_others(double *mine) const;
};

}    // namespace LAMMPS_NS

#endif
