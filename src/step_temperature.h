/* -*- c++ -*- The temperature that a thermostat of this package goes by, and what of it the engine knows.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_STEP_TEMPERATURE_H
#define LMP_DPDSOP_STEP_TEMPERATURE_H

#include "pointers.h"

#include <string>

namespace LAMMPS_NS {

class StepTemperature : protected Pointers {
 public:
  StepTemperature(class LAMMPS *lmp, const std::string &user_in) : Pointers(lmp), user(user_in), made(false) {}

  // A compute of its own, for a group; or one that the user names (fix_modify temp)

  void make(const std::string &id, int igroup);
  void name(const char *id, int igroup);
  void drop();
  bool is_named() const { return !id.empty() && !made; }

  class Compute *compute() const;    // an error where it is gone
  std::string why_not_declared() const;    // of a style of LAMMPS's; empty: the engine knows it
  void put_bias(double number[4]) const;

 private:
  std::string user, id;
  bool made;
  const class ComputeTempGPU *known() const;    // nullptr: it is of a style of LAMMPS's
};

}    // namespace LAMMPS_NS

#endif
