/* -*- c++ -*- What LAMMPS has taken part in during a run of run_style verlet/gpu, and how long, for the log.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_RUN_LOG_H
#define LMP_DPDSOP_RUN_LOG_H

#include "pointers.h"

#include <string>
#include <vector>

namespace LAMMPS_NS {

class RunLog : protected Pointers {
 public:
  explicit RunLog(LAMMPS *lmp) : Pointers(lmp), steps(), begun(0.0) {}

  // Why LAMMPS takes part in a step, the same on all ranks. What it does in every step is in the table at the beginning of a
  // run

  enum Reason { IN_EVERY_STEP, TIME_IS_UP, BONDS_LOST, ATOM_ENERGIES, RENEIGHBORING, SELDOM, REASONS };

  void begin();
  void count(Reason why) { steps[why]++; }
  void add_time(int fix, double seconds);    // spent in a fix of LAMMPS, with copies and waits for the GPU
  void tell(bigint made, const class ResidentPlan &) const;

  // Prints lines between rows of thermo output, as they stand. A line with as many words as there are columns gets one more,
  // because programs that read logs take it for a row, LAMMPS's own regression tester among them

  static void print(LAMMPS *, const std::string &lines);

 private:
  bigint steps[REASONS];
  std::vector<double> time_of_fix;
  double begun;

  std::string of_steps(bigint made) const;
  std::string of_fixes(const class ResidentPlan &) const;
};

}    // namespace LAMMPS_NS

#endif
