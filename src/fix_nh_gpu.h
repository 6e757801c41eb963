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

#include "fix_step_bath.h"

#include "nose_hoover_barostat.h"
#include "nose_hoover_chain.h"

namespace LAMMPS_NS {

class FixNHGPU : public FixStepBath {
 public:
  FixNHGPU(class LAMMPS *, int, char **);
  int setmask() override { return FixConst::INITIAL_INTEGRATE | FixConst::FINAL_INTEGRATE | bit_of_virial(); }
  void init() override;
  void setup(int) override;
  void declare(StepRecords &, bigint) override;
  std::string answer(bigint, int, const StepSums *) override;
  void reset_dt() override {}    // the time step is read in each step
  void reset_target(double) override;
  double compute_scalar() override;
  double compute_vector(int) override;
  void write_restart(FILE *) override;
  void restart(char *) override;
  void *extract(const char *, int &) override;

 private:
  bool follows_shear() const override { return barostat.shape() == BoxPressure::TILTED; }

  // Arguments

  struct {
    bool on;
    double start, stop, period;
    double target;    // temperature wanted in this step, also without a thermostat
  } bath;
  int mtchain, mpchain, tloop, ploop;
  double drag, ptemp;    // ptemp 0: not given
  bool flips;
  int dilate_bit;
  std::string dilate;    // name of a group; empty: all atoms
  NoseHooverBarostat barostat;

  void read(int narg, char **arg);
  bool read_temperature(int &k, int narg, char **arg);
  bool read_chain(int &k, int narg, char **arg);
  bool read_pressures(int &k, int narg, char **arg);
  bool read_box(int &k, int narg, char **arg);
  void check() const;
  void check_scales() const;

  // State

  NoseHooverChain chain, box_chain;
  double kinetic_wanted;
  double reference_temperature;    // for masses without a thermostat; 0: not yet known
  bool carried;                    // kinetic energies follow from those of the last step
  double box_kT;                   // from which masses of the box were computed
  double in_run;                   // 1: a restart file from the middle of a run has given the state
  double counted[NSUMS];           // kinetic energies of the atoms when that file was written
  bool recounts;                   // see find_recounts()

  // Factors of velocities in the second half of a step, in the first half, and by the box in both. remap: how positions follow
  // the box

  Scaling of_final, of_initial, of_box;
  double remap[2][DS_OPERATION_NUMBERS];
  struct {
    int at_end, at_begin;
  } asked;    // numbers of operations that ask. With `recounts` there is one more

  void find_recounts();
  void add_motion(StepRecords &, ds_operation_kind, ds_point) const;
  Scaling scaling_of_box(double thermostat) const;

  void carry_kinetic();
  void set_temperature_target(bigint step);
  std::string take_pressure();
  double advance_chain();
  void advance_box_chain();
  double box_energy_wanted() const;
  std::string end_step(bigint step);
  std::string begin_step(bigint step);
  std::string begin_box(bigint step);
  std::string why_box_is_lost() const;
  double kT() const;

  template <class Visit> void visit_state(Visit);    // visits all numbers of the state, always in the same order
};

}    // namespace LAMMPS_NS

#endif
#endif
