/* -*- c++ -*- A region that describes its shape, so that the engine knows which atoms are in it.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_STEP_REGION_H
#define LMP_DPDSOP_STEP_REGION_H

#include "dpdsop/step.h"

#include <vector>

namespace LAMMPS_NS {

class StepRegion {
 public:
  virtual ~StepRegion() noexcept(false) = default;    // as the destructors of LAMMPS's regions

  // Adds its record and those of its parts to the list, and returns its number there. -1: only LAMMPS knows which atoms are in
  // it

  virtual int record(std::vector<ds_region> &) = 0;
};

}    // namespace LAMMPS_NS

#endif
