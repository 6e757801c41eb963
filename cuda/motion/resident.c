/* The public interface of resident atoms: arguments are checked here, and steps put together; backends do the work.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "resident_state.h"

#include <stdlib.h>
#include <string.h>

ds_status ds_resident_open(ds_resident **out, ds_pair *pair, int apart, ds_error *err)
{
  *out = NULL;
  ds_resident *const r = calloc(1, sizeof *r);
  if (!r) return ds_fail(err, DS_ERR_MEMORY, "no host memory for resident atoms");
  r->pair = pair;
  ds_bonded_open(&r->bonded);
  r->backend = apart ? &ds_motion_host_apart_backend : &ds_motion_host_backend;
#ifdef DS_HAVE_CUDA
  if (ds_pair_halted(pair)) r->backend = &ds_motion_cuda_backend;
#endif
  const ds_status s = r->backend->open(r, err);
  if (s) {
    free(r);
    return s;
  }
  *out = r;
  return ds_succeed(err);
}

void ds_resident_close(ds_resident *r)
{
  if (!r) return;
  r->backend->close(r);
  ds_bonded_close(&r->bonded);
  free(r->mass);
  free(r);
}

/* ----------------------------------------------------------------------------------------- settings */

static ds_status check_field(const ds_array *a, int n, int components, ds_type type,
                             const char *what, ds_error *err)
{
  if (n == 0) return DS_OK;
  if (!a->data) return ds_fail(err, DS_ERR_ARGUMENT, "no array of %s (NULL)", what);
  if (a->space != DS_SPACE_HOST)
    return ds_fail(err, DS_ERR_ARGUMENT, "an array of %s is not in host memory", what);
  if (a->type != type)
    return ds_fail(err, DS_ERR_ARGUMENT,
                   "an array of %s has elements of a type that is not allowed", what);
  if (a->atom_stride != components || (components > 1 && a->component_stride != 1))
    return ds_fail(err, DS_ERR_ARGUMENT, "in an array of %s atoms do not lie behind each other",
                   what);
  return DS_OK;
}

static ds_status check_masses(const ds_resident_atoms *a, ds_error *err)
{
  if (a->rmass.data) return check_field(&a->rmass, a->n, 1, DS_F64, "masses", err);
  if (a->ntypes < 1 || !a->mass)
    return ds_fail(err, DS_ERR_ARGUMENT, "no masses, by type or by atom");
  for (int t = 1; t <= a->ntypes; t++)
    if (!(a->mass[t] > 0.0))
      return ds_fail(err, DS_ERR_ARGUMENT, "mass %g of type %d must be > 0", a->mass[t], t);
  return DS_OK;
}

static ds_status copy_masses(ds_resident *r, const ds_resident_atoms *a, ds_error *err)
{
  if (a->rmass.data) return DS_OK;
  const size_t bytes = ((size_t) a->ntypes + 1) * sizeof(double);
  double *const mass = realloc(r->mass, bytes);
  if (!mass) return ds_fail(err, DS_ERR_MEMORY, "no host memory for masses of types");
  memcpy(mass, a->mass, bytes);
  r->mass = mass;
  return DS_OK;
}

ds_status ds_resident_set_atoms(ds_resident *r, const ds_resident_atoms *a, ds_error *err)
{
  if (a->n < 0) return ds_fail(err, DS_ERR_ARGUMENT, "%d atoms", a->n);
  const ds_type image = a->image.type == DS_I64 ? DS_I64 : DS_I32;
  ds_status s = check_field(&a->x, a->n, 3, DS_F64, "positions", err);
  if (!s) s = check_field(&a->v, a->n, 3, DS_F64, "velocities", err);
  if (!s) s = check_field(&a->f, a->n, 3, DS_F64, "forces", err);
  if (!s) s = check_field(&a->image, a->n, 1, image, "image flags", err);
  if (!s) s = check_field(&a->type, a->n, 1, DS_I32, "types", err);
  if (!s) s = check_field(&a->mask, a->n, 1, DS_I32, "group masks", err);
  if (!s && a->tag.data)
    s = check_field(&a->tag, a->n, 1, a->tag.type == DS_I64 ? DS_I64 : DS_I32, "tags", err);
  if (!s && r->reordered)
    s = ds_fail(err, DS_ERR_ARGUMENT, "atoms set in another order than the engine's");
  if (!s) s = check_masses(a, err);
  if (!s) s = copy_masses(r, a, err);
  if (s) return s;
  if (a->n != r->atoms.n) ds_bonded_close(&r->bonded);
  memset(r->kinetic_taken, 0, sizeof r->kinetic_taken);
  r->atoms = *a;
  r->atoms.mass = r->mass;
  s = r->backend->set_atoms(r, err);
  r->have_atoms = s == DS_OK;
  return s ? s : ds_succeed(err);
}

