/* Temperatures of a part of the velocity, from exact sums: LAMMPS's computes temp/partial and temp/deform, on the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "compute_temp_bias_gpu.h"

#include "atom.h"
#include "comm.h"
#include "domain.h"
#include "error.h"
#include "modify.h"

#include "dpdsop/device/step/bias.h"

#include <algorithm>
#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

ComputeTempBiasGPU::ComputeTempBiasGPU(LAMMPS *lmp, int narg, char **arg) :
    ComputeTempGPU(lmp, narg, arg, strncmp(arg[2], "temp/partial", 12) == 0 ? 3 : 0),
    flows(strncmp(arg[2], "temp/deform", 11) == 0), without()
{
  tempbias = 1;
  for (int d = 0; d < 3 && !flows; d++) {
    const int counts = utils::inumeric(FLERR, arg[3 + d], false, lmp);
    if (counts != 0 && counts != 1)
      error->all(FLERR, "Compute {}: axis {}, allowed are 0 and 1", style, arg[3 + d]);
    without[d] = counts == 0;
  }
}

void ComputeTempBiasGPU::init()
{
  ComputeTempGPU::init();
  if (flows && comm->me == 0 && modify->get_fix_by_style("^deform").empty())
    error->warning(FLERR, "Compute {}: there is no fix deform, and no flow", style);
}

/* ---------------------------------------------------------------------- */

void ComputeTempBiasGPU::put_bias(double number[4]) const
{
  number[0] = flows ? DS_BIAS_FLOW : DS_BIAS_AXES;
  for (int d = 0; d < 3; d++) number[1 + d] = without[d] ? 1.0 : 0.0;
}

int ComputeTempBiasGPU::axes() const
{
  return flows ? ComputeTempGPU::axes() : 3 - without[0] - without[1] - without[2];
}

int ComputeTempBiasGPU::dof_remove(int /*i*/)
{
  return domain->dimension - axes();
}

/* ---------------------------------------------------------------------- */

void ComputeTempBiasGPU::remove_bias_thr(int i, double *v, double *bias)
{
  if (flows) {
    ds_step_context context = {};
    StepArrays::flow_of(lmp, context.flow);
    ds_flow_at(&context, atom->x[i], bias);
    for (int d = 0; d < 3; d++) v[d] -= bias[d];
    return;
  }
  for (int d = 0; d < 3; d++)
    if (without[d]) {
      bias[d] = v[d];
      v[d] = 0.0;
    }
}

void ComputeTempBiasGPU::restore_bias_thr(int /*i*/, double *v, double *bias)
{
  for (int d = 0; d < 3; d++)
    if (flows || without[d]) v[d] += bias[d];
}

void ComputeTempBiasGPU::remove_bias_all()
{
  kept.resize(atom->nlocal);
  for (int i = 0; i < atom->nlocal; i++)
    if (atom->mask[i] & groupbit) remove_bias_thr(i, atom->v[i], kept[i].data());
}

void ComputeTempBiasGPU::restore_bias_all()
{
  for (int i = 0; i < atom->nlocal; i++)
    if (atom->mask[i] & groupbit) restore_bias_thr(i, atom->v[i], kept[i].data());
}

double ComputeTempBiasGPU::memory_usage()
{
  return static_cast<double>(kept.capacity() * sizeof kept[0]);
}
