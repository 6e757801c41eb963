/* -*- c++ -*- Temperatures of a part of the velocity, from exact sums: LAMMPS's computes temp/partial and temp/deform, on the
   engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef COMPUTE_CLASS
// clang-format off
ComputeStyle(temp/partial/gpu,ComputeTempBiasGPU);
ComputeStyle(temp/partial/exact/gpu,ComputeTempBiasGPU);
ComputeStyle(temp/deform/gpu,ComputeTempBiasGPU);
ComputeStyle(temp/deform/exact/gpu,ComputeTempBiasGPU);
// clang-format on
#else

#ifndef LMP_COMPUTE_TEMP_BIAS_GPU_H
#define LMP_COMPUTE_TEMP_BIAS_GPU_H

#include "compute_temp_gpu.h"

#include "dpdsop/device/step/bias.h"

#include <array>

namespace LAMMPS_NS {

class ComputeTempBiasGPU : public ComputeTempGPU {
 public:
  ComputeTempBiasGPU(class LAMMPS *, int, char **);
  void init() override;
  void put_bias(double number[4]) const override;

  // For styles of LAMMPS: subtract the bias from velocities, and add it again

  int dof_remove(int) override;
  void remove_bias(int i, double *v) override { remove_bias_thr(i, v, vbias); }
  void remove_bias_thr(int, double *, double *) override;
  void remove_bias_all() override;
  void restore_bias(int i, double *v) override { restore_bias_thr(i, v, vbias); }
  void restore_bias_thr(int, double *, double *) override;
  void restore_bias_all() override;
  double memory_usage() override;

 private:
  bool flows;          // the style is temp/deform
  bool without[3];     // of temp/partial: axes that do not count
  std::vector<std::array<double, 3>> kept;
  int axes() const override;
  ds_step_context context() const;    // the present flow
  void remove_bias_in(const ds_step_context &, int i, double *v, double *bias) const;
};

}    // namespace LAMMPS_NS

#endif
#endif
