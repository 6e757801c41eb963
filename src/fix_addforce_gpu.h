/* -*- c++ -*- A constant force: LAMMPS's fix addforce, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef FIX_CLASS
// clang-format off
FixStyle(addforce/gpu,FixAddForceGPU);
FixStyle(addforce/exact/gpu,FixAddForceGPU);
// clang-format on
#else

#ifndef LMP_FIX_ADDFORCE_GPU_H
#define LMP_FIX_ADDFORCE_GPU_H

#include "fix_step.h"

namespace LAMMPS_NS {

class FixAddForceGPU : public FixStep {
 public:
  FixAddForceGPU(class LAMMPS *, int, char **);
  int setmask() override { return FixConst::POST_FORCE | FixConst::MIN_POST_FORCE; }
  void init() override;
  void declare(StepRecords &, bigint) override;
  double compute_scalar() override { return total(0, 0); }
  double compute_vector(int k) override { return total(0, 1 + k); }

 protected:
  void find_virial(const Totals &, double[6]) const override;

 private:
  size_t force[3];
  int step_multiple;    // keyword every
};

}    // namespace LAMMPS_NS

#endif
#endif
