/* -*- c++ -*- A constant acceleration: LAMMPS's fix gravity, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef FIX_CLASS
// clang-format off
FixStyle(gravity/gpu,FixGravityGPU);
FixStyle(gravity/exact/gpu,FixGravityGPU);
// clang-format on
#else

#ifndef LMP_FIX_GRAVITY_GPU_H
#define LMP_FIX_GRAVITY_GPU_H

#include "fix_step.h"

namespace LAMMPS_NS {

class FixGravityGPU : public FixStep {
 public:
  FixGravityGPU(class LAMMPS *, int, char **);
  int setmask() override { return FixConst::POST_FORCE; }
  void init() override;
  void declare(StepRecords &, bigint) override;
  double compute_scalar() override { return total(0, 0); }

 private:
  enum Kind { CHUTE, SPHERICAL, VECTOR } kind;
  size_t magnitude, towards[3];    // towards: an angle, two angles or a vector
  void find_direction(double direction[3]) const;    // of length 1
};

}    // namespace LAMMPS_NS

#endif
#endif
