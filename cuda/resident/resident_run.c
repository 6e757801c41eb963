/* Many steps of resident atoms: queued as far ahead as may be, and taken up where something has stopped them.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "resident_state.h"

#include <string.h>

/* Steps that may be under way while the next one is queued. With `check`, steps queued behind one that rebuilds are wasted. */
enum { AHEAD_CHECKED = 1, AHEAD = 32, MAX_RENEIGHBORINGS = AHEAD + 2 };

/* How long atoms stay where the order of a list has put them, in rebuilds, as they move on; and for how many steps it pays. */
enum { FOLLOW_EVERY = 16, FOLLOW_STEPS = 24 };

typedef struct {
  ds_resident *r;
  const ds_run_request *request;
  ds_run_result *result;
  int64_t step;          /* that is being queued */
  int begun;             /* the first half of the step has been made */
  int reneighbor;        /* the step has to rebuild, whatever the rule says */
  int rewrapped;         /* its rebuild has been counted, and atoms wrapped, before the run was stopped */
  int handed_over;       /* the step is left to the caller, who rebuilds in it */
  int64_t evaluation;    /* the run's last one, as the pair object counts; others may have followed. -1: none */
  ds_bonded_view bonded; /* of the last step queued */
  int are_to_add;        /* its forces have been made, and the next motion adds them to those of atoms */
  int64_t reneighbored;  /* step of the last rebuild queued */
  int64_t listed;        /* step in which the last list was queued; 0: none */
  struct {
    int64_t step, before; /* before: that of the rebuild before it */
    int dangerous;
  } reneighboring[MAX_RENEIGHBORINGS]; /* queued, and maybe not yet made */
  int nreneighborings;
  int rebuilds_left; /* until they follow the next one */
  int is_list_old;   /* the slots of the list name places that atoms have left */
  int waits;               /* before the rebuild of this step, in which they do */
  ds_row_end row_end;      /* of the sweep that is being queued */
} run_state;

static int age_allows(const run_state *run)
{
  const ds_reneighboring *const rule = &run->request->rule;
  const int64_t age = run->step - run->reneighbored;
  return age >= rule->delay && age % rule->every == 0;
}

/* Rebuilds of steps that are over are counted; those of steps from `step` on have not happened. */
static void count_reneighborings(run_state *run, int64_t step)
{
  for (int k = 0; k < run->nreneighborings; k++) {
    if (run->reneighboring[k].step >= step) {
      run->reneighbored = run->reneighboring[k].before;
      break;
    }
    run->result->reneighborings++;
    run->result->dangerous += run->reneighboring[k].dangerous;
  }
  run->nreneighborings = 0;
}

static void note_reneighboring(run_state *run)
{
  const ds_reneighboring *const rule = &run->request->rule;
  const int first_allowed_age = rule->every > rule->delay ? rule->every : rule->delay;
  if (run->nreneighborings == MAX_RENEIGHBORINGS) { /* the first is over: no more steps than AHEAD are under way */
    run->result->reneighborings++;
    run->result->dangerous += run->reneighboring[0].dangerous;
    memmove(run->reneighboring, run->reneighboring + 1, (MAX_RENEIGHBORINGS - 1) * sizeof run->reneighboring[0]);
    run->nreneighborings--;
  }
  run->reneighboring[run->nreneighborings].step = run->step;
  run->reneighboring[run->nreneighborings].before = run->reneighbored;
  run->reneighboring[run->nreneighborings++].dangerous =
      rule->check && run->step - run->reneighbored == first_allowed_age;
  run->reneighbored = run->step;
}

/* ------------------------------------------------------------------------------------ where time goes */

/* Events cost a few microseconds per step: the first steps of a run are measured, if it is long, and not in each of
   them; in short ones, too, until all is known. */
enum { MEASURED = 12, SHORT = 8 * MEASURED, SELDOM = 8 };

