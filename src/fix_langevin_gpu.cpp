/* Langevin friction and noise: LAMMPS's fix langevin, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_langevin_gpu.h"

#include "atom.h"
#include "force.h"
#include "update.h"

#include <cmath>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

FixLangevinGPU::FixLangevinGPU(LAMMPS *lmp, int narg, char **arg) :
    FixStep(lmp, narg, arg), start(0.0), stop(0.0), damp(0.0), seed(0)
{
  if (narg < 7) refuse("too few arguments", "fix ID group langevin/gpu Tstart Tstop damp seed");
  if (narg > 7)
    refuse(fmt::format("keyword {}", arg[7]), "none; LAMMPS's own fix has some (suffix off)");
  start = number(arg[3], "Tstart");
  stop = number(arg[4], "Tstop");
  damp = number(arg[5], "damp");
  seed = utils::inumeric(FLERR, arg[6], false, lmp);
  if (!(start >= 0.0)) refuse(fmt::format("Tstart {}", arg[3]), "Tstart >= 0");
  if (!(stop >= 0.0)) refuse(fmt::format("Tstop {}", arg[4]), "Tstop >= 0");
  if (!(damp > 0.0)) refuse(fmt::format("damp {}", arg[5]), "damp > 0");
  if (seed <= 0) refuse(fmt::format("seed {}", arg[6]), "seed > 0");
  if (!atom->tag_enable) refuse("atoms without IDs", "atom_modify id yes: noise is made of IDs");
}

/* ----------------------------------------------------------------------
   noise of the mean square 2 T damp^-1 m / dt, uniform as LAMMPS's
------------------------------------------------------------------------- */

void FixLangevinGPU::declare(StepRecords &r, bigint step)
{
  double part = static_cast<double>(step - update->beginstep);
  if (part != 0.0) part /= static_cast<double>(update->endstep - update->beginstep);
  const double target = start + part * (stop - start);
  ds_operation &o = r.add(DS_LANGEVIN, DS_AT_POST_FORCE, groupbit);
  o.number[0] = -1.0 / damp / force->ftm2v;
  o.number[1] = sqrt(24.0 * force->boltz / damp / update->dt / force->mvv2e) / force->ftm2v * sqrt(target);
  o.number[2] = seed;
}
