/* -*- c++ -*- Forces that are set, or averaged over a group: LAMMPS's fixes setforce and aveforce, on the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef FIX_CLASS
// clang-format off
FixStyle(setforce/gpu,FixSetForceGPU);
FixStyle(setforce/exact/gpu,FixSetForceGPU);
FixStyle(aveforce/gpu,FixSetForceGPU);
FixStyle(aveforce/exact/gpu,FixSetForceGPU);
// clang-format on
#else

#ifndef LMP_FIX_SETFORCE_GPU_H
#define LMP_FIX_SETFORCE_GPU_H

#include "fix_step.h"

namespace LAMMPS_NS {

class FixSetForceGPU : public FixStep {
 public:
  FixSetForceGPU(class LAMMPS *, int, char **);
  int setmask() override { return FixConst::POST_FORCE | FixConst::MIN_POST_FORCE; }
  void init() override;
  void declare(StepRecords &, bigint) override;
  double compute_vector(int k) override { return total(0, k); }

 private:
  bool averages;    // fix aveforce
  size_t force[3];
  bool sets[3];     // false: NULL
};

}    // namespace LAMMPS_NS

#endif
#endif
