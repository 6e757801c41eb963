/* What computes have in common whose values are made of sums that the engine adds up.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "compute_step.h"

#include "error.h"
#include "update.h"

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

ComputeStep::ComputeStep(LAMMPS *lmp, int narg, char **arg) :
    Compute(lmp, narg, arg), units(), runner(lmp, "Compute " + std::string(arg[2])), step_of_sums(-1)
{
}

ComputeStep::~ComputeStep()
{
  delete[] vector;
}

void ComputeStep::have_vector(int size, bool extensive)
{
  vector_flag = 1;
  size_vector = size;
  extvector = extensive ? 1 : 0;
  vector = new double[size];
}

void ComputeStep::take_no_arguments(int narg, char **arg) const
{
  if (narg != 3) error->all(FLERR, "Compute {}: argument {} is not known, allowed is none", arg[2], arg[3]);
}

void ComputeStep::init()
{
  units = StepArrays::units_of(lmp);
  runner.follow_kokkos(true);
  forget_sums();
}

/* ---------------------------------------------------------------------- */

void ComputeStep::take_sums(bigint step, const std::vector<StepSums> &of_operations)
{
  runner.take(*this, step, of_operations);
  step_of_sums = step;
}

void ComputeStep::add_up()
{
  if (step_of_sums != update->ntimestep) runner.run(*this, DS_AT_SUMS, update->ntimestep);
}
