/* -*- c++ -*- Modified velocity Verlet: LAMMPS's fix mvv/dpd, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef FIX_CLASS
// clang-format off
FixStyle(mvv/dpd/gpu,FixMvvDPDGPU);
FixStyle(mvv/dpd/exact/gpu,FixMvvDPDGPU);
// clang-format on
#else

#ifndef LMP_FIX_MVV_DPD_GPU_H
#define LMP_FIX_MVV_DPD_GPU_H

#include "fix_step.h"

namespace LAMMPS_NS {

class FixMvvDPDGPU : public FixStep {
 public:
  FixMvvDPDGPU(class LAMMPS *, int, char **);
  ~FixMvvDPDGPU() override;
  void post_constructor() override;
  int setmask() override { return FixConst::INITIAL_INTEGRATE | FixConst::FINAL_INTEGRATE; }
  void init() override;
  void declare(StepRecords &, bigint) override;
  void reset_dt() override {}    // the time step is read in each step
  double **anchors() override;    // what velocities in the middle of a step are more
  bool keeps_forces() const override { return true; }

 private:
  double lambda;
};

}    // namespace LAMMPS_NS

#endif
#endif
