/* -*- c++ -*- The formula of an equal-style variable whose value follows from the engine's sums and the time.
   SPDX-License-Identifier: GPL-2.0-or-later

   Functions mass, vcm, xcm, ke of a group, computes of this package and the keyword temp are exact sums of the step in which
   the variable is evaluated. Their values are written into the formula, and LAMMPS evaluates it. */

#ifndef LMP_DPDSOP_STEP_FORMULA_H
#define LMP_DPDSOP_STEP_FORMULA_H

#include "pointers.h"

#include "step_arrays.h"

#include <string>
#include <vector>

namespace LAMMPS_NS {

class StepFormula : protected Pointers {
 public:
  StepFormula(class LAMMPS *lmp) : Pointers(lmp) {}

  // Reads the formula of a variable, and of variables in it. Returns what in it is neither time nor a sum, or nothing

  std::string read(const std::string &name) { return read(name, 0); }
  bool is_of_time() const { return sums.empty(); }
  const std::string &first_sum() const { return first; }    // a word of the formula

  // Declares the sums, each with an operation that asks about it. An answer is given by its place in this list; it returns true
  // if it was the last one

  int size() const { return 2 * static_cast<int>(sums.size()); }
  void declare(StepRecords &, ds_point, int every, const StepArrays::Units &) const;
  bool take(int place, const StepSums &);

  // Returns what is wrong, or nothing

  std::string evaluate(double *value, const StepArrays::Units &) const;

 private:
  enum Kind { CENTER, MOMENTUM, KINETIC, OF_COMPUTE };
  struct Sum {
    Kind kind;
    int group;              // bits
    std::string compute;    // its ID
    StepSums of_engine;
  };
  enum Function { MASS, VCM, XCM, KE, COMPUTE };
  struct Term {    // behind a piece of the text
    Function function;
    int sum, mass, index;    // numbers of sums; axis or index of a vector's element from 0, -1: a scalar
  };
  std::vector<Sum> sums;
  std::string first;
  std::vector<std::string> texts = {""};
  std::vector<Term> terms;

  std::string read(const std::string &name, int depth);
  std::string add_function(const std::string &word, const std::string &formula, size_t *k);
  std::string add_compute(const std::string &id, const std::string &formula, size_t *k);
  std::string add_temperature();
  void add(Function, int sum, int mass, int index);
  int sum_of(Kind, int group, const std::string &compute = "");
  double value_of(const Term &, const StepArrays::Units &) const;
  double value_of_compute(const Sum &, int index) const;
};

}    // namespace LAMMPS_NS

#endif
