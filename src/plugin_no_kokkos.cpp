/* The styles for runs with KOKKOS, in a plugin compiled for a LAMMPS without KOKKOS: each stops with an error that says so.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_KOKKOS

#include "plugin_styles.h"

#include "error.h"
#include "lammps.h"

using namespace LAMMPS_NS;

static constexpr char NONE[] = "not there, as the LAMMPS that this plugin was compiled for has no KOKKOS package";

static constexpr char DPD_GPU[] = "dpd/gpu", EXT_GPU[] = "dpd/ext/gpu", TSTAT_GPU[] = "dpd/tstat/gpu";

template <const char *STYLE> static void *refuse(void *lmp)
{
  static_cast<LAMMPS *>(lmp)->error->all(
      FLERR,
      "Pair {0}/kk: the LAMMPS that this plugin was compiled for has no KOKKOS package, allowed is "
      "pair style {0}",
      STYLE);
  return nullptr;
}

namespace LAMMPS_NS {

const std::vector<PluginPair> KOKKOS_PAIRS = {
    {"dpd/gpu/kk", NONE, refuse<DPD_GPU>},
    {"dpd/ext/gpu/kk", NONE, refuse<EXT_GPU>},
    {"dpd/tstat/gpu/kk", NONE, refuse<TSTAT_GPU>},
};

const std::vector<PluginFix> KOKKOS_FIXES = {};

const bool HAVE_KOKKOS = false;

}    // namespace LAMMPS_NS

#endif