ds_status ds_resident_set_motion(ds_resident *r, const ds_motion *m, ds_error *err)
{
  if (m->ngroups < 0 || m->ngroups > DS_MOST_GROUPS)
    return ds_fail(err, DS_ERR_ARGUMENT, "%d groups that move; allowed: 0 to %d", m->ngroups,
                   DS_MOST_GROUPS);
  if (m->npushes < 0 || m->npushes > DS_MOST_GROUPS)
    return ds_fail(err, DS_ERR_ARGUMENT, "%d constant forces; allowed: 0 to %d", m->npushes,
                   DS_MOST_GROUPS);
  r->motion = *m;
  return ds_succeed(err);
}

ds_status ds_resident_set_wrap(ds_resident *r, const ds_wrap *w, ds_error *err)
{
  if (w->image_bits < 1 || w->image_bits > 21)
    return ds_fail(err, DS_ERR_ARGUMENT, "%d bits of an image flag; allowed: 1 to 21",
                   w->image_bits);
  for (int d = 0; d < 3; d++)
    if (w->periodic[d] && !(w->period[d] > 0.0))
      return ds_fail(err, DS_ERR_ARGUMENT, "period %g of the box must be > 0", w->period[d]);
  r->wrap = *w;
  return ds_succeed(err);
}

static ds_status need_atoms(const ds_resident *r, ds_error *err)
{
  return r->have_atoms ? DS_OK : ds_fail(err, DS_ERR_ARGUMENT, "no atoms have been set");
}

static int has_bonds(const ds_resident *r)
{
  return ds_bonded_terms(&r->bonded) > 0;
}

static ds_status check_reach(const ds_resident *r, const ds_bonded *b, ds_error *err)
{
  if (r->wrap.tilted) return ds_fail(err, DS_ERR_ARGUMENT, "bonds in a tilted box");
  for (int d = 0; d < 3; d++)
    if (r->wrap.periodic[d] && !(2.0 * b->reach[d] < r->wrap.period[d]))
      return ds_fail(err, DS_ERR_ARGUMENT, "reach %g of bonds must be below half the period %g",
                     b->reach[d], r->wrap.period[d]);
  return DS_OK;
}

ds_status ds_resident_set_bonded(ds_resident *r, const ds_bonded *b, ds_error *err)
{
  ds_bonded_close(&r->bonded);
  ds_status s = need_atoms(r, err);
  if (s || !b) return s ? s : ds_succeed(err);
  s = check_reach(r, b, err);
  if (!s) s = ds_bonded_set(&r->bonded, b, r->atoms.n, err);
  if (!s && has_bonds(r)) s = r->backend->set_bonded(r, err);
  if (!s && has_bonds(r)) s = r->backend->bonded_images(r, 0, err);
  if (s) ds_bonded_close(&r->bonded);
  return s ? s : ds_succeed(err);
}

/* ------------------------------------------------------------------------------------------- fields */

ds_status ds_resident_to_engine(ds_resident *r, int fields, ds_error *err)
{
  ds_status s = need_atoms(r, err);
  if (!s) s = r->backend->to_engine(r, fields, err);
  return s ? s : ds_succeed(err);
}

ds_status ds_resident_to_host(ds_resident *r, int fields, ds_error *err)
{
  ds_status s = need_atoms(r, err);
  if (!s) s = r->backend->to_host(r, fields, err);
  return s ? s : ds_succeed(err);
}

int ds_resident_is_apart(const ds_resident *r)
{
  return r->backend->apart;
}

ds_array ds_resident_array(const ds_resident *r, int field)
{
  return r->backend->array(r, field);
}

ds_status ds_resident_hold(ds_resident *r, ds_error *err)
{
  ds_status s = need_atoms(r, err);
  if (!s) s = r->backend->hold(r, err);
  return s ? s : ds_succeed(err);
}

