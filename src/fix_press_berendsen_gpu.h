/* -*- c++ -*- Berendsen's barostat: LAMMPS's fix press/berendsen, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef FIX_CLASS
// clang-format off
FixStyle(press/berendsen/gpu,FixPressBerendsenGPU);
FixStyle(press/berendsen/exact/gpu,FixPressBerendsenGPU);
// clang-format on
#else

#ifndef LMP_FIX_PRESS_BERENDSEN_GPU_H
#define LMP_FIX_PRESS_BERENDSEN_GPU_H

#include "fix_step_bath.h"

namespace LAMMPS_NS {

class FixPressBerendsenGPU : public FixStepBath {
 public:
  FixPressBerendsenGPU(class LAMMPS *, int, char **);
  int setmask() override { return FixConst::END_OF_STEP | bit_of_virial(); }
  void init() override;
  void setup(int) override;
  void declare(StepRecords &, bigint) override;
  std::string answer(bigint, int, const StepSums *) override;

 private:
  BoxPressure box;
  double modulus;
  bool all;    // positions of all atoms follow the box; else those of the group
  double remap[DS_OPERATION_NUMBERS];

  std::string change_box();
};

}    // namespace LAMMPS_NS

#endif
#endif
