/* -*- c++ -*- The compute of the temperature that a thermostat of this package follows.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_STEP_TEMPERATURE_H
#define LMP_DPDSOP_STEP_TEMPERATURE_H

#include "pointers.h"

#include <string>

namespace LAMMPS_NS {

class StepTemperature : protected Pointers {
 public:
  StepTemperature(class LAMMPS *lmp, const std::string &user_in) : Pointers(lmp), user(user_in), made(false) {}

  // The thermostat makes a compute for its group, or the user names one (fix_modify temp)

  void make(const std::string &id, int igroup);
  void name(const char *id, int igroup);
  void drop();
  bool is_named() const { return !id.empty() && !made; }

  class Compute *compute() const;    // an error if it has been deleted
  std::string why_not_declared() const;    // why the engine does not know it; empty if it does
  void put_bias(double number[4]) const;

 private:
  std::string user, id;
  bool made;
  const class ComputeTempGPU *known() const;    // nullptr: it has a style of LAMMPS
};

}    // namespace LAMMPS_NS

#endif
