/* run_style verlet/gpu: steps on the GPU while LAMMPS is busy with its output.
   SPDX-License-Identifier: GPL-2.0-or-later

   What LAMMPS writes at the end of a step it reads from its own arrays, which the engine does not touch. So the
   engine may go on, in a thread of its own, up to the step before the next one that LAMMPS takes part in. That needs
   to be known before the output says it, nothing of the output may change atoms or call the engine, and the
   coefficients must stay as they are. */

#include "verlet_gpu.h"

#include "pair_engine.h"
#include "pair_gpu.h"

#include "atom.h"
#include "neighbor.h"
#include "output.h"
#include "timer.h"
#include "update.h"

using namespace LAMMPS_NS;

/* ----------------------------------------------------------------------
   last step that can be made ahead; `step` itself if there is none
------------------------------------------------------------------------- */

bigint VerletGPU::ahead_until(bigint step, bigint last) const
{
  if (!atoms->is_apart() || pair->changes_in_run() || timer->has_timeout()) return step;
  if (plan.changes_atoms(step) || !plan.only_observes(step)) return step;
  if (!can_go_alone() || (plan.bonds_resident && !bonds->are_given())) return step;

  bigint next = last;
  if (output->ndump && output->next_dump_any <= step)
    return step;    // LAMMPS says when it has been written
  if (output->ndump) next = MIN(next, output->next_dump_any);
  if (output->restart_flag && output->next_restart <= step) return step;
  if (output->var_thermo) return step;
  if (output->thermo_every > 0)
    next = MIN(next, (step / output->thermo_every + 1) * output->thermo_every);
  next = MIN(next, plan.next_end_of_step(step));
  next = MIN(next, plan.next_forced_renewal(step));
  return next - 1;
}

/* ---------------------------------------------------------------------- */

void VerletGPU::start_ahead(bigint until)
{
  EngineSession &session = engine->get_session();
  if (!session.working()) return;
  atoms->need_on_engine(DS_ALL_FIELDS);
  session.note(engine->give_model(session.error_text()));
  if (!session.working()) return;

  pushing = !pushes.empty();    // LAMMPS may have made the last step's
  give_settings();
  stretch = stretch_from(update->ntimestep + 1, until);
  reached = {};
  ds_resident *const resident = atoms->engine();
  ahead.start([this, resident, &session]() {
    ahead_status = ds_resident_run(resident, &stretch, &reached, session.error_text());
  });
}

/* ----------------------------------------------------------------------
   as after a run in the foreground. Where the engine has handed over a renewal,
   the step in which it did so goes on there
------------------------------------------------------------------------- */

void VerletGPU::join_ahead()
{
  if (!ahead.has_task()) return;
  timer->stamp();
  ahead.wait();
  engine->get_session().note(ahead_status);
  agree();
  stamp_parts();
  atoms->changed_on_engine(DS_POSITION | DS_VELOCITY | DS_FORCE | DS_IMAGE);
  book(reached, stretch);
  if (reached.bonded) {
    complete_with_lammps_bonds();
  } else if (!reached.whole) {
    if (take_renewal(reached.step)) {
      begun = reached.step;
      update->ntimestep = reached.step - 1;
    }
  }
  timer->stamp(Timer::PAIR);
}
