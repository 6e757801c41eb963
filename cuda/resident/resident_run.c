/* Many steps of resident atoms: queued as far ahead as may be, and taken up where something has stopped them.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../force/checks.h"
#include "resident_state.h"

#include <string.h>

/* Steps that may be under way while the next one is queued: with `check` those behind a rebuild are in vain. */
enum { AHEAD_CHECKED = 2, AHEAD = 32, MOST_RENEIGHBORINGS = AHEAD + 2 };

typedef struct {
  ds_resident *r;
  const ds_run_request *s;
  int64_t step;    /* that is being queued */
  int begun;       /* its first half has been made */
  int reneighbor;       /* and it has to rebuild, whatever the rule says */
  int rewrapped;   /* and that has been counted and wrapped before */
  int64_t reneighbored; /* step of the last rebuild queued */
  struct {
    int64_t step, before; /* before: that of the rebuild before it */
    int dangerous;
  } reneighboring[MOST_RENEIGHBORINGS]; /* queued, and maybe not yet made */
  int nreneighborings;
  ds_run_result *reached;
} run_state;

static int age_allows(const run_state *q)
{
  const ds_reneighboring *const rule = &q->s->rule;
  const int64_t age = q->step - q->reneighbored;
  return age >= rule->delay && age % rule->every == 0;
}

static int first_allowed_age(const ds_reneighboring *rule)
{
  return rule->every > rule->delay ? rule->every : rule->delay;
}

/* Rebuilds of steps that are over are counted; those of steps from `step` on have not happened. */
static void settle(run_state *q, int64_t step)
{
  for (int k = 0; k < q->nreneighborings; k++) {
    if (q->reneighboring[k].step >= step) {
      q->reneighbored = q->reneighboring[k].before;
      break;
    }
    q->reached->reneighborings++;
    q->reached->dangerous += q->reneighboring[k].dangerous;
  }
  q->nreneighborings = 0;
}

static void note_reneighboring(run_state *q)
{
  if (q->nreneighborings ==
      MOST_RENEIGHBORINGS) { /* the first is over: no more steps than AHEAD are under way */
    q->reached->reneighborings++;
    q->reached->dangerous += q->reneighboring[0].dangerous;
    memmove(q->reneighboring, q->reneighboring + 1, (MOST_RENEIGHBORINGS - 1) * sizeof q->reneighboring[0]);
    q->nreneighborings--;
  }
  q->reneighboring[q->nreneighborings].step = q->step;
  q->reneighboring[q->nreneighborings].before = q->reneighbored;
  q->reneighboring[q->nreneighborings++].dangerous =
      q->s->rule.check && q->step - q->reneighbored == first_allowed_age(&q->s->rule);
  q->reneighbored = q->step;
}

/* Forces of the step, with what is wanted if it is the last one. */
static ds_status queue_forces(run_state *q, int reneighbor, ds_error *err)
{
  ds_resident *const r = q->r;
  const int last = q->step == q->s->last;
  static const ds_pair_request forces_alone;
  const ds_array x = ds_resident_array(r, DS_POSITION), v = ds_resident_array(r, DS_VELOCITY);
  ds_status s = q->s->prepare ? q->s->prepare(q->s->user, q->step, err) : DS_OK;
  ds_pair_request wanted = last && q->s->wanted ? *q->s->wanted : forces_alone; /* prepare() may have made room for arrays */
  if (q->s->virial) wanted.want_virial = 1;
  wanted.f = ds_resident_array(r, DS_FORCE);
  wanted.put_force = 1;
  if (!s) s = ds_pair_load(r->pair, &x, &v, q->step, err);
  if (!s && (reneighbor || !ds_pair_has_list(r->pair))) s = ds_pair_build_list(r->pair, err);
  if (!s) s = ds_pair_enqueue(r->pair, &wanted, err);
  return s || !ds_resident_has_bonds(r) ? s : ds_resident_add_bonds(r, q->step, err);
}

static ds_status declare(const run_state *q, int64_t step, ds_error *err)
{
  return q->s->declare ? q->s->declare(q->s->user, step, err) : DS_OK;
}

