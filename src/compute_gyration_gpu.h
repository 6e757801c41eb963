/* -*- c++ -*- Radius of gyration of a group from exact sums: LAMMPS's compute gyration, on the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef COMPUTE_CLASS
// clang-format off
ComputeStyle(gyration/gpu,ComputeGyrationGPU);
ComputeStyle(gyration/exact/gpu,ComputeGyrationGPU);
// clang-format on
#else

#ifndef LMP_COMPUTE_GYRATION_GPU_H
#define LMP_COMPUTE_GYRATION_GPU_H

#include "compute_moments.h"

namespace LAMMPS_NS {

class ComputeGyrationGPU : public ComputeMoments {
 public:
  ComputeGyrationGPU(class LAMMPS *, int, char **);
  ~ComputeGyrationGPU() override;
  double compute_scalar() override;
  void compute_vector() override;
};

}    // namespace LAMMPS_NS

#endif
#endif
