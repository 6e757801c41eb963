/* Berendsen's thermostat: LAMMPS's fix temp/berendsen, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later

   Berendsen, Postma, van Gunsteren, DiNola and Haak, J. Chem. Phys. 81, 3684 (1984). */

#include "fix_temp_berendsen_gpu.h"

#include "restart_record.h"

#include "comm.h"
#include "error.h"
#include "force.h"
#include "group.h"
#include "update.h"

#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

FixTempBerendsenGPU::FixTempBerendsenGPU(LAMMPS *lmp, int narg, char **arg) :
    FixStepBath(lmp, narg, arg), start(0), is_ramp(false), first(0.0), stop(0.0), period(0.0), target(0.0), energy(0.0),
    scaling(scaling_by(1.0))
{
  if (narg != 6) refuse(fmt::format("{} arguments", narg - 3), "Tstart Tstop Tdamp");
  start = take_value(arg[3], "Tstart");
  is_ramp = is_constant(start);
  if (is_ramp) first = target = value(start);
  stop = number(arg[4], "Tstop");
  period = number(arg[5], "Tdamp");
  if (!(first >= 0.0)) refuse(fmt::format("Tstart {}", arg[3]), "Tstart >= 0");
  if (!(stop >= 0.0)) refuse(fmt::format("Tstop {}", arg[4]), "Tstop >= 0");
  if (!(period > 0.0)) refuse(fmt::format("Tdamp {}", arg[5]), "Tdamp > 0");
  nevery = 1;
  scalar_flag = 1;
  global_freq = 1;
  extscalar = 1;
  ecouple_flag = 1;
  restart_global = 1;
  make_computes(group->names[igroup], false);
}

/* ---------------------------------------------------------------------- */

void FixTempBerendsenGPU::declare(StepRecords &r, bigint)
{
  const int sum = add_sum(r, DS_AT_END);
  add_scaling(r, DS_AT_END, scaling, DS_ASKS | DS_AFTER_SUMS, sum);
}

std::string FixTempBerendsenGPU::answer(bigint step, int, const StepSums *sums)
{
  scaling = scaling_by(1.0);
  take_kinetic(*sums);
  find_temperature();
  if (dof < 1.0) return "";
  if (!(temperature_now > 0.0))
    return fmt::format("{}: the temperature of the group is {}, allowed is one above 0", user, temperature_now);
  target = is_ramp ? first + part_of_run(step) * (stop - first) : value(start);
  if (!(target >= 0.0)) return fmt::format("{}: the variable for Tstart is {}, allowed is one >= 0", user, target);
  const double square = 1.0 + update->dt / period * (target / temperature_now - 1.0);
  if (!(square >= 0.0))
    return fmt::format(
        "{}: the time step {} with Tdamp {} takes more than all of the temperature {}, allowed is a longer Tdamp", user,
        update->dt, period, temperature_now);
  const double factor = sqrt(square);
  energy += temperature_now * (1.0 - factor * factor) * 0.5 * force->boltz * dof;
  scaling = scaling_by(factor);
  return "";
}

/* ---------------------------------------------------------------------- */

void FixTempBerendsenGPU::reset_target(double t)
{
  is_ramp = true;
  first = stop = target = t;
}

void *FixTempBerendsenGPU::extract(const char *name, int &dim)
{
  dim = 0;
  return strcmp(name, "t_target") == 0 ? &target : nullptr;
}

/* ---------------------------------------------------------------------- */

static constexpr RestartMark BERENDSEN_MARK = {'D', 'S', '_', 'B', 'E', 'R', 'E', 'N'};

void FixTempBerendsenGPU::write_restart(FILE *file)
{
  if (comm->me == 0) write_number(file, energy, BERENDSEN_MARK);
}

void FixTempBerendsenGPU::restart(char *buffer)
{
  const std::string wrong = open_number(energy, buffer, BERENDSEN_MARK);
  if (!wrong.empty()) error->all(FLERR, "{}: the restart file {}", user, wrong);
}
