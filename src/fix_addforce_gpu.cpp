/* A constant force: LAMMPS's fix addforce, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_addforce_gpu.h"

#include <algorithm>
#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

FixAddForceGPU::FixAddForceGPU(LAMMPS *lmp, int narg, char **arg) :
    FixStep(lmp, narg, arg), value(), step_multiple(1)
{
  if (narg < 6) refuse("too few arguments", "fix ID group addforce/gpu fx fy fz [every N] [region ID]");
  scalar_flag = vector_flag = 1;
  size_vector = 3;
  global_freq = 1;
  extscalar = extvector = 1;
  energy_global_flag = 1;
  for (int d = 0; d < 3; d++) value[d] = number(arg[3 + d], "force");
  for (int k = 6; k < narg; k += 2) {
    if (k + 1 >= narg) refuse(fmt::format("keyword {} has no value", arg[k]), "every N, region ID");
    if (strcmp(arg[k], "every") == 0) {
      step_multiple = utils::inumeric(FLERR, arg[k + 1], false, lmp);
      if (step_multiple < 1) refuse(fmt::format("every {}", arg[k + 1]), "every >= 1");
    } else if (strcmp(arg[k], "region") == 0)
      take_region(arg[k + 1]);
    else
      refuse(fmt::format("keyword {}", arg[k]), "every, region");
  }
}

/* ---------------------------------------------------------------------- */

void FixAddForceGPU::declare(StepRecords &r, bigint)
{
  const int region = region_of(r);
  ds_operation &o = r.add(DS_ADD_FORCE, DS_AT_POST_FORCE, groupbit);
  o.region = region;
  o.every = step_multiple;
  o.nsums = 4;
  o.unit = units.energy;
  std::copy(value, value + 3, o.number);
}
