/* run_style verlet/gpu: steps on the GPU while LAMMPS is busy with its output.
   SPDX-License-Identifier: GPL-2.0-or-later

   At the end of a step LAMMPS writes from its own arrays, which the engine does not touch. Meanwhile the engine may make
   more steps, in a thread of its own, up to the one before LAMMPS takes part again. There are three conditions. The step
   in which LAMMPS takes part again must be known before the output is written. The output must neither change atoms nor
   call the engine. And coefficients must stay as they are.

   If LAMMPS reads only sums in some steps, the engine goes on through these steps and keeps the sums of each of them. A
   dump or a restart file reads atoms: they are copied to LAMMPS's arrays before, and the engine goes on to the step before
   the next such file.

   All this is for one process only. Several processes exchange atoms in every step. A thread of the engine would then need
   an MPI that several threads may call, and LAMMPS does not ask for one. */

#include "verlet_gpu.h"

#include "engine_handle.h"
#include "pair_gpu.h"

#include "comm.h"
#include "modify.h"
#include "neighbor.h"
#include "output.h"
#include "timer.h"
#include "update.h"

using namespace LAMMPS_NS;

/* ----------------------------------------------------------------------
   The last step that can be made ahead; `step` itself if there is none. The engine does
   not stop for steps of which LAMMPS reads only sums
------------------------------------------------------------------------- */

bigint VerletGPU::ahead_until(bigint step, bigint last) const
{
  if (!atoms->has_own_copies() || pair->changes_in_run() || plan.program.changes_in_run() || plan.program.asks() ||
      timer->has_timeout()) return step;
  if (plan.changes_atoms(step) || !plan.only_observes(step)) return step;
  if (plan.program.bodies()) return step;    // LAMMPS may read rigid bodies, of which there is one copy
  if (!can_go_alone() || charges_are_old || (plan.bonds_resident && !bonds->are_given())) return step;

  if (output->var_thermo) return step;
  bigint next = MIN(last, plan.next_with_files(step));
  if (output->thermo_every > 0 && !plan.thermo_reads_sums())
    next = MIN(next, next_multiple(step, output->thermo_every));
  next = MIN(next, plan.next_end_of_step_with_atoms(step));
  next = MIN(next, plan.next_seldom_call(step));
  next = MIN(next, plan.next_forced_reneighboring(step));
  next = MIN(next, next_reading(step));
  return MAX(next - 1, step);
}

/* ----------------------------------------------------------------------
   The first step after this one in which LAMMPS may read a style that looks at the
   engine's atoms
------------------------------------------------------------------------- */

bigint VerletGPU::next_reading(bigint step) const
{
  const bigint next = plan.program.next_reading(step);
  if (next != StepPart::NOT_KNOWN) return next;
  const bigint output_next = output->thermo_every > 0 ? next_multiple(step, output->thermo_every) : MAXBIGINT;
  return MIN(output_next, plan.next_end_of_step(step));
}

/* ---------------------------------------------------------------------- */

void VerletGPU::start_ahead(bigint step, bigint last)
{
  EngineSession &session = engine->get_session();
  follow_charges(false, false);
  const bigint until = ahead_until(step, last);
  if (until <= step || !session.working()) return;
  if (step == output->next && step == output->next_restart) engine->keep_velocities();    // for the restart file
  atoms->need_on_engine(DS_ALL_FIELDS | DS_TAG);
  session.note(engine->give_model(session.error_text()));
  if (!session.working()) return;

  give_settings(update->ntimestep + 1);
  StepsAhead::Plan what = {};
  what.resident = atoms->engine();
  what.first = stretch_from(step + 1, until);
  what.last = until;
  what.periods = plan.periods_of_sums();
  for (const StepProgram::Bins &b : plan.program.bins()) {
    const bigint period = b.part->period_of_looks();
    what.bins.push_back({b.number, b.cells, period});
  }
  what.has_bonds = plan.bonds_resident;
  what.has_mesh = plan.mesh_resident;
  what.has_sums = plan.program.has_sums();
  if (session.working()) ahead.start(what);
}

void VerletGPU::give_bins(const StepsAhead::AsyncChunk &part)
{
  const auto bins = plan.program.bins();
  for (size_t k = 0; k < bins.size(); k++)
    if (!part.bins[k].empty()) bins[k].part->take_bins(update->ntimestep, part.bins[k]);
}

/* ----------------------------------------------------------------------
   Takes over one part of the steps made ahead, as run_on_engine() does after a call of
   the engine. Returns true if LAMMPS now writes the output of the step that has been
   reached, for which it has all that it reads. If the engine has left a rebuild of
   lists to LAMMPS, the engine goes on with the same step after it. If it has left bonds
   to LAMMPS, LAMMPS completes the step
------------------------------------------------------------------------- */

bool VerletGPU::take_ahead()
{
  if (!ahead.are_under_way()) return false;
  EngineSession &session = engine->get_session();
  timer->stamp();
  const StepsAhead::AsyncChunk *const part = ahead.take();
  if (!part) return false;
  if (timer->is_timeout()) ahead.end_soon();
  if (part->status) *session.error_text() = part->err;
  session.note(part->status);
  finish_engine_call(part->reached, part->stretch);
  if (part->reached.whole) {
    ended = true;
    if (part->shown) {
      set_flags(update->ntimestep);
      pair->begin(eflag, vflag);
      tally(part->stretch);
      plan.program.give_sums(update->ntimestep, part->sums);
      give_bins(*part);
    }
    timer->stamp(Timer::PAIR);
    return part->shown;
  }
  if (part->reached.bonded) {
    complete_with_lammps_bonds();
  } else if (take_reneighboring(part->reached.step)) {
    begun = part->reached.step;
    update->ntimestep = part->reached.step - 1;
    return false;
  }
  const bool shown = update->ntimestep == output->next || plan.calls_fixes(update->ntimestep);
  if (shown) {
    bring_for_calls();
    take_sums(true);
    look_at_atoms();
  } else
    end_of_step(false);
  return shown;
}
