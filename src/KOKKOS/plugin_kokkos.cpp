/* The styles of dpdsopplugin.so for runs of KOKKOS.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "plugin_styles.h"

#include "fix_ave_kokkos.h"
#include "fix_dpd_gpu_state_kokkos.h"
#include "pair_dpd_ext_gpu_kokkos.h"
#include "pair_dpd_gpu_kokkos.h"
#include "pair_dpd_tstat_gpu_kokkos.h"

using namespace LAMMPS_NS;

namespace LAMMPS_NS {

const std::vector<PluginPair> KOKKOS_PAIRS = {
    {"dpd/gpu/kk", "pair style dpd/gpu on KOKKOS's atoms",
     create_plugin_pair<PairDPDGPUKokkos<LMPDeviceType>>},
    {"dpd/gpu/kk/device", "pair style dpd/gpu on KOKKOS's atoms",
     create_plugin_pair<PairDPDGPUKokkos<LMPDeviceType>>},
    {"dpd/gpu/kk/host", "pair style dpd/gpu on KOKKOS's atoms on the host",
     create_plugin_pair<PairDPDGPUKokkos<LMPHostType>>},
    {"dpd/ext/gpu/kk", "pair style dpd/ext/gpu on KOKKOS's atoms",
     create_plugin_pair<PairDPDExtGPUKokkos<LMPDeviceType>>},
    {"dpd/ext/gpu/kk/device", "pair style dpd/ext/gpu on KOKKOS's atoms",
     create_plugin_pair<PairDPDExtGPUKokkos<LMPDeviceType>>},
    {"dpd/ext/gpu/kk/host", "pair style dpd/ext/gpu on KOKKOS's atoms on the host",
     create_plugin_pair<PairDPDExtGPUKokkos<LMPHostType>>},
    {"dpd/tstat/gpu/kk", "pair style dpd/tstat/gpu on KOKKOS's atoms",
     create_plugin_pair<PairDPDTstatGPUKokkos<LMPDeviceType>>},
    {"dpd/tstat/gpu/kk/device", "pair style dpd/tstat/gpu on KOKKOS's atoms",
     create_plugin_pair<PairDPDTstatGPUKokkos<LMPDeviceType>>},
    {"dpd/tstat/gpu/kk/host", "pair style dpd/tstat/gpu on KOKKOS's atoms on the host",
     create_plugin_pair<PairDPDTstatGPUKokkos<LMPHostType>>},
    {"dpd/exact/gpu/kk", "pair style dpd/exact/gpu on KOKKOS's atoms",
     create_plugin_pair<PairDPDGPUKokkos<LMPDeviceType>>},
    {"dpd/exact/gpu/kk/device", "pair style dpd/exact/gpu on KOKKOS's atoms",
     create_plugin_pair<PairDPDGPUKokkos<LMPDeviceType>>},
    {"dpd/exact/gpu/kk/host", "pair style dpd/exact/gpu on KOKKOS's atoms on the host",
     create_plugin_pair<PairDPDGPUKokkos<LMPHostType>>},
    {"dpd/tstat/exact/gpu/kk", "pair style dpd/tstat/exact/gpu on KOKKOS's atoms",
     create_plugin_pair<PairDPDTstatGPUKokkos<LMPDeviceType>>},
    {"dpd/tstat/exact/gpu/kk/device", "pair style dpd/tstat/exact/gpu on KOKKOS's atoms",
     create_plugin_pair<PairDPDTstatGPUKokkos<LMPDeviceType>>},
    {"dpd/tstat/exact/gpu/kk/host", "pair style dpd/tstat/exact/gpu on KOKKOS's atoms on the host",
     create_plugin_pair<PairDPDTstatGPUKokkos<LMPHostType>>},
};

const std::vector<PluginFix> KOKKOS_FIXES = {
    {"DPD_GPU/STATE/kk", "fix style DPD_GPU/STATE on KOKKOS's atoms",
     create_plugin_fix<FixDPDGPUStateKokkos>},
    {"ave/time/kk", "LAMMPS's fix ave/time, which leaves KOKKOS's atoms where they are", create_plugin_fix<FixAveTimeKokkos>},
    {"ave/correlate/kk", "LAMMPS's fix ave/correlate, which leaves KOKKOS's atoms where they are",
     create_plugin_fix<FixAveCorrelateKokkos>},
};

const bool HAVE_KOKKOS = true;

}    // namespace LAMMPS_NS