/* What the time of a stage counts as; those that are not here are no part of a resident step. */
static const struct {
  ds_stage stage;
  int what, per_reneighboring;
} stages[] = {
    {DS_STAGE_GATHER, DS_TIME_FORCES, 0},     {DS_STAGE_FORCES, DS_TIME_FORCES, 0}, {DS_STAGE_BONDS, DS_TIME_BONDS, 0},
    {DS_STAGE_MESH, DS_TIME_MESH, 0},         {DS_STAGE_MOTION, DS_TIME_MOTION, 0}, {DS_STAGE_PLACE, DS_TIME_LISTS, 1},
    {DS_STAGE_SORT, DS_TIME_LISTS, 1},        {DS_STAGE_BUILD_LIST, DS_TIME_LISTS, 1},
    {DS_STAGE_FINISH_LIST, DS_TIME_LISTS, 1}, {DS_STAGE_OWN_LISTS, DS_TIME_LISTS, 1}, {DS_STAGE_WRAP, DS_TIME_WRAP, 1}};
enum { MEASURED_STAGES = sizeof stages / sizeof stages[0] };

static int is_to_measure(ds_times *t, int64_t steps)
{
  if (!(t->step[DS_TIME_FORCES] > 0.0 && t->list[DS_TIME_LISTS] > 0.0)) return 1;
  return steps >= SHORT && t->long_runs++ % SELDOM == 0;
}

/* The host's clock costs nothing, and has the time of all steps. */
static void begin_times(ds_resident *r, int64_t steps)
{
  ds_times *const t = &r->times;
  t->measured = 0;
  t->measuring = ds_queue_is_host(r->queue) || is_to_measure(t, steps);
  if (t->measuring) ds_queue_time(r->queue, 1);
}

static void count_step(ds_resident *r)
{
  if (r->times.measuring && !ds_queue_is_host(r->queue) && ++r->times.measured == MEASURED) r->queue->timer.paused = 1;
}

static void read_stages(ds_resident *r)
{
  ds_times *const t = &r->times;
  double step[DS_TIMES] = {0.0}, list[DS_TIMES] = {0.0}, all = 0.0;
  for (int k = 0; k < MEASURED_STAGES; k++) {
    const double ms = r->queue->timer.ms[stages[k].stage];
    (stages[k].per_reneighboring ? list : step)[stages[k].what] += ms;
    all += ms;
  }
  if (all > 0.0 || ds_queue_is_host(r->queue)) memcpy(t->step, step, sizeof step);
  if (list[DS_TIME_LISTS] > 0.0 || ds_queue_is_host(r->queue)) /* there was a rebuild among them */
    memcpy(t->list, list, sizeof list);
}

static void end_times(ds_resident *r, int64_t steps, int64_t reneighborings, double ms[DS_TIMES])
{
  const ds_times *const t = &r->times;
  const double each = ds_queue_is_host(r->queue) ? 1.0 : (double) steps,
               rebuilt = ds_queue_is_host(r->queue) ? 1.0 : (double) reneighborings;
  r->queue->timer.paused = 1;
  if (t->measuring) read_stages(r);
  for (int k = 0; k < DS_TIMES; k++) ms[k] = t->step[k] * each + t->list[k] * rebuilt;
}

/* ------------------------------------------------------------------------------------------- queueing */

/* Of pairs forces, and what the caller wants of them if the step is the last one; with a new list, where there is none.
   prepare() may have made room for the caller's arrays. */
static ds_status queue_pairs(run_state *run, int reneighbor, ds_error *err)
{
  ds_resident *const r = run->r;
  ds_pair_request wanted = {0};
  ds_status s = DS_OK;
  if (run->step == run->request->last && run->request->wanted) wanted = *run->request->wanted;
  if (!wanted.want_virial) wanted.want_virial = run->request->virial;
  wanted.f = r->atoms.f;
  wanted.put_force = 1;
  if (r->reads_tallies) s = ds_resident_request_pairs(r, run->step, 1, &wanted, err);
  if (!s) s = ds_pair_load(r->pair, &r->atoms.x, &r->atoms.v, run->step, err);
  if (!s && (reneighbor || !ds_pair_has_list(r->pair))) {
    run->listed = run->step;
    s = ds_pair_build_list(r->pair, err);
  }
  if (reneighbor) run->is_list_old = 0;
  return s ? s : ds_pair_enqueue(r->pair, &wanted, err);
}

