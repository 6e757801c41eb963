/* Velocity Verlet: LAMMPS's fixes nve and nve/limit, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_nve_gpu.h"

#include "force.h"
#include "update.h"

#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

FixNVEGPU::FixNVEGPU(LAMMPS *lmp, int narg, char **arg) : FixStep(lmp, narg, arg), limit(0.0)
{
  const bool limits = strncmp(style, "nve/limit", 9) == 0;
  if (narg != (limits ? 4 : 3)) refuse(fmt::format("{} arguments", narg - 3), limits ? "xmax" : "none");
  if (limits) limit = number(arg[3], "xmax");
  if (limits && !(limit > 0.0)) refuse(fmt::format("xmax {}", arg[3]), "xmax > 0");
  time_integrate = 1;
  if (!limits) return;
  scalar_flag = 1;
  global_freq = 1;
  extscalar = 1;
}

/* ---------------------------------------------------------------------- */

void FixNVEGPU::init()
{
  FixStep::init();
  begin_sums();
}

double FixNVEGPU::compute_scalar()
{
  return total(0, 0) + total(1, 0);
}

/* ---------------------------------------------------------------------- */

void FixNVEGPU::declare(StepRecords &r, bigint)
{
  for (const bool first : {false, true}) {
    const ds_operation_kind kind = limit > 0.0 ? (first ? DS_NVE_LIMIT_INITIAL : DS_NVE_LIMIT_FINAL)
                                               : (first ? DS_NVE_INITIAL : DS_NVE_FINAL);
    ds_operation &o = r.add(kind, first ? DS_AT_INITIAL : DS_AT_FINAL, groupbit);
    o.number[0] = update->dt;
    o.number[1] = 0.5 * update->dt * force->ftm2v;
    o.number[2] = (limit / update->dt) * (limit / update->dt);
    if (limit > 0.0) {
      o.flags = DS_ADDS_UP;
      o.nsums = 1;
    }
  }
}