/* What follows the forces of the step before, and what comes before those of this one. */
static ds_status queue_motion(run_state *q, ds_error *err)
{
  const ds_step_program *const p = &q->r->steps.program;
  const int first_half = ds_step_begin(p, DS_AT_INITIAL);
  ds_advance a = {q->step,
                  {{0, q->step > q->s->first ? first_half : 0, q->step - 1, 0},
                   {first_half, p->n, q->step, q->step == q->s->last && !q->s->unread}},
                  0, 0, q->s->rule.trigger2};
  a.check = q->s->rule.check && age_allows(q);
  const ds_status s = a.due[0].end > 0 ? declare(q, q->step - 1, err) : DS_OK;
  return s ? s : ds_resident_advance(q->r, &a, err);
}

static int wants_bonds(const run_state *q)
{
  return q->s->sums && ds_resident_has_bonds(q->r);
}

static ds_status queue_end(run_state *q, ds_error *err)
{
  const int64_t step = q->s->last;
  const int end = ds_step_begin(&q->r->steps.program, q->s->leaves_end ? DS_AT_END : DS_AT_INITIAL);
  const ds_advance a = {step, {{0, end, step, !q->s->unread}, {0, 0, 0, 0}}, 0, 0, 0.0};
  ds_status s = declare(q, step, err);
  if (!s && wants_bonds(q)) s = ds_resident_sum_bonds(q->r, step, err);
  return s ? s : ds_resident_advance(q->r, &a, err);
}

/* The caller knows what becomes of atoms outside of the box, and of bonds that are too long. */
static int is_callers(ds_stop_reason why)
{
  return why == DS_STOP_OUTSIDE || why == DS_STOP_BONDED;
}

/* Whether the step is the caller's, who rebuilds in it: all before it is waited for. */
static int hands_over(const run_state *q, int reneighbor)
{
  return reneighbor && !q->rewrapped && q->step >= q->s->hand_over;
}

/* Where work has stopped, the run goes on in that step. */
static ds_status take_up(run_state *q, ds_pair_totals *totals, ds_stop_reason *why, ds_error *err)
{
  int64_t step;
  const ds_status s = ds_resident_end(q->r, totals, why, &step, err);
  if (s || *why == DS_GOES_ON) return s;
  /* a list that was too small, or a bond too long, is found after the rebuild of that step, which then counts */
  const int reneighbored = *why == DS_STOP_LIST || *why == DS_STOP_BONDED;
  settle(q, reneighbored ? step + 1 : step);
  q->step = step;
  q->begun = q->reneighbor = 1;
  q->rewrapped = reneighbored;
  if (reneighbored) q->r->rebuilt = step; /* and not a later one that was queued */
  return q->s->returns ? q->s->returns(q->s->user, step, q->reneighbored, err) : s;
}

/* Queues the step; `given` where it has become the caller's. */
static ds_status queue_step(run_state *q, int *given, ds_error *err)
{
  ds_resident *const r = q->r;
  ds_status s = DS_OK;
  *given = 0;
  if (!q->begun) s = queue_motion(q, err);
  if (s || (!q->begun && ds_queue_stopped(r->queue))) return s;
  const int reneighbor = q->reneighbor || (!q->begun && !q->s->rule.check && age_allows(q));
  if (hands_over(q, reneighbor)) {
    *given = 1;
    return DS_OK;
  }
  if (reneighbor && !q->rewrapped) {
    note_reneighboring(q);
    if (q->s->rebuilds) q->s->rebuilds(q->s->user, q->step);
    s = ds_resident_wrap(r, q->step, err);
    if (s || ds_queue_stopped(r->queue)) return s;
  }
  s = queue_forces(q, reneighbor, err);
  q->begun = q->reneighbor = q->rewrapped = 0;
  q->step++;
  ds_times_step(r);
  return s;
}

static ds_status stop_for_caller(run_state *q, ds_stop_reason *why, ds_error *err)
{
  const int64_t step = q->step;
  ds_status s = take_up(q, NULL, why, err);
  if (s || *why) return s;
  settle(q, step);
  q->reached->step = step;
  q->reached->whole = 0;
  return DS_OK;
}

