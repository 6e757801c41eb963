/* -*- c++ -*- A group that is tethered: LAMMPS's fix spring tether, on the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef FIX_CLASS
// clang-format off
FixStyle(spring/gpu,FixSpringGPU);
FixStyle(spring/exact/gpu,FixSpringGPU);
// clang-format on
#else

#ifndef LMP_FIX_SPRING_GPU_H
#define LMP_FIX_SPRING_GPU_H

#include "fix_step.h"

namespace LAMMPS_NS {

class FixSpringGPU : public FixStep {
 public:
  FixSpringGPU(class LAMMPS *, int, char **);
  int setmask() override { return FixConst::POST_FORCE | FixConst::MIN_POST_FORCE; }
  void declare(StepRecords &, bigint) override;
  double compute_scalar() override;
  double compute_vector(int) override;

 private:
  double constant, at[3], rest;
  bool along[3];
  double pull(double force[3]) const;    // force on the group; returns its distance from the tether
};

}    // namespace LAMMPS_NS

#endif
#endif
