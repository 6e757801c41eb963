/* -*- c++ -*- What dpdsopplugin.so registers.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_PLUGIN_STYLES_H
#define LMP_DPDSOP_PLUGIN_STYLES_H

#include "lammpsplugin_abi.h"

#include <vector>

namespace LAMMPS_NS {
class LAMMPS;

struct PluginPair {
  const char *name, *info;
  dpdsop_plugin_factory1 create;
};

using PluginBond = PluginPair;    // made with the same arguments
using PluginAngle = PluginPair;
using PluginDihedral = PluginPair;
using PluginImproper = PluginPair;

struct PluginFix {
  const char *name, *info;
  dpdsop_plugin_factory2 create;
};

using PluginCompute = PluginFix;    // made with the same arguments
using PluginRegion = PluginFix;

// of a pair, bond, angle, dihedral or improper style

template <class STYLE> void *create_plugin_pair(void *lmp)
{
  return new STYLE(static_cast<LAMMPS *>(lmp));
}

template <class FIX> void *create_plugin_fix(void *lmp, int narg, char **arg)
{
  return new FIX(static_cast<LAMMPS *>(lmp), narg, arg);
}

// Those for runs of KOKKOS. Compiled for a LAMMPS without it, they say that it has none; they are not registered where
// LAMMPS has it all the same, which would choose them by their suffix

extern const std::vector<PluginPair> KOKKOS_PAIRS;
extern const std::vector<PluginFix> KOKKOS_FIXES;
extern const bool HAVE_KOKKOS;

}    // namespace LAMMPS_NS

#endif
