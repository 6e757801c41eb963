/* -*- c++ -*- A number in the arguments of a fix: a constant, or an equal-style variable.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_STEP_VALUE_H
#define LMP_DPDSOP_STEP_VALUE_H

#include <string>

namespace LAMMPS_NS {

class StepValue {
 public:
  StepValue() : number(0.0) {}

  // user: as error texts begin; what: the argument's name in them

  StepValue(class LAMMPS *, const std::string &user, const char *word, const std::string &what);

  bool is_constant() const { return name.empty(); }
  void init(class LAMMPS *, const std::string &user);    // the variable may have been deleted
  double now(class LAMMPS *) const;                      // in the present step
  void scale(double factor) { number *= factor; }        // of a constant

  // why the engine cannot know it ahead; empty: it depends on the time alone, or on nothing

  std::string why_not_ahead(class LAMMPS *) const;

 private:
  double number;
  std::string name;    // of the variable
};

}    // namespace LAMMPS_NS

#endif
