/* Forces that are set: LAMMPS's fix setforce, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_setforce_gpu.h"

#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

FixSetForceGPU::FixSetForceGPU(LAMMPS *lmp, int narg, char **arg) :
    FixStep(lmp, narg, arg), force(), sets()
{
  if (narg < 6) refuse("too few arguments", "fix ID group setforce/gpu fx fy fz [region ID]");
  vector_flag = 1;
  size_vector = 3;
  global_freq = 1;
  extvector = 1;
  for (int d = 0; d < 3; d++) {
    sets[d] = strcmp(arg[3 + d], "NULL") != 0;
    if (sets[d]) force[d] = take_value(arg[3 + d], "force");
  }
  for (int k = 6; k < narg; k++) {
    if (strcmp(arg[k], "region") != 0) refuse(fmt::format("keyword {}", arg[k]), "region");
    take_region(next(k, narg, arg));
  }
}

/* ---------------------------------------------------------------------- */

void FixSetForceGPU::declare(StepRecords &r, bigint)
{
  const int region = region_of(r);
  ds_operation &o = r.add(DS_SET_FORCE, DS_AT_POST_FORCE, groupbit);
  o.region = region;
  o.nsums = 4;
  o.unit = units.energy;
  for (int d = 0; d < 3; d++) {
    o.number[d] = sets[d] ? value(force[d]) : 0.0;
    o.number[3 + d] = sets[d] ? 1.0 : 0.0;
  }
}
