/* -*- c++ -*- Forces that are set: LAMMPS's fix setforce, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef FIX_CLASS
// clang-format off
FixStyle(setforce/gpu,FixSetForceGPU);
FixStyle(setforce/exact/gpu,FixSetForceGPU);
// clang-format on
#else

#ifndef LMP_FIX_SETFORCE_GPU_H
#define LMP_FIX_SETFORCE_GPU_H

#include "fix_step.h"

namespace LAMMPS_NS {

class FixSetForceGPU : public FixStep {
 public:
  FixSetForceGPU(class LAMMPS *, int, char **);
  int setmask() override { return FixConst::POST_FORCE; }
  void declare(StepRecords &, bigint) override;
  double compute_vector(int k) override { return total(0, 1 + k); }

 private:
  size_t force[3];
  bool sets[3];    // false: NULL
};

}    // namespace LAMMPS_NS

#endif
#endif
