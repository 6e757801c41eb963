/* A force: LAMMPS's fix addforce, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_addforce_gpu.h"

#include "update.h"

#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

FixAddForceGPU::FixAddForceGPU(LAMMPS *lmp, int narg, char **arg) :
    FixStep(lmp, narg, arg), force(), step_multiple(1)
{
  if (narg < 6) refuse("too few arguments", "fix ID group addforce/gpu fx fy fz [every N] [region ID]");
  scalar_flag = vector_flag = 1;
  size_vector = 3;
  global_freq = 1;
  extscalar = extvector = 1;
  energy_global_flag = virial_global_flag = virial_peratom_flag = 1;
  for (int d = 0; d < 3; d++) force[d] = take_value(arg[3 + d], "force");
  for (int k = 6; k < narg; k++) {
    if (strcmp(arg[k], "every") == 0) {
      step_multiple = utils::inumeric(FLERR, next(k, narg, arg), false, lmp);
      if (step_multiple < 1) refuse(fmt::format("every {}", arg[k]), "every >= 1");
    } else if (strcmp(arg[k], "region") == 0)
      take_region(next(k, narg, arg));
    else
      refuse(fmt::format("keyword {}", arg[k]), "every, region; LAMMPS's own fix has others (suffix off)");
  }
}

/* ----------------------------------------------------------------------
   A force that changes has no energy, which a minimization would need
------------------------------------------------------------------------- */

void FixAddForceGPU::init()
{
  FixStep::init();
  if (update->whichflag == 2 && changes_in_run())
    refuse("a minimization with forces that are variables", "numbers; LAMMPS's own fix has keyword energy (suffix off)");
}

/* ---------------------------------------------------------------------- */

void FixAddForceGPU::declare(StepRecords &r, bigint)
{
  const int region = region_of(r);
  ds_operation &o = r.add(DS_ADD_FORCE, DS_AT_POST_FORCE, groupbit);
  o.region = region;
  o.every = step_multiple;
  o.nsums = thermo_virial ? 10 : 4;
  o.unit = units.energy;
  for (int d = 0; d < 3; d++) o.number[d] = value(force[d]);
}

void FixAddForceGPU::find_virial(const Totals &sum, double of_all[6]) const
{
  for (int k = 0; k < 6; k++) of_all[k] = sum(0, 4 + k);
}
