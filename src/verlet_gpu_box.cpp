/* The box in run_style verlet/gpu, which fix deform may change at the end of each step.
   SPDX-License-Identifier: GPL-2.0-or-later

   With remap v that fix changes no atoms: the engine keeps them, and gets the box as it is then. Whether the fix reads
   variables, and through them maybe atoms, is seen in the first step, in which it may find everything in its place. */

#include "verlet_gpu.h"

#include "pair_engine.h"
#include "pair_gpu.h"
#include "step_arrays.h"

#include "comm.h"
#include "domain.h"
#include "fix.h"
#include "modify.h"
#include "timer.h"
#include "update.h"

#include <algorithm>

using namespace LAMMPS_NS;

/* ----------------------------------------------------------------------
   what may have changed since the last step that LAMMPS saw
------------------------------------------------------------------------- */

void VerletGPU::give_settings()
{
  const ds_step_program &program = plan.program.of_step(update->ntimestep);
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

/* ----------------------------------------------------------------------
   of all fixes, or of the one that changes the box
------------------------------------------------------------------------- */

void VerletGPU::end_of_step(bool fixes_now, bool watch)
{
  const bool box_now = plan.changes_box(update->ntimestep);
  bool reads_variables = false;
  timer->stamp();
  if (!ended || fixes_now) call_fixes(FixConst::END_OF_STEP, DS_AT_END, fixes_now);
  ended = true;
  if (box_now && !fixes_now) {
    if (watch)
      reads_variables = lists.box.change(plan.deformer);
    else
      plan.deformer->end_of_step();
  }
  timer->stamp(Timer::MODIFY);
  box_watched = box_watched || watch;
  if (reads_variables) {
    box_alone = false;
    remake_plan(false);
    if (comm->me == 0)
      utils::logmesg(lmp, "Run_style verlet/gpu: fix deform takes part as other fixes do, as it "
                          "may read variables\n");
  }
}

/* ----------------------------------------------------------------------
   before a step. A box that has become narrower than two ranges of the list has
   images, which are LAMMPS's ghosts
------------------------------------------------------------------------- */

void VerletGPU::follow_box()
{
  if (!domain->box_change) return;
  engine->give_box();
  if (plan.bonds_resident && !bonds->is_wide_enough()) {
    lose_bonds(ResidentBonds::TOO_NARROW, false);
    lists.show_ghosts();
  }
  if (plan.lammps_reneighbors) return;
  const bool narrow = plan.deformer ? engine->needs_ghosts() : plan.box_follows && !engine->is_wide_enough(BOX_MARGIN);
  if (!narrow) return;
  remake_plan(false);
  lists.show_ghosts();
}
