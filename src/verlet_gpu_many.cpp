/* Many steps of run_style verlet/gpu as one call of the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "verlet_gpu.h"

#include "box_shape.h"
#include "engine_handle.h"
#include "pair_gpu.h"
#include "step_arrays.h"

#include "atom.h"
#include "comm.h"
#include "domain.h"
#include "force.h"
#include "neighbor.h"
#include "timer.h"
#include "update.h"

#include <numeric>

using namespace LAMMPS_NS;

/* ----------------------------------------------------------------------
   The last step that the engine can make without LAMMPS; the present step if LAMMPS
   takes part in the next one
------------------------------------------------------------------------- */

bigint VerletGPU::free_until(bigint last)
{
  const bigint now = update->ntimestep;
  if (!can_go_alone(&reason)) return now;
  bigint until = MIN(MIN(last, plan.next_call(now)), plan.program.next_look(now));
  const auto end_before = [this, &until](bigint step, RunLog::Reason why) {
    if (until < step) return;
    until = step - 1;
    reason = why;
  };
  end_before(plan.next_forced_reneighboring(now), RunLog::RENEIGHBORING);
  end_before(plan.next_seldom_call(now), RunLog::SELDOM);
  if (timer->has_timeout()) {
    const bigint made = now - update->firststep;
    until = MIN(until, update->firststep + (made / 10 + 1) * 10);
  }
  if (plan.box_follows) until = plan.program.box_lasts(now, until, BOX_MARGIN);    // then the box is checked again
  if (plan.bonds_resident && until > now && !give_bonds()) {
    reason = RunLog::BONDS_LOST;
    return now;
  }
  if ((plan.bonds_resident || plan.mesh_resident) && until > now) {
    set_flags(until);
    if (wants_atom_energies()) end_before(until, RunLog::ATOM_ENERGIES);
  }
  return until;
}

/* ----------------------------------------------------------------------
   Sets eflag and vflag for a step of which LAMMPS sees only the end. If some compute
   could read energies or virials of atoms, LAMMPS asks for them in each step of its
   output. If nothing reads atoms in this step, they are not tallied
------------------------------------------------------------------------- */

void VerletGPU::set_flags(bigint step)
{
  const bigint energies = update->eflag_atom, virials = update->vflag_atom;
  ev_set(step);
  if (plan.reads(step) == DS_ALL_FIELDS) return;
  eflag &= ~ENERGY_ATOM;
  vflag &= ~(VIRIAL_ATOM | VIRIAL_CENTROID);
  update->eflag_atom = energies;
  update->vflag_atom = virials;
}

bool VerletGPU::can_go_alone(RunLog::Reason *why) const
{
  if (why) *why = plan.every_step ? RunLog::IN_EVERY_STEP : RunLog::TIME_IS_UP;
  return !plan.every_step && !timer->is_timeout();
}

/* ----------------------------------------------------------------------
   Energies and virials by atom, if the pair style keeps some in the last step
------------------------------------------------------------------------- */

void VerletGPU::want_by_atom(ds_pair_request *request) const
{
  if (pair->eflag_atom) request->eatom = {pair->eatom, DS_F64, DS_SPACE_HOST, 1, 1};
  if (pair->vflag_atom) request->vatom = {*pair->vatom, DS_F64, DS_SPACE_HOST, 6, 1};
}

/* ----------------------------------------------------------------------
   Called by the engine before it evaluates the forces of a step
------------------------------------------------------------------------- */

ds_status VerletGPU::before_forces(void *progress, int64_t step, ds_error *err)
{
  const auto *p = static_cast<const Progress *>(progress);
  VerletGPU *const self = p->self;
  self->update->ntimestep = step;
  if (step == p->stretch->last) {
    self->pair->begin(self->eflag, self->vflag);
    self->want_by_atom(p->request);
  } else
    self->pair->follow_step();
  if (self->plan.box_follows) {
    self->engine->give_box();
    if (self->engine->needs_ghosts())
      return StepArrays::step_status(
          fmt::format("the box has shrunk by more than a factor of {} in two steps, to less than two ranges of the list, "
                      "allowed is a barostat that is slower",
                      BOX_MARGIN),
          DS_ERR_ARGUMENT, err);
    if (!self->is_wide()) p->stretch->last = MIN(p->stretch->last, step + 1);    // then LAMMPS's ghosts are needed
    const ds_status s = self->plan.mesh_resident ? self->set_mesh(err) : DS_OK;
    if (s) return s;
  }
  return self->engine->give_model(err);
}

/* ----------------------------------------------------------------------
   Called by the engine after the forces of a step: operations get their numbers
------------------------------------------------------------------------- */

