/* -*- c++ -*- Walls that push: LAMMPS's fixes wall/lj93, wall/lj126, wall/harmonic, on the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef FIX_CLASS
// clang-format off
FixStyle(wall/lj93/gpu,FixWallGPU);
FixStyle(wall/lj93/exact/gpu,FixWallGPU);
FixStyle(wall/lj126/gpu,FixWallGPU);
FixStyle(wall/lj126/exact/gpu,FixWallGPU);
FixStyle(wall/harmonic/gpu,FixWallGPU);
FixStyle(wall/harmonic/exact/gpu,FixWallGPU);
// clang-format on
#else

#ifndef LMP_FIX_WALL_GPU_H
#define LMP_FIX_WALL_GPU_H

#include "fix_step_walls.h"

namespace LAMMPS_NS {

class FixWallGPU : public FixStepWalls {
 public:
  FixWallGPU(class LAMMPS *, int, char **);
  int setmask() override { return FixConst::POST_FORCE | FixConst::MIN_POST_FORCE; }
  void declare(StepRecords &, bigint) override;
  double compute_scalar() override;
  double compute_vector(int k) override { return total(k, 1); }

 protected:
  void find_virial(const Totals &, double[6]) const override;

 private:
  ds_operation_kind kind;
  struct Strength {
    size_t epsilon, sigma;    // indices for value()
    double cutoff;
  };
  std::vector<Strength> strength;    // of each wall
};

}    // namespace LAMMPS_NS

#endif
#endif
