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

using PluginBond = PluginPair;    // styles of these kinds are created with the same arguments
using PluginAngle = PluginPair;
using PluginDihedral = PluginPair;
using PluginImproper = PluginPair;
using PluginKSpace = PluginPair;

struct PluginFix {
  const char *name, *info;
  dpdsop_plugin_factory2 create;
};

using PluginCompute = PluginFix;    // styles of these kinds are created with the same arguments
using PluginRegion = PluginFix;

// For pair, bond, angle, dihedral, improper and kspace styles

template <class STYLE> void *create_plugin_pair(void *lmp)
{
  return new STYLE(static_cast<LAMMPS *>(lmp));
}

template <class FIX> void *create_plugin_fix(void *lmp, int narg, char **arg)
{
  return new FIX(static_cast<LAMMPS *>(lmp), narg, arg);
}

// Styles for runs with KOKKOS. If the plugin was compiled for a LAMMPS without KOKKOS (HAVE_KOKKOS is false), each of them
// stops LAMMPS with an error that says so. They are then registered only if the LAMMPS that loads the plugin has no KOKKOS
// either: with KOKKOS it would choose them by its suffix kk

extern const std::vector<PluginPair> KOKKOS_PAIRS;
extern const std::vector<PluginFix> KOKKOS_FIXES;
extern const bool HAVE_KOKKOS;

}    // namespace LAMMPS_NS

#endif
