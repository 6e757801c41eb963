/* -*- c++ -*- LAMMPS's atoms and box as operations of a step take them.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_STEP_ARRAYS_H
#define LMP_DPDSOP_STEP_ARRAYS_H

#include "pointers.h"

#include "step_part.h"

#include "dpdsop/resident.h"

namespace LAMMPS_NS {
namespace StepArrays {

ds_resident_atoms atoms_of(LAMMPS *, const std::vector<double **> &anchors);
ds_wrap box_of(LAMMPS *);

// Units of exact sums: powers of two near what a particle has, the same on all ranks

struct Units {
  double mass, length, momentum, force, energy, mvv;    // mvv: mass * velocity^2
};
Units units_of(LAMMPS *);    // all ranks together

void add_over_ranks(void *lmp, ds_exact_sum *, int n);    // a ds_reduction

// Records of a style on LAMMPS's arrays, at one point of this step: `mask` instead of that of the atoms, if it is not null.
// Sums get those of the operations that act in it

class Runner {
 public:
  Runner(LAMMPS *, const std::string &user);    // as error texts begin
  ~Runner();
  Runner(const Runner &) = delete;
  Runner &operator=(const Runner &) = delete;
  void run(StepPart &, const StepRecords &, ds_point, bigint step, int *mask, std::vector<StepSums> &sums);

 private:
  LAMMPS *lmp;
  std::string user;
  ds_stepper *stepper;
};

}    // namespace StepArrays
}    // namespace LAMMPS_NS

#endif
