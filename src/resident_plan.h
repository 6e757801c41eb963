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

  // What the engine can have; bonds: theirs

  void make(bool needs_ghosts, bool bonds);

  // what the engine does in a step, as styles have declared it

  StepProgram program;
  bool has_part(const class Fix *fix) const { return program.has(fix); }
  static bool is_of_dynamic_group(const class Fix *);    // LAMMPS's, which chooses its atoms
  bool calls(int k, int bit) const;    // fix number k is called there (FixConst), by the engine or by LAMMPS

  bool bonds_resident;    // bonds and angles are the engine's

  bool flips_box() const;            // in the present step, before lists are rebuilt
  bool acts_before_lists() const;    // something, between the motion of atoms and that

  // Fixes of this package, and none of LAMMPS's, change the box, as part of the engine's steps

  bool box_follows;

  // In every step something of LAMMPS's runs beside: nothing is queued ahead

  bool every_step;
  bool lammps_forces;    // bonds, angles, long-range forces, unless the engine has them
  bool hook(int bit) const
  {
    return (hooks & bit) != 0;
  }                                     // of fixes other than movers (FixConst)

  // Lists and ghosts are rebuilt by LAMMPS, not by the engine; ghosts follow their owners in each step

  bool lammps_reneighbors;
  bool ghosts_follow;

  // The engine sorts atoms when LAMMPS would. `own_copies`: it has arrays of its own; `alike`: it has LAMMPS's bins

  bool engine_sorts;
  void look_at_sort(bool own_copies, bool alike, const std::string &why_not_put);

  // At the end of this step LAMMPS is called. And the first step behind it in which it is

  bool calls_fixes(bigint step) const;
  bigint next_call(bigint step) const;
  bigint next_end_of_step(bigint step) const;
  bigint next_forced_reneighboring(bigint step) const;    // one that distances do not decide
  bigint next_choice_of_group(bigint step) const;         // of atoms of a dynamic group, within that step

  // A dump or a restart file, behind this step. `step` itself where LAMMPS says only after the files of this step when the
  // next ones are due

  bigint next_with_files(bigint step) const;

  // Of which LAMMPS reads sums alone, all through the run: multiples of these. And the first call that is of another kind

  std::vector<bigint> periods_of_sums() const;
  bigint next_end_of_step_with_atoms(bigint step) const;

  // What a call at the end of this step reads: fields of atoms, none where all that is wanted are sums. Whether it
  // needs ghosts and lists; and whether something may have been changed

  int reads(bigint step) const;
  int read_by_dumps(bigint step) const;
  std::string instead_of(const class Fix *) const;    // a hint for the log, or nothing

  // the style of this package that would be resident; empty: there is none

  static std::string resident_style(void *lmp, const char *category, const char *style);
  bool thermo_reads_sums() const { return thermo_reads == 0; }    // in the steps of the thermodynamic output, which need not be awaited
  bool needs_ghosts(bigint step) const;
  bool may_need_ghosts() const;    // in some step
  bool looks_at_ghosts() const { return ghostly_compute; }    // some compute, whenever it is evaluated
  bool changes_atoms(bigint step) const;
  bool may_change_in_calls() const    // any compute or variable that LAMMPS evaluates may
  {
    return altering_compute || altering_variable;
  }
  bool
  only_observes(bigint step) const;    // by styles that are known not to call the pair style either

  void tell(const std::string &engine, const std::string &why_no_bonds) const;

 private:
  bool others_read_ghosts;    // forces or fixes of LAMMPS
  int hooks;    // of fixes that LAMMPS calls
  const class FixDPDGPUWrap *wrap;    // NULL: there is none
  std::vector<class Fix *> end_of_step_fixes;    // with end_of_step
  std::vector<class Fix *> groups;    // dynamic ones, not chosen in every step
  bool reads_sums_alone(const class Fix *) const;    // an ender
  bool ghostly_compute;               // there is one that may look at ghosts
  bool altering_compute;              // or may change atoms, if by rounding only
  bool altering_variable;             // there is one of style python, which can change atoms wherever it is evaluated
  int calls_read;      // fields that computes and variables read, wherever they are evaluated; 0: sums alone
  int thermo_reads;    // and the thermodynamic output
  std::string what_output_reads() const;
  std::string tell_computes() const;
  std::string why_reneighbors, why_sorts;
  std::string why_alone;    // LAMMPS would rebuild lists on one rank, too
  std::vector<std::string> not_declared;    // why, of fixes that could have declared what they do

  void look_at_fixes();
  void look_at_reneighboring(bool needs_ghosts);
  bool can_have_bonds() const;
  bool converts_positions(const class ComputeChunkAtomGPU *) const;
};

}    // namespace LAMMPS_NS

#endif