/* All is as it was in the step before, but for positions and velocities: so it is in most steps. */
static int repeats_pairs(const run_state *run, int reneighbor)
{
  const ds_run_request *const request = run->request;
  const int wants_more = request->virial || run->r->reads_tallies || (request->wanted && run->step == request->last);
  return !reneighbor && !wants_more && ds_pair_may_repeat(run->r->pair, run->evaluation, run->step);
}

/* Forces of bonds are added to those of pairs by the next motion. Those of a mesh come between those on atoms and those on
   their images. */
static ds_status queue_bonds(run_state *run, ds_error *err)
{
  ds_resident *const r = run->r;
  ds_status s = DS_OK;
  run->are_to_add = ds_resident_has_bonds(r);
  if (run->are_to_add) {
    run->bonded = ds_resident_bonded_view(r, run->step);
    run->bonded.part = r->has_mesh ? DS_BONDED_ON_ATOMS : DS_BONDED_ALL;
    s = ds_resident_make_bonds(r, &run->bonded, r->has_mesh, run->step, err);
    if (r->has_mesh) run->bonded.part = DS_BONDED_ON_IMAGES;
  }
  if (!s && run->are_to_add && run->request->virial) s = ds_resident_sum_bonds(r, run->step, err);
  return !s && r->reads_tallies ? ds_resident_queue_tallies(r, run->step, err) : s;
}

static int wants_mesh_sums(const run_state *run)
{
  return run->request->virial || (run->step == run->request->last && run->request->mesh_sums);
}

static ds_status queue_mesh(run_state *run, ds_error *err)
{
  return run->r->has_mesh ? ds_resident_queue_mesh(run->r, wants_mesh_sums(run), run->step, err) : DS_OK;
}

static ds_status declare(const run_state *run, int64_t step, ds_error *err)
{
  return run->request->declare ? run->request->declare(run->request->user, step, err) : DS_OK;
}

static const ds_bonded_view *take_bonded(run_state *run)
{
  const int are_to_add = run->are_to_add;
  run->are_to_add = 0;
  return are_to_add ? &run->bonded : NULL;
}

/* Energies or virials of pairs are wanted in this step. */
static int wants_pair_sums(const run_state *run)
{
  const ds_run_request *const request = run->request;
  return request->virial || (run->step == request->last && request->wanted && ds_wants_tally(request->wanted));
}

/* What follows the forces of the step before, and what comes before those of this one. */
static ds_status queue_motion(run_state *run, ds_error *err)
{
  const ds_step_program *const p = &run->r->steps.program;
  const int first_half = ds_first_operation(p, DS_AT_INITIAL);
  const int is_rebuilt = !run->request->rule.check && age_allows(run);
  ds_advance a = {run->step,
                  {{0, run->step > run->request->first ? first_half : 0, run->step - 1, 0},
                   {first_half, p->n, run->step, run->step == run->request->last && !run->request->unread}},
                  0,
                  0,
                  run->request->rule.trigger2,
                  take_bonded(run),
                  run->evaluation >= 0 && !is_rebuilt ? run->r->pair : NULL,
                  wants_pair_sums(run)};
  a.check = run->request->rule.check && age_allows(run);
  const ds_status s = a.due[0].end > 0 ? declare(run, run->step - 1, err) : DS_OK;
  return s ? s : ds_resident_advance(run->r, &a, err);
}

static ds_status queue_end(run_state *run, ds_error *err)
{
  const int64_t step = run->request->last;
  const int end = ds_first_operation(&run->r->steps.program, run->request->leaves_end ? DS_AT_END : DS_AT_INITIAL);
  const ds_advance a = {step, {{0, end, step, !run->request->unread}, {0, 0, 0, 0}}, 0, 0, 0.0, take_bonded(run), NULL, 0};
  const int wants_bonds = run->request->sums && ds_resident_has_bonds(run->r);
  ds_status s = declare(run, step, err);
  if (!s && wants_bonds && !run->request->virial) s = ds_resident_sum_bonds(run->r, step, err);
  return s ? s : ds_resident_advance(run->r, &a, err);
}

