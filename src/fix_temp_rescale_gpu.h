/* -*- c++ -*- Velocities scaled to a temperature: LAMMPS's fix temp/rescale, on the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

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
  bool uses_atoms_itself() const override { return true; }
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
  size_t start;    // Tstart
  bool is_ramp;    // from Tstart, a number, to Tstop; else Tstart is a variable
  double first, stop, window, fraction;
  StepTemperature temperature;
  double target;    // temperature wanted in the last step
  void find_target(bigint step);
  double energy;    // taken from atoms before this run
};

}    // namespace LAMMPS_NS

#endif
#endif
