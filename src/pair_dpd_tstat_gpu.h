/* -*- c++ -*- Thermostat of dissipative particle dynamics with signature noise, on host or GPU.
   The second name is of this package alone: LAMMPS's package GPU has a dpd/tstat/gpu, too.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef PAIR_CLASS
// clang-format off
PairStyle(dpd/tstat/gpu,PairDPDTstatGPU);
PairStyle(dpd/tstat/exact/gpu,PairDPDTstatGPU);
// clang-format on
#else

#ifndef LMP_PAIR_DPD_TSTAT_GPU_H
#define LMP_PAIR_DPD_TSTAT_GPU_H

#include "pair_gpu.h"

namespace LAMMPS_NS {

class PairDPDTstatGPU : public PairGPU {
 public:
  PairDPDTstatGPU(class LAMMPS *);
};

}    // namespace LAMMPS_NS

#endif
#endif
