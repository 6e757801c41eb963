/* -*- c++ -*- What computes have in common that look at the engine's atoms by themselves.   SPDX-License-Identifier: GPL-2.0-or-later

   While run_style verlet/gpu makes steps, they look where the atoms are, at the end of the steps in which LAMMPS reads them. In
   others they look at LAMMPS's arrays. */

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
  bool is_to_look_now() const;    // has not, in this step

  // LAMMPS's arrays have the positions of now. Else an error says that this step was not known: what has not been done

  void require_latest_positions(const char *what) const;

 private:
  bigint looked;    // step in which it has; -1: LAMMPS's arrays are to be looked at
};

}    // namespace LAMMPS_NS

#endif
