/* Momentum that is taken away: LAMMPS's fix momentum, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_momentum_gpu.h"

#include "group.h"

#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

FixMomentumGPU::FixMomentumGPU(LAMMPS *lmp, int narg, char **arg) :
    FixStep(lmp, narg, arg), linear(false), angular(false), rescale(false), along()
{
  static constexpr char KEYWORDS[] = "linear x y z, angular, rescale";
  if (narg < 4) refuse("too few arguments", fmt::format("N, {}", KEYWORDS));
  nevery = utils::inumeric(FLERR, arg[3], false, lmp);
  if (nevery <= 0) refuse(fmt::format("N {}", arg[3]), "N > 0");
  for (int k = 4; k < narg; k++) {
    if (strcmp(arg[k], "linear") == 0 && k + 3 < narg) {
      linear = true;
      for (int &a : along) {
        a = utils::inumeric(FLERR, arg[++k], false, lmp);
        if (a < 0 || a > 1) refuse(fmt::format("linear {}", arg[k]), "0 or 1 for each axis");
      }
    } else if (strcmp(arg[k], "angular") == 0)
      angular = true;
    else if (strcmp(arg[k], "rescale") == 0)
      rescale = true;
    else
      refuse(fmt::format("keyword {}", arg[k]), KEYWORDS);
  }
  if (!linear && !angular) refuse("no momentum", "linear x y z, angular, or both");
}

/* ---------------------------------------------------------------------- */

void FixMomentumGPU::init()
{
  FixStep::init();
  if (!group->dynamic[igroup] && group->count(igroup) == 0)
    refuse(fmt::format("group {} has no atoms", group->names[igroup]), "a group with atoms, or a dynamic one");
}

/* ----------------------------------------------------------------------
   With rescale, kinetic energies are added up before momentum is taken away
------------------------------------------------------------------------- */

void FixMomentumGPU::declare(StepRecords &r, bigint)
{
  if (linear || rescale) {
    ds_operation &sum = r.add(DS_SUM_MOMENTUM, DS_AT_END, groupbit);
    sum.nsums = 5;
    sum.unit = units.momentum;
  }
  if (linear) {
    ds_operation &o = r.add(DS_REMOVE_MOMENTUM, DS_AT_END, groupbit);
    o.flags = DS_AFTER_SUMS;
    o.from = 0;
    for (int d = 0; d < 3; d++) o.number[d] = along[d];
  }
  if (angular) declare_rotation(r);
  if (rescale) {
    ds_operation &energy = r.add(DS_SUM_KINETIC_TRACE, DS_AT_END, groupbit);
    energy.nsums = 1;
    energy.unit = units.mvv;
    const int place = static_cast<int>(r.operations.size()) - 1;
    ds_operation &scale = r.add(DS_RESCALE_ENERGY, DS_AT_END, groupbit);
    scale.flags = DS_AFTER_SUMS;
    scale.from = place;
    scale.also = 0;
  }
  for (ds_operation &each : r.operations) each.every = nevery;
}

/* ----------------------------------------------------------------------
   Adds up the center of mass, then angular momentum and inertia about it
------------------------------------------------------------------------- */

void FixMomentumGPU::declare_rotation(StepRecords &r) const
{
  const int center = static_cast<int>(r.operations.size());
  StepArrays::add_center(r, DS_AT_END, groupbit, units);
  for (const bool sum : {true, false}) {
    ds_operation &o = r.add(sum ? DS_SUM_ROTATION : DS_REMOVE_ROTATION, DS_AT_END, groupbit);
    o.flags = DS_AFTER_SUMS;
    o.from = sum ? center : center + 1;
    o.also = sum ? -1 : center;
    o.number[0] = units.length;
    o.number[1] = units.momentum / units.mass;
    o.nsums = sum ? 9 : 0;
    o.unit = units.mass;
  }
}