/* Rows of the sweep that is queued next end with the first operations that follow it, where these are on its atoms alone. */
static ds_status end_rows(run_state *run, ds_error *err)
{
  ds_resident *const r = run->r;
  const ds_run_request *const request = run->request;
  const int more_follows = ds_resident_has_bonds(r) || r->has_mesh || r->reads_tallies || request->declare;
  if (more_follows || r->atoms.n == 0 || !ds_pair_may_end_rows(r->pair)) return DS_OK;
  const int is_last = run->step == request->last;
  const ds_point until = is_last && request->leaves_end ? DS_AT_END : DS_AT_INITIAL;
  const ds_due due = {0, ds_first_operation(&r->steps.program, until), run->step, is_last && !request->unread};
  const ds_resident_view a = ds_resident_view_of(r);
  const ds_status s = ds_steps_end_rows(&r->steps, &a, &r->wrap, &due, &run->row_end, err);
  if (!s && run->row_end.n > 0) ds_pair_end_rows(r->pair, &run->row_end);
  return s;
}

/* Before a rebuild, which the order of the list before it is good enough for. */
static int is_to_follow(const run_state *run)
{
  const ds_pair *const pair = run->r->pair;
  return run->rebuilds_left == 0 && run->request->last - run->step >= FOLLOW_STEPS && !run->is_list_old &&
         ds_pair_has_list(pair) && pair->list.slots == run->r->atoms.n && ds_resident_may_follow_list(run->r, run->request);
}

static ds_status follow_list(run_state *run, ds_error *err)
{
  const ds_status s = ds_resident_follow_list(run->r, err);
  run->is_list_old = 1;
  run->rebuilds_left = FOLLOW_EVERY;
  return s;
}

/* The run goes on in a step that was stopped. made_list: behind the rebuild of that step, which then counts. Else a list that was
   queued since has not been made: it has no order that atoms could follow. */
static ds_status go_back(run_state *run, int64_t step, int made_list, ds_error *err)
{
  count_reneighborings(run, made_list ? step + 1 : step);
  run->step = step;
  run->begun = run->reneighbor = 1;
  run->are_to_add = 0;
  run->handed_over = 0;
  if (!made_list && run->listed >= step) run->r->pair->have_list = 0;
  ds_steps_forget_rows(&run->r->steps);
  run->rewrapped = made_list;
  if (made_list) run->r->wrap_step = step; /* and not a later one that was queued */
  return run->request->returns ? run->request->returns(run->request->user, step, run->reneighbored, err) : DS_OK;
}

static ds_status resume_where_stopped(run_state *run, ds_pair_totals *totals, ds_stop_reason *why, ds_error *err)
{
  int64_t step;
  const ds_status s = ds_resident_wait(run->r, totals, why, &step, err);
  if (s || *why == DS_NOT_STOPPED) return s;
  /* a list that was too small, or a bond too long, is found after the rebuild of that step */
  return go_back(run, step, *why == DS_STOP_LIST || *why == DS_STOP_BONDED, err);
}

/* On the GPU, as far as is known without waiting: the motion of a step has stopped all that is behind it, because atoms have
   moved too far. What else may be wrong in that step with atoms or with types is found once more when they are gathered. */
static int has_only_moved(const run_state *run)
{
  const ds_queue *const q = run->r->queue;
  return ds_queue_stopped(q) && q->halt_host->moved && !ds_resident_may_fail(run->r, 0, run->r->steps.program.n);
}

/* Nothing is waited for: the stop is cleared, and the rebuild queued, behind stages that do nothing. */
static ds_status reneighbor_where_stopped(run_state *run, ds_error *err)
{
  const int64_t step = run->r->queue->halt_host->step;
  const ds_status s = ds_pair_resume(run->r->pair, err);
  return s ? s : go_back(run, step, 0, err);
}

