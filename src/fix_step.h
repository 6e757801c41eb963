/* -*- c++ -*- What fixes have in common that declare what they do in a step.
   SPDX-License-Identifier: GPL-2.0-or-later

   A fix derives from FixStep, reads its arguments in the constructor, and says in declare() what it does. This class does the
   rest: it runs the records on LAMMPS's arrays under run_style verlet, and has the region and the sums. */

#ifndef LMP_FIX_STEP_H
#define LMP_FIX_STEP_H

#include "fix.h"

#include "step_arrays.h"
#include "step_value.h"

#include <memory>

namespace LAMMPS_NS {

class FixStep : public Fix, public StepPart {
 public:
  FixStep(class LAMMPS *, int, char **);
  void init() override;
  void setup(int) override;
  void min_setup(int flag) override { post_force(flag); }
  void initial_integrate(int) override { act(DS_AT_INITIAL); }
  void post_integrate() override { act(DS_AT_POST_INTEGRATE); }
  void post_force(int) override;
  void min_post_force(int flag) override { post_force(flag); }
  void final_integrate() override { act(DS_AT_FINAL); }
  void end_of_step() override { act(DS_AT_END); }
  std::string why_not_declared() override;
  bool changes_in_run() const override;
  bool asks() const override;
  void declare_questions(StepRecords &, ds_point, int every) const override;
  std::string take_answer(int place, const StepSums &) override;
  void take_sums(bigint step, const std::vector<StepSums> &all) override;
  void save_sums() override { runner.save_sums(); }
  void tell_atoms(int vflag) override;

 protected:
  std::string user;    // the beginning of error texts: "Fix addforce/gpu"

  // Arguments. Errors name the fix, the value and what is allowed

  double number(const char *word, const char *what) const;
  size_t take_value(const char *word, const char *what);    // a number or variable; returns the index for value()
  double value(size_t index) const;
  double temperature_of(size_t index) const;    // the value of Tstart, which may be a variable
  double ramp(double start, double stop, bigint step) const;    // between its values at the beginning and the end of the run
  bool is_constant(size_t index) const { return values[index].is_constant(); }
  bool is_ahead(size_t index) const { return values[index].why_not_ahead().empty(); }    // the value is known before a step
  void scale_value(size_t index, double factor) { values[index].scale(factor); }
  const char *next(int &k, int narg, char **arg) const;    // value of keyword arg[k]
  [[noreturn]] void refuse(const std::string &what, const std::string &allowed) const;
  bool is_in_run() const;    // and not at its end: a restart file that is written now is one of the middle of a run
  void take_region(const char *id);
  bool has_region() const { return !region_id.empty(); }

  // Adds the region to the records and returns its number there; -1: the fix acts everywhere

  int region_of(StepRecords &) const;
  StepArrays::Units units;    // from init() on

  // For a fix that reads or writes LAMMPS's arrays of atoms itself, and not in records alone

  virtual bool uses_atoms_itself() const { return false; }

  // Sum j over all ranks of operation k of declare(), as it has acted last

  double total(int k, int j) const { return runner.total(nquestions + k, j); }
  void begin_sums() { runner.begin(); }               // all sums become 0
  void begin_lasting() { runner.begin_lasting(); }    // only those that go on from step to step (DS_ADDS_UP) become 0
  void add_up(ds_point point) { act(point); }

  // For fix_modify virial: xx yy zz xy xz yz, made of the sums of operations

  using Totals = std::function<double(int operation, int k)>;
  virtual void find_virial(const Totals &, double[6]) const {}
  void tell_virial();

 private:
  static constexpr int MAX_QUESTIONS = 16;    // a limit, as the program must have room for other styles
  std::string region_id;
  std::vector<StepValue> values;
  bool is_first(const StepValue &) const;    // the first of the values that are the same variable
  void limit_questions();
  StepArrays::Runner runner, by_atom;
  std::vector<int> chosen;        // see mask_of_region()
  void follow_kokkos();
  void act(ds_point);
  int *mask_of_region();
};

}    // namespace LAMMPS_NS

#endif
