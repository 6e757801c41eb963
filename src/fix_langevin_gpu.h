/* -*- c++ -*- Langevin friction and noise: LAMMPS's fix langevin, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef FIX_CLASS
// clang-format off
FixStyle(langevin/gpu,FixLangevinGPU);
FixStyle(langevin/exact/gpu,FixLangevinGPU);
// clang-format on
#else

#ifndef LMP_FIX_LANGEVIN_GPU_H
#define LMP_FIX_LANGEVIN_GPU_H

#include "fix_step.h"
#include "step_temperature.h"

namespace LAMMPS_NS {

class FixLangevinGPU : public FixStep {
 public:
  FixLangevinGPU(class LAMMPS *, int, char **);
  ~FixLangevinGPU() override;
  void post_constructor() override;
  int setmask() override;
  void init() override;
  void setup(int) override;
  void declare(StepRecords &, bigint) override;
  bool uses_atoms_itself() const override { return true; }
  bool changes_in_run() const override { return (is_ramp && first != stop) || FixStep::changes_in_run(); }
  double **anchors() override;
  bool keeps_forces() const override { return tallies; }
  double compute_scalar() override;
  void reset_target(double) override;
  void reset_dt() override {}    // the time step is read in each step
  void *extract(const char *, int &) override;
  int modify_param(int, char **) override;
  std::string why_not_declared() override;
  void post_force(int) override;

 private:
  size_t start;    // Tstart
  bool is_ramp;    // from Tstart, a number, to Tstop; else Tstart is a variable
  double first, stop, damp;
  int seed;
  bool tallies, zeroes;         // keywords tally, zero
  std::vector<double> ratio;    // of types, from 1 on
  double energy;                // given to atoms in earlier runs, up to the middle of their last step
  bool set_up;
  double target;                  // temperature wanted in the last step
  StepTemperature temperature;    // its bias is no heat

  struct Types {
    int first, last;    // types with the same ratio; 0 0: all types
    double ratio;
  };
  static constexpr int MAX_KINDS = 8;
  std::vector<Types> kinds() const;
  int work_place() const;    // number of the operation that adds up work
  void take_keywords(int narg, char **arg);
  void put_bias(double number[4]) const;
  void declare_work(StepRecords &) const;
};

}    // namespace LAMMPS_NS

#endif
#endif