static ds_status queue_step(run_state *run, ds_error *err)
{
  ds_resident *const r = run->r;
  ds_status s = DS_OK;
  if (!run->begun) s = queue_motion(run, err);
  if (s || (!run->begun && ds_queue_stopped(r->queue))) return s;
  const int reneighbor = run->reneighbor || (!run->begun && !run->request->rule.check && age_allows(run));
  /* the step is the caller's, who rebuilds in it: all before it is waited for */
  run->handed_over = reneighbor && !run->rewrapped && run->step >= run->request->hand_over;
  if (run->handed_over) return DS_OK;
  if (reneighbor && !run->rewrapped) {
    /* where a step goes on that was stopped, nothing is under way that may stop */
    run->waits = is_to_follow(run) && !run->begun;
    if (run->waits) return DS_OK;
    if (is_to_follow(run))
      s = follow_list(run, err);
    else if (run->rebuilds_left > 0)
      run->rebuilds_left--;
    if (s) return s;
    note_reneighboring(run);
    if (run->request->rebuilds) run->request->rebuilds(run->request->user, run->step);
    s = ds_resident_wrap(r, run->step, err);
    if (s || ds_queue_stopped(r->queue)) return s;
  }
  if (run->request->prepare) s = run->request->prepare(run->request->user, run->step, err);
  const int repeats = !s && repeats_pairs(run, reneighbor);
  if (!s) s = end_rows(run, err);
  if (!s) s = ds_resident_begin_mesh(r, !reneighbor && ds_pair_has_list(r->pair), wants_mesh_sums(run), run->step, err);
  if (!s && repeats) {
    ds_pair_set_step(r->pair, run->step);
    s = ds_pair_sweep(r->pair, err);
  } else if (!s) {
    s = queue_pairs(run, reneighbor, err);
  }
  ds_pair_end_rows(r->pair, NULL);
  run->evaluation = r->pair->version.evaluation;
  if (!s) s = queue_bonds(run, err);
  if (!s) s = queue_mesh(run, err);
  run->begun = run->reneighbor = run->rewrapped = 0;
  run->step++;
  count_step(r);
  return s;
}

/* All steps are whole. */
static ds_status finish(run_state *run, ds_error *err)
{
  ds_bonded_sums *const sums = run->request->sums;
  count_reneighborings(run, run->request->last + 1);
  run->result->step = run->request->last;
  run->result->whole = 1;
  if (sums) ds_resident_bonded_sums(run->r, sums);
  if (run->request->mesh_sums) ds_resident_mesh_sums(run->r, run->request->mesh_sums);
  return run->request->wanted ? ds_resident_bring_pairs(run->r, run->request->last, run->request->wanted, err) : DS_OK;
}

static ds_status check_rule(const ds_reneighboring *rule, ds_error *err)
{
  if (rule->every < 1 || rule->delay < 0)
    return ds_fail(err, DS_ERR_ARGUMENT, "lists rebuilt every %d steps, delay %d; allowed: every >= 1, delay >= 0", rule->every,
                   rule->delay);
  if (rule->check && !(rule->trigger2 >= 0.0))
    return ds_fail(err, DS_ERR_ARGUMENT, "square of a distance %g that rebuilds lists must be >= 0", rule->trigger2);
  return DS_OK;
}

/* Forces are those of the pair object's atoms, which must be these, without ghosts that would stay where they are. */
static ds_status check_pair(const ds_resident *r, ds_error *err)
{
  const ds_pair *const p = r->pair;
  if (!p->have_atoms || (p->nlocal == r->atoms.n && p->nghost == 0)) return DS_OK;
  return ds_fail(err, DS_ERR_ARGUMENT,
                 "%d resident atoms, but the pair object has %d own ones and %d ghosts; allowed: as "
                 "many, and none",
                 r->atoms.n, p->nlocal, p->nghost);
}