ds_status ds_resident_held_to_host(ds_resident *r, ds_error *err)
{
  ds_status s = need_atoms(r, err);
  if (!s) s = r->backend->held_to_host(r, err);
  return s ? s : ds_succeed(err);
}

static ds_status check_set(const ds_resident *r, int set, ds_error *err)
{
  if (set < 0 || set >= DS_KINETIC_SETS)
    return ds_fail(err, DS_ERR_ARGUMENT, "set %d of kinetic energies; allowed: 0 and 1", set);
  return need_atoms(r, err);
}

ds_status ds_resident_take_kinetic(ds_resident *r, int set, int fused, ds_error *err)
{
  ds_status s = check_set(r, set, err);
  if (!s) s = r->backend->take_kinetic(r, set, fused, err);
  if (!s) r->kinetic_taken[set] = 1;
  return s ? s : ds_succeed(err);
}

ds_status ds_resident_kinetic(const ds_resident *r, int set, const double **terms, ds_error *err)
{
  ds_status s = check_set(r, set, err);
  if (!s && !r->kinetic_taken[set])
    s = ds_fail(err, DS_ERR_ARGUMENT, "set %d of kinetic energies has not been taken", set);
  if (!s) s = r->backend->kinetic(r, set, terms, err);
  return s ? s : ds_succeed(err);
}

/* ---------------------------------------------------------------------------------- parts of a step */

ds_status ds_resident_first_half(ds_resident *r, int64_t step, ds_error *err)
{
  const ds_advance a = {step, 0, 1, 1, 0, 0.0};
  ds_status s = need_atoms(r, err);
  if (!s) s = r->backend->advance(r, &a, err);
  return s ? s : ds_succeed(err);
}

ds_status ds_resident_second_half(ds_resident *r, int64_t step, ds_error *err)
{
  const ds_advance a = {step, 1, 0, 0, 0, 0.0};
  ds_status s = need_atoms(r, err);
  if (!s) s = r->backend->advance(r, &a, err);
  return s ? s : ds_succeed(err);
}

ds_status ds_resident_has_moved(ds_resident *r, double trigger2, int *moved, ds_error *err)
{
  const ds_advance a = {0, 0, 0, 0, 1, trigger2};
  ds_stop_reason why = DS_GOES_ON;
  int64_t step;
  ds_status s = need_atoms(r, err);
  if (!s) s = r->backend->advance(r, &a, err);
  if (!s) s = r->backend->end(r, NULL, &why, &step, err);
  *moved = why == DS_STOP_MOVED;
  return s ? s : ds_succeed(err);
}

ds_status ds_resident_bonded_forces(ds_resident *r, int64_t step, ds_bonded_sums *sums, int *theirs,
                                    ds_error *err)
{
  ds_stop_reason why = DS_GOES_ON;
  int64_t stopped;
  ds_status s = need_atoms(r, err);
  *theirs = 0;
  if (sums) memset(sums, 0, sizeof *sums);
  if (s || !has_bonds(r)) return s ? s : ds_succeed(err);
  s = r->backend->bonded_forces(r, step, err);
  if (!s) s = r->backend->end(r, NULL, &why, &stopped, err);
  *theirs = why == DS_STOP_BONDED;
  if (!s && sums && !*theirs) s = r->backend->bonded_sums(r, sums, err);
  return s ? s : ds_succeed(err);
}

static int is_periodic(const ds_wrap *w)
{
  return w->periodic[0] && w->periodic[1] && w->periodic[2];
}

/* With images of bonds for the new positions. */
static ds_status wrap(ds_resident *r, int64_t step, ds_error *err)
{
  const double since = ds_times_now();
  ds_status s = r->backend->wrap(r, step, err);
  if (!s && has_bonds(r)) s = r->backend->bonded_images(r, step, err);
  ds_times_add(r, DS_TIME_WRAP, since);
  return s;
}

ds_status ds_resident_renew(ds_resident *r, int64_t step, int *outside, ds_error *err)
{
  ds_stop_reason why = DS_GOES_ON;
  int64_t stopped;
  ds_status s = need_atoms(r, err);
  if (!s) s = wrap(r, step, err);
  if (!s && !is_periodic(&r->wrap)) s = r->backend->end(r, NULL, &why, &stopped, err);
  *outside = why == DS_STOP_OUTSIDE;
  return s ? s : ds_succeed(err);
}

