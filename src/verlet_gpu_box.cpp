/* The box in run_style verlet/gpu. Fixes of this package change it within the engine's steps, LAMMPS's fixes at the end of one.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "verlet_gpu.h"

#include "engine_handle.h"
#include "pair_gpu.h"
#include "step_arrays.h"

#include "comm.h"
#include "domain.h"
#include "fix.h"
#include "timer.h"
#include "update.h"

using namespace LAMMPS_NS;

/* ----------------------------------------------------------------------
   Gives the engine what may have changed since the last step in which LAMMPS took part
------------------------------------------------------------------------- */

void VerletGPU::give_settings(bigint of_initial)
{
  const ds_step_program &program = plan.program.of_step(update->ntimestep, of_initial);
  const ds_wrap wrap = StepArrays::box_of(lmp);
  EngineSession &session = engine->get_session();
  if (session.working())
    session.note(ds_resident_set_steps(atoms->engine(), &program, session.error_text()));
  if (session.working())
    ds_resident_set_reduction(atoms->engine(), comm->nprocs > 1 ? StepArrays::add_over_ranks : nullptr, lmp);
  if (session.working()) ds_resident_set_answer(atoms->engine(), answer, this);
  if (session.working())
    session.note(ds_resident_set_wrap(atoms->engine(), &wrap, session.error_text()));
}

/* ---------------------------------------------------------------------- */

void VerletGPU::end_of_step(bool fixes_now)
{
  timer->stamp();
  if (!ended || fixes_now) call_fixes(FixConst::END_OF_STEP, DS_AT_END, fixes_now);
  ended = true;
  timer->stamp(Timer::MODIFY);
}

/* ----------------------------------------------------------------------
   Called before a step. If the box has become narrower than two ranges of the list, an
   atom may see several images of another one, and the engine needs LAMMPS's ghosts
------------------------------------------------------------------------- */

void VerletGPU::follow_box()
{
  if (!domain->box_change) return;
  engine->give_box();
  if (plan.bonds_resident && !bonds->is_wide_enough(BOX_MARGIN)) {
    lose_bonds(ResidentBonds::TOO_NARROW, false);
    lists.show_ghosts();
  }
  if (plan.lammps_reneighbors || !plan.box_follows || engine->is_wide_enough(BOX_MARGIN)) return;
  remake_plan(false);
  lists.show_ghosts();
}

/* ---------------------------------------------------------------------- */

bool VerletGPU::is_wide() const
{
  return engine->is_wide_enough(BOX_MARGIN) && (!plan.bonds_resident || bonds->is_wide_enough(BOX_MARGIN));
}
