/* -*- c++ -*- A box that is deformed: LAMMPS's fix deform, which the engine follows from step to step.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef FIX_CLASS
// clang-format off
FixStyle(deform/gpu,FixDeformGPU);
FixStyle(deform/exact/gpu,FixDeformGPU);
// clang-format on
#else

#ifndef LMP_FIX_DEFORM_GPU_H
#define LMP_FIX_DEFORM_GPU_H

#include "deform_abi.h"

#include "step_part.h"
#include "step_value.h"

#include <vector>

namespace LAMMPS_NS {

class FixDeformGPU : public FixDeform, public StepPart {
 public:
  FixDeformGPU(class LAMMPS *, int, char **);
  void init() override;
  void end_of_step() override;

  void declare(StepRecords &, bigint) override;
  std::string why_not_declared() override;
  std::string answer(bigint, int, const StepSums *) override;
  bool asks() const override { return true; }
  bool changes_box() const override { return true; }
  bigint box_lasts(bigint step, bigint last, double margin) override;
  bool flip_box(int *flips) override;
  void take_sums(bigint, const std::vector<StepSums> &) override {}

 private:
  bool adds_up;                     // the style of a parameter is erate/rescale
  std::vector<StepValue> values;    // variables, where the style of a parameter is variable
  double to_fractions[DS_OPERATION_NUMBERS], from_fractions[DS_OPERATION_NUMBERS];    // with remap x

  void change_box(bigint step);
  std::string wrong_edge() const;
};

}    // namespace LAMMPS_NS

#endif
#endif