static ds_status run_steps(run_state *q, ds_error *err)
{
  ds_resident *const r = q->r;
  const int ahead = q->s->rule.check ? AHEAD_CHECKED : AHEAD;
  int given = 0;
  ds_status s = DS_OK;
  while (!s) {
    ds_stop_reason why = DS_GOES_ON;
    if (q->step <= q->s->last) {
      s = queue_step(q, &given, err);
      if (!s && given) {
        s = stop_for_caller(q, &why, err);
        if (s || !why) return s;
      } else if (!s && ds_queue_stopped(r->queue))
        s = take_up(q, NULL, &why, err);
      else if (!s)
        s = ds_queue_mark(r->queue, ahead, err);
    } else {
      s = queue_end(q, err);
      if (!s) s = take_up(q, q->s->totals, &why, err);
      if (!s && !why) break;
    }
    if (!s && is_callers(why)) {
      q->reached->step = q->step;
      q->reached->whole = 0;
      q->reached->bonded = why == DS_STOP_BONDED;
      return DS_OK;
    }
  }
  if (q->s->sums) memset(q->s->sums, 0, sizeof *q->s->sums);
  if (!s && wants_bonds(q)) ds_bonded_take_sums(&r->bonded, q->s->sums);
  settle(q, q->s->last + 1);
  q->reached->step = q->s->last;
  q->reached->whole = 1;
  return s;
}

static ds_status check_rule(const ds_reneighboring *rule, ds_error *err)
{
  if (rule->every < 1 || rule->delay < 0)
    return ds_fail(err, DS_ERR_ARGUMENT,
                   "lists rebuilt every %d steps, delay %d; allowed: every >= 1, delay >= 0",
                   rule->every, rule->delay);
  if (rule->check && !(rule->trigger2 >= 0.0))
    return ds_fail(err, DS_ERR_ARGUMENT, "square of a distance %g that rebuilds lists must be >= 0",
                   rule->trigger2);
  return DS_OK;
}

/* Forces are those of the pair object's atoms, which must be these, without ghosts that would stay where they are. */
static ds_status check_pair(const ds_resident *r, ds_error *err)
{
  const ds_pair *const p = r->pair;
  if (!p->have_atoms || (p->nlocal == r->ours.n && p->nghost == 0)) return DS_OK;
  return ds_fail(
      err, DS_ERR_ARGUMENT,
      "%d resident atoms, but the pair object has %d own ones and %d ghosts; allowed: as "
      "many, and none",
      r->ours.n, p->nlocal, p->nghost);
}

static ds_status check_stretch(const ds_resident *r, const ds_run_request *s, ds_error *err)
{
  const ds_status lacks = ds_resident_need_steps(r, err);
  if (lacks) return lacks;
  if (ds_check_pointer(s, "steps to make", err) || check_rule(&s->rule, err) || check_pair(r, err))
    return DS_ERR_ARGUMENT;
  if (s->first < 1 || s->last < s->first || s->last == INT64_MAX)
    return ds_fail(err, DS_ERR_ARGUMENT, "steps %lld to %lld", (long long) s->first,
                   (long long) s->last);
  if (s->reneighbored > s->first || s->reneighbored < s->last - INT64_MAX)
    return ds_fail(err, DS_ERR_ARGUMENT,
                   "lists rebuilt in step %lld; allowed: before %lld, or in it",
                   (long long) s->reneighbored, (long long) s->first);
  if (s->hand_over > s->first && ds_resident_check_wrap(r, err)) return DS_ERR_ARGUMENT; /* it may rebuild */
  return s->rule.check ? ds_resident_need_reference(r, err) : DS_OK;
}

ds_status ds_resident_run(ds_resident *r, const ds_run_request *stretch, ds_run_result *reached,
                          ds_error *err)
{
  run_state q;
  memset(&q, 0, sizeof q);
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s) s = ds_check_pointer(reached, "place for where steps end", err);
  if (s) return s;
  memset(reached, 0, sizeof *reached);
  s = check_stretch(r, stretch, err);
  if (s) return s;
  q.r = r;
  q.s = stretch;
  q.step = stretch->first;
  q.begun = stretch->begun;
  q.reneighbored = stretch->reneighbored;
  q.reached = reached;
  ds_times_begin(r, stretch->last - stretch->first + 1);
  s = run_steps(&q, err);
  reached->reneighbored = q.reneighbored;
  ds_times_end(r, reached->step - stretch->first + 1, reached->reneighborings, reached->ms);
  return ds_resident_leave(r, s, err);
}
