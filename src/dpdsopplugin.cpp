/* Entry of the plugin: tells LAMMPS which styles dpdsopplugin.so has.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_dpd_gpu_state.h"
#include "lammpsplugin_abi.h"
#include "pair_dpd_gpu.h"

#include "lammps.h"
#include "library.h"

#include <cstdio>

using namespace LAMMPS_NS;

static void *create_pair_dpd_gpu(void *lmp)
{
  return new PairDPDGPU(static_cast<LAMMPS *>(lmp));
}

static void *create_fix_dpd_gpu_state(void *lmp, int narg, char **arg)
{
  return new FixDPDGPUState(static_cast<LAMMPS *>(lmp), narg, arg);
}

/* ----------------------------------------------------------------------
   the classes that a plugin derives from change between LAMMPS versions:
   one compiled for another version would crash, so it is not registered.
   Asked through LAMMPS's C library, which does not depend on any class.
------------------------------------------------------------------------- */

static bool version_matches(void *lmp)
{
  const int running = lammps_version(lmp);
  if (DS_LAMMPS_VERSION == 0 || running == DS_LAMMPS_VERSION) return true;
  if (lammps_extract_setting(lmp, "world_rank") == 0)
    fprintf(stderr,
            "WARNING: dpdsopplugin.so was compiled for LAMMPS version %d and is not loaded into "
            "version %d: compile it for this LAMMPS\n",
            DS_LAMMPS_VERSION, running);
  return false;
}

void lammpsplugin_init(void *lmp, void *handle, void *register_function)
{
  if (!version_matches(lmp)) return;

  auto register_plugin = reinterpret_cast<dpdsop_plugin_register>(register_function);
  dpdsop_plugin plugin;

  plugin.version = DS_LAMMPS_VERSION_TEXT;
  plugin.style = "pair";
  plugin.name = "dpd/gpu";
  plugin.info = "pair style dpd/gpu: dissipative particle dynamics with signature noise";
  plugin.author = "DPD/SOP package";
  plugin.creator.v1 = create_pair_dpd_gpu;
  plugin.handle = handle;
  register_plugin(&plugin, lmp);

  plugin.style = "fix";
  plugin.name = FixDPDGPUState::STYLE;
  plugin.info = "fix style DPD_GPU/STATE: used by pair style dpd/gpu, for runs that go on";
  plugin.creator.v2 = create_fix_dpd_gpu_state;
  register_plugin(&plugin, lmp);
}