/* ---------------------------------------------------------------------------------------- many steps */

/* Steps that may be under way while the next one is queued: with `check` those behind a renewal are in vain. */
enum { AHEAD_CHECKED = 2, AHEAD = 32, MOST_RENEWALS = AHEAD + 2 };

typedef struct {
  ds_resident *r;
  const ds_stretch *s;
  int64_t step;    /* that is being queued */
  int begun;       /* its first half has been made */
  int renew;       /* and it has to renew, whatever the rule says */
  int rewrapped;   /* and that has been counted and wrapped before */
  int64_t renewed; /* step of the last renewal queued */
  struct {
    int64_t step, before; /* before: that of the renewal before it */
    int dangerous;
  } renewal[MOST_RENEWALS]; /* queued, and maybe not yet made */
  int nrenewals;
  ds_reached *reached;
} run_state;

static int age_allows(const run_state *q)
{
  const ds_renewal *const rule = &q->s->rule;
  const int64_t age = q->step - q->renewed;
  return age >= rule->delay && age % rule->every == 0;
}

static int first_allowed_age(const ds_renewal *rule)
{
  return rule->every > rule->delay ? rule->every : rule->delay;
}

/* Renewals of steps that are over are counted; those of steps from `step` on have not happened. */
static void settle(run_state *q, int64_t step)
{
  for (int k = 0; k < q->nrenewals; k++) {
    if (q->renewal[k].step >= step) {
      q->renewed = q->renewal[k].before;
      break;
    }
    q->reached->renewals++;
    q->reached->dangerous += q->renewal[k].dangerous;
  }
  q->nrenewals = 0;
}

static void note_renewal(run_state *q)
{
  if (q->nrenewals ==
      MOST_RENEWALS) { /* the first is over: no more steps than AHEAD are under way */
    q->reached->renewals++;
    q->reached->dangerous += q->renewal[0].dangerous;
    memmove(q->renewal, q->renewal + 1, (MOST_RENEWALS - 1) * sizeof q->renewal[0]);
    q->nrenewals--;
  }
  q->renewal[q->nrenewals].step = q->step;
  q->renewal[q->nrenewals].before = q->renewed;
  q->renewal[q->nrenewals++].dangerous =
      q->s->rule.check && q->step - q->renewed == first_allowed_age(&q->s->rule);
  q->renewed = q->step;
}

/* Forces of the step, with what is wanted if it is the last one. */
static ds_status queue_forces(run_state *q, int renew, ds_error *err)
{
  ds_resident *const r = q->r;
  const int last = q->step == q->s->last;
  ds_pair_result plain, *wanted = &plain;
  memset(&plain, 0, sizeof plain);
  if (last && q->s->wanted) wanted = q->s->wanted;
  wanted->f = ds_resident_array(r, DS_FORCE);
  wanted->put_force = 1;
  const ds_array x = ds_resident_array(r, DS_POSITION), v = ds_resident_array(r, DS_VELOCITY);
  ds_status s = q->s->prepare ? q->s->prepare(q->s->user, q->step, err) : DS_OK;
  double since = ds_times_now();
  if (!s) s = ds_pair_load(r->pair, &x, &v, q->step, err);
  if (!s && (renew || !ds_pair_has_list(r->pair))) {
    s = ds_pair_build_list(r->pair, err);
    ds_times_add(r, DS_TIME_LISTS, since);
    since = ds_times_now();
  }
  if (!s) s = ds_pair_enqueue(r->pair, wanted, err);
  ds_times_add(r, DS_TIME_FORCES, since);
  if (s || !has_bonds(r)) return s;
  since = ds_times_now();
  s = r->backend->bonded_forces(r, q->step, err);
  ds_times_add(r, DS_TIME_BONDS, since);
  return s;
}

static ds_status queue_motion(run_state *q, ds_error *err)
{
  ds_advance a = {q->step, q->step > q->s->first, 1, 0, 0, q->s->rule.trigger2};
  a.check = q->s->rule.check && age_allows(q);
  const double since = ds_times_now();
  const ds_status s = q->r->backend->advance(q->r, &a, err);
  ds_times_add(q->r, DS_TIME_MOTION, since);
  return s;
}

