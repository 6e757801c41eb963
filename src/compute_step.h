/* -*- c++ -*- What computes have in common whose values are made of sums that the engine adds up.
   SPDX-License-Identifier: GPL-2.0-or-later

   A compute derives from ComputeStep and says in declare() what is added up, at DS_AT_SUMS. Sums are integers: they have the
   same bits on any number of ranks and threads. While run_style verlet/gpu makes steps, the engine adds them up where the
   atoms are. */

#ifndef LMP_COMPUTE_STEP_H
#define LMP_COMPUTE_STEP_H

#include "compute.h"

#include "step_arrays.h"

namespace LAMMPS_NS {

class ComputeStep : public Compute, public StepPart {
 public:
  ComputeStep(class LAMMPS *, int, char **);
  ~ComputeStep() override;
  void init() override;
  void take_sums(bigint step, const std::vector<StepSums> &) override;
  void forget_sums() override { step_of_sums = -1; }

 protected:
  StepArrays::Units units;    // from init() on
  void take_no_arguments(int narg, char **arg) const;
  void have_vector(int size, bool extensive);
  void add_up();              // in this step, unless the engine has done so
  double total(int operation, int k) const { return runner.total(operation, k); }

 private:
  StepArrays::Runner runner;
  bigint step_of_sums;    // the step for which the engine has given sums; -1: they have to be made of LAMMPS's arrays
};

}    // namespace LAMMPS_NS

#endif
