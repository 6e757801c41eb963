/* -*- c++ -*- Velocity Verlet: LAMMPS's fixes nve and nve/limit, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef FIX_CLASS
// clang-format off
FixStyle(nve/exact/gpu,FixNVEGPU);
FixStyle(nve/limit/gpu,FixNVEGPU);
FixStyle(nve/limit/exact/gpu,FixNVEGPU);
// clang-format on
#else

#ifndef LMP_FIX_NVE_GPU_H
#define LMP_FIX_NVE_GPU_H

#include "fix_step.h"

namespace LAMMPS_NS {

class FixNVEGPU : public FixStep {
 public:
  FixNVEGPU(class LAMMPS *, int, char **);
  int setmask() override { return FixConst::INITIAL_INTEGRATE | FixConst::FINAL_INTEGRATE; }
  void init() override;
  double compute_scalar() override;    // velocities that were shortened in this run
  void declare(StepRecords &, bigint) override;
  void reset_dt() override {}    // asked for in each step

 private:
  double limit;    // longest way in a step; 0: none
};

}    // namespace LAMMPS_NS

#endif
#endif
