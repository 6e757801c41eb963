/* -*- c++ -*- LAMMPS's atoms and box as operations of a step take them.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_STEP_ARRAYS_H
#define LMP_DPDSOP_STEP_ARRAYS_H

#include "pointers.h"

#include "step_part.h"

#include "dpdsop/resident.h"

#include <functional>

namespace LAMMPS_NS {
class EngineSession;

namespace StepArrays {

ds_resident_atoms atoms_of(LAMMPS *, const std::vector<double **> &anchors, int *bodies, bool molecules);
ds_wrap box_of(LAMMPS *);
void flow_of(LAMMPS *, double flow[9]);    // that the box changes with, as a ds_step_program has it

// Units of exact sums: powers of two near what a particle has, the same on all ranks

struct Units {
  double mass, length, momentum, force, energy, mvv;    // mvv: mass * velocity^2
};
Units units_of(LAMMPS *);    // all ranks together

// The center of mass: sums 0 to 2 in lengths of the units times mass, 3 mass

ds_operation &add_center(StepRecords &, ds_point, int group, const Units &);

ds_step_program program_of(LAMMPS *, const StepRecords &);    // of all operations, which have one point
size_t cells_of(const ds_binning &);    // numbers in its bins

ds_status step_status(const std::string &wrong, ds_error *);    // empty: nothing is wrong

void add_over_ranks(void *lmp, ds_exact_sum *, int n);    // a ds_reduction
std::vector<ds_exact_sum> total_over_ranks(LAMMPS *, std::vector<ds_exact_sum> of_this_one);    // all ranks together

// What a style declares on LAMMPS's arrays, at one point of this step: `mask` instead of that of the atoms, if it is not null;
// or sums that the engine has given. Of operation k, total() is sum j over all ranks, as it has acted last, or since begin()

class Runner {
 public:
  Runner(LAMMPS *, const std::string &user);    // as error texts begin
  ~Runner();
  Runner(const Runner &) = delete;
  Runner &operator=(const Runner &) = delete;
  void run(StepPart &, ds_point, bigint step, int *mask = nullptr);
  void take(StepPart &, bigint step, const std::vector<StepSums> &of_operations);

  // Sums of each atom by itself, of operations that change nothing but forces, and ask nobody: these stay as they are. `look` is
  // called behind each atom

  void run_by_atom(StepPart &, ds_point, bigint step, int *mask, const std::function<void(int)> &look);
  double total(int k, int j) const;

  // Of sums that go on from step to step: those of the engine are added to what they are now; they begin at 0

  void save_sums() { saved = sums; }
  void begin();
  void begin_lasting();    // and others stay

 private:
  LAMMPS *lmp;
  std::string user;
  ds_stepper *stepper;
  StepRecords records;    // of the step in which sums were added up
  std::vector<StepSums> sums;
  std::vector<StepSums> saved;

  bool lasts(size_t k) const { return (records.operations[k].flags & DS_ADDS_UP) != 0; }

  struct Asked;    // while operations act
  int select(StepPart &, ds_point, bigint step, std::vector<int> &place, ds_step_program &);
  std::vector<ds_exact_sum> take_bins(EngineSession &, const ds_step_program &);
  static ds_status answer(void *asked, ds_question *, ds_error *);
};

}    // namespace StepArrays
}    // namespace LAMMPS_NS

#endif
