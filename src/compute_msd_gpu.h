/* -*- c++ -*- Mean squared displacement from exact sums: LAMMPS's compute msd, on the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef COMPUTE_CLASS
// clang-format off
ComputeStyle(msd/gpu,ComputeMSDGPU);
ComputeStyle(msd/exact/gpu,ComputeMSDGPU);
// clang-format on
#else

#ifndef LMP_COMPUTE_MSD_GPU_H
#define LMP_COMPUTE_MSD_GPU_H

#include "compute_step.h"
#include "fix_step_anchors.h"

namespace LAMMPS_NS {

class ComputeMSDGPU : public ComputeStep {
 public:
  ComputeMSDGPU(class LAMMPS *, int, char **);
  ~ComputeMSDGPU() override;
  void init() override;
  void compute_vector() override;
  void declare(StepRecords &, bigint) override;
  double **anchors() override { return FixStepAnchors::rows_of(lmp, id); }

 private:
  bool relative;    // to the center of mass
  void start_from_center();
};

}    // namespace LAMMPS_NS

#endif
#endif
