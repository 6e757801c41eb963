/* -*- c++ -*- How a style says what it does in a step, so that the engine does it.
   SPDX-License-Identifier: GPL-2.0-or-later

   A fix or compute that derives from StepPart hands over records (dpdsop/step.h): what is done at which point of a step, to
   which group, in which region, with which numbers. run_style verlet/gpu makes one program of all of them; under run_style
   verlet the style runs its own records on LAMMPS's arrays. The operations are the same, and so are all bits. */

#ifndef LMP_DPDSOP_STEP_PART_H
#define LMP_DPDSOP_STEP_PART_H

#include "lmptype.h"

#include "dpdsop/resident.h"
#include "dpdsop/step.h"

#include <array>
#include <string>
#include <vector>

namespace LAMMPS_NS {

using StepSums = std::array<ds_exact_sum, DS_OPERATION_SUMS>;    // of one operation

// Operations of one style, or of several that have been joined. `from` counts in the list

struct StepRecords {
  std::vector<ds_operation> operations;
  std::vector<ds_region> regions;
  std::vector<ds_binning> binnings;    // number 0 of DS_ADD_TO_BINS counts in them; one for each style at most

  // one that acts in each step, everywhere, and adds up nothing
  ds_operation &add(ds_operation_kind, ds_point, int group);
};

class StepPart {
 public:
  static constexpr int MAX_STEPS_OF_BOX = 16;    // that are made without a look at a box that is not known ahead

  virtual ~StepPart() noexcept(false) = default;    // as those of LAMMPS's styles

  // What is done in this step. The list has the same operations in every step; their numbers may differ

  virtual void declare(StepRecords &, bigint step) = 0;

  // What has to be known before that, in the steps and at the point in which its first operation acts: sums, each with an
  // operation that asks about it (DS_ASKS, DS_CHANGE_BOX). The answer, as with answer()

  virtual void declare_questions(StepRecords &, ds_point, int /*every*/) const {}
  virtual std::string take_answer(int, const StepSums &) { return ""; }

  // Questions, and what is declared behind them. Sums of operations are numbered as in this list

  StepRecords records(bigint step);
  std::string answer_of(bigint step, int operation, const StepSums *);

  // why LAMMPS has to call the style instead; empty: it need not

  virtual std::string why_not_declared() { return ""; }

  // Before its operation k acts, where that has DS_ASKS: numbers that declare() gives from now on. `sums` are those of the
  // operation that k reads, over all ranks, or nullptr. All ranks come here together; they return the same text that stops
  // LAMMPS, or nothing

  virtual std::string answer(bigint, int, const StepSums *) { return ""; }
  virtual bool asks() const { return false; }
  virtual bool changes_box() const { return false; }    // in its answers, and in nothing else
  virtual bool reads_virial() const { return false; }    // of all forces, in its answers

  // Sums over bonds to impropers of this rank in a step, for one that reads the virial; and whether it has them

  virtual void take_bonded(bigint, const ds_bonded_sums &) {}
  virtual bool has_bonded(bigint) const { return true; }

  // Of one that changes the box: the last step, up to `last`, that the engine may go to from the end of `step` on. In all
  // steps before it the box is as wide as it is now, but for a factor of `margin`, and does not flip

  virtual bigint box_lasts(bigint, bigint last, double) { return last; }

  // It flips LAMMPS's box before lists are rebuilt in this step, and says by how many edges xy, xz and yz have changed

  virtual bool flip_box(int *) { return false; }

  // numbers are not the same in all steps of a run

  virtual bool changes_in_run() const { return false; }

  // What it has added to its bins, of this rank, since it was given that last; up to the end of this step. It wants that at the
  // end of the steps that next_look() tells, and multiples of period_of_looks() are all of them at least. Then all ranks
  // come here together

  virtual void take_bins(bigint, const std::vector<ds_exact_sum> &) {}
  virtual bigint next_look(bigint) const { return MAXBIGINT; }    // the first behind this step
  virtual bigint period_of_looks() const { return MAXBIGINT; }

  // What has been tallied of LAMMPS's atoms in this step, where its operations read that. All ranks come here together

  virtual ds_tallies tallies() { return {}; }

  // Of one that looks at the engine's atoms by itself, where LAMMPS is to read it at the end of a step: whether it is to do so in
  // this step; and the first step behind it in which it may be, NOT_KNOWN where LAMMPS says so after this step. Nothing of the
  // engine is under way when it looks; all ranks come here together

  static constexpr bigint NOT_KNOWN = -1;
  virtual bool is_to_look(bigint) { return false; }
  virtual bigint next_reading(bigint) const { return MAXBIGINT; }
  virtual void look_at_atoms(class ResidentAtoms &) {}

  // Before the set-up of a run whose steps may be the engine's; and where they are, but LAMMPS has to call the style

  virtual void engine_comes() {}
  virtual void left_to_lammps() {}

  // positions that its operations refer to, or what they keep (keeps_forces), by atom; they are the first array of anchors of
  // its records

  virtual double **anchors() { return nullptr; }
  virtual bool keeps_forces() const { return false; }

  // Rigid bodies that its operations move, the same on all ranks, and by atom the number of its body or -1; nullptr: there are
  // none. While steps are the engine's they are brought up to date before somebody looks

  virtual std::vector<ds_body> *bodies() { return nullptr; }
  virtual int *bodies_of_atoms() { return nullptr; }

  // Numbers of molecules, for bins that are molecules

  virtual bool reads_molecules() const { return false; }

  // sums of its operations over all ranks, as they have acted last

  virtual void take_sums(bigint step, const std::vector<StepSums> &) = 0;
  virtual void tell_atoms(int /*vflag*/) {}    // virials of single atoms, in LAMMPS's arrays, as its flags of this step want them
  virtual void forget_sums() {}    // particles may have been changed since
  virtual void save_sums() {}      // those that go on from step to step (DS_ADDS_UP) begin at 0 with the engine

 protected:
  int nquestions = 0;    // operations of them in the list
};

}    // namespace LAMMPS_NS

#endif
