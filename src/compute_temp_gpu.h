/* -*- c++ -*- Temperature from exact sums: LAMMPS's compute temp, on the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef COMPUTE_CLASS
// clang-format off
ComputeStyle(temp/gpu,ComputeTempGPU);
ComputeStyle(temp/exact/gpu,ComputeTempGPU);
// clang-format on
#else

#ifndef LMP_COMPUTE_TEMP_GPU_H
#define LMP_COMPUTE_TEMP_GPU_H

#include "compute_step.h"

namespace LAMMPS_NS {

class ComputeTempGPU : public ComputeStep {
 public:
  ComputeTempGPU(class LAMMPS *, int, char **);
  void setup() override;
  void take_dof(double of_other);
  static void take_place_of_thermo_temp(class LAMMPS *);    // does nothing unless that is LAMMPS's compute temp
  double compute_scalar() override;
  void compute_vector() override;
  void declare(StepRecords &, bigint) override;

  // The part of velocities that is no heat, as numbers of an operation

  virtual void put_bias(double number[4]) const { number[0] = DS_BIAS_NONE; }

 protected:
  ComputeTempGPU(class LAMMPS *, int, char **, int arguments);    // a style with this number of arguments
  virtual int axes() const;                                       // how many axes count

 private:
  double tfactor;
  void count_dof();
};

}    // namespace LAMMPS_NS

#endif
#endif
