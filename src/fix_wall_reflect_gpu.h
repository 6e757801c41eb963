/* -*- c++ -*- Walls that reflect or send back: LAMMPS's fix wall/reflect, and fix wall/bounce.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef FIX_CLASS
// clang-format off
FixStyle(wall/reflect/gpu,FixWallReflectGPU);
FixStyle(wall/reflect/exact/gpu,FixWallReflectGPU);
FixStyle(wall/bounce/gpu,FixWallReflectGPU);
FixStyle(wall/bounce/exact/gpu,FixWallReflectGPU);
// clang-format on
#else

#ifndef LMP_FIX_WALL_REFLECT_GPU_H
#define LMP_FIX_WALL_REFLECT_GPU_H

#include "fix_step_walls.h"

namespace LAMMPS_NS {

class FixWallReflectGPU : public FixStepWalls {
 public:
  FixWallReflectGPU(class LAMMPS *, int, char **);
  int setmask() override { return FixConst::POST_INTEGRATE; }
  void init() override;
  void declare(StepRecords &, bigint) override;

 private:
  bool bounces;    // no slip: the velocity relative to the wall is reversed
  struct Velocity {
    double along[3];
  };
  std::vector<Velocity> velocity;    // of each wall
};

}    // namespace LAMMPS_NS

#endif
#endif
