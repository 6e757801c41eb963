/* -*- c++ -*- Temperature without the mean velocities in bins, from exact sums: LAMMPS's compute temp/profile, on the engine.
   SPDX-License-Identifier: GPL-2.0-or-later

   For each bin the engine adds up masses, momenta and products of two components of the velocity. Mean velocities, and products
   without them, are computed from these sums. While run_style verlet/gpu makes steps, sums are added up where the atoms are, at
   the end of steps in which LAMMPS reads the compute. */

#ifdef COMPUTE_CLASS
// clang-format off
ComputeStyle(temp/profile/gpu,ComputeTempProfileGPU);
ComputeStyle(temp/profile/exact/gpu,ComputeTempProfileGPU);
// clang-format on
#else

#ifndef LMP_COMPUTE_TEMP_PROFILE_GPU_H
#define LMP_COMPUTE_TEMP_PROFILE_GPU_H

#include "compute_looking.h"

#include "step_arrays.h"

#include <array>

namespace LAMMPS_NS {

class ComputeTempProfileGPU : public ComputeLooking {
 public:
  ComputeTempProfileGPU(class LAMMPS *, int, char **);
  ~ComputeTempProfileGPU() override;
  void init() override;
  void setup() override;
  void reset_extra_dof() override;
  double compute_scalar() override;
  void compute_vector() override;
  void compute_array() override;
  void remove_bias(int i, double *v) override { remove_bias_thr(i, v, vbias); }
  void remove_bias_thr(int, double *, double *) override;
  void remove_bias_all() override;
  void restore_bias(int i, double *v) override { restore_bias_thr(i, v, vbias); }
  void restore_bias_thr(int, double *, double *) override;
  void restore_bias_all() override;
  double memory_usage() override;

  bool is_to_look(bigint) override { return true; }    // a compute pressure may read it in steps that it does not announce
  bigint next_reading(bigint) const override { return NOT_KNOWN; }
  void look_at_atoms(ResidentAtoms &) override;
  int fields_looked_at() const override { return DS_POSITION | DS_VELOCITY; }

 private:
  // What is added up in each bin

  enum { COUNT, MASS, MOMENTUM, PRODUCTS = MOMENTUM + 3, VALUES = PRODUCTS + 6 };
  class Sums : public StepPart {
   public:
    explicit Sums(ComputeTempProfileGPU &c) : of(c) {}
    void declare(StepRecords &, bigint) override;
    void take_bins(bigint, const std::vector<ds_exact_sum> &) override;
    void take_sums(bigint, const std::vector<StepSums> &) override {}

   private:
    ComputeTempProfileGPU &of;
  };

  Sums sums;
  StepArrays::Runner runner;    // on LAMMPS's arrays
  StepArrays::Units units;
  bool without[3];    // components whose mean in a bin is no heat
  int nbin[3], nbins;
  double tfactor;
  std::vector<std::array<double, VALUES>> bins;    // over all processes
  std::vector<std::array<double, 3>> kept;

  void read_arguments(int narg, char **arg);
  void put(StepRecords &) const;
  void add_up();
  double product(int bin, int k) const;    // without means: xx yy zz xy xz yz
  void count_dof();
  int means() const { return without[0] + without[1] + without[2]; }
  void find_mean(const ds_binning &, int i, double *mean) const;
  ds_binning binning() const;
};

}    // namespace LAMMPS_NS

#endif
#endif
