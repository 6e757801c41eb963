/* -*- c++ -*- Atoms that move with a velocity of their own: LAMMPS's fix move linear, on the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef FIX_CLASS
// clang-format off
FixStyle(move/gpu,FixMoveGPU);
FixStyle(move/exact/gpu,FixMoveGPU);
// clang-format on
#else

#ifndef LMP_FIX_MOVE_GPU_H
#define LMP_FIX_MOVE_GPU_H

#include "fix_step_anchored.h"

namespace LAMMPS_NS {

class FixMoveGPU : public FixStepAnchored {
 public:
  FixMoveGPU(class LAMMPS *, int, char **);
  int setmask() override;
  void declare(StepRecords &, bigint) override;
  void write_restart(FILE *) override;
  void restart(char *) override;
  void reset_dt() override;

 private:
  double velocity[3];
  bool given[3];
  bigint begin;    // step in which atoms are at their anchors
};

}    // namespace LAMMPS_NS

#endif
#endif
