/* -*- c++ -*- What computes have in common that look at the engine's atoms by themselves.
   SPDX-License-Identifier: GPL-2.0-or-later

   While run_style verlet/gpu makes steps, they look at the engine's arrays, at the end of steps in which LAMMPS reads them. If
   LAMMPS reads them at another time, they look at LAMMPS's arrays. */

#ifndef LMP_DPDSOP_COMPUTE_LOOKING_H
#define LMP_DPDSOP_COMPUTE_LOOKING_H

#include "compute.h"
#include "step_part.h"

namespace LAMMPS_NS {

class ComputeLooking : public Compute, public StepPart {
 public:
  ComputeLooking(class LAMMPS *, int, char **);

  void declare(StepRecords &, bigint) override {}
  void take_sums(bigint, const std::vector<StepSums> &) override {}
  void forget_sums() override { looked = -1; }
  bool is_to_look(bigint step) override { return matchstep(step) != 0; }
  bigint next_reading(bigint step) const override;

 protected:
  void has_looked();
  bool is_to_look_now() const;    // it has not looked yet in this step

  // Stops LAMMPS if its arrays do not have the present positions, because this step was not known ahead. `what` names in the
  // error what has not been done

  void require_latest_positions(const char *what) const;

 private:
  bigint looked;    // the step in which it has looked at the engine's atoms; -1: atoms may have changed since
};

}    // namespace LAMMPS_NS

#endif
