/* Temperature from exact sums: LAMMPS's compute temp, on the engine.
   SPDX-License-Identifier: GPL-2.0-or-later

   The sums are integers, so that they have the same bits on any number of ranks and threads, and with them all that is made
   of this temperature. While run_style verlet/gpu makes steps, the engine adds them up where the velocities are. */

#include "compute_temp_gpu.h"

#include "domain.h"
#include "error.h"
#include "force.h"
#include "group.h"
#include "update.h"

#include "dpdsop/device/step/exact_sum.h"

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

ComputeTempGPU::ComputeTempGPU(LAMMPS *lmp, int narg, char **arg) :
    Compute(lmp, narg, arg), tfactor(0.0), units(), runner(lmp, "Compute " + std::string(arg[2])),
    step_of_sums(-1)
{
  if (narg != 3)
    error->all(FLERR, "Compute {}: argument {} is not known, allowed is none", arg[2], arg[3]);
  scalar_flag = vector_flag = 1;
  size_vector = 6;
  extscalar = 0;
  extvector = 1;
  tempflag = 1;
  vector = new double[size_vector];
}

ComputeTempGPU::~ComputeTempGPU()
{
  delete[] vector;
}

/* ---------------------------------------------------------------------- */

void ComputeTempGPU::init()
{
  units = StepArrays::units_of(lmp);
  forget_sums();
}

void ComputeTempGPU::setup()
{
  dynamic = 0;
  if (dynamic_user || group->dynamic[igroup]) dynamic = 1;
  count_dof();
}

/* ----------------------------------------------------------------------
   as compute temp has it
------------------------------------------------------------------------- */

void ComputeTempGPU::count_dof()
{
  adjust_dof_fix();
  natoms_temp = group->count(igroup);
  dof = domain->dimension * natoms_temp;
  dof -= extra_dof + fix_dof;
  tfactor = dof > 0.0 ? force->mvv2e / (dof * force->boltz) : 0.0;
}

/* ----------------------------------------------------------------------
   of a compute in whose place this one is: of the same group, at the same time
------------------------------------------------------------------------- */

void ComputeTempGPU::take_dof(double of_other)
{
  count_dof();
  extra_dof += dof - of_other;
}

/* ---------------------------------------------------------------------- */

void ComputeTempGPU::declare(StepRecords &r, bigint)
{
  ds_operation &o = r.add(DS_SUM_KINETIC, DS_AT_SUMS, groupbit);
  o.flags = DS_LAST_STEP_ONLY;
  o.nsums = 6;
  o.unit = units.mvv;
}

void ComputeTempGPU::take_sums(bigint step, const std::vector<StepSums> &all)
{
  sums = all;
  step_of_sums = step;
}

void ComputeTempGPU::add_up()
{
  if (step_of_sums == update->ntimestep) return;
  StepRecords r;
  declare(r, update->ntimestep);
  runner.run(r, DS_AT_SUMS, update->ntimestep, nullptr, sums);
}

double ComputeTempGPU::component(int k) const
{
  return ds_exact_value(&sums[0][k], units.mvv);
}

/* ---------------------------------------------------------------------- */

double ComputeTempGPU::compute_scalar()
{
  invoked_scalar = update->ntimestep;
  add_up();
  if (dynamic) count_dof();
  if (dof < 0.0 && natoms_temp > 0.0)
    error->all(FLERR, "Compute {}: {} degrees of freedom, allowed are 0 and more", style, dof);
  scalar = tfactor * (component(0) + component(1) + component(2));
  return scalar;
}

void ComputeTempGPU::compute_vector()
{
  invoked_vector = update->ntimestep;
  add_up();
  for (int k = 0; k < 6; k++) vector[k] = component(k) * force->mvv2e;
}
