/* -*- c++ -*- Nose-Hoover thermostats and barostats: LAMMPS's fixes nvt, nph and npt, on the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef FIX_CLASS
// clang-format off
FixStyle(nvt/exact/gpu,FixNHGPU);
FixStyle(nph/gpu,FixNHGPU);
FixStyle(nph/exact/gpu,FixNHGPU);
FixStyle(npt/exact/gpu,FixNHGPU);
// clang-format on
#else

#ifndef LMP_FIX_NH_GPU_H
#define LMP_FIX_NH_GPU_H

#include "fix_step.h"

#include "nose_hoover_barostat.h"
#include "nose_hoover_chain.h"
#include "step_virial.h"

#include <vector>

namespace LAMMPS_NS {

class FixNHGPU : public FixStep {
 public:
  FixNHGPU(class LAMMPS *, int, char **);
  ~FixNHGPU() override;
  int setmask() override { return FixConst::INITIAL_INTEGRATE | FixConst::FINAL_INTEGRATE; }
  void init() override;
  void setup(int) override;
  void declare(StepRecords &, bigint) override;
  std::string answer(bigint, int, const StepSums *) override;
  bool asks() const override { return true; }
  bool changes_box() const override { return barostat.is_on(); }
  void reset_dt() override {}    // asked for in each step
  void reset_target(double) override;
  int modify_param(int, char **) override;
  double compute_scalar() override;
  double compute_vector(int) override;
  void write_restart(FILE *) override;
  void restart(char *) override;
  void *extract(const char *, int &) override;

 private:
  enum { NSUMS = 6 };    // m v v: xx yy zz xy xz yz

  // Arguments

  struct {
    bool on;
    double start, stop, period;
    double target;    // of this step, also without a thermostat
  } bath;
  int mtchain, mpchain, tloop, ploop;
  double drag, ptemp;    // ptemp 0: not given
  bool flips;
  int dilate_bit;
  std::string dilate;    // group; empty: all
  NoseHooverBarostat barostat;

  void read(int narg, char **arg);
  bool read_chain(int &k, int narg, char **arg);
  bool read_pressure(int &k, int narg, char **arg);
  bool read_box(int &k, int narg, char **arg);
  void set_pressure(int component, double start, double stop, double period);
  int count(const char *word, const char *what, int least) const;
  void check() const;
  void check_couple() const;
  void check_axes() const;
  void make_computes();

  // State

  NoseHooverChain chain, box_chain;
  double dof, temperature_now, kinetic_wanted;
  double reference_temperature;    // of the masses without a thermostat; 0: not yet known
  double kinetic[NSUMS], virial[NSUMS];    // energy units
  bool carried;                            // kinetic energies are of the end of the step before, known by factors
  double box_kT;                           // that masses of the box have been made with
  double in_run;                           // 1: the state is that of a restart file from the middle of a run
  StepVirial forces;
  StepArrays::Runner counter;    // of kinetic energies in set-ups

  // Computes: their degrees of freedom and groups, and who made them

  std::string id_temperature, id_pressure;
  bool owns_temperature, owns_pressure;
  bool recounts;    // kinetic energies may have changed between two halves of steps
  class Compute *temperature() const;
  class Compute *pressure() const;
  static bool is_exact_temperature(const class Compute *);
  void find_recounts();
  void check_pressure();

  // Half steps. Sums come from the operations of the first half, or the second

  struct Scaling {
    double first[3], shear[3], second[3];
  } of_final, of_initial, of_box;
  double remap[2][12];
  struct {
    int at_end, at_begin, recounted;    // operations that ask
  } asked;

  int add_scaling(StepRecords &, ds_point, const Scaling &, int flags = 0, int from = -1) const;
  int add_sum(StepRecords &, ds_point) const;
  void add_motion(StepRecords &, ds_operation_kind, ds_point) const;
  void add_remap(StepRecords &, const double *numbers) const;

  bool needs_tensor() const;    // of kinetic energies; else their sum, which is kinetic[0]
  void take_kinetic(const double *sums);
  void count_kinetic();
  double trace() const;
  void scale_kinetic(double factor);
  void find_temperature();
  void set_temperature_target(bigint step);
  double part_of_run(bigint step) const;
  double advance_chain();
  double box_energy_wanted() const;
  void advance_box_chain();
  std::string take_pressure();
  std::string end_step(bigint step);
  std::string begin_step(bigint step);
  std::string begin_box(bigint step);
  void set_scaling(Scaling &, double thermostat, bool box) const;
  double kT() const;

  // Restart files

  template <class Visit> void visit_state(Visit);    // of all its numbers, in the same order
};

}    // namespace LAMMPS_NS

#endif
#endif
