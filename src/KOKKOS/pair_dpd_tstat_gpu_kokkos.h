/* -*- c++ -*- Pair style dpd/tstat/gpu in a run of KOKKOS.   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef PAIR_CLASS
// clang-format off
PairStyle(dpd/tstat/gpu/kk,PairDPDTstatGPUKokkos<LMPDeviceType>);
PairStyle(dpd/tstat/gpu/kk/device,PairDPDTstatGPUKokkos<LMPDeviceType>);
PairStyle(dpd/tstat/gpu/kk/host,PairDPDTstatGPUKokkos<LMPHostType>);
PairStyle(dpd/tstat/exact/gpu/kk,PairDPDTstatGPUKokkos<LMPDeviceType>);
PairStyle(dpd/tstat/exact/gpu/kk/device,PairDPDTstatGPUKokkos<LMPDeviceType>);
PairStyle(dpd/tstat/exact/gpu/kk/host,PairDPDTstatGPUKokkos<LMPHostType>);
// clang-format on
#else

#ifndef LMP_PAIR_DPD_TSTAT_GPU_KOKKOS_H
#define LMP_PAIR_DPD_TSTAT_GPU_KOKKOS_H

#include "pair_gpu_kokkos.h"

namespace LAMMPS_NS {

template <class DeviceType>
using PairDPDTstatGPUKokkos = PairGPUKokkos<PairDPDTstatGPU, DeviceType>;

}    // namespace LAMMPS_NS

#endif
#endif
