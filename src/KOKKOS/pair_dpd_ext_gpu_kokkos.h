/* -*- c++ -*- Pair style dpd/ext/gpu in a run of KOKKOS.   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef PAIR_CLASS
// clang-format off
PairStyle(dpd/ext/gpu/kk,PairDPDExtGPUKokkos<LMPDeviceType>);
PairStyle(dpd/ext/gpu/kk/device,PairDPDExtGPUKokkos<LMPDeviceType>);
PairStyle(dpd/ext/gpu/kk/host,PairDPDExtGPUKokkos<LMPHostType>);
// clang-format on
#else

#ifndef LMP_PAIR_DPD_EXT_GPU_KOKKOS_H
#define LMP_PAIR_DPD_EXT_GPU_KOKKOS_H

#include "pair_gpu_kokkos.h"

namespace LAMMPS_NS {

template <class DeviceType> using PairDPDExtGPUKokkos = PairGPUKokkos<PairDPDExtGPU, DeviceType>;

}    // namespace LAMMPS_NS

#endif
#endif
