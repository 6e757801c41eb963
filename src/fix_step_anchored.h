/* -*- c++ -*- Fixes that declare what they do in a step and refer to where their atoms have been.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_FIX_STEP_ANCHORED_H
#define LMP_FIX_STEP_ANCHORED_H

#include "fix_step.h"
#include "fix_step_anchors.h"

namespace LAMMPS_NS {

class FixStepAnchored : public FixStep {
 public:
  FixStepAnchored(LAMMPS *lmp, int narg, char **arg) : FixStep(lmp, narg, arg) { dynamic_group_allow = 0; }
  ~FixStepAnchored() override { FixStepAnchors::drop(lmp, id); }
  void post_constructor() override { FixStepAnchors::keep(lmp, id); }
  double **anchors() override { return FixStepAnchors::rows_of(lmp, id); }
  void init() override
  {
    if (!anchors()) refuse(fmt::format("fix {}_ANCHORS does not exist any more", id), "that it stays");
    FixStep::init();
  }
};

}    // namespace LAMMPS_NS

#endif
