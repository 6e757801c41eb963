/* -*- c++ -*- Rigid bodies: LAMMPS's fixes rigid, rigid/nve, rigid/nvt and those of small bodies, on the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef FIX_CLASS
// clang-format off
FixStyle(rigid/gpu,FixRigidGPU);
FixStyle(rigid/exact/gpu,FixRigidGPU);
FixStyle(rigid/nve/gpu,FixRigidGPU);
FixStyle(rigid/nve/exact/gpu,FixRigidGPU);
FixStyle(rigid/nvt/gpu,FixRigidGPU);
FixStyle(rigid/nvt/exact/gpu,FixRigidGPU);
FixStyle(rigid/small/gpu,FixRigidGPU);
FixStyle(rigid/small/exact/gpu,FixRigidGPU);
FixStyle(rigid/nve/small/gpu,FixRigidGPU);
FixStyle(rigid/nve/small/exact/gpu,FixRigidGPU);
FixStyle(rigid/nvt/small/gpu,FixRigidGPU);
FixStyle(rigid/nvt/small/exact/gpu,FixRigidGPU);
// clang-format on
#else

#ifndef LMP_FIX_RIGID_GPU_H
#define LMP_FIX_RIGID_GPU_H

#include "fix_step.h"

#include "atom_order.h"
#include "rigid_bodies.h"
#include "rigid_thermostat.h"

namespace LAMMPS_NS {

class FixRigidGPU : public FixStep, public HasRowsOfAtoms {
 public:
  FixRigidGPU(class LAMMPS *, int, char **);
  ~FixRigidGPU() override;
  int setmask() override { return FixConst::INITIAL_INTEGRATE | FixConst::FINAL_INTEGRATE; }
  void init() override;
  void setup(int) override;
  void initial_integrate(int) override;
  void final_integrate() override;
  void declare(StepRecords &, bigint) override;
  bool uses_atoms_itself() const override { return true; }
  bool asks() const override { return thermostat || FixStep::asks(); }
  std::string answer(bigint, int, const StepSums *) override;
  bool changes_in_run() const override { return bath.start != bath.stop; }
  void take_sums(bigint, const std::vector<StepSums> &) override;
  std::vector<ds_body> *bodies() override { return &rigid.all; }
  int *bodies_of_atoms() override { return rigid.of_atom; }
  double **anchors() override { return rigid.place; }
  Rows rows_of_atoms() override { return {rigid.of_atom, rigid.place}; }
  void reset_dt() override {}    // the time step is read in each step

  // What other styles of LAMMPS ask for

  bigint dof(int) override;
  void zero_momentum() override;
  void zero_rotation() override;
  void reset_target(double) override;
  double compute_scalar() override;
  double compute_array(int, int) override;
  void *extract(const char *, int &) override;

  // Values of atoms, and restart files

  void grow_arrays(int) override;
  void copy_arrays(int, int, int) override;
  void set_arrays(int) override;
  int pack_exchange(int, double *) override;
  int unpack_exchange(int, double *) override;
  int pack_restart(int, double *) override;
  void unpack_restart(int, int) override;
  int maxsize_restart() override { return RESTART_VALUES; }
  int size_restart(int) override { return RESTART_VALUES; }
  void write_restart(FILE *) override;
  void restart(char *) override;
  double memory_usage() override;

 private:
  enum { OF_SUM, OF_VELOCITY, OF_PLACE, OF_KINETIC };    // numbers of operations
  static constexpr int RESTART_VALUES = 4;

  bool small;
  const bool no_squish;       // rotations of the styles with nve and nvt
  const bool has_chains;      // chains of the styles with nvt
  bool set_up, renews;        // bodies have been made; they are made anew in each run (keyword reinit)
  bool resumes;               // bodies come from a restart file that was written in the middle of a run
  bigint velocities;          // the digest of those that atoms of bodies had in that file
  bool at_setup;              // nothing has moved yet in this run
  bool takes_forces_alone;    // only forces are added up, as bodies have their velocities already
  RigidBodies rigid;
  struct {
    double start, stop;
    double period;    // of keyword langevin; 0: not given
    int seed;
    double target;
  } bath;
  struct {
    double period;    // 0: not given
    int links, loops, order;
  } chains;
  std::unique_ptr<RigidThermostat> thermostat;    // of rigid/nvt

  int take_bodies(int narg, char **arg);
  void take_keywords(int k, int narg, char **arg);
  void take_temperatures(int &k, int narg, char **arg, const char *values);
  void take_langevin(int &k, int narg, char **arg);
  void take_temp(int &k, int narg, char **arg);
  void take_tparam(int &k, int narg, char **arg);
  void take_switches(int &k, int narg, char **arg, double (ds_body::*which)[3]);
  void check_others() const;
  void check_movers() const;
  void check_readers() const;
  void put_motion(ds_operation &) const;
  double kT() const;
  void begin_thermostat();
  std::vector<char> saved_chains();
  void resume_chains(const char *);
  void find_virial(const Totals &, double[6]) const override;
};

}    // namespace LAMMPS_NS

#endif
#endif
