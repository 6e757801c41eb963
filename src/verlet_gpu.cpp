/* Velocity Verlet of atoms that stay with the engine, on host or GPU.
   SPDX-License-Identifier: GPL-2.0-or-later

   A step consists of the same acts in the same order as one of run_style verlet, so that all bits are the same.
   What can be done by the engine is: motion (fix nve), wrap into the periodic box, neighbor lists, pair forces.
   Whatever else a run contains is LAMMPS's own, with arrays brought over before and taken back after. Where
   nothing else takes part in a step, many steps are one call of the engine (run_freely). */

#include "verlet_gpu.h"

#include "atom_order.h"
#include "compute_temp_gpu.h"
#include "pair_engine.h"
#include "pair_gpu.h"

#include "atom.h"
#include "comm.h"
#include "compute.h"
#include "domain.h"
#include "error.h"
#include "fix.h"
#include "force.h"
#include "modify.h"
#include "neighbor.h"
#include "output.h"
#include "timer.h"
#include "update.h"

#include <algorithm>
#include <cstring>
#include <numeric>

using namespace LAMMPS_NS;
using namespace FixConst;

/* ---------------------------------------------------------------------- */

VerletGPU::VerletGPU(LAMMPS *lmp, int narg, char **arg) :
    Verlet(lmp, narg, arg), plain(false), plan(lmp), pair(nullptr), engine(nullptr), atoms(nullptr),
    box(lmp), box_alone(true), box_watched(false), reneighbored_by_setup(false), sorts_alike(false),
    told(false), ended(false), ghosts_stale(false), ghosts_left(false), reason(IN_EVERY_STEP),
    with_lammps(), begun(-1)
{
  if (narg > 0)
    error->all(FLERR, "Run_style verlet/gpu: argument {} is not known, allowed is none", arg[0]);
  take_thermo_temp();
}

/* ----------------------------------------------------------------------
   LAMMPS makes the compute of its thermodynamic output when it starts. The one of this
   package has the same ID, value and degrees of freedom (compute_modify extra/dof), and
   reads no arrays while the engine has the atoms
------------------------------------------------------------------------- */

void VerletGPU::take_thermo_temp()
{
  static constexpr char ID[] = "thermo_temp", STYLE[] = "temp/exact/gpu";
  Compute *const compute = modify->get_compute_by_id(ID);
  if (!compute || strcmp(compute->style, "temp") != 0 || lmp->kokkos) return;
  if (domain->box_exist) compute->setup();
  const double dof = compute->dof;
  modify->delete_compute(ID);
  auto *const ours =
      dynamic_cast<ComputeTempGPU *>(modify->add_compute(fmt::format("{} all {}", ID, STYLE), 0));
  if (ours && domain->box_exist) ours->take_dof(dof);
}

VerletGPU::~VerletGPU()
{
  ahead.stop();
}

/* ----------------------------------------------------------------------
   with suffix gpu LAMMPS takes this style where run_style verlet was asked for,
   whatever the pair style is
------------------------------------------------------------------------- */

bool VerletGPU::suffixed() const
{
  return lmp->suffix_enable && lmp->suffix &&
      (strcmp(lmp->suffix, "gpu") == 0 || strcmp(lmp->suffix, "exact/gpu") == 0);
}

/* ---------------------------------------------------------------------- */

void VerletGPU::init()
{
  if (lmp->kokkos)
    error->all(FLERR,
               "Run_style verlet/gpu: the atoms are KOKKOS's in a run with -k on, allowed are "
               "run_style verlet/kk, and with it pair style dpd/gpu/kk; or a run with -k off");
  Verlet::init();
  pair = dynamic_cast<PairGPU *>(force->pair);
  const bool hybrid = force->pair_match("^hybrid", 0) != nullptr;
  plain = !pair && (suffixed() || hybrid);
  if (plain && hybrid && comm->me == 0)
    utils::logmesg(lmp, "Run_style verlet/gpu: pair style {} has no resident path: steps are those of run_style verlet, with "
                        "forces of each sub-style where that computes them\n", force->pair_style);
  if (plain) return;
  if (!pair)
    error->all(FLERR,
               "Run_style verlet/gpu: pair style {} has no resident path, allowed are dpd/gpu, "
               "dpd/ext/gpu and dpd/tstat/gpu",
               force->pair_style ? force->pair_style : "none");
  if (!pair_compute_flag)
    error->all(FLERR, "Run_style verlet/gpu: pair_modify has compute no, allowed is compute yes");
  engine = pair->get_engine();
  atoms = &engine->residents();
  bonds.reset(new ResidentBonds(lmp, engine->get_session(), *atoms));
  told = false;
}

