/* Mean squared displacement from exact sums: LAMMPS's compute msd, on the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "compute_msd_gpu.h"

#include "error.h"
#include "group.h"
#include "update.h"

#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

ComputeMSDGPU::ComputeMSDGPU(LAMMPS *lmp, int narg, char **arg) :
    ComputeStep(lmp, narg, arg), relative(false)
{
  dynamic_group_allow = 0;
  if (group->dynamic[igroup])
    error->all(FLERR, "Compute {}: group {} is dynamic, allowed is one whose atoms stay", style, group->names[igroup]);
  for (int k = 3; k < narg; k += 2) {
    if (strcmp(arg[k], "com") != 0 || k + 1 >= narg)
      error->all(FLERR, "Compute {}: keyword {}, allowed: com yes or no; LAMMPS's own compute has average, too (suffix off)",
                 style, arg[k]);
    relative = utils::logical(FLERR, arg[k + 1], false, lmp) != 0;
  }
  if (!FixStepAnchors::keep(lmp, id)->are_restored() && relative) start_from_center();
  have_vector(4, false);
}

ComputeMSDGPU::~ComputeMSDGPU()
{
  FixStepAnchors::drop(lmp, id);
}

/* ---------------------------------------------------------------------- */

void ComputeMSDGPU::init()
{
  ComputeStep::init();
  if (!anchors()) error->all(FLERR, "Compute {}: fix {}_ANCHORS does not exist any more, allowed is that it stays", style, id);
}

/* ----------------------------------------------------------------------
   With `com yes` anchors are taken relative to the center of mass at the beginning
------------------------------------------------------------------------- */

void ComputeMSDGPU::start_from_center()
{
  double away[3];
  units = StepArrays::units_of(lmp);
  add_up();
  for (int d = 0; d < 3; d++) away[d] = total(0, 3) > 0.0 ? -total(0, d) / total(0, 3) * units.length : 0.0;
  FixStepAnchors::of(lmp, id)->shift(away);
}

/* ---------------------------------------------------------------------- */

void ComputeMSDGPU::declare(StepRecords &r, bigint)
{
  if (relative) StepArrays::add_center(r, DS_AT_SUMS, groupbit, units).flags = DS_LAST_STEP_ONLY;
  ds_operation &o = r.add(DS_SUM_DISPLACEMENT, DS_AT_SUMS, groupbit);
  o.flags = DS_LAST_STEP_ONLY | (relative ? DS_AFTER_SUMS : 0);
  o.from = relative ? 0 : -1;
  o.number[0] = relative ? units.length : 0.0;
  o.nsums = 4;
  o.unit = units.length * units.length;
}

void ComputeMSDGPU::compute_vector()
{
  invoked_vector = update->ntimestep;
  add_up();
  const int k = relative ? 1 : 0;
  const double n = total(k, 3) / (units.length * units.length);
  vector[3] = 0.0;
  for (int d = 0; d < 3; d++) {
    vector[d] = n > 0.0 ? total(k, d) / n : 0.0;
    vector[3] += vector[d];
  }
}
