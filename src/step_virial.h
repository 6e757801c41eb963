/* -*- c++ -*- The virial of all forces on all ranks, for styles that follow a pressure.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_STEP_VIRIAL_H
#define LMP_DPDSOP_STEP_VIRIAL_H

#include "pointers.h"

#include "dpdsop/resident.h"

namespace LAMMPS_NS {

class StepVirial : protected Pointers {
 public:
  StepVirial(class LAMMPS *);

  // xx yy zz xy xz yz, in energy units, of the forces of this step: what LAMMPS's compute pressure adds to kinetic energies. The
  // parts of this package's pair style, and of bonds to impropers that the engine knows, are sums of integers. All ranks call this
  // together

  void take(double unit, double *virial);    // unit: a power of two near the energy of an atom

  // Of bonds to impropers: when forces are there, and before positions change; as somebody has made them, or of LAMMPS's lists

  void take_bonded(bigint step, const ds_bonded_sums &);
  void look_at_bonds();
  bool has_bonded(bigint step) const { return step == step_of_bonded; }

 private:
  ds_bonded_sums bonded;
  bigint step_of_bonded;

  void of_pairs(double *virial, double *mine) const;
  void of_others(double *mine) const;
};

}    // namespace LAMMPS_NS

#endif