/* ----------------------------------------------------------------------
   LAMMPS sets up the run as for run_style verlet, with its own arrays
------------------------------------------------------------------------- */

void VerletGPU::setup(int flag)
{
  if (plain) {
    Verlet::setup(flag);
    return;
  }
  engine->reside(false);
  Verlet::setup(flag);
  reneighbored_by_setup = true;
  sorts_alike = atom->sortfreq > 0 && AtomOrder(lmp).is_by_bins();
  ghosts_stale = false;
}

void VerletGPU::setup_minimal(int flag)
{
  if (plain) {
    Verlet::setup_minimal(flag);
    return;
  }
  if (!flag && ghosts_stale && atoms->is_open()) show_ghosts();
  engine->reside(false);
  Verlet::setup_minimal(flag);
  if (!flag) return;
  reneighbored_by_setup = true;
  ghosts_stale = false;
}

/* ----------------------------------------------------------------------
   errors of the engine stop LAMMPS on all ranks
------------------------------------------------------------------------- */

void VerletGPU::agree()
{
  engine->agree();
}

/* ----------------------------------------------------------------------
   a run may end by an exception
------------------------------------------------------------------------- */

class Residence {
 public:
  Residence(PairEngine *e, StepsAhead &a, const StepProgram &program) : engine(e), ahead(a)
  {
    engine->reside(true);
    engine->residents().refer_to(&program);
  }
  ~Residence()
  {
    ahead.stop();
    engine->reside(false);
    engine->residents().refer_to(nullptr);
  }
  Residence(const Residence &) = delete;
  Residence &operator=(const Residence &) = delete;

 private:
  PairEngine *engine;
  StepsAhead &ahead;
};

/* ----------------------------------------------------------------------
   a run without set-up goes on from the lists of the last one. Atoms may have come,
   gone or moved to another rank since, as one rank alone may know
------------------------------------------------------------------------- */

void VerletGPU::require_same_atoms()
{
  int same = atoms->holds() ? 1 : 0, all;
  MPI_Allreduce(&same, &all, 1, MPI_INT, MPI_MIN, world);
  if (!all)
    error->all(FLERR,
               "Run_style verlet/gpu: atoms were changed after the last run, allowed is then a run "
               "with pre yes");
}

/* ---------------------------------------------------------------------- */

void VerletGPU::run(int n)
{
  if (plain) {
    Verlet::run(n);
    return;
  }

  if (!engine || force->pair != pair || pair->get_engine() != engine)
    error->all(
        FLERR,
        "Run_style verlet/gpu: run has pre no, but there was no set-up with this run style and "
        "this pair style, allowed is pre yes");
  // between two runs anything can have happened to atoms. A run of no steps leaves the evaluation of its set-up as it is:
  // the next set-up goes on from the velocities that it had

  if (n > 0) engine->prepare(pair);
  const Residence residence(engine, ahead, plan.program);
  const double begin = platform::walltime();
  cost_of_fix.clear();
  begun = -1;
  agree();
  bonds->look(reneighbored_by_setup);
  box_alone = true;
  box_watched = ghosts_left = false;
  std::fill(with_lammps, with_lammps + REASONS, 0);
  make_plan();
  plan.look_at_sort(atoms->has_own_copies(), sorts_alike, engine->needs_special());
  if (!told) plan.tell(engine->describe(), bonds->why_not());
  told = true;
  atoms->changed_on_host(DS_ALL_FIELDS);
  if (reneighbored_by_setup) {
    atoms->hold();
    box.hold();
    bonds->renumbered();
  } else {
    require_same_atoms();
  }
  if (plan.bonds_resident) {
    give_settings();
    bonds->give();    // for positions of the rebuild
  }
  reneighbored_by_setup = false;

  const bigint last = update->ntimestep + n;
  const bigint first = update->ntimestep + 1;
  bigint checked = 0;
  for (bigint step = first; step <= last; step = update->ntimestep + 1) {
    bool late = false;
    for (; begun < 0 && !late && checked <= step - first; checked++)
      late = timer->check_timeout(static_cast<int>(checked));
    if (late) {
      update->nsteps = static_cast<int>(step - first);
      break;
    }
    follow_box();
    const bigint free = free_until(last);
    give_settings();
    if (free >= step) {
      run_freely(free);
    } else {
      with_lammps[reason]++;
      served_step();
    }
    finish_step(last);
  }

  plan.program.forget_sums();
  atoms->need_on_host(DS_ALL_FIELDS);
  if (!ghosts_left || (ghosts_stale && !engine->is_wide_enough())) leave_ghosts();
  agree();
  tell_steps(update->ntimestep - (first - 1));
  tell_costs(platform::walltime() - begin);
}

