/* Atoms tethered to where they were: LAMMPS's fix spring/self, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_spring_self_gpu.h"

#include <cstring>

using namespace LAMMPS_NS;
using namespace FixConst;

/* ---------------------------------------------------------------------- */

FixSpringSelfGPU::FixSpringSelfGPU(LAMMPS *lmp, int narg, char **arg) :
    FixStepAnchored(lmp, narg, arg), stiffness(0), along()
{
  if (narg < 4 || narg > 5) refuse(fmt::format("{} arguments", narg - 3), "K [xyz]");
  scalar_flag = 1;
  global_freq = 1;
  extscalar = 1;
  energy_global_flag = 1;
  stiffness = take_value(arg[3], "K");
  if (is_constant(stiffness) && !(value(stiffness) > 0.0)) refuse(fmt::format("K {}", arg[3]), "K > 0");
  const std::string axes = narg == 5 ? arg[4] : "xyz";
  for (const char *const known : {"xyz", "xy", "xz", "yz", "x", "y", "z"})
    if (axes == known)
      for (const char *c = known; *c; c++) along[*c - 'x'] = true;
  if (!along[0] && !along[1] && !along[2]) refuse(fmt::format("direction {}", axes), "xyz, xy, xz, yz, x, y, z");
}

int FixSpringSelfGPU::setmask()
{
  return POST_FORCE | MIN_POST_FORCE;
}

/* ---------------------------------------------------------------------- */

void FixSpringSelfGPU::declare(StepRecords &r, bigint)
{
  ds_operation &o = r.add(DS_SPRING_SELF, DS_AT_POST_FORCE, groupbit);
  o.number[0] = value(stiffness);
  for (int d = 0; d < 3; d++) o.number[1 + d] = along[d] ? 1.0 : 0.0;
  o.nsums = 1;
  o.unit = units.energy;
}
