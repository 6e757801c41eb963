/* -*- c++ -*- Kinetic energy, momentum and center of mass from exact sums: LAMMPS's computes ke, momentum and com, on the
   engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef COMPUTE_CLASS
// clang-format off
ComputeStyle(ke/gpu,ComputeKEGPU);
ComputeStyle(ke/exact/gpu,ComputeKEGPU);
ComputeStyle(momentum/gpu,ComputeMomentumGPU);
ComputeStyle(momentum/exact/gpu,ComputeMomentumGPU);
ComputeStyle(com/gpu,ComputeCOMGPU);
ComputeStyle(com/exact/gpu,ComputeCOMGPU);
// clang-format on
#else

#ifndef LMP_COMPUTE_SUMS_GPU_H
#define LMP_COMPUTE_SUMS_GPU_H

#include "compute_step.h"

namespace LAMMPS_NS {

class ComputeKEGPU : public ComputeStep {
 public:
  ComputeKEGPU(class LAMMPS *, int, char **);
  double compute_scalar() override;
  void declare(StepRecords &, bigint) override;
};

class ComputeMomentumGPU : public ComputeStep {
 public:
  ComputeMomentumGPU(class LAMMPS *, int, char **);
  void compute_vector() override;
  void declare(StepRecords &, bigint) override;
};

class ComputeCOMGPU : public ComputeStep {
 public:
  ComputeCOMGPU(class LAMMPS *, int, char **);
  void compute_vector() override;
  void declare(StepRecords &, bigint) override;
};

}    // namespace LAMMPS_NS

#endif
#endif
