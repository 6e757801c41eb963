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
  double compute_scalar() override;    // how often velocities were limited in this run
  void declare(StepRecords &, bigint) override;
  void reset_dt() override {}    // the time step is read in each step

 private:
  double limit;    // longest displacement in a step; 0: no limit
};

}    // namespace LAMMPS_NS

#endif
#endif
