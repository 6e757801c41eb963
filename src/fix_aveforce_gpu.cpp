/* Forces that are averaged: LAMMPS's fix aveforce, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_aveforce_gpu.h"

#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

FixAveForceGPU::FixAveForceGPU(LAMMPS *lmp, int narg, char **arg) :
    FixStep(lmp, narg, arg), force(), averages()
{
  if (narg < 6) refuse("too few arguments", "fix ID group aveforce/gpu fx fy fz [region ID]");
  vector_flag = 1;
  size_vector = 3;
  global_freq = 1;
  extvector = 1;
  for (int d = 0; d < 3; d++) {
    averages[d] = strcmp(arg[3 + d], "NULL") != 0;
    if (averages[d]) force[d] = take_value(arg[3 + d], "force");
  }
  for (int k = 6; k < narg; k++) {
    if (strcmp(arg[k], "region") != 0) refuse(fmt::format("keyword {}", arg[k]), "region");
    take_region(next(k, narg, arg));
  }
}

/* ----------------------------------------------------------------------
   the sum of all forces first, then their mean for each
------------------------------------------------------------------------- */

void FixAveForceGPU::declare(StepRecords &r, bigint)
{
  const int region = region_of(r);
  ds_operation &sum = r.add(DS_SUM_FORCE, DS_AT_POST_FORCE, groupbit);
  sum.region = region;
  sum.nsums = 4;
  sum.unit = units.force;
  ds_operation &o = r.add(DS_AVERAGE_FORCE, DS_AT_POST_FORCE, groupbit);
  o.region = region;
  o.flags = DS_AFTER_SUMS;
  o.from = 0;
  for (int d = 0; d < 3; d++) {
    o.number[d] = averages[d] ? value(force[d]) : 0.0;
    o.number[3 + d] = averages[d] ? 1.0 : 0.0;
  }
}
