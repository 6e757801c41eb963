/* -*- c++ -*- The virial of all forces over all ranks, for styles that follow a pressure.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_STEP_VIRIAL_H
#define LMP_DPDSOP_STEP_VIRIAL_H

#include "pointers.h"

#include "dpdsop/resident.h"

namespace LAMMPS_NS {

class StepVirial : protected Pointers {
 public:
  StepVirial(class LAMMPS *);

  // The virial of the forces of this step, xx yy zz xy xz yz, in energy units, as in LAMMPS's compute pressure. The parts of
  // this package's pair style, and of bonded styles that the engine knows, are sums of integers. All ranks call this together

  void take(double unit, double *virial);    // unit: a power of two near the energy of an atom

  // The part of bonded forces has to be given after forces are evaluated and before positions change: take_bonded() gets it
  // from the engine, look_at_bonds() finds it from LAMMPS's lists

  void take_bonded(bigint step, const ds_bonded_sums &);
  void look_at_bonds();
  bool has_bonded(bigint step) const { return step == step_of_bonded; }

 private:
  ds_bonded_sums bonded;
  bigint step_of_bonded;

  void of_pairs(double *virial, double *mine) const;
  void of_others(double *mine) const;
  void add_tail(double *virial) const;
};

}    // namespace LAMMPS_NS

#endif