/* ----------------------------------------------------------------------
   no step is LAMMPS's without a word: what is in every step has been told before
------------------------------------------------------------------------- */

void VerletGPU::tell_steps(bigint made) const
{
  static constexpr const char *WHY[REASONS] = {
      "",
      "the time of the run was up",
      "it was seen there whether fix deform reads variables",
      "an atom of a bond was missing",
      "energies or stresses of atoms were wanted, which bonds have a part in",
      "lists were to be rebuilt for a restart file or a fix",
      "something looked at ghosts in a tilted box"};
  std::string text;
  for (int k = IN_EVERY_STEP + 1; k < REASONS; k++)
    if (with_lammps[k])
      text += fmt::format("Run_style verlet/gpu: LAMMPS took part in {} of {} steps, as {}\n",
                          with_lammps[k], made, WHY[k]);
  if (comm->me == 0 && !text.empty()) utils::logmesg(lmp, text);
}

/* ----------------------------------------------------------------------
   of one rank: the others wait for each other in the same calls
------------------------------------------------------------------------- */

void VerletGPU::tell_costs(double all) const
{
  std::string text;
  for (size_t k = 0; k < cost_of_fix.size() && k < static_cast<size_t>(modify->nfix); k++)
    if (cost_of_fix[k] > 0.0) {
      const Fix *const fix = modify->fix[k];
      text += fmt::format("  fix {} ({}) by LAMMPS: {:.3g} s of {:.3g} s, with what is copied for it{}\n", fix->id, fix->style,
                          cost_of_fix[k], all, plan.instead_of(fix));
    }
  if (comm->me == 0 && !text.empty())
    utils::logmesg(lmp, "Run_style verlet/gpu: time that LAMMPS has taken\n" + text);
}

/* ----------------------------------------------------------------------
   last step up to which the engine can go alone; less than the next one if that
   is a step for LAMMPS
------------------------------------------------------------------------- */

bigint VerletGPU::free_until(bigint last)
{
  const bigint now = update->ntimestep;
  if (!can_go_alone(&reason)) return now;
  bigint until = MIN(last, plan.next_call(now));
  const auto end_before = [this, &until](bigint step, Reason why) {
    if (until < step) return;
    until = step - 1;
    reason = why;
  };
  end_before(plan.next_forced_reneighboring(now), RENEIGHBORING);
  until = MIN(until, plan.next_change_of_box(now));
  if (plan.deformer && neighbor->dist_check) until = MIN(until, now + 1);    // see trigger2()
  if (timer->has_timeout()) {
    const bigint made = now - update->firststep;
    until = MIN(until, update->firststep + (made / 10 + 1) * 10);
  }
  if (plan.bonds_resident && until > now) {
    if (!give_bonds()) {
      reason = BONDS_LOST;
      return now;
    }
    ev_set(until);
    if (wants_atom_energies()) end_before(until, ATOM_ENERGIES);
  }
  if (domain->triclinic && plan.needs_ghosts(plan.next_call(now)))
    end_before(plan.next_call(now), GHOSTS);
  return until;
}

