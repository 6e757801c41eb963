/* -*- c++ -*- Velocity Verlet of atoms that stay with the engine, on host or GPU.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef INTEGRATE_CLASS
// clang-format off
IntegrateStyle(verlet/gpu,VerletGPU);
IntegrateStyle(verlet/exact/gpu,VerletGPU);
// clang-format on
#else

#ifndef LMP_VERLET_GPU_H
#define LMP_VERLET_GPU_H

#include "verlet_abi.h"

#include "resident_atoms.h"
#include "resident_bonds.h"
#include "resident_lists.h"
#include "resident_plan.h"
#include "run_log.h"
#include "steps_ahead.h"

#include <memory>
#include <string>
#include <vector>

namespace LAMMPS_NS {

class VerletGPU : public Verlet {
 public:
  VerletGPU(class LAMMPS *, int, char **);
  ~VerletGPU() override;
  void init() override;
  void setup(int) override;
  void setup_minimal(int) override;
  void run(int) override;
  int shared_gpus() const { return gpus; }    // that share the work of this process

 private:
  // Steps are those of run_style verlet, as the pair style has no resident path, and is a hybrid or a suffix chose verlet/gpu
  bool plain;
  ResidentPlan plan;
  std::unique_ptr<class PairTogether> together;    // of the sub-styles of a hybrid
  class PairGPU *pair;
  class Pair *of_lammps;    // the pair style that `pair` stands for
  class EngineHandle *engine;
  class PPPMExactGPU *mesh;    // the kspace style, if it is of this package and the pair style reads charges; else null
  ResidentAtoms *atoms;    // of the engine
  std::unique_ptr<ResidentBonds> bonds;
  ResidentLists lists;
  bool reneighbored_by_setup;    // a set-up has built lists, and their positions have not been saved yet
  bool table_printed;
  bool ended;    // the engine has done in this step what fixes of this package do at its end

  int gpus;
  RunLog log;
  RunLog::Reason reason;    // why LAMMPS takes part in the next step

  // Many steps as one call of the engine: verlet_gpu_many.cpp. LAMMPS takes part at the end of the last one only

  struct Progress {
    VerletGPU *self;
    ds_run_request *stretch;     // in its last step eflag and vflag say what is tallied
    ds_pair_request *request;    // of that step: its arrays are set when LAMMPS has made room in them
  };
  bigint free_until(bigint last);
  void set_flags(bigint step);
  bool can_go_alone(RunLog::Reason * = nullptr) const;
  ds_run_request stretch_from(bigint first, bigint last);
  void run_on_engine(bigint last);
  void want_by_atom(ds_pair_request *) const;
  static ds_status before_forces(void *, int64_t, ds_error *);
  static ds_status after_forces(void *, int64_t, ds_error *);
  static ds_status answer(void *, ds_question *, ds_error *);
  static void rebuilds(void *, int64_t);
  static ds_status returns(void *, int64_t, int64_t, ds_error *);
  bool is_read(bigint step) const;    // LAMMPS may read sums of this step

  // The engine goes on by itself while the box is wider than needed by this factor

  static constexpr double BOX_MARGIN = 1.05;
  bool is_wide() const;
  void update_counters(const ds_run_result &, const ds_run_request &);
  void stamp_parts(const ds_run_result &);
  void finish_engine_call(const ds_run_result &, const ds_run_request &);
  void tally(const ds_run_request &);
  bool take_reneighboring(bigint step);    // false: bonds had to be left to LAMMPS, which has completed the step

  // Steps made while LAMMPS writes its output: verlet_gpu_ahead.cpp

  StepsAhead ahead;
  bigint begun;    // a step of which only the first half has been made; -1: there is none
  bigint engine_until;    // the last step of the call of the engine that is under way; -1: there is none
  bigint ahead_until(bigint step, bigint last) const;
  bigint next_reading(bigint step) const;
  void start_ahead(bigint step, bigint last);
  bool take_ahead();
  void give_bins(const StepsAhead::AsyncChunk &);
  void show_step();
  void write_output();

  // One step in which LAMMPS takes part: verlet_gpu_served.cpp

  void step_with_lammps();
  void call_fixes(int hook, ds_point, bool lammps = true);
  bool call_fix(int k, int hook);
  bool call_fix(class Fix *, int hook);    // true: the fix may have changed atoms
  void operate(int first, int end, bool tally = false);
  void forces();
  void lammps_forces(bool by_lammps, bool others);
  void tell_parts();
  void tally_atoms();
  void tally_with_ghosts(int wanted);
  bool others_add_forces() const;
  void lammps_bonds();
  void tell_bonded(bigint step);    // gives sums of bonds to styles that read the virial
  void clear_forces();
  void finish_forces();

  // Bonds: verlet_gpu_bonds.cpp. in_step: the present step is not over yet

  void make_plan(bigint acted);
  void remake_plan(bool in_step);
  bool wants_atom_energies() const;
  bool resident_bonds();    // false: LAMMPS has to make the forces of bonds
  void lammps_bonds_once();
  void lose_bonds(const std::string &why, bool in_step);
  void lose_bonds_here(bool in_step);
  bool give_bonds();
  void complete_with_lammps_bonds();

  // Long-range forces: verlet_gpu_mesh.cpp

  void find_mesh();
  void follow_charges(bool given, bool rebuilt);
  bigint charges_seen;            // count_of_identities() when charges were compared last; -1: never
  std::vector<double> charges;    // that the engine was given then
  bool charges_are_old;           // their sums are to be found anew
  ds_status set_mesh(ds_error *);
  void give_mesh();
  void resident_mesh();
  void lammps_mesh();
  void tell_mesh();    // gives the virial of the mesh to styles that read it
  void take_mesh(const ds_mesh_sums &);

  // The box: verlet_gpu_box.cpp

  void give_settings(bigint of_initial);    // the step to which operations from DS_AT_INITIAL on belong
  void end_of_step(bool fixes_now);
  void follow_box();

  // Copies between LAMMPS and the engine. `changed` are fields that LAMMPS has changed

  void show_to_lammps();
  void take_from_lammps(int changed = DS_ALL_FIELDS);
  void finish_step(bigint last);
  void bring_for_calls();
  void bring_fields();
  void take_sums(bool add_up);
  void look_at_atoms(int changed = DS_ALL_FIELDS);
  enum Lookers { LOOKING, ALL_STYLES };
  void take_bins(bigint acted, Lookers, class Fix *only = nullptr);
  void agree();
  void require_same_atoms();
  bool suffixed() const;
};

}    // namespace LAMMPS_NS

#endif
#endif
