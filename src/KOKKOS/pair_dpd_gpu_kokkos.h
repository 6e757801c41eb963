/* -*- c++ -*- Pair style dpd/gpu in a run of KOKKOS.   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef PAIR_CLASS
// clang-format off
PairStyle(dpd/gpu/kk,PairDPDGPUKokkos<LMPDeviceType>);
PairStyle(dpd/gpu/kk/device,PairDPDGPUKokkos<LMPDeviceType>);
PairStyle(dpd/gpu/kk/host,PairDPDGPUKokkos<LMPHostType>);
PairStyle(dpd/exact/gpu/kk,PairDPDGPUKokkos<LMPDeviceType>);
PairStyle(dpd/exact/gpu/kk/device,PairDPDGPUKokkos<LMPDeviceType>);
PairStyle(dpd/exact/gpu/kk/host,PairDPDGPUKokkos<LMPHostType>);
// clang-format on
#else

#ifndef LMP_PAIR_DPD_GPU_KOKKOS_H
#define LMP_PAIR_DPD_GPU_KOKKOS_H

#include "pair_gpu_kokkos.h"

namespace LAMMPS_NS {

template <class DeviceType> using PairDPDGPUKokkos = PairGPUKokkos<PairDPDGPU, DeviceType>;

}    // namespace LAMMPS_NS

#endif
#endif
