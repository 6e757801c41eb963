/* -*- c++ -*- Forces that are averaged: LAMMPS's fix aveforce, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef FIX_CLASS
// clang-format off
FixStyle(aveforce/gpu,FixAveForceGPU);
FixStyle(aveforce/exact/gpu,FixAveForceGPU);
// clang-format on
#else

#ifndef LMP_FIX_AVEFORCE_GPU_H
#define LMP_FIX_AVEFORCE_GPU_H

#include "fix_step.h"

namespace LAMMPS_NS {

class FixAveForceGPU : public FixStep {
 public:
  FixAveForceGPU(class LAMMPS *, int, char **);
  int setmask() override { return FixConst::POST_FORCE; }
  void declare(StepRecords &, bigint) override;
  double compute_vector(int k) override { return total(0, k); }

 private:
  size_t force[3];
  bool averages[3];    // false: NULL
};

}    // namespace LAMMPS_NS

#endif
#endif
