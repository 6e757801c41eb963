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

void ComputeStep::take_no_arguments(int narg, char **arg) const
{
  if (narg != 3) error->all(FLERR, "Compute {}: argument {} is not known, allowed is none", arg[2], arg[3]);
}

void ComputeStep::init()
{
  units = StepArrays::units_of(lmp);
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