/* The caller knows what becomes of atoms outside of the box, and of bonds that are too long. */
static int is_callers(ds_stop_reason why)
{
  return why == DS_STOP_OUTSIDE || why == DS_STOP_BONDED;
}

static ds_status sum_bonds(ds_resident *r, ds_bonded_sums *sums, ds_error *err)
{
  memset(sums, 0, sizeof *sums);
  return has_bonds(r) ? r->backend->bonded_sums(r, sums, err) : DS_OK;
}

/* Whether the step is the caller's, who renews in it: all before it is waited for. */
static int hands_over(const run_state *q, int renew)
{
  return renew && !q->rewrapped && q->step >= q->s->hand_over;
}

/* Where work has stopped, the run goes on in that step. */
static ds_status take_up(run_state *q, ds_pair_result *result, ds_stop_reason *why, ds_error *err)
{
  int64_t step;
  const ds_status s = q->r->backend->end(q->r, result, why, &step, err);
  if (s || *why == DS_GOES_ON) return s;
  /* lists that were too small, and bonds, are behind a renewal which has happened, as far as it is counted */
  const int renewed = *why == DS_STOP_LIST || *why == DS_STOP_BONDED;
  settle(q, renewed ? step + 1 : step);
  q->step = step;
  q->begun = q->renew = 1;
  q->rewrapped = renewed;
  return s;
}

/* Queues the step; `given` where it has become the caller's. */
static ds_status queue_step(run_state *q, int *given, ds_error *err)
{
  ds_resident *const r = q->r;
  ds_status s = DS_OK;
  *given = 0;
  if (!q->begun) s = queue_motion(q, err);
  if (s || (!q->begun && r->backend->stopped(r))) return s;
  const int renew = q->renew || (!q->begun && !q->s->rule.check && age_allows(q));
  if (hands_over(q, renew)) {
    *given = 1;
    return DS_OK;
  }
  if (renew && !q->rewrapped) {
    note_renewal(q);
    s = wrap(r, q->step, err);
    if (s || r->backend->stopped(r)) return s;
  }
  s = queue_forces(q, renew, err);
  q->begun = q->renew = q->rewrapped = 0;
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
      } else if (!s && r->backend->stopped(r))
        s = take_up(q, NULL, &why, err);
      else if (!s)
        s = r->backend->mark_step(r, ahead, err);
    } else {
      const ds_advance a = {q->s->last, 1, 0, 0, 0, 0.0};
      s = r->backend->advance(r, &a, err);
      if (!s) s = take_up(q, q->s->wanted, &why, err);
      if (!s && !why) break;
    }
    if (!s && is_callers(why)) {
      q->reached->step = q->step;
      q->reached->whole = 0;
      q->reached->bonded = why == DS_STOP_BONDED;
      return DS_OK;
    }
  }
  if (!s && q->s->sums) s = sum_bonds(r, q->s->sums, err);
  settle(q, q->s->last + 1);
  q->reached->step = q->s->last;
  q->reached->whole = 1;
  return s;
}

ds_status ds_resident_run(ds_resident *r, const ds_stretch *stretch, ds_reached *reached,
                          ds_error *err)
{
  run_state q;
  memset(&q, 0, sizeof q);
  memset(reached, 0, sizeof *reached);
  ds_status s = need_atoms(r, err);
  if (!s && (stretch->rule.every < 1 || stretch->rule.delay < 0))
    s = ds_fail(err, DS_ERR_ARGUMENT,
                "lists renewed every %d steps, delay %d; allowed: every >= 1, delay >= 0",
                stretch->rule.every, stretch->rule.delay);
  if (!s && (stretch->first < 1 || stretch->last < stretch->first))
    s = ds_fail(err, DS_ERR_ARGUMENT, "steps %lld to %lld", (long long) stretch->first,
                (long long) stretch->last);
  if (s) return s;
  q.r = r;
  q.s = stretch;
  q.step = stretch->first;
  q.begun = stretch->begun;
  q.renewed = stretch->renewed;
  q.reached = reached;
  ds_times_begin(r, stretch->last - stretch->first + 1);
  s = run_steps(&q, err);
  reached->renewed = q.renewed;
  ds_times_end(r, reached->step - stretch->first + 1, reached->renewals, reached->ms);
  return s ? s : ds_succeed(err);
}
