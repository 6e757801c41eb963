/* -*- c++ -*- A region that says what it is, so that the engine knows who is in it.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_STEP_REGION_H
#define LMP_DPDSOP_STEP_REGION_H

#include "dpdsop/step.h"

#include <vector>

namespace LAMMPS_NS {

class StepRegion {
 public:
  virtual ~StepRegion() noexcept(false) = default;    // as those of LAMMPS's regions

  // Its record and those of its parts, at the end of the list; returns its number there, or -1: LAMMPS has to be asked

  virtual int record(std::vector<ds_region> &) = 0;
};

}    // namespace LAMMPS_NS

#endif
