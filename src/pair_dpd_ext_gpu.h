/* -*- c++ -*- Dissipative particle dynamics with a transverse thermostat and signature noise, on host or GPU.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef PAIR_CLASS
// clang-format off
PairStyle(dpd/ext/gpu,PairDPDExtGPU);
PairStyle(dpd/ext/exact/gpu,PairDPDExtGPU);
// clang-format on
#else

#ifndef LMP_PAIR_DPD_EXT_GPU_H
#define LMP_PAIR_DPD_EXT_GPU_H

#include "pair_gpu.h"

namespace LAMMPS_NS {

class PairDPDExtGPU : public PairGPU {
 public:
  PairDPDExtGPU(class LAMMPS *);
};

}    // namespace LAMMPS_NS

#endif
#endif
