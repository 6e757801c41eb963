/* Modified velocity Verlet: LAMMPS's fix mvv/dpd, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_mvv_dpd_gpu.h"

#include "fix_step_anchors.h"

#include "force.h"
#include "update.h"

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

FixMvvDPDGPU::FixMvvDPDGPU(LAMMPS *lmp, int narg, char **arg) : FixStep(lmp, narg, arg), lambda(0.5)
{
  if (narg > 4) refuse(fmt::format("{} arguments", narg - 3), "none, or lambda");
  if (narg == 4) lambda = number(arg[3], "lambda");
  if (!(lambda > 0.0 && lambda <= 1.0)) refuse(fmt::format("lambda {}", arg[3]), "lambda > 0 and <= 1");
  time_integrate = 1;
}

/* ----------------------------------------------------------------------
   In the middle of a step atoms may go to another rank, and take what is kept with them
------------------------------------------------------------------------- */

void FixMvvDPDGPU::post_constructor()
{
  FixStepAnchors::make_room(lmp, id);
}

FixMvvDPDGPU::~FixMvvDPDGPU()
{
  FixStepAnchors::drop(lmp, id);
}

double **FixMvvDPDGPU::anchors()
{
  return FixStepAnchors::rows_of(lmp, id);
}

void FixMvvDPDGPU::init()
{
  if (!anchors()) refuse(fmt::format("fix {}_ANCHORS does not exist any more", id), "that it stays");
  FixStep::init();
}

/* ---------------------------------------------------------------------- */

void FixMvvDPDGPU::declare(StepRecords &r, bigint)
{
  for (const bool first : {false, true}) {
    ds_operation &o = r.add(first ? DS_MVV_INITIAL : DS_MVV_FINAL, first ? DS_AT_INITIAL : DS_AT_FINAL, groupbit);
    o.number[0] = update->dt;
    o.number[1] = 0.5 * update->dt * force->ftm2v;
    o.number[2] = lambda;
  }
}
