/* Velocities scaled to a temperature: LAMMPS's fix temp/rescale, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_temp_rescale_gpu.h"

#include "comm.h"
#include "compute.h"
#include "force.h"
#include "group.h"
#include "modify.h"
#include "update.h"

#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

FixTempRescaleGPU::FixTempRescaleGPU(LAMMPS *lmp, int narg, char **arg) :
    FixStep(lmp, narg, arg), start(0.0), stop(0.0), window(0.0), fraction(1.0), energy(0.0)
{
  if (narg != 8) refuse(fmt::format("{} arguments", narg - 3), "N Tstart Tstop window fraction");
  nevery = utils::inumeric(FLERR, arg[3], false, lmp);
  start = number(arg[4], "Tstart");
  stop = number(arg[5], "Tstop");
  window = number(arg[6], "window");
  fraction = number(arg[7], "fraction");
  if (nevery <= 0) refuse(fmt::format("N {}", arg[3]), "N > 0");
  if (!(start >= 0.0) || !(stop >= 0.0))
    refuse(fmt::format("Tstart {} and Tstop {}", arg[4], arg[5]), "both >= 0");
  if (!(fraction > 0.0 && fraction <= 1.0)) refuse(fmt::format("fraction {}", arg[7]), "0 < fraction <= 1");
  restart_global = 1;
  scalar_flag = 1;
  global_freq = nevery;
  extscalar = 1;
  ecouple_flag = 1;
  temperature = std::string(id) + "_temp";
  modify->add_compute(fmt::format("{} {} temp/exact/gpu", temperature, group->names[igroup]), 0);
}

FixTempRescaleGPU::~FixTempRescaleGPU()
{
  if (modify->get_compute_by_id(temperature)) modify->delete_compute(temperature);
}

/* ---------------------------------------------------------------------- */

void FixTempRescaleGPU::init()
{
  energy = compute_scalar();
  begin_sums();
  FixStep::init();
  if (!modify->get_compute_by_id(temperature))
    refuse(fmt::format("compute {} does not exist any more", temperature), "that it stays");
}

/* ----------------------------------------------------------------------
   a dynamic group has other degrees of freedom from step to step
------------------------------------------------------------------------- */

bool FixTempRescaleGPU::changes_in_run() const
{
  return start != stop || group->dynamic[igroup];
}

/* ----------------------------------------------------------------------
   the temperature first, from sums over all, then the factor for each
------------------------------------------------------------------------- */

void FixTempRescaleGPU::declare(StepRecords &r, bigint step)
{
  double part = static_cast<double>(step - update->beginstep);
  if (part != 0.0) part /= static_cast<double>(update->endstep - update->beginstep);
  Compute *const measured = modify->get_compute_by_id(temperature);
  if (group->dynamic[igroup]) measured->setup();    // counts its atoms
  const double dof = measured->dof;
  ds_operation &sum = r.add(DS_SUM_KINETIC_TRACE, DS_AT_END, groupbit);
  sum.every = nevery;
  sum.nsums = 1;
  sum.unit = units.mvv;
  ds_operation &o = r.add(DS_RESCALE_TEMPERATURE, DS_AT_END, groupbit);
  o.every = nevery;
  o.flags = DS_AFTER_SUMS;
  o.from = 0;
  o.number[0] = dof >= 1.0 ? force->mvv2e / (dof * force->boltz) : 0.0;
  o.number[1] = start + part * (stop - start);
  o.number[2] = window;
  o.number[3] = fraction;
  o.number[4] = 0.5 * force->mvv2e;
  o.flags |= DS_ADDS_UP;
  o.nsums = 1;
  o.unit = units.energy;
}

/* ----------------------------------------------------------------------
   as LAMMPS's fix has it: what has been taken from the group since the fix was defined
------------------------------------------------------------------------- */

double FixTempRescaleGPU::compute_scalar()
{
  return energy + total(1, 0);
}

void FixTempRescaleGPU::write_restart(FILE *fp)
{
  if (comm->me) return;
  const int size = sizeof energy;
  const double all = compute_scalar();
  fwrite(&size, sizeof size, 1, fp);
  fwrite(&all, sizeof all, 1, fp);
}

void FixTempRescaleGPU::restart(char *buf)
{
  memcpy(&energy, buf, sizeof energy);
}