static ds_status check_run(const ds_resident *r, const ds_run_request *s, ds_error *err)
{
  const ds_status lacks = ds_resident_need_steps(r, err);
  if (lacks) return lacks;
  if (ds_check_pointer(s, "steps to make", err) || check_rule(&s->rule, err) || check_pair(r, err)) return DS_ERR_ARGUMENT;
  if (ds_check_virial(s->virial, err)) return DS_ERR_ARGUMENT;
  if (s->first < 1 || s->last < s->first || s->last == INT64_MAX)
    return ds_fail(err, DS_ERR_ARGUMENT, "steps %lld to %lld", (long long) s->first, (long long) s->last);
  if (s->reneighbored > s->first || s->reneighbored < s->last - INT64_MAX)
    return ds_fail(err, DS_ERR_ARGUMENT, "lists rebuilt in step %lld; allowed: before %lld, or in it",
                   (long long) s->reneighbored, (long long) s->first);
  if (ds_resident_has_bonds(r) && r->bonded.with_copies)
    return ds_fail(err, DS_ERR_ARGUMENT, "bonds of copies of atoms, which the caller moves; allowed: forces step by step "
                   "(ds_resident_bonded_forces)");
  if (s->wanted && ds_resident_check_wanted(r, s->wanted, s->last, err)) return DS_ERR_ARGUMENT;
  if (s->hand_over > s->first && ds_resident_check_wrap(r, err)) return DS_ERR_ARGUMENT; /* it may rebuild */
  return s->rule.check ? ds_resident_need_reference(r, err) : DS_OK;
}

/* Steps are queued until one has been stopped, or is the caller's, or all are. Then what was queued is waited for, and the run
   goes on where it has stopped. */
ds_status ds_resident_run(ds_resident *r, const ds_run_request *request, ds_run_result *result, ds_error *err)
{
  int is_over = 0;
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s) s = ds_check_pointer(result, "place for where steps end", err);
  if (s) return s;
  memset(result, 0, sizeof *result);
  s = check_run(r, request, err);
  if (!s) s = ds_resident_check_bodies(r, err);
  if (s) return s;
  run_state run = {.r = r,
                   .request = request,
                   .result = result,
                   .step = request->first,
                   .begun = request->begun,
                   .evaluation = -1,
                   .reneighbored = request->reneighbored};
  ds_steps_forget_rows(&r->steps);
  begin_times(r, request->last - request->first + 1);
  while (!s && !is_over) {
    const int all = run.step > request->last;
    ds_stop_reason why = DS_NOT_STOPPED;
    s = all ? queue_end(&run, err) : queue_step(&run, err);
    if (!s && !all && !run.handed_over && !run.waits && !ds_queue_stopped(r->queue)) {
      s = ds_queue_mark(r->queue, request->rule.check ? AHEAD_CHECKED : AHEAD, err);
      continue;
    }
    if (!s && has_only_moved(&run)) {
      s = reneighbor_where_stopped(&run, err);
      continue;
    }
    if (!s) s = resume_where_stopped(&run, all ? request->totals : NULL, &why, err);
    if (s) break;
    if (run.waits && !why) {
      run.waits = 0;
      run.begun = run.reneighbor = 1;
      continue;
    }
    run.waits = 0;
    is_over = why == DS_NOT_STOPPED || why == DS_STOP_OUTSIDE || why == DS_STOP_BONDED;
    if (is_over && all && !why) {
      s = finish(&run, err);
    } else if (is_over) { /* the step is not whole */
      count_reneighborings(&run, run.step);
      result->step = run.step;
      result->bonded = why == DS_STOP_BONDED;
    }
  }
  if (s) {
    ds_error ignored;
    ds_resident_await_mesh(r, &ignored);
  }
  if (run.is_list_old) r->pair->have_list = 0;
  if (!s && r->pair->follows_list) s = ds_resident_return_from_list(r, err);
  if (s) ds_pair_return_from_list(r->pair);
  if (s) result->step = run.step;
  result->reneighbored = run.reneighbored;
  end_times(r, result->step - request->first + 1, result->reneighborings, result->ms);
  return ds_resident_leave(r, s, err);
}
