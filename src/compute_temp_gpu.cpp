/* Temperature from exact sums: LAMMPS's compute temp, on the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "compute_temp_gpu.h"

#include "domain.h"
#include "error.h"
#include "force.h"
#include "group.h"
#include "modify.h"
#include "update.h"

#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

ComputeTempGPU::ComputeTempGPU(LAMMPS *lmp, int narg, char **arg) : ComputeTempGPU(lmp, narg, arg, 0) {}

ComputeTempGPU::ComputeTempGPU(LAMMPS *lmp, int narg, char **arg, int arguments) :
    ComputeStep(lmp, narg, arg), tfactor(0.0)
{
  if (arguments == 0) take_no_arguments(narg, arg);
  if (narg != 3 + arguments)
    error->all(FLERR, "Compute {}: {} arguments, allowed are {}", arg[2], narg - 3, arguments);
  scalar_flag = 1;
  extscalar = 0;
  tempflag = 1;
  have_vector(6, true);
}

/* ---------------------------------------------------------------------- */

void ComputeTempGPU::setup()
{
  dynamic = 0;
  if (dynamic_user || group->dynamic[igroup]) dynamic = 1;
  count_dof();
}

int ComputeTempGPU::axes() const
{
  return domain->dimension;
}

/* ----------------------------------------------------------------------
   Degrees of freedom as in LAMMPS's computes temp and temp/partial. Those that are taken
   away are taken from all axes evenly
------------------------------------------------------------------------- */

void ComputeTempGPU::count_dof()
{
  adjust_dof_fix();
  natoms_temp = group->count(igroup);
  const double each = axes();
  dof = each * natoms_temp;
  dof -= each / domain->dimension * (extra_dof + fix_dof);
  tfactor = dof > 0.0 ? force->mvv2e / (dof * force->boltz) : 0.0;
}

/* ----------------------------------------------------------------------
   Takes over the degrees of freedom of the compute that this one replaces
------------------------------------------------------------------------- */

void ComputeTempGPU::take_dof(double of_other)
{
  count_dof();
  extra_dof += dof - of_other;
}

/* ----------------------------------------------------------------------
   When it starts, LAMMPS makes a compute temp for its thermodynamic output. Here it is
   replaced by a compute of this package, which reads no arrays while the engine has the
   atoms. ID, value and degrees of freedom (compute_modify extra/dof) stay the same
------------------------------------------------------------------------- */

void ComputeTempGPU::take_place_of_thermo_temp(LAMMPS *lmp)
{
  static constexpr char ID[] = "thermo_temp", STYLE[] = "temp/exact/gpu";
  Modify *const modify = lmp->modify;
  const bool has_box = lmp->domain->box_exist != 0;
  Compute *const compute = modify->get_compute_by_id(ID);
  if (!compute || strcmp(compute->style, "temp") != 0 || lmp->kokkos) return;
  if (has_box) compute->setup();
  const double dof = compute->dof;
  modify->delete_compute(ID);
  auto *const ours = dynamic_cast<ComputeTempGPU *>(modify->add_compute(fmt::format("{} all {}", ID, STYLE), 0));
  if (ours && has_box) ours->take_dof(dof);
}

/* ---------------------------------------------------------------------- */

void ComputeTempGPU::declare(StepRecords &r, bigint)
{
  ds_operation &o = r.add(DS_SUM_KINETIC, DS_AT_SUMS, groupbit);
  o.flags = DS_LAST_STEP_ONLY;
  put_bias(o.number);
  o.nsums = 6;
  o.unit = units.mvv;
}

/* ---------------------------------------------------------------------- */

double ComputeTempGPU::compute_scalar()
{
  invoked_scalar = update->ntimestep;
  add_up();
  if (dynamic) count_dof();
  if (dof < 0.0 && natoms_temp > 0.0)
    error->all(FLERR, "Compute {}: {} degrees of freedom, allowed are 0 and more", style, dof);
  scalar = tfactor * (total(0, 0) + total(0, 1) + total(0, 2));
  return scalar;
}

void ComputeTempGPU::compute_vector()
{
  invoked_vector = update->ntimestep;
  add_up();
  for (int k = 0; k < 6; k++) vector[k] = total(0, k) * force->mvv2e;
}
