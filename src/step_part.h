/* -*- c++ -*- How a style says what it does in a step, so that the engine does it.
   SPDX-License-Identifier: GPL-2.0-or-later

   A fix or compute that derives from StepPart returns records (dpdsop/step.h): what is done at which point of a step, to which
   group, in which region, with which numbers. Run_style verlet/gpu joins all records to one program for the engine. Under
   run_style verlet the style runs its own records on LAMMPS's arrays. Both do the same operations, so all bits are the same.

   Member functions that end in communication are called on all ranks together: answer(), take_bins(), tallies() and
   look_at_atoms(). */

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

// Operations of one style, or of several joined. The `from` of an operation is an index in this list

struct StepRecords {
  std::vector<ds_operation> operations;
  std::vector<ds_region> regions;
  std::vector<ds_binning> binnings;    // `number[0]` of DS_ADD_TO_BINS is an index here; a style has at most one

  // Adds an operation that acts in each step, everywhere, and adds up nothing
  ds_operation &add(ds_operation_kind, ds_point, int group);
};

class StepPart {
 public:
  virtual ~StepPart() noexcept(false) = default;    // as the destructors of LAMMPS's styles

  // Declares the operations of this step. They are the same in every step; only their numbers may differ

  virtual void declare(StepRecords &, bigint step) = 0;

  // Declares sums that must be known before, each with an operation that asks about it (DS_ASKS, DS_CHANGE_BOX). They act in
  // the same steps and at the same point as the first operation of declare(). take_answer() gets the sums, like answer()

  virtual void declare_questions(StepRecords &, ds_point, int /*every*/) const {}
  virtual std::string take_answer(int, const StepSums &) { return ""; }

  // The whole list: questions first, then what declare() declares. Sums of operations are numbered as in this list

  StepRecords records(bigint step);
  std::string answer_of(bigint step, int operation, const StepSums *);

  // Why LAMMPS has to call the style itself; empty if it need not

  virtual std::string why_not_declared() { return ""; }

  // Called before operation k acts, if that has DS_ASKS: afterwards declare() gives new numbers. `sums` are those of the
  // operation that k reads, over all ranks, or nullptr. Returns an error that stops LAMMPS, the same on all ranks, or nothing

  virtual std::string answer(bigint, int, const StepSums *) { return ""; }
  virtual bool asks() const { return false; }
  virtual bool changes_box() const { return false; }     // within answer(), and nowhere else
  virtual int reads_virial() const { return 0; }         // of all forces, in answer(): DS_VIRIAL_DIAGONAL, DS_VIRIAL_WHOLE

  // For a style that reads the virial: gives it the sums of bonded forces of this rank in a step, or asks whether it has them

  virtual void take_bonded(bigint, const ds_bonded_sums &) {}
  virtual bool has_bonded(bigint) const { return true; }

  // For a style that changes the box and knows it ahead: the last step, up to `last`, to which the engine may go after `step`.
  // In all steps before it the box stays as wide as it is now, except for a factor `margin`, and does not flip

  virtual bigint box_lasts(bigint, bigint last, double /*margin*/) { return last; }

  // Flips LAMMPS's box if that is due in this step, before lists are rebuilt. Gives the numbers of edges by which xy, xz and yz
  // have changed

  virtual bool flip_box(int *) { return false; }

  // Numbers of operations are not the same in all steps of a run

  virtual bool changes_in_run() const { return false; }

  // take_bins() gets what this rank has added to the bins since the last call, up to the end of this step. It is called at the
  // end of the steps that next_look() tells. All of these steps are multiples of period_of_looks()

  virtual void take_bins(bigint, const std::vector<ds_exact_sum> &) {}
  virtual bigint next_look(bigint) const { return MAXBIGINT; }    // the first one after this step
  virtual bigint period_of_looks() const { return MAXBIGINT; }

  // If its operations read tallies: those that LAMMPS's arrays have of this step

  virtual ds_tallies tallies() { return {}; }

  // For a style that looks at the engine's atoms itself, at the end of steps in which LAMMPS reads it. is_to_look(): it has to
  // do so in this step. next_reading(): the first step after this one in which it may have to; NOT_KNOWN if LAMMPS will know
  // only after this step. While it looks, the engine is at rest. fields_looked_at(): what it reads besides the box

  static constexpr bigint NOT_KNOWN = -1;
  virtual bool is_to_look(bigint) { return false; }
  virtual bigint next_reading(bigint) const { return MAXBIGINT; }
  virtual void look_at_atoms(class ResidentAtoms &) {}
  virtual int fields_looked_at() const { return DS_POSITION; }

  // engine_comes(): called before the set-up of a run in which the engine makes steps. left_to_lammps(): called if LAMMPS has
  // to call the style nevertheless

  virtual void engine_comes() {}
  virtual void left_to_lammps() {}

  // For each atom, a position to which its operations refer, or a force or velocity that they keep (keeps_forces). In its
  // records this is array 0 of anchors

  virtual double **anchors() { return nullptr; }
  virtual bool keeps_forces() const { return false; }

  // Rigid bodies that its operations move, the same on all ranks, and for each atom the number of its body or -1. nullptr:
  // there are none. While the engine makes steps, they are brought up to date before LAMMPS reads them

  virtual std::vector<ds_body> *bodies() { return nullptr; }
  virtual int *bodies_of_atoms() { return nullptr; }

  // Its operations read numbers of molecules, as its bins are molecules

  virtual bool reads_molecules() const { return false; }

  // Gets the sums of its operations over all ranks, as they have acted last

  virtual void take_sums(bigint step, const std::vector<StepSums> &) = 0;
  virtual void tell_atoms(int /*vflag*/) {}    // puts virials of atoms into LAMMPS's arrays, as LAMMPS's flags of this step say
  virtual void forget_sums() {}    // sums are out of date, as atoms may have been changed
  virtual void save_sums() {}      // the engine begins anew, at 0, with sums that go on from step to step (DS_ADDS_UP)

 protected:
  int nquestions = 0;    // how many operations declare_questions() has added to the list
};

}    // namespace LAMMPS_NS

#endif