ds_status VerletGPU::after_forces(void *progress, int64_t step, ds_error *err)
{
  VerletGPU *const self = static_cast<const Progress *>(progress)->self;
  const bigint now = self->update->ntimestep;
  self->update->ntimestep = step;
  const ds_step_program &program = self->plan.program.of_step(step, step + 1);
  self->update->ntimestep = now;
  return ds_resident_set_steps(self->atoms->bound_engine(), &program, err);
}

/* ----------------------------------------------------------------------
   Called by the engine when it rebuilds lists in a box that changes
------------------------------------------------------------------------- */

void VerletGPU::rebuilds(void *progress, int64_t step)
{
  static_cast<const Progress *>(progress)->self->lists.box.save_rebuild_state(step);
}

/* ----------------------------------------------------------------------
   Called by the engine when it goes back to an earlier step. The box and its flow
   become those of that step again
------------------------------------------------------------------------- */

ds_status VerletGPU::returns(void *progress, int64_t step, int64_t rebuilt, ds_error *err)
{
  VerletGPU *const self = static_cast<const Progress *>(progress)->self;
  self->lists.box.go_back(step, rebuilt);
  self->engine->give_box();    // LAMMPS may have to complete the step
  const ds_wrap wrap = StepArrays::box_of(self->lmp);
  const ds_status s = ds_resident_set_wrap(self->atoms->bound_engine(), &wrap, err);
  return s ? s : after_forces(progress, step, err);
}

/* ----------------------------------------------------------------------
   Called by the engine in the middle of a step, where an operation asks: its style has
   to know sums of this step
------------------------------------------------------------------------- */

ds_status VerletGPU::answer(void *verlet, ds_question *question, ds_error *err)
{
  auto *const self = static_cast<VerletGPU *>(verlet);
  const bigint now = self->update->ntimestep;
  const bool second_half = question->program->operation[question->operation].point < DS_AT_INITIAL;
  self->update->ntimestep = question->step;
  if (question->sums && second_half) self->tell_bonded(question->step);    // in the first half there are only older forces
  if (question->sums) self->tell_mesh();
  const BoxShape before = BoxShape::of(self->domain);
  const std::string wrong = self->plan.program.answer(*question);
  self->update->ntimestep = now;
  if (!wrong.empty() || !self->plan.program.changes_box()) return StepArrays::step_status(wrong, DS_ERR_CALLER, err);
  *question->trigger2 = self->lists.trigger2();
  if (BoxShape::of(self->domain) == before) return DS_OK;
  const ds_wrap wrap = StepArrays::box_of(self->lmp);
  const ds_status s = ds_resident_set_wrap(self->atoms->bound_engine(), &wrap, err);
  if (s) return s;
  self->lists.box.record(question->step, second_half);
  // forces follow in this box: the motion before them makes sorted particles for it
  if (question->step + (second_half ? 1 : 0) <= self->engine_until) self->engine->give_box();
  return DS_OK;
}

/* ----------------------------------------------------------------------
   A request for these steps, with LAMMPS's rule for rebuilds of lists
------------------------------------------------------------------------- */

ds_run_request VerletGPU::stretch_from(bigint first, bigint last)
{
  ds_run_request s = {};
  s.first = first;
  s.last = last;
  s.begun = begun >= 0 ? 1 : 0;
  s.reneighbored = s.begun ? begun : update->ntimestep - neighbor->ago;
  s.rule.every = neighbor->every;
  s.rule.delay = neighbor->build_once ? MAXSMALLINT : neighbor->delay;
  s.rule.check = neighbor->dist_check;
  s.rule.trigger2 = lists.trigger2();
  s.hand_over = atom->sortfreq > 0 ? atom->nextsort : MAXBIGINT;
  // Operations at the end of the last step are left out of the call if LAMMPS's fixes may have to act before them, or if
  // they change the box: the box of the last rebuild is saved first
  const bool others_change = plan.calls_fixes(last) && plan.changes_atoms(last);
  s.leaves_end = (plan.program.acts_at_end() && plan.calls_fixes(last)) || plan.program.changes_box_at_end() ||
      (others_change && plan.program.bins_are_due(last));
  return s;
}

/* ---------------------------------------------------------------------- */