bool VerletGPU::can_go_alone(Reason *why) const
{
  const bool box_not_seen = plan.deformer && !box_watched;
  if (why) *why = plan.every_step ? IN_EVERY_STEP : box_not_seen ? BOX_NOT_SEEN : TIME_IS_UP;
  return !plan.every_step && !box_not_seen && !timer->is_timeout();
}

/* ----------------------------------------------------------------------
   called by the engine before it makes the forces of a step
------------------------------------------------------------------------- */

ds_status VerletGPU::before_forces(void *progress, int64_t step, ds_error *err)
{
  const auto *p = static_cast<const Progress *>(progress);
  VerletGPU *const self = p->self;
  self->update->ntimestep = step;
  if (step == p->last) {
    PairGPU *const pair = self->pair;
    pair->begin(self->eflag, self->vflag);
    if (pair->eflag_atom) p->result->eatom = {pair->eatom, DS_F64, DS_SPACE_HOST, 1, 1};
    if (pair->vflag_atom) p->result->vatom = {*pair->vatom, DS_F64, DS_SPACE_HOST, 6, 1};
  } else
    self->pair->follow_step();
  return self->engine->give_model(err);
}

/* ----------------------------------------------------------------------
   called before what follows the forces of a step
------------------------------------------------------------------------- */

ds_status VerletGPU::after_forces(void *progress, int64_t step, ds_error *err)
{
  VerletGPU *const self = static_cast<const Progress *>(progress)->self;
  const bigint now = self->update->ntimestep;
  self->update->ntimestep = step;
  const ds_step_program &program = self->plan.program.of_step(step);
  self->update->ntimestep = now;
  return ds_resident_set_steps(self->atoms->engine(), &program, err);
}

/* ----------------------------------------------------------------------
   with LAMMPS's rule when lists are rebuilt
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
  s.rule.trigger2 = trigger2();
  s.hand_over = atom->sortfreq > 0 ? atom->nextsort : MAXBIGINT;
  s.leaves_end = plan.calls_fixes(last) ? 1 : 0;
  return s;
}

/* ---------------------------------------------------------------------- */

