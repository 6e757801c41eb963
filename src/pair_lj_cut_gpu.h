/* -*- c++ -*- Lennard-Jones potential with a cutoff, on host or GPU.
   LAMMPS's package GPU has an lj/cut/gpu, too, with a class PairLJCutGPU: hence the other name of this class.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef PAIR_CLASS
// clang-format off
PairStyle(lj/cut/gpu,PairLJCutExactGPU);
PairStyle(lj/cut/exact/gpu,PairLJCutExactGPU);
// clang-format on
#else

#ifndef LMP_PAIR_LJ_CUT_EXACT_GPU_H
#define LMP_PAIR_LJ_CUT_EXACT_GPU_H

#include "pair_gpu.h"

namespace LAMMPS_NS {

class PairLJCutExactGPU : public PairGPU {
 public:
  PairLJCutExactGPU(class LAMMPS *);
  double init_one(int, int) override;

 private:
  void count_types(int, int, double &, double &) const;
};

}    // namespace LAMMPS_NS

#endif
#endif
