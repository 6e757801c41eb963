/* Forces that are set, or averaged over a group: LAMMPS's fixes setforce and aveforce, on the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_setforce_gpu.h"

#include "update.h"

#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

FixSetForceGPU::FixSetForceGPU(LAMMPS *lmp, int narg, char **arg) :
    FixStep(lmp, narg, arg), averages(strncmp(style, "aveforce", 8) == 0), force(), sets()
{
  if (narg < 6) refuse("too few arguments", fmt::format("fix ID group {} fx fy fz [region ID]", style));
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

/* ----------------------------------------------------------------------
   A force that is set has no energy, which a minimization would need
------------------------------------------------------------------------- */

void FixSetForceGPU::init()
{
  FixStep::init();
  if (update->whichflag != 2 || averages) return;
  for (int d = 0; d < 3; d++)
    if (sets[d] && (!is_constant(force[d]) || value(force[d]) != 0.0))
      refuse("a minimization with forces other than 0", "0.0, NULL; or fix addforce");
}

/* ----------------------------------------------------------------------
   For a mean, all forces are added up first
------------------------------------------------------------------------- */

void FixSetForceGPU::declare(StepRecords &r, bigint)
{
  const int region = region_of(r);
  if (averages) {
    ds_operation &sum = r.add(DS_SUM_FORCE, DS_AT_POST_FORCE, groupbit);
    sum.region = region;
    sum.nsums = 4;
    sum.unit = units.force;
  }
  ds_operation &o = r.add(averages ? DS_AVERAGE_FORCE : DS_SET_FORCE, DS_AT_POST_FORCE, groupbit);
  o.region = region;
  if (averages) {
    o.flags = DS_AFTER_SUMS;
    o.from = 0;
  } else {
    o.nsums = 3;
    o.unit = units.force;
  }
  for (int d = 0; d < 3; d++) {
    o.number[d] = sets[d] ? value(force[d]) : 0.0;
    o.number[3 + d] = sets[d] ? 1.0 : 0.0;
  }
}
