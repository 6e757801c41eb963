/* -*- c++ -*- Temperature from exact sums: LAMMPS's compute temp, on the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef COMPUTE_CLASS
// clang-format off
ComputeStyle(temp/gpu,ComputeTempGPU);
ComputeStyle(temp/exact/gpu,ComputeTempGPU);
// clang-format on
#else

#ifndef LMP_COMPUTE_TEMP_GPU_H
#define LMP_COMPUTE_TEMP_GPU_H

#include "compute.h"

#include "step_arrays.h"

namespace LAMMPS_NS {

class ComputeTempGPU : public Compute, public StepPart {
 public:
  ComputeTempGPU(class LAMMPS *, int, char **);
  ~ComputeTempGPU() override;
  void init() override;
  void setup() override;
  void take_dof(double of_other);
  double compute_scalar() override;
  void compute_vector() override;
  void declare(StepRecords &, bigint) override;
  void take_sums(bigint step, const std::vector<StepSums> &) override;
  void forget_sums() override { step_of_sums = -1; }

 private:
  double tfactor;
  StepArrays::Units units;
  StepArrays::Runner runner;
  std::vector<StepSums> sums;    // m v v, in the order of the vector
  bigint step_of_sums;           // for which the engine has given them; -1: they are made of LAMMPS's arrays
  void count_dof();
  void add_up();
  double component(int k) const;
};

}    // namespace LAMMPS_NS

#endif
#endif
