/* Atoms that move with a velocity of their own: LAMMPS's fix move linear, on the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_move_gpu.h"

#include "restart_record.h"

#include "comm.h"
#include "domain.h"
#include "error.h"
#include "force.h"
#include "lattice.h"
#include "update.h"

#include <cstring>

using namespace LAMMPS_NS;
using namespace FixConst;

/* ---------------------------------------------------------------------- */

FixMoveGPU::FixMoveGPU(LAMMPS *lmp, int narg, char **arg) :
    FixStepAnchored(lmp, narg, arg), velocity(), given(), begin(update->ntimestep)
{
  if (narg < 7 || strcmp(arg[3], "linear") != 0)
    refuse(narg > 3 ? fmt::format("{} with {} values", arg[3], narg - 4) : "too few arguments",
           "linear Vx Vy Vz; LAMMPS's own fix has other ways (suffix off)");
  restart_global = 1;
  time_integrate = 1;
  for (int d = 0; d < 3; d++) {
    given[d] = strcmp(arg[4 + d], "NULL") != 0;
    if (given[d]) velocity[d] = number(arg[4 + d], "velocity");
  }
  bool lattice = true;
  for (int k = 7; k < narg; k++) {
    static constexpr char ALLOWED[] = "units box, units lattice";
    if (strcmp(arg[k], "units") != 0) refuse(fmt::format("keyword {}", arg[k]), ALLOWED);
    const std::string units = next(k, narg, arg);
    if (units != "box" && units != "lattice") refuse(fmt::format("keyword units {}", units), ALLOWED);
    lattice = units == "lattice";
  }
  const double scale[3] = {domain->lattice->xlattice, domain->lattice->ylattice, domain->lattice->zlattice};
  for (int d = 0; d < 3 && lattice; d++) velocity[d] *= scale[d];
  if (domain->dimension == 2 && given[2] && velocity[2] != 0.0)
    refuse(fmt::format("velocity {} along z in two dimensions", arg[6]), "0 or NULL");
}

int FixMoveGPU::setmask()
{
  return INITIAL_INTEGRATE | FINAL_INTEGRATE;
}

/* ----------------------------------------------------------------------
   Displacements are velocity times the whole time since the beginning, so the time step
   must stay the same
------------------------------------------------------------------------- */

void FixMoveGPU::reset_dt()
{
  error->all(FLERR, "{}: the time step changes in the run, allowed is one that stays", user);
}

void FixMoveGPU::declare(StepRecords &r, bigint)
{
  for (const bool first : {false, true}) {
    ds_operation &o = first ? r.add(DS_MOVE_LINEAR_INITIAL, DS_AT_INITIAL, groupbit)
                            : r.add(DS_MOVE_LINEAR_FINAL, DS_AT_FINAL, groupbit);
    for (int d = 0; d < 3; d++) {
      o.number[d] = velocity[d];
      o.number[3 + d] = given[d] ? 1.0 : 0.0;
    }
    o.number[6] = static_cast<double>(begin);
    o.number[7] = update->dt;
    o.number[8] = 0.5 * update->dt * force->ftm2v;
  }
}

/* ---------------------------------------------------------------------- */

static constexpr RestartMark MOVE_MARK = {'D', 'S', '_', 'M', 'O', 'V', 'E', 'S'};

void FixMoveGPU::write_restart(FILE *file)
{
  if (comm->me == 0) write_number(file, begin, MOVE_MARK);
}

void FixMoveGPU::restart(char *buffer)
{
  const std::string wrong = open_number(begin, buffer, MOVE_MARK);
  if (!wrong.empty()) error->all(FLERR, "{}: the restart file {}", user, wrong);
}
