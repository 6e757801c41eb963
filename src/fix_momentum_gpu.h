/* -*- c++ -*- Momentum that is taken away: LAMMPS's fix momentum, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef FIX_CLASS
// clang-format off
FixStyle(momentum/gpu,FixMomentumGPU);
FixStyle(momentum/exact/gpu,FixMomentumGPU);
// clang-format on
#else

#ifndef LMP_FIX_MOMENTUM_GPU_H
#define LMP_FIX_MOMENTUM_GPU_H

#include "fix_step.h"

namespace LAMMPS_NS {

class FixMomentumGPU : public FixStep {
 public:
  FixMomentumGPU(class LAMMPS *, int, char **);
  int setmask() override { return FixConst::END_OF_STEP; }
  void init() override;
  void declare(StepRecords &, bigint) override;

 private:
  bool linear, angular, rescale;
  int along[3];
  void declare_rotation(StepRecords &) const;
};

}    // namespace LAMMPS_NS

#endif
#endif
