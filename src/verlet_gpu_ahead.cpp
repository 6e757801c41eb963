/* run_style verlet/gpu: steps on the GPU while LAMMPS is busy with its output.
   SPDX-License-Identifier: GPL-2.0-or-later

   What LAMMPS writes at the end of a step it reads from its own arrays, which the engine does not touch. So the
   engine may go on, in a thread of its own, up to the step before the next one that LAMMPS takes part in. That needs
   to be known before the output says it, nothing of the output may change atoms or call the engine, and the
   coefficients must stay as they are. Where the output reads sums alone, the engine goes on through the steps that are
   written, and leaves the sums of each of them. What a dump or a restart file takes of atoms is in LAMMPS's arrays
   before: that is copied once, and the step before the next of them is the last one.

   All this is for one process. Several exchange atoms in every step, and a thread of the engine's would need an MPI
   that several threads may call, which LAMMPS does not ask for. */

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
   last step that can be made ahead; `step` itself if there is none. Steps of which
   LAMMPS reads sums alone are no end: it does so while the engine goes on
------------------------------------------------------------------------- */

bigint VerletGPU::ahead_until(bigint step, bigint last) const
{
  if (!atoms->has_own_copies() || pair->changes_in_run() || plan.program.changes_in_run() || plan.program.asks() ||
      timer->has_timeout()) return step;
  if (plan.changes_atoms(step) || !plan.only_observes(step)) return step;
  if (plan.program.bodies()) return step;    // LAMMPS may read how they are
  if (!can_go_alone() || (plan.bonds_resident && !bonds->are_given())) return step;

  if (output->var_thermo) return step;
  bigint next = MIN(last, plan.next_with_files(step));
  if (output->thermo_every > 0 && !plan.thermo_reads_sums())
    next = MIN(next, next_multiple(step, output->thermo_every));
  next = MIN(next, plan.next_end_of_step_with_atoms(step));
  next = MIN(next, plan.next_choice_of_group(step));
  next = MIN(next, plan.next_forced_reneighboring(step));
  next = MIN(next, next_reading(step));
  return MAX(next - 1, step);
}

/* ----------------------------------------------------------------------
   the first step in which a style may be read that looks at the atoms then
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
  const bigint until = ahead_until(step, last);
  if (until <= step || !session.working()) return;
  if (step == output->next && step == output->next_restart) engine->keep_velocities();    // of which the file has some
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
  what.has_sums = plan.program.has_sums();
  if (session.working()) ahead.start(what);
}

void VerletGPU::give_bins(const StepsAhead::Part &part)
{
  const auto bins = plan.program.bins();
  for (size_t k = 0; k < bins.size(); k++)
    if (!part.bins[k].empty()) bins[k].part->take_bins(update->ntimestep, part.bins[k]);
}

/* ----------------------------------------------------------------------
   as after a run in the foreground; true if LAMMPS is to be shown the step that has
   been reached, of which it has all that it reads. Where the engine has handed over a
   rebuild, the step in which it did so goes on there; where it has handed over
   bonds, LAMMPS completes the step
------------------------------------------------------------------------- */

bool VerletGPU::take_ahead()
{
  if (!ahead.are_under_way()) return false;
  EngineSession &session = engine->get_session();
  timer->stamp();
  const StepsAhead::Part *const part = ahead.take();
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
