/* -*- c++ -*- Velocities scaled to a temperature: LAMMPS's fix temp/rescale, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef FIX_CLASS
// clang-format off
FixStyle(temp/rescale/gpu,FixTempRescaleGPU);
FixStyle(temp/rescale/exact/gpu,FixTempRescaleGPU);
// clang-format on
#else

#ifndef LMP_FIX_TEMP_RESCALE_GPU_H
#define LMP_FIX_TEMP_RESCALE_GPU_H

#include "fix_step.h"
#include "step_temperature.h"

namespace LAMMPS_NS {

class FixTempRescaleGPU : public FixStep {
 public:
  FixTempRescaleGPU(class LAMMPS *, int, char **);
  ~FixTempRescaleGPU() override;
  int setmask() override { return FixConst::END_OF_STEP; }
  void init() override;
  void declare(StepRecords &, bigint) override;
  bool changes_in_run() const override;
  double compute_scalar() override;
  void write_restart(FILE *) override;
  void restart(char *) override;
  int modify_param(int, char **) override;
  void end_of_step() override;
  std::string why_not_declared() override;
  void reset_target(double) override;
  void *extract(const char *, int &) override;

 private:
  double start, stop, window, fraction;
  StepTemperature temperature;
  double target;    // of the last step
  double energy;    // that was taken from atoms before this run
  void set_target(bigint step);
};

}    // namespace LAMMPS_NS

#endif
#endif
