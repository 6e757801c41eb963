/* Kinetic energy, momentum and center of mass from exact sums: LAMMPS's computes ke, momentum and com, on the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "compute_sums_gpu.h"

#include "force.h"
#include "update.h"

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

ComputeKEGPU::ComputeKEGPU(LAMMPS *lmp, int narg, char **arg) : ComputeStep(lmp, narg, arg)
{
  take_no_arguments(narg, arg);
  scalar_flag = 1;
  extscalar = 1;
}

void ComputeKEGPU::declare(StepRecords &r, bigint)
{
  ds_operation &o = r.add(DS_SUM_KINETIC_TRACE, DS_AT_SUMS, groupbit);
  o.flags = DS_LAST_STEP_ONLY;
  o.nsums = 1;
  o.unit = units.mvv;
}

double ComputeKEGPU::compute_scalar()
{
  invoked_scalar = update->ntimestep;
  add_up();
  scalar = 0.5 * force->mvv2e * total(0, 0);
  return scalar;
}

/* ---------------------------------------------------------------------- */

ComputeMomentumGPU::ComputeMomentumGPU(LAMMPS *lmp, int narg, char **arg) : ComputeStep(lmp, narg, arg)
{
  take_no_arguments(narg, arg);
  have_vector(3, true);
}

void ComputeMomentumGPU::declare(StepRecords &r, bigint)
{
  ds_operation &o = r.add(DS_SUM_MOMENTUM, DS_AT_SUMS, groupbit);
  o.flags = DS_LAST_STEP_ONLY;
  o.nsums = 3;
  o.unit = units.momentum;
}

void ComputeMomentumGPU::compute_vector()
{
  invoked_vector = update->ntimestep;
  add_up();
  for (int d = 0; d < 3; d++) vector[d] = total(0, d);
}

/* ---------------------------------------------------------------------- */

ComputeCOMGPU::ComputeCOMGPU(LAMMPS *lmp, int narg, char **arg) : ComputeStep(lmp, narg, arg)
{
  take_no_arguments(narg, arg);
  have_vector(3, false);
}

void ComputeCOMGPU::declare(StepRecords &r, bigint)
{
  StepArrays::add_center(r, DS_AT_SUMS, groupbit, units).flags = DS_LAST_STEP_ONLY;
}

/* ----------------------------------------------------------------------
   For a group without atoms LAMMPS's compute gives 0
------------------------------------------------------------------------- */

void ComputeCOMGPU::compute_vector()
{
  invoked_vector = update->ntimestep;
  add_up();
  const double mass = total(0, 3);
  for (int d = 0; d < 3; d++) vector[d] = mass > 0.0 ? total(0, d) / mass * units.length : 0.0;
}
