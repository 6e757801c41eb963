/* -*- c++ -*- Dissipative particle dynamics with signature noise, on host or GPU.
   The second name is of this package alone: LAMMPS's package GPU has a dpd/gpu, too.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef PAIR_CLASS
// clang-format off
PairStyle(dpd/gpu,PairDPDGPU);
PairStyle(dpd/exact/gpu,PairDPDGPU);
// clang-format on
#else

#ifndef LMP_PAIR_DPD_GPU_H
#define LMP_PAIR_DPD_GPU_H

#include "pair_gpu.h"

namespace LAMMPS_NS {

class PairDPDGPU : public PairGPU {
 public:
  PairDPDGPU(class LAMMPS *);
};

}    // namespace LAMMPS_NS

#endif
#endif