void VerletGPU::run_on_engine(bigint last)
{
  EngineSession &session = engine->get_session();
  ds_pair_request request = {};
  ds_pair_totals totals[DS_MAX_STYLES] = {};
  ds_mesh_sums mesh_sums = {};
  ds_run_result reached = {};
  ds_run_request stretch = stretch_from(begun < 0 ? update->ntimestep + 1 : begun, last);
  Progress progress = {this, &stretch, &request};
  stretch.prepare = before_forces;
  if (plan.program.changes_in_run()) stretch.declare = after_forces;
  stretch.user = &progress;
  stretch.virial = plan.program.reads_virial();
  if (plan.box_follows) {
    stretch.rebuilds = rebuilds;
    stretch.returns = returns;
    lists.box.begin(stretch.begun ? stretch.first : stretch.first - 1, !stretch.begun);
  }
  stretch.unread = is_read(last) ? 0 : 1;
  stretch.wanted = &request;
  stretch.totals = totals;

  set_flags(last);
  timer->stamp();
  atoms->need_on_engine(DS_ALL_FIELDS | DS_TAG);
  follow_charges(false, false);
  if (plan.bonds_resident && (eflag || vflag)) stretch.sums = bonds->sums();
  if (plan.mesh_resident && (eflag || vflag)) stretch.mesh_sums = &mesh_sums;
  pair->begin(eflag, vflag);    // here for want_energy and want_virial; before_forces() repeats it in the last step
  request.want_energy = pair->eflag_global;
  request.want_virial = pair->vflag_global ? DS_VIRIAL_WHOLE : 0;
  want_by_atom(&request);

  while (!reached.whole) {
    stretch.hand_over = charges_are_old ? 0 : atom->sortfreq > 0 ? atom->nextsort : MAXBIGINT;
    engine_until = last;
    if (session.working())
      session.note(ds_resident_run(atoms->engine(), &stretch, &reached, session.error_text()));
    engine_until = -1;
    finish_engine_call(reached, stretch);
    if (reached.whole) break;
    if (reached.bonded) {
      begun = -1;
      complete_with_lammps_bonds();
      return;
    }
    if (!take_reneighboring(reached.step)) {
      begun = -1;
      return;
    }
    lists.box.begin(reached.step, false);
    stretch.first = reached.step;
    stretch.begun = 1;
    stretch.reneighbored = reached.step;
  }
  begun = -1;
  ended = stretch.leaves_end == 0;
  tally(stretch);
  timer->stamp(Timer::PAIR);
}

/* ----------------------------------------------------------------------
   Takes over the state after a call of the engine
------------------------------------------------------------------------- */

void VerletGPU::finish_engine_call(const ds_run_result &reached, const ds_run_request &stretch)
{
  agree();
  stamp_parts(reached);
  atoms->changed_on_engine(DS_POSITION | DS_VELOCITY | DS_FORCE | DS_IMAGE);
  update_counters(reached, stretch);
}

void VerletGPU::tally(const ds_run_request &stretch)
{
  engine->evaluated();
  pair->take_totals(stretch.totals);
  if (stretch.sums) bonds->tally(*stretch.sums);
  if (stretch.mesh_sums) take_mesh(*stretch.mesh_sums);
}

/* ----------------------------------------------------------------------
   Distributes the time since the last stamp to LAMMPS's timers, in the proportions that
   the engine has measured
------------------------------------------------------------------------- */

void VerletGPU::stamp_parts(const ds_run_result &reached)
{
  static constexpr Timer::ttype WHERE[DS_TIMES] = {Timer::PAIR, Timer::BOND, Timer::NEIGH,
                                                   Timer::COMM, Timer::MODIFY, Timer::KSPACE};
  const double before = timer->get_wall(Timer::PAIR);
  timer->stamp(Timer::PAIR);
  const double wall = timer->get_wall(Timer::PAIR) - before;
  const double all = std::accumulate(reached.ms, reached.ms + DS_TIMES, 0.0);
  if (!(all > 0.0)) return;
  timer->set_wall(Timer::PAIR, before);
  for (int k = 0; k < DS_TIMES; k++)
    timer->set_wall(WHERE[k], timer->get_wall(WHERE[k]) + wall * reached.ms[k] / all);
}

/* ----------------------------------------------------------------------
   Counts rebuilds and dangerous ones as LAMMPS does
------------------------------------------------------------------------- */

void VerletGPU::update_counters(const ds_run_result &reached, const ds_run_request &stretch)
{
  update->ntimestep = reached.step;
  neighbor->ncalls += reached.reneighborings;
  neighbor->ndanger += reached.dangerous;
  neighbor->ago = static_cast<int>(reached.step - reached.reneighbored);
  if (reached.reneighborings) {
    neighbor->lastcall = reached.reneighbored;
    lists.made_by_engine(!plan.box_follows);
  }
  if (!reached.whole && !reached.bonded && stretch.rule.check &&
      neighbor->ago == MAX(neighbor->every, neighbor->delay))
    neighbor->ndanger++;
}

/* ----------------------------------------------------------------------
   Makes a rebuild that the engine has left to LAMMPS, because it is time to sort atoms
   or because some have left the box
------------------------------------------------------------------------- */

bool VerletGPU::take_reneighboring(bigint step)
{
  update->ntimestep = step;
  lists.reneighbor();
  engine->prepare(pair);
  atoms->need_on_engine(DS_ALL_FIELDS);
  follow_charges(true, true);
  give_mesh();
  if (!plan.bonds_resident || bonds->give()) return true;
  complete_with_lammps_bonds();
  return false;
}
