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

  // In the order in which LAMMPS calls styles of the same point. add(): false if there is no room, or the style says that
  // LAMMPS has to call it; `why` tells. A fix nve of LAMMPS's is known by its name

  void clear();
  bool add(class Fix *, std::string *why);
  bool add(class Compute *);

  bool has(const class Fix *) const;
  bool has(const class Compute *) const;
  bool changes_in_run() const;
  bool has_sums() const { return sums; }
  bool acts_at_end() const;     // and changes something then
  bool adds_up() const;         // there are sums that go on from step to step
  bool keeps_forces() const;    // in an array of anchors

  const ds_step_program &of_step(bigint step, bigint of_initial);    // numbers as they are in these, the second from DS_AT_INITIAL on
  bool asks() const;                              // some operation does
  bool changes_box() const;                       // answers do
  bool changes_box_at_end() const;                // of steps
  bool reads_virial() const;                      // in answers
  void take_bonded(bigint step, const ds_bonded_sums &) const;    // to all styles that read the virial
  bool has_bonded(bigint step) const;                             // all of these know them
  void flip_box(int flips[3]) const;              // as the part does that has to
  bigint box_lasts(bigint step, bigint last, double margin) const;    // of all that change it (StepPart)

  // What the style answers whose operation asks, in the question's program: the text of an error, or nothing

  std::string answer(const ds_question &);
  int begin(ds_point) const;                      // first operation at this point or behind it

  struct Range {
    int first, end;
  };
  Range of(const class Fix *, ds_point) const;    // operations of this fix at this point
  int writes(int first, int end) const;           // fields that these change

  std::vector<ds_body> *bodies() const;      // rigid ones, of the one style that has some, or nullptr
  int *bodies_of_atoms() const;
  bool reads_molecules() const;    // some style
  std::vector<double **> anchors() const;    // of all styles, as operations number them

  void give_sums(bigint step, const ds_exact_sum *);    // those of the engine's to all styles
  void tell_atoms(int vflag);    // virials of each, to LAMMPS
  void forget_sums();

  // Styles that look at the engine's atoms by themselves (StepPart)

  void look_at_atoms(bigint step, class ResidentAtoms &);
  bigint next_reading(bigint step) const;    // of all of them

  // Bins, by their numbers in the program

  struct Bins {
    StepPart *part;
    int number;
    size_t cells;
  };
  std::vector<Bins> bins() const;
  int tallies(bigint step) const;            // of atoms, which are read at the end of this step (ds_step_tallies)
  bool bins_are_due(bigint step) const;      // something is added to them
  bigint next_look(bigint step) const;       // the first behind this step, of all styles
  static bool looks(const Bins &, bigint step);
  void begin_sums(bigint step);    // the engine has cleared its own

 private:
  struct Member {
    const void *style;    // fix or compute
    StepPart *part;
    std::vector<int> places;    // of its operations in the program
    int binning;                // number of its bins there; -1: it has none
  };
  std::vector<Member> parts;
  std::vector<std::unique_ptr<StepPart>> known;    // of styles of LAMMPS's own
  ds_step_program program;
  bool sums;
  bigint begun;    // step in which those of the engine were cleared

  bool add(const void *style, StepPart *, std::string *why);
  bool has_style(const void *) const;
  void renew_numbers(const Member &, bigint step, ds_step_program &to, ds_point from = DS_AT_POST_FORCE) const;
  void renew_initial(const Member &, bigint step, ds_step_program &to) const;    // operations from DS_AT_INITIAL on
  const Member *asker(const ds_question &) const;
  void renew_bins(bigint step, ds_step_program &to) const;    // the box is another one
  bool fill(bigint step);    // false: there is no room
  bool has_acted(const Member &, bigint step) const;    // in a step since then, up to that one
};

}    // namespace LAMMPS_NS

#endif
