/* -*- c++ -*- Who takes part in a run: what stays with the engine, and in which steps LAMMPS is called.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_RESIDENT_PLAN_H
#define LMP_DPDSOP_RESIDENT_PLAN_H

#include "pointers.h"

#include "step_program.h"

#include <string>
#include <vector>

namespace LAMMPS_NS {

class ResidentPlan : protected Pointers {
 public:
  ResidentPlan(class LAMMPS *);

  // needs_ghosts: the box is so narrow that pairs need ghosts. bonds: the engine knows the styles of bonds. mesh: the kspace
  // style is of this package

  void make(bool needs_ghosts, bool bonds, bool mesh);

  // What the engine does in a step, as styles have declared it

  StepProgram program;
  bool has_part(const class Fix *fix) const { return program.has(fix); }
  static bool is_of_dynamic_group(const class Fix *);    // LAMMPS's internal fix that chooses the atoms of a dynamic group
  bool calls(int k, int bit) const;    // fix number k acts at this point (FixConst), in the engine or in LAMMPS

  bool bonds_resident;    // the engine makes the forces of bonds, angles, dihedrals and impropers

  bool mesh_resident;     // the engine makes long-range forces

  bool flips_box() const;            // fix deform flips the box in the present step
  bool acts_before_lists() const;    // some fix acts after atoms have moved and before lists are rebuilt

  // Only fixes of this package change the box, as part of the engine's steps

  bool box_follows;

  // LAMMPS takes part in every step

  bool every_step;
  bool lammps_forces;    // LAMMPS makes forces of bonds or long-range forces
  bool hook(int bit) const { return (hooks & bit) != 0; }    // LAMMPS calls some fix at this point (FixConst)

  // LAMMPS rebuilds lists and ghosts, not the engine. In each step, positions of ghosts follow those of their owners

  bool lammps_reneighbors;
  bool ghosts_follow;

  // The engine sorts atoms in the steps in which LAMMPS would. `own_copies`: the engine has arrays of its own. `alike`: LAMMPS
  // sorts by the bins that the engine has found

  bool engine_sorts;
  void look_at_sort(bool own_copies, bool alike, const std::string &why_not_put);

  // Whether LAMMPS's fixes are called at the end of this step; and the first step after it in which fixes or output are, fixes
  // are, lists are rebuilt whatever distances are, or a fix is called in the midst of the step that is so seldom

  bool calls_fixes(bigint step) const;
  bigint next_call(bigint step) const;
  bigint next_end_of_step(bigint step) const;
  bigint next_forced_reneighboring(bigint step) const;
  bigint next_seldom_call(bigint step) const;

  // The next step after this one with a dump or a restart file. It is `step` itself if LAMMPS will know only after the files of
  // this step

  bigint next_with_files(bigint step) const;

  // In multiples of these periods LAMMPS reads only sums, all through the run. next_...(): the first step after this one in
  // which a fix that reads more is called at the end

  std::vector<bigint> periods_of_sums() const;
  bigint next_end_of_step_with_atoms(bigint step) const;

  // What LAMMPS does at the end of this step: which fields of atoms it reads (0 if it needs only sums), whether it needs ghosts
  // and lists, and whether it may change atoms

  int reads(bigint step) const;
  int read_by_dumps(bigint step) const;
  std::string instead_of(const class Fix *) const;    // for the log: the style that would be resident, or nothing

  // The style of this package that would be resident; empty if there is none

  static std::string resident_style(void *lmp, const char *category, const char *style);
  bool thermo_reads_sums() const { return thermo_reads == 0; }    // the thermodynamic output reads only sums
  bool needs_ghosts(bigint step) const;
  bool may_need_ghosts() const;    // in some step of the run
  bool looks_at_ghosts() const { return ghostly_compute; }    // some compute may look at ghosts whenever it is evaluated
  bool changes_atoms(bigint step) const;
  bool may_change_in_calls() const    // some compute or variable may change atoms whenever it is evaluated
  {
    return altering_compute || altering_variable;
  }
  bool only_observes(bigint step) const;    // only fixes are called that change no atoms and do not call the pair style

  void tell(const std::string &engine, const std::string &why_no_bonds) const;

 private:
  static const int IN_STEP, AT_RENEIGHBORING;    // points (FixConst)

  bool lammps_bonds;          // LAMMPS makes forces of bonds
  bool has_own_mesh;          // the kspace style is of this package
  bool others_read_ghosts;    // forces or fixes of LAMMPS read ghosts
  int hooks;                  // points at which LAMMPS calls fixes
  const class FixDPDGPUWrap *wrap;               // NULL: there is none
  std::vector<class Fix *> end_of_step_fixes;    // fixes of LAMMPS that are called at the end of steps
  std::vector<class Fix *> seldom;               // fixes that are called in the midst of few steps
  bool is_seldom(const class Fix *) const;
  bool reads_sums_alone(const class Fix *) const;    // of end_of_step_fixes
  bool ghostly_compute;      // some compute may look at ghosts
  bool altering_compute;     // some compute may change atoms, if only by rounding
  bool altering_variable;    // there is a variable of style python, which can change atoms whenever it is evaluated
  int calls_read;            // fields that computes and variables read when LAMMPS evaluates them; 0: they read only sums
  int thermo_reads;          // fields that the thermodynamic output reads
  std::string what_output_reads() const;
  std::string tell_computes() const;
  std::string tell_mesh() const;
  std::string when_called(int k) const;
  std::string why_reneighbors, why_sorts;    // why LAMMPS does it; empty: the engine does
  std::string why_alone;                     // why LAMMPS would have to rebuild lists on one rank
  std::vector<std::string> not_declared;     // why fixes of this package had to be left to LAMMPS

  void look_at_fixes();
  void look_at_reneighboring(bool needs_ghosts);
  bool can_have_bonds() const;
  bool converts_positions(const class ComputeChunkAtomGPU *) const;
};

}    // namespace LAMMPS_NS

#endif
