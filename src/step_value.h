/* -*- c++ -*- A number in the arguments of a fix: a constant, or an equal-style variable.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_STEP_VALUE_H
#define LMP_DPDSOP_STEP_VALUE_H

#include "step_formula.h"

#include <memory>
#include <string>

namespace LAMMPS_NS {

class StepValue {
 public:
  StepValue() : number(0.0) {}

  // user: the beginning of error texts. what: the name of the argument in them

  StepValue(class LAMMPS *, const std::string &user, const char *word, const std::string &what);

  bool is_constant() const { return name.empty(); }
  void init(class LAMMPS *, const std::string &user);    // the variable may have been deleted
  double now(class LAMMPS *) const;                      // in the present step, as LAMMPS evaluates it
  void scale(double factor) { number *= factor; }        // of a constant

  // Why the value cannot be known ahead; empty if it depends on the time only, or on nothing. Some of the others are made of
  // sums (StepFormula): the value is then the last answer

  std::string why_not_ahead() const;
  bool is_asked() const;
  std::string why_not_known() const { return why_not; }
  bool is_same(const StepValue &other) const { return name == other.name; }
  void take(const StepValue &same) { number = same.number; }
  void leave_to_lammps(const std::string &why) { why_not = "variable " + name + " " + why; }
  double answered() const { return number; }
  const StepFormula &sums() const { return *formula; }
  int take_answer(int place, const StepSums &, const StepArrays::Units &,
                  std::string *wrong);    // returns the number of places

 private:
  double number;
  std::string name;    // name of the variable
  std::unique_ptr<StepFormula> formula;
  std::string why_not;    // see why_not_known()
};

}    // namespace LAMMPS_NS

#endif
