/* -*- c++ -*- Internal fix: centers of chunks that a compute of this package refers to.
   SPDX-License-Identifier: GPL-2.0-or-later

   They go into restart files. */

#ifdef FIX_CLASS
// clang-format off
FixStyle(DPD_GPU/CENTERS,FixStepCenters);
// clang-format on
#else

#ifndef LMP_FIX_STEP_CENTERS_H
#define LMP_FIX_STEP_CENTERS_H

#include "fix.h"

#include <array>
#include <vector>

namespace LAMMPS_NS {

class FixStepCenters : public Fix {
 public:
  static constexpr char STYLE[] = "DPD_GPU/CENTERS";

  static FixStepCenters *add(class LAMMPS *, const std::string &owner);    // makes the fix of the compute with this ID
  static FixStepCenters *of(class LAMMPS *, const std::string &owner);     // nullptr: there is none
  static void drop(class LAMMPS *, const std::string &owner);

  FixStepCenters(class LAMMPS *, int, char **);
  int setmask() override { return 0; }
  void write_restart(FILE *) override;
  void restart(char *) override;

  std::vector<std::array<double, 3>> centers;    // empty before the first run
};

}    // namespace LAMMPS_NS

#endif
#endif
