/* -*- c++ -*- Berendsen's thermostat: LAMMPS's fix temp/berendsen, on the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef FIX_CLASS
// clang-format off
FixStyle(temp/berendsen/gpu,FixTempBerendsenGPU);
FixStyle(temp/berendsen/exact/gpu,FixTempBerendsenGPU);
// clang-format on
#else

#ifndef LMP_FIX_TEMP_BERENDSEN_GPU_H
#define LMP_FIX_TEMP_BERENDSEN_GPU_H

#include "fix_step_bath.h"

namespace LAMMPS_NS {

class FixTempBerendsenGPU : public FixStepBath {
 public:
  FixTempBerendsenGPU(class LAMMPS *, int, char **);
  int setmask() override { return FixConst::END_OF_STEP; }
  void declare(StepRecords &, bigint) override;
  std::string answer(bigint, int, const StepSums *) override;
  void reset_target(double) override;
  double compute_scalar() override { return energy; }
  void write_restart(FILE *) override;
  void restart(char *) override;
  void *extract(const char *, int &) override;

 private:
  size_t start;    // index of Tstart, for value()
  bool is_ramp;    // from Tstart, a number, to Tstop; else Tstart is a variable
  double first, stop, period, target;
  double energy;    // taken from the atoms so far
  Scaling scaling;
};

}    // namespace LAMMPS_NS

#endif
#endif
