/* Radius of gyration of a group from exact sums.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "compute_gyration_gpu.h"

#include "error.h"
#include "update.h"

#include <cmath>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

ComputeGyrationGPU::ComputeGyrationGPU(LAMMPS *lmp, int narg, char **arg) : ComputeMoments(lmp, narg, arg, true)
{
  if (narg != 3) error->all(FLERR, "Compute {}: argument {} is not known, allowed is none", arg[2], arg[3]);
  scalar_flag = vector_flag = 1;
  extscalar = extvector = 0;
  size_vector = SECOND;
  vector = new double[size_vector];
}

ComputeGyrationGPU::~ComputeGyrationGPU()
{
  delete[] vector;
}

/* ---------------------------------------------------------------------- */

double ComputeGyrationGPU::compute_scalar()
{
  invoked_scalar = update->ntimestep;
  add_up();
  scalar = std::sqrt(second(0, 0) + second(0, 1) + second(0, 2));
  return scalar;
}

void ComputeGyrationGPU::compute_vector()
{
  invoked_vector = update->ntimestep;
  add_up();
  for (int j = 0; j < SECOND; j++) vector[j] = second(0, j);
}