void VerletGPU::run_freely(bigint last)
{
  EngineSession &session = engine->get_session();
  ds_pair_result result = {};
  Progress progress = {this, last, &result};
  ds_run_result reached = {};
  ds_run_request stretch = stretch_from(begun < 0 ? update->ntimestep + 1 : begun, last);
  stretch.prepare = before_forces;
  if (plan.program.changes_in_run()) stretch.declare = after_forces;
  stretch.user = &progress;
  stretch.wanted = &result;

  ev_set(last);
  timer->stamp();
  atoms->need_on_engine(DS_ALL_FIELDS | DS_TAG);
  if (plan.bonds_resident && (eflag || vflag)) stretch.sums = bonds->sums();
  pair->begin(eflag, vflag);    // makes room for energies of atoms
  result.want_energy = pair->eflag_global;
  result.want_virial = pair->vflag_global;

  while (!reached.whole) {
    stretch.hand_over = atom->sortfreq > 0 ? atom->nextsort : MAXBIGINT;
    if (session.working())
      session.note(ds_resident_run(atoms->engine(), &stretch, &reached, session.error_text()));
    arrive(reached, stretch);
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
   after a call of the engine; and what was wanted of its last step
------------------------------------------------------------------------- */

void VerletGPU::arrive(const ds_run_result &reached, const ds_run_request &stretch)
{
  agree();
  stamp_parts(reached);
  atoms->changed_on_engine(DS_POSITION | DS_VELOCITY | DS_FORCE | DS_IMAGE);
  book(reached, stretch);
}

void VerletGPU::tally(const ds_run_request &stretch)
{
  engine->evaluated();
  engine->tally(pair, *stretch.wanted);
  if (stretch.sums) bonds->tally(*stretch.sums);
}

/* ----------------------------------------------------------------------
   time since the last stamp goes to where the engine says that it was spent
------------------------------------------------------------------------- */

void VerletGPU::stamp_parts(const ds_run_result &reached)
{
  static constexpr Timer::ttype WHERE[DS_TIMES] = {Timer::PAIR, Timer::BOND, Timer::NEIGH,
                                                   Timer::COMM, Timer::MODIFY};
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
   rebuilds as LAMMPS counts them
------------------------------------------------------------------------- */

void VerletGPU::book(const ds_run_result &reached, const ds_run_request &stretch)
{
  update->ntimestep = reached.step;
  neighbor->ncalls += reached.reneighborings;
  neighbor->ndanger += reached.dangerous;
  neighbor->ago = static_cast<int>(reached.step - reached.reneighbored);
  if (reached.reneighborings) {
    neighbor->lastcall = reached.reneighbored;
    ghosts_stale = true;
    box.hold();
  }
  if (!reached.whole && !reached.bonded && stretch.rule.check &&
      neighbor->ago == MAX(neighbor->every, neighbor->delay))
    neighbor->ndanger++;
}

/* ----------------------------------------------------------------------
   a rebuild that the engine has handed over: LAMMPS sorts its atoms, or some have
   left the box
------------------------------------------------------------------------- */

bool VerletGPU::take_reneighboring(bigint step)
{
  update->ntimestep = step;
  reneighbor();
  engine->prepare(pair);
  atoms->need_on_engine(DS_ALL_FIELDS);
  if (!plan.bonds_resident || bonds->give()) return true;
  complete_with_lammps_bonds();
  return false;
}

/* ----------------------------------------------------------------------
   what comes at the end of a step. After it the engine may have made more steps, of
   which LAMMPS only writes the thermodynamic output
------------------------------------------------------------------------- */

void VerletGPU::finish_step(bigint last)
{
  const bigint step = update->ntimestep;
  const bool output_now = step == output->next, fixes_now = plan.calls_fixes(step);
  const bool box_now = plan.changes_box(step), watch = box_now && !fixes_now && !box_watched;
  if (step == last && (fixes_now || box_now)) {
    leave_ghosts();    // of atoms and box as they are now
    ghosts_left = true;
  }
  if (output_now || fixes_now || watch) {
    bring_for_calls(watch);
    take_sums(!ended);
  }
  if (!fixes_now && !watch && ended) start_ahead(step, last);
  end_of_step(fixes_now, watch);
  if (output_now) {
    if (!ahead.are_under_way()) bring_fields();    // what the end of the step has changed
    write_output();
  }
  while (take_ahead()) write_output();
  if (output_now && plan.may_change_in_calls()) atoms->changed_on_host(DS_ALL_FIELDS);
}

/* ----------------------------------------------------------------------
   what LAMMPS is about to read. `all`: it may be anything
------------------------------------------------------------------------- */

void VerletGPU::bring_for_calls(bool all)
{
  bring_fields(all);
  if (all || plan.needs_ghosts(update->ntimestep)) {
    show_ghosts();
    pair->clear_ghost_tallies();
  }
  agree();
}

void VerletGPU::bring_fields(bool all)
{
  const int fields = all ? DS_ALL_FIELDS : plan.reads(update->ntimestep);
  if (fields) atoms->need_on_host(fields);
  agree();
}

/* ----------------------------------------------------------------------
   sums of the state that the steps have led to. `add_up`: that has not been done
------------------------------------------------------------------------- */

void VerletGPU::take_sums(bool add_up)
{
  ds_exact_sum sums[DS_STEP_SUMS];
  const bigint step = update->ntimestep;
  EngineSession &session = engine->get_session();
  if (!plan.program.has_sums()) return;
  if (add_up) operate(plan.program.begin(DS_AT_SUMS), plan.program.begin(DS_AT_INITIAL), true);
  if (session.working())
    session.note(ds_resident_step_sums(atoms->engine(), sums, session.error_text()));
  agree();
  plan.program.give_sums(step, sums);
}

/* ---------------------------------------------------------------------- */

void VerletGPU::write_output()
{
  timer->stamp();
  output->write(update->ntimestep);
  timer->stamp(Timer::OUTPUT);
}
