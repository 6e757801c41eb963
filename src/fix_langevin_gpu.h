/* -*- c++ -*- Langevin friction and noise: LAMMPS's fix langevin, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef FIX_CLASS
// clang-format off
FixStyle(langevin/gpu,FixLangevinGPU);
FixStyle(langevin/exact/gpu,FixLangevinGPU);
// clang-format on
#else

#ifndef LMP_FIX_LANGEVIN_GPU_H
#define LMP_FIX_LANGEVIN_GPU_H

#include "fix_step.h"

namespace LAMMPS_NS {

class FixLangevinGPU : public FixStep {
 public:
  FixLangevinGPU(class LAMMPS *, int, char **);
  int setmask() override { return FixConst::POST_FORCE; }
  void declare(StepRecords &, bigint) override;
  bool changes_in_run() const override { return start != stop || FixStep::changes_in_run(); }

 private:
  double start, stop, damp;
  int seed;
};

}    // namespace LAMMPS_NS

#endif
#endif
