/* Momentum that is taken away: LAMMPS's fix momentum, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_momentum_gpu.h"

#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

FixMomentumGPU::FixMomentumGPU(LAMMPS *lmp, int narg, char **arg) :
    FixStep(lmp, narg, arg), linear(false), rescale(false), along()
{
  if (narg < 4) refuse("too few arguments", "fix ID group momentum/gpu N linear x y z [rescale]");
  nevery = utils::inumeric(FLERR, arg[3], false, lmp);
  if (nevery <= 0) refuse(fmt::format("N {}", arg[3]), "N > 0");
  for (int k = 4; k < narg; k++) {
    if (strcmp(arg[k], "linear") == 0 && k + 3 < narg) {
      linear = true;
      for (int &a : along) {
        a = utils::inumeric(FLERR, arg[++k], false, lmp);
        if (a < 0 || a > 1) refuse(fmt::format("linear {}", arg[k]), "0 or 1 for each axis");
      }
    } else if (strcmp(arg[k], "rescale") == 0)
      rescale = true;
    else
      refuse(fmt::format("keyword {}", arg[k]),
             "linear x y z, rescale; LAMMPS's own fix has angular, too (suffix off)");
  }
  if (!linear) refuse("no linear momentum", "linear x y z");
}

/* ---------------------------------------------------------------------- */

void FixMomentumGPU::declare(StepRecords &r, bigint)
{
  ds_operation &sum = r.add(DS_SUM_MOMENTUM, DS_AT_END, groupbit);
  sum.nsums = 5;
  sum.unit = units.momentum;
  ds_operation &o = r.add(DS_REMOVE_MOMENTUM, DS_AT_END, groupbit);
  o.flags = DS_AFTER_SUMS;
  o.from = 0;
  for (int d = 0; d < 3; d++) o.number[d] = along[d];
  if (rescale) {
    ds_operation &energy = r.add(DS_SUM_KINETIC_TRACE, DS_AT_END, groupbit);
    energy.nsums = 1;
    energy.unit = units.mvv;
    ds_operation &scale = r.add(DS_RESCALE_ENERGY, DS_AT_END, groupbit);
    scale.flags = DS_AFTER_SUMS;
    scale.from = 2;
    scale.also = 0;
  }
  for (ds_operation &each : r.operations) each.every = nevery;
}
