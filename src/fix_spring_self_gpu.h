/* -*- c++ -*- Atoms tethered to where they were: LAMMPS's fix spring/self, on the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef FIX_CLASS
// clang-format off
FixStyle(spring/self/gpu,FixSpringSelfGPU);
FixStyle(spring/self/exact/gpu,FixSpringSelfGPU);
// clang-format on
#else

#ifndef LMP_FIX_SPRING_SELF_GPU_H
#define LMP_FIX_SPRING_SELF_GPU_H

#include "fix_step_anchored.h"

namespace LAMMPS_NS {

class FixSpringSelfGPU : public FixStepAnchored {
 public:
  FixSpringSelfGPU(class LAMMPS *, int, char **);
  int setmask() override;
  void declare(StepRecords &, bigint) override;
  double compute_scalar() override { return total(0, 0); }

 private:
  size_t stiffness;
  bool along[3];
};

}    // namespace LAMMPS_NS

#endif
#endif
