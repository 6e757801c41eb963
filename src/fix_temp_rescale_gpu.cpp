/* Velocities scaled to a temperature: LAMMPS's fix temp/rescale, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_temp_rescale_gpu.h"

#include "restart_record.h"

#include "atom.h"
#include "comm.h"
#include "compute.h"
#include "error.h"
#include "force.h"
#include "group.h"
#include "update.h"

#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

FixTempRescaleGPU::FixTempRescaleGPU(LAMMPS *lmp, int narg, char **arg) :
    FixStep(lmp, narg, arg), start(0), is_ramp(false), first(0.0), stop(0.0), window(0.0), fraction(1.0),
    temperature(lmp, user), target(0.0), energy(0.0)
{
  if (narg != 8) refuse(fmt::format("{} arguments", narg - 3), "N Tstart Tstop window fraction");
  nevery = utils::inumeric(FLERR, arg[3], false, lmp);
  start = take_value(arg[4], "Tstart");
  is_ramp = is_constant(start);
  if (is_ramp) first = target = value(start);
  stop = number(arg[5], "Tstop");
  window = number(arg[6], "window");
  fraction = number(arg[7], "fraction");
  if (nevery <= 0) refuse(fmt::format("N {}", arg[3]), "N > 0");
  if (!(first >= 0.0)) refuse(fmt::format("Tstart {}", arg[4]), "Tstart >= 0");
  if (!(stop >= 0.0)) refuse(fmt::format("Tstop {}", arg[5]), "Tstop >= 0");
  if (!(fraction > 0.0 && fraction <= 1.0)) refuse(fmt::format("fraction {}", arg[7]), "0 < fraction <= 1");
  restart_global = 1;
  scalar_flag = 1;
  global_freq = nevery;
  extscalar = 1;
  ecouple_flag = 1;
  temperature.make(std::string(id) + "_temp", igroup);
}

FixTempRescaleGPU::~FixTempRescaleGPU()
{
  temperature.drop();
}

/* ---------------------------------------------------------------------- */

void FixTempRescaleGPU::init()
{
  energy = compute_scalar();
  begin_sums();
  FixStep::init();
  temperature.compute();
}

int FixTempRescaleGPU::modify_param(int narg, char **arg)
{
  if (strcmp(arg[0], "temp") != 0) return 0;
  if (narg < 2) refuse("fix_modify temp without an ID", "the ID of a temperature");
  temperature.name(arg[1], igroup);
  return 2;
}

std::string FixTempRescaleGPU::why_not_declared()
{
  const std::string why = FixStep::why_not_declared();
  return why.empty() ? temperature.why_not_declared() : why;
}

void FixTempRescaleGPU::find_target(bigint step)
{
  target = is_ramp ? ramp(first, stop, step) : temperature_of(start);
}

/* ----------------------------------------------------------------------
   The degrees of freedom of a dynamic group change from step to step
------------------------------------------------------------------------- */

bool FixTempRescaleGPU::changes_in_run() const
{
  return (is_ramp && first != stop) || FixStep::changes_in_run() || group->dynamic[temperature.compute()->igroup];
}

/* ----------------------------------------------------------------------
   With a temperature of LAMMPS's style, LAMMPS's arrays are scaled
------------------------------------------------------------------------- */

void FixTempRescaleGPU::end_of_step()
{
  if (temperature.why_not_declared().empty()) {
    FixStep::end_of_step();
    return;
  }
  Compute *const measured = temperature.compute();
  const double now = measured->compute_scalar();
  find_target(update->ntimestep);
  if (measured->dof < 1.0 || !(now > 0.0) || !(fabs(now - target) > window)) return;
  const double wanted = now - fraction * (now - target), factor = sqrt(wanted / now);
  energy += 0.5 * force->boltz * measured->dof * (now - wanted);
  for (int i = 0; i < atom->nlocal; i++) {
    if (!(atom->mask[i] & groupbit)) continue;
    double *const v = atom->v[i];
    if (measured->tempbias) measured->remove_bias(i, v);
    for (int d = 0; d < 3; d++) v[d] *= factor;
    if (measured->tempbias) measured->restore_bias(i, v);
  }
}

void FixTempRescaleGPU::reset_target(double t)
{
  is_ramp = true;
  target = first = stop = t;
}

void *FixTempRescaleGPU::extract(const char *what, int &dim)
{
  dim = 0;
  return strcmp(what, "t_target") == 0 ? &target : nullptr;
}

/* ----------------------------------------------------------------------
   Adds up kinetic energies, then scales velocities by a factor that depends on their sum
------------------------------------------------------------------------- */

void FixTempRescaleGPU::declare(StepRecords &r, bigint step)
{
  find_target(step);
  Compute *const measured = temperature.compute();
  if (group->dynamic[measured->igroup]) measured->setup();    // counts its atoms
  const double dof = measured->dof;
  ds_operation &sum = r.add(DS_SUM_KINETIC_TRACE, DS_AT_END, measured->groupbit);
  temperature.put_bias(sum.number);
  sum.every = nevery;
  sum.nsums = 1;
  sum.unit = units.mvv;
  ds_operation &o = r.add(DS_RESCALE_TEMPERATURE, DS_AT_END, groupbit);
  o.every = nevery;
  o.flags = DS_AFTER_SUMS;
  o.from = 0;
  o.number[0] = dof >= 1.0 ? force->mvv2e / (dof * force->boltz) : 0.0;
  o.number[1] = target;
  o.number[2] = window;
  o.number[3] = fraction;
  o.number[4] = 0.5 * force->mvv2e;
  temperature.put_bias(o.number + 5);
  o.flags |= DS_ADDS_UP;
  o.nsums = 1;
  o.unit = units.energy;
}

/* ----------------------------------------------------------------------
   As in LAMMPS's fix: the energy taken from the group since the fix was defined
------------------------------------------------------------------------- */

double FixTempRescaleGPU::compute_scalar()
{
  return energy + total(1, 0);
}

static constexpr RestartMark RESCALE_MARK = {'D', 'S', '_', 'R', 'E', 'S', 'C', 'A'};

void FixTempRescaleGPU::write_restart(FILE *file)
{
  if (comm->me == 0) write_number(file, compute_scalar(), RESCALE_MARK);
}

void FixTempRescaleGPU::restart(char *buffer)
{
  const std::string wrong = open_number(energy, buffer, RESCALE_MARK);
  if (!wrong.empty()) error->all(FLERR, "{}: the restart file {}", user, wrong);
}
