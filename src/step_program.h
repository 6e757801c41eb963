/* -*- c++ -*- What all styles of a run declare, joined to one program for the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_STEP_PROGRAM_H
#define LMP_DPDSOP_STEP_PROGRAM_H

#include "pointers.h"

#include "step_part.h"

#include <memory>

namespace LAMMPS_NS {

class StepProgram : protected Pointers {
 public:
  StepProgram(class LAMMPS *);
  ~StepProgram() override;

  // Styles are added in the order in which LAMMPS calls them. add() returns false if LAMMPS has to call the style; `why` tells
  // if the style says so itself or the program has no room. LAMMPS's own fix nve is known by its name

  void clear();
  bool add(class Fix *, std::string *why);
  bool add(class Compute *);

  bool has(const class Fix *) const;
  bool has(const class Compute *) const;
  bool changes_in_run() const;
  bool has_sums() const { return sums; }
  bool acts_at_end() const;     // some operation changes atoms at the end of steps
  bool adds_up() const;         // some sums go on from step to step
  bool keeps_forces() const;    // some operation keeps forces or velocities in an array of anchors

  // The program with the numbers of `step`, and with those of `of_initial` from DS_AT_INITIAL on

  const ds_step_program &of_step(bigint step, bigint of_initial);

  // Of all styles, see StepPart

  bool asks() const;
  bool changes_box() const;
  bool changes_box_at_end() const;    // at the end of steps
  int reads_virial() const;    // as StepPart's, for all styles
  void take_bonded(bigint step, const ds_bonded_sums &) const;
  bool has_bonded(bigint step) const;
  void flip_box(int flips[3]) const;
  bigint box_lasts(bigint step, bigint last, double margin) const;

  // Lets the style answer to which the operation belongs, and changes the question's program. Returns an error, or nothing

  std::string answer(const ds_question &);
  int begin(ds_point) const;                      // first operation at this point or after it

  struct Range {
    int first, end;
  };
  Range of(const class Fix *, ds_point) const;    // operations of this fix at this point
  int writes(int first, int end) const;           // fields that these operations change

  std::vector<ds_body> *bodies() const;    // of the only style that has rigid bodies, or nullptr
  int *bodies_of_atoms() const;
  bool reads_molecules() const;
  std::vector<double **> anchors() const;    // of all styles, in the order in which operations number them

  void give_sums(bigint step, const ds_exact_sum *);    // gives the engine's sums to all styles
  void tell_atoms(int vflag);
  void forget_sums();

  // Of styles that look at the engine's atoms themselves, see StepPart

  void look_at_atoms(bigint step, class ResidentAtoms &, int changed);    // those that read one of these fields
  bigint next_reading(bigint step) const;

  // Bins. `number` is that in the program

  struct Bins {
    StepPart *part;
    int number;
    size_t cells;
  };
  std::vector<Bins> bins() const;
  int tallies(bigint step) const;            // tallies of atoms that operations read at the end of this step (ds_step_tallies)
  bool bins_are_due(bigint step) const;      // something is added to bins in this step
  bigint next_look(bigint step) const;       // the first one of all styles after this step
  static bool looks(const Bins &, bigint step);
  void begin_sums(bigint step);    // the engine has cleared its sums in this step

 private:
  struct Member {
    const void *style;    // a Fix or Compute
    StepPart *part;
    std::vector<int> places;    // numbers of its operations in the program
    int binning;                // number of its bins in the program; -1: it has none
  };
  std::vector<Member> parts;
  std::vector<std::unique_ptr<StepPart>> known;    // parts of LAMMPS's own styles
  ds_step_program program;
  bool sums;
  bigint begun;    // the step in which the engine's sums were cleared

  bool add(const void *style, StepPart *, std::string *why);
  bool has_style(const void *) const;
  void renew_numbers(const Member &, bigint step, ds_step_program &to, ds_point from = DS_AT_POST_FORCE) const;
  void renew_initial(const Member &, bigint step, ds_step_program &to) const;    // operations from DS_AT_INITIAL on
  const Member *asker(const ds_question &) const;
  void renew_bins(bigint step, ds_step_program &to) const;    // after the box has changed
  bool fill(bigint step);    // false: there is no room
  bool has_acted(const Member &, bigint step) const;    // since the engine's sums were cleared, up to this step
};

}    // namespace LAMMPS_NS

#endif
