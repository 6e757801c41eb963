/* -*- c++ -*- Pair styles of this package in a hybrid, which one engine evaluates together in the steps of verlet/gpu. LAMMPS
   does not know this style.   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_PAIR_TOGETHER_H
#define LMP_PAIR_TOGETHER_H

#include "pair_gpu.h"

#include <memory>
#include <string>
#include <vector>

namespace LAMMPS_NS {

class PairTogether : public PairGPU {
 public:
  PairTogether(class LAMMPS *, Pair *whole, const std::vector<PairGPU *> &parts);
  ~PairTogether() override;

  // The style for LAMMPS's hybrid, opened; `before` if that is still right. Empty, and *why says it, if there is none

  static std::unique_ptr<PairTogether> of_hybrid(class LAMMPS *, std::unique_ptr<PairTogether> before, std::string *why);

  // The engines that have made all pair forces of this step, in the order in which their sums are added: one in the steps of
  // verlet/gpu, and that of each sub-style elsewhere. None if other styles have a part in the forces

  static std::vector<class EngineHandle *> engines_of(class LAMMPS *);

  void begin(int eflag, int vflag) override;
  void follow_step() override;
  void take_totals(const ds_pair_totals *) override;
  bool charges_have_changed() override;
  void look_at_charges() override;
  void show_atoms(class EngineHandle &) override;
  bool changes_in_run() const override;
  void lose_parts();    // a part is deleted
  bool has_parts() const { return !parts.empty(); }

 private:
  Pair *whole;    // LAMMPS's hybrid
  std::vector<PairGPU *> parts;

  void open();
};

}    // namespace LAMMPS_NS

#endif
