/* -*- c++ -*- LAMMPS's atoms and box in the form that operations of a step take.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_STEP_ARRAYS_H
#define LMP_DPDSOP_STEP_ARRAYS_H

#include "pointers.h"

#include "step_part.h"

#include "dpdsop/resident.h"

#include <functional>
#include <memory>

namespace LAMMPS_NS {
class Atom;
class AtomAccess;
class EngineSession;

namespace StepArrays {

ds_resident_atoms atoms_of(const Atom *, const AtomAccess &, const std::vector<double **> &anchors, int *bodies,
                           bool molecules);
ds_wrap box_of(LAMMPS *);
void flow_of(LAMMPS *, double flow[9]);    // ds_step_program.flow of a box that changes

// Units of exact sums: powers of two near the values of one particle, the same on all ranks

struct Units {
  double mass, length, momentum, force, energy, mvv;    // mvv: mass * velocity^2
};
Units units_of(LAMMPS *);    // all ranks together

// Adds an operation for the center of mass. Its sums 0 to 2 are mass times position in units of length, sum 3 is mass

ds_operation &add_center(StepRecords &, ds_point, int group, const Units &);

ds_step_program program_of(LAMMPS *, const StepRecords &);    // all operations have the same point
size_t cells_of(const ds_binning &);    // how many numbers its bins have

// A text as an error; empty: nothing is wrong. Texts with DS_ERR_CALLER name the style that they are of

ds_status step_status(const std::string &wrong, ds_status, ds_error *);

void add_over_ranks(void *lmp, ds_exact_sum *, int n);    // has the type ds_reduction; of one rank they are the sums
std::vector<ds_exact_sum> total_over_ranks(LAMMPS *, std::vector<ds_exact_sum> of_this_one);    // all ranks together

// Runs what a style declares at one point of a step, on LAMMPS's arrays; a mask that is not null is taken instead of that of
// the atoms. Or takes sums that the engine has added up. total() is sum j of operation k over all ranks, as it has acted last,
// or since begin() if sums go on from step to step

class Runner {
 public:
  Runner(LAMMPS *, const std::string &user);    // the beginning of error texts
  ~Runner();
  Runner(const Runner &) = delete;
  Runner &operator=(const Runner &) = delete;
  void run(StepPart &, ds_point, bigint step, int *mask = nullptr);
  void take(StepPart &, bigint step, const std::vector<StepSums> &of_operations);

  // Whether operations act where KOKKOS has the atoms, in a run where it has them; called once per run. Then LAMMPS need not
  // bring atoms to the host for this style. true: they do

  bool follow_kokkos(bool wanted);

  // Finds the sums of each atom separately, and calls `look` after each one. Only for operations that change nothing but
  // forces, and do not ask. Forces stay as they are

  void run_by_atom(StepPart &, ds_point, bigint step, int *mask, const std::function<void(int)> &look);
  double total(int k, int j) const;

  // For sums that go on from step to step. save_sums(): the engine begins at 0, so its sums are added to those of now. begin():
  // all sums become 0. begin_lasting(): only these sums become 0

  void save_sums() { saved = sums; }
  void begin();
  void begin_lasting();

 private:
  LAMMPS *lmp;
  std::string user;
  std::unique_ptr<AtomAccess> kokkos;    // null: LAMMPS's own arrays are up to date when operations act
  ds_stepper *on_host, *on_gpu;
  StepRecords records;    // those of the step in which sums were added up
  std::vector<StepSums> sums;
  std::vector<StepSums> saved;

  bool lasts(size_t k) const { return (records.operations[k].flags & DS_ADDS_UP) != 0; }

  bool may_act_on_gpu(StepPart &, const ds_step_program &, const int *mask) const;
  ds_stepper *stepper_in(ds_space, int threads, EngineSession &);

  struct Asked;    // exists while operations act
  int select(StepPart &, ds_point, bigint step, std::vector<int> &place, ds_step_program &);
  std::vector<ds_exact_sum> take_bins(EngineSession &, ds_stepper *, const ds_step_program &);
  static ds_status answer(void *asked, ds_question *, ds_error *);
};

}    // namespace StepArrays
}    // namespace LAMMPS_NS

#endif
