/* Operations that are due, cut into launches.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "step.h"

#include <math.h>
#include <string.h>

enum { X = DS_POSITION, V = DS_VELOCITY, F = DS_FORCE, IMAGE = DS_IMAGE, TAG = DS_TAG };

const ds_operation_use ds_operation_uses[DS_OPERATION_KINDS] = {
    [DS_NVE_INITIAL] = {"first half of fix nve", X | V | F, X | V, 0},
    [DS_NVE_FINAL] = {"second half of fix nve", V | F, V, 0},
    [DS_NVE_LIMIT_INITIAL] = {"first half of fix nve/limit", X | V | F, X | V, 0},
    [DS_NVE_LIMIT_FINAL] = {"second half of fix nve/limit", V | F, V, 0},
    [DS_ADD_FORCE] = {"fix addforce", X | F | IMAGE, F, 0},
    [DS_SET_FORCE] = {"fix setforce", F, F, 0},
    [DS_SUM_FORCE] = {"sum of forces", F, 0, 0},
    [DS_AVERAGE_FORCE] = {"fix aveforce", F, F, 0},
    [DS_GRAVITY] = {"fix gravity", X | F, F, 0},
    [DS_LANGEVIN] = {"fix langevin", V | F | TAG, F, 0},
    [DS_SUM_CENTER] = {"center of mass", X | IMAGE, 0, 0},
    [DS_SPRING_TETHER] = {"fix spring", F, F, 0},
    [DS_WALL_REFLECT] = {"fix wall/reflect", X | V, X | V, 0},
    [DS_WALL_BOUNCE] = {"fix wall/bounce", X | V, X | V, 0},
    [DS_REGION_BOUNCE] = {"fix wall/bounce", X | V, X | V, 0},
    [DS_WALL_LJ93] = {"fix wall/lj93", X | F, F, 0},
    [DS_WALL_LJ126] = {"fix wall/lj126", X | F, F, 0},
    [DS_WALL_HARMONIC] = {"fix wall/harmonic", X | F, F, 0},
    [DS_SUM_KINETIC] = {"kinetic energy", V, 0, 0},
    [DS_SUM_KINETIC_TRACE] = {"kinetic energy", V, 0, 0},
    [DS_RESCALE_TEMPERATURE] = {"fix temp/rescale", V, V, 0},
    [DS_SUM_MOMENTUM] = {"momentum", V, 0, 0},
    [DS_REMOVE_MOMENTUM] = {"fix momentum", V, V, 0},
    [DS_RESCALE_ENERGY] = {"fix momentum rescale", V, V, 0},
    [DS_SPRING_SELF] = {"fix spring/self", X | F | IMAGE, F, 1},
    [DS_SUM_DISPLACEMENT] = {"displacements", X | IMAGE, 0, 1},
    [DS_MOVE_LINEAR_INITIAL] = {"first half of fix move", X | V | F | IMAGE, X | V, 1},
    [DS_MOVE_LINEAR_FINAL] = {"second half of fix move", V | F, V, 0},
    [DS_SUM_ROTATION] = {"angular momentum", X | V | IMAGE, 0, 0},
    [DS_REMOVE_ROTATION] = {"fix momentum angular", X | V | IMAGE, V, 0},
    [DS_SUM_NOISE] = {"sum of noise", TAG, 0, 0},
    [DS_SUM_WORK] = {"work of a thermostat", V, 0, 1},
    [DS_SCALE_VELOCITY] = {"scaling of velocities", V, V, 0},
    [DS_DRIFT] = {"drift", X | V, X, 0},
    [DS_REMAP] = {"remap", X, X, 0},
    [DS_TO_FRACTIONS] = {"positions to fractions", X, X, 0},
    [DS_FROM_FRACTIONS] = {"positions from fractions", X, X, 0},
    [DS_CHANGE_BOX] = {"change of the box", 0, 0, 0},
    [DS_ADD_TO_BINS] = {"bins", X, 0, 0},
    [DS_BODY_SUM] = {"sums of rigid bodies", X | F | IMAGE | DS_BODY_NUMBER, 0, 0, 1},
    [DS_BODY_VELOCITY] = {"second half of rigid bodies", X | V | IMAGE | DS_BODY_NUMBER, V, 1, 1},
    [DS_BODY_PLACE] = {"first half of rigid bodies", X | V | IMAGE | DS_BODY_NUMBER, X | V, 1, 1},
};

/* ------------------------------------------------------------------------------------------- setting */

static ds_status check_region(const ds_step_program *p, int k, ds_error *err)
{
  const ds_region *const r = &p->region[k];
  if (r->kind < DS_REGION_BLOCK || r->kind > DS_REGION_INTERSECT)
    return ds_fail(err, DS_ERR_ARGUMENT, "region %d is of kind %d", k, (int) r->kind);
  if (r->kind < DS_REGION_UNION) return DS_OK;
  if (r->first < 0 || r->count < 1 || r->first > p->nregions - r->count)
    return ds_fail(err, DS_ERR_ARGUMENT, "region %d is made of %d from number %d on, of %d", k,
                   (int) r->count, (int) r->first, (int) p->nregions);
  for (int j = r->first; j < r->first + r->count; j++)
    if (p->region[j].kind >= DS_REGION_UNION)
      return ds_fail(err, DS_ERR_ARGUMENT, "region %d is made of others that are made of others", k);
  return DS_OK;
}

/* Sums of other operations. */
static int reads_sums(const ds_operation *o)
{
  switch (o->kind) {
    case DS_AVERAGE_FORCE:
    case DS_SPRING_TETHER:
    case DS_RESCALE_TEMPERATURE:
    case DS_REMOVE_MOMENTUM:
    case DS_RESCALE_ENERGY:
    case DS_SUM_ROTATION:
    case DS_REMOVE_ROTATION: return 1;
    case DS_SUM_DISPLACEMENT: return o->number[0] != 0.0;
    case DS_LANGEVIN: return o->number[5] != 0.0;
    default: return 0;
  }
}

/* How many operations, one after the other. */
static int count_sums_read(const ds_operation *o)
{
  return o->kind == DS_LANGEVIN && o->number[5] > 1.0 ? (int) o->number[5] : 1;
}

static int reads_sums_of(const ds_operation *o, int place)
{
  return o->also == place || (o->from >= 0 && o->from <= place && place < o->from + count_sums_read(o));
}

static int has_anchors(const ds_operation *o)
{
  return ds_operation_uses[o->kind].anchors || (o->kind == DS_LANGEVIN && o->number[6] != 0.0);
}

/* NULL: it asks for no temperature. */
static const double *bias_of(const ds_operation *o)
{
  switch (o->kind) {
    case DS_SUM_KINETIC:
    case DS_SUM_KINETIC_TRACE: return o->number;
    case DS_RESCALE_TEMPERATURE: return o->number + 5;
    case DS_SUM_NOISE:
    case DS_LANGEVIN: return o->number + 7;
    case DS_ADD_TO_BINS: return o->number + 1;
    default: return NULL;
  }
}

/* Fields beside those of its kind: where it asks for types, these lie with masks. */
static int reads_more(const ds_operation *o)
{
  const double *const bias = bias_of(o);
  const int types = (o->kind == DS_LANGEVIN || o->kind == DS_SUM_NOISE) && o->number[4] != 0.0;
  return (o->region >= 0 ? DS_POSITION : 0) | (types ? DS_IDENTITY : 0) |
         (bias && bias[0] == DS_BIAS_FLOW ? DS_POSITION : 0) | (bias && bias[0] != DS_BIAS_NONE ? DS_VELOCITY : 0);
}

/* Edges that undo the wrap of positions, or the flow. */
static int reads_box(const ds_operation *o)
{
  const double *const bias = bias_of(o);
  return (ds_operation_uses[o->kind].reads & DS_IMAGE) || (bias && bias[0] == DS_BIAS_FLOW);
}

/* Of two operations. */
static int reads_two_sums(const ds_operation *o)
{
  return o->kind == DS_RESCALE_ENERGY || o->kind == DS_REMOVE_ROTATION;
}

static ds_status check_numbers(const ds_operation *o, ds_error *err)
{
  for (int j = 0; j < DS_OPERATION_NUMBERS; j++)
    if (!isfinite(o->number[j]))
      return ds_fail(err, DS_ERR_ARGUMENT, "%s has %g as number %d", ds_operation_uses[o->kind].name, o->number[j], j);
  return DS_OK;
}

/* It has launches and memory of its own. */
static ds_status check_use_of_bins(const ds_step_program *p, const ds_operation *o, ds_error *err)
{
  const double k = o->number[0];
  if (o->kind != DS_ADD_TO_BINS) return DS_OK;
  if (!(k >= 0.0 && k < p->nbinnings) || k != trunc(k))
    return ds_fail(err, DS_ERR_ARGUMENT, "bins %g of %d", k, (int) p->nbinnings);
  if (o->nsums || (o->flags & ~DS_OUTSIDE_REGION))
    return ds_fail(err, DS_ERR_ARGUMENT, "bins with flags %d and %d sums", (int) o->flags, (int) o->nsums);
  return DS_OK;
}

static ds_status check_operation(const ds_step_program *p, int k, ds_error *err)
{
  const ds_operation *const o = &p->operation[k];
  if (o->kind < 0 || o->kind >= DS_OPERATION_KINDS || o->point < 0 || o->point >= DS_POINTS)
    return ds_fail(err, DS_ERR_ARGUMENT, "operation %d is of kind %d at point %d", k, (int) o->kind,
                   (int) o->point);
  const char *const name = ds_operation_uses[o->kind].name;
  if (k > 0 && p->operation[k - 1].point > o->point)
    return ds_fail(err, DS_ERR_ARGUMENT, "%s is not in the order of points", name);
  if (o->anchor < 0 || o->anchor >= DS_MOST_ANCHORS)
    return ds_fail(err, DS_ERR_ARGUMENT, "%s reads array %d of anchors; allowed: 0 to %d", name, (int) o->anchor,
                   DS_MOST_ANCHORS - 1);
  if (o->every < 1) return ds_fail(err, DS_ERR_ARGUMENT, "%s every %d steps", name, (int) o->every);
  if (o->region < -1 || o->region >= p->nregions)
    return ds_fail(err, DS_ERR_ARGUMENT, "%s in region %d of %d", name, (int) o->region,
                   (int) p->nregions);
  if (((o->flags & DS_OUTSIDE_REGION) || o->kind == DS_REGION_BOUNCE) && o->region < 0)
    return ds_fail(err, DS_ERR_ARGUMENT, "%s outside of no region", name);
  if (o->nsums < 0 || o->nsums > DS_OPERATION_SUMS || (o->nsums && !(o->unit > 0.0)))
    return ds_fail(err, DS_ERR_ARGUMENT, "%s adds up %d sums in units of %g", name, (int) o->nsums,
                   o->unit);
  if (o->from < -1 || o->from >= k || o->also < -1 || o->also >= k ||
      (reads_sums(o) && (o->from < 0 || !(o->flags & DS_AFTER_SUMS))) ||
      (reads_two_sums(o) && o->also < 0) || ((o->flags & DS_AFTER_SUMS) && o->from < 0))
    return ds_fail(err, DS_ERR_ARGUMENT, "%s reads sums of operation %d", name, (int) o->from);
  if ((o->flags & DS_ASKS) && o->from >= 0 && !(o->flags & DS_AFTER_SUMS))
    return ds_fail(err, DS_ERR_ARGUMENT, "%s asks about sums of operation %d before they are whole", name, (int) o->from);
  if (o->kind == DS_CHANGE_BOX && !(o->flags & DS_ASKS)) return ds_fail(err, DS_ERR_ARGUMENT, "%s without a question", name);
  if (check_numbers(o, err) || check_use_of_bins(p, o, err)) return DS_ERR_ARGUMENT;
  if (o->from >= 0 && o->from + count_sums_read(o) > k)
    return ds_fail(err, DS_ERR_ARGUMENT, "%s reads sums of %d operations", name, count_sums_read(o));
  for (int j = 0; j < k; j++)
    if (reads_sums_of(o, j) && (p->operation[j].flags & DS_ADDS_UP))
      return ds_fail(err, DS_ERR_ARGUMENT, "%s reads sums that go on from step to step", name);
  return DS_OK;
}

ds_status ds_steps_set(ds_steps *steps, const ds_step_program *p, ds_error *err)
{
  ds_status s = DS_OK;
  if (p->n < 0 || p->n > DS_MOST_OPERATIONS || p->nregions < 0 || p->nregions > DS_MOST_REGIONS)
    return ds_fail(err, DS_ERR_ARGUMENT, "%d operations in %d regions; allowed: 0 to %d and %d",
                   (int) p->n, (int) p->nregions, DS_MOST_OPERATIONS, DS_MOST_REGIONS);
  if (p->nbinnings < 0 || p->nbinnings > DS_MOST_BINNINGS)
    return ds_fail(err, DS_ERR_ARGUMENT, "%d kinds of bins; allowed: 0 to %d", (int) p->nbinnings, DS_MOST_BINNINGS);
  for (int k = 0; k < p->nregions && !s; k++) s = check_region(p, k, err);
  for (int k = 0; k < p->nbinnings && !s; k++) s = ds_bins_check(&p->binning[k], k, err);
  for (int k = 0; k < p->n && !s; k++) s = check_operation(p, k, err);
  for (int k = 0; k < 9 && !s; k++)
    if (!isfinite(p->flow[k])) s = ds_fail(err, DS_ERR_ARGUMENT, "the flow has %g as number %d", p->flow[k], k);
  if (!s) steps->program = *p;
  return s;
}

void ds_steps_close(ds_steps *steps)
{
  ds_bodies_close(&steps->bodies, steps->queue);
  ds_buffer_free(steps->queue->memory.memory, &steps->sums);
  ds_buffer_free(steps->queue->pinned.memory, &steps->sums_host);
  for (int k = 0; k < DS_MOST_BINNINGS; k++) ds_bins_close(steps->queue, &steps->bins[k]);
}

/* ------------------------------------------------------------------------------------------- launches */

static ds_status reserve_sums(ds_steps *r, ds_error *err)
{
  const ds_memory *const memory = r->queue->memory.memory, *const pinned = r->queue->pinned.memory;
  if (r->sums.data) return DS_OK;
  ds_status s = ds_buffer_reserve(memory, &r->sums, DS_STEP_SUMS, sizeof(ds_exact_sum), "sums of operations", err);
  if (!s)
    s = ds_buffer_reserve(pinned, &r->sums_host, DS_STEP_SUMS, sizeof(ds_exact_sum), "sums of operations", err);
  return s ? s
           : ds_queue_clear(r->queue, r->sums.data, DS_STEP_SUMS * sizeof(ds_exact_sum), "clearing sums", err);
}

static ds_status copy_sums(ds_steps *r, int back, ds_error *err)
{
  const size_t bytes = DS_STEP_SUMS * sizeof(ds_exact_sum);
  return ds_queue_copy(r->queue, back ? r->sums.data : r->sums_host.data,
                       back ? r->sums_host.data : r->sums.data, bytes, "copying sums", err);
}

/* Of a set of operations, a bit for each: the next ones from number *first on that follow one another. Returns how many. */
static int next_run(uint32_t set, int *first)
{
  while (*first < DS_MOST_OPERATIONS && !(set >> *first & 1)) ++*first;
  int end = *first;
  while (end < DS_MOST_OPERATIONS && (set >> end & 1)) end++;
  return end - *first;
}

/* Sums of this process become those of all, for a set of operations. */
static ds_status reduce_sums(ds_steps *r, uint32_t set, ds_error *err)
{
  if (!r->reduce || !set) return DS_OK;
  ds_status s = copy_sums(r, 0, err);
  if (!s) s = ds_queue_wait(r->queue, "sums of operations", err);
  if (s) return s;
  for (int k = 0, n; (n = next_run(set, &k)) > 0; k += n)
    r->reduce(r->reduce_user, DS_DATA(ds_exact_sum, r->sums_host) + k * DS_OPERATION_SUMS, n * DS_OPERATION_SUMS);
  return copy_sums(r, 1, err);
}

typedef struct {
  ds_steps *r;
  const ds_resident_view *atoms;
  const ds_wrap *box;
  ds_step_launch launch;
  int64_t step;      /* of the launch */
  double trigger2;   /* of its check */
  int reads_box;     /* some operation of the launch does */
  uint32_t not_whole; /* operations whose sums are those of this process alone, a bit for each */
  int bodies_not_whole; /* the same of sums of rigid bodies */
  ds_body_launch of_bodies; /* what they have still to do */
  const ds_advance *how;
} launches;

static void take_box(launches *l)
{
  memcpy(l->launch.context.edge, l->box->edge, sizeof l->box->edge);
  memcpy(l->launch.context.flow, l->r->program.flow, sizeof l->r->program.flow);
}

static void start_launch(launches *l)
{
  const ds_steps *const r = l->r;
  memset(&l->launch, 0, sizeof l->launch);
  memcpy(l->launch.region, r->program.region, sizeof l->launch.region);
  take_box(l);
  l->reads_box = 0;
  l->launch.context.sums = l->launch.sums = DS_DATA(ds_exact_sum, r->sums);
  l->launch.context.bodies = DS_DATA(ds_body, r->bodies.state);
  l->launch.body_sums = DS_DATA(ds_exact_sum, r->bodies.sums);
  l->launch.image_bits = l->box->image_bits;
  l->launch.is_plain = 1;
}

/* Sums begin at 0 where they are added to; those of operations that do not act now stay. */
static ds_status clear_sums(launches *l, ds_error *err)
{
  uint32_t set = 0;
  ds_status s = DS_OK;
  for (int k = 0; k < l->launch.n; k++)
    if (l->launch.tally[k] && !(l->launch.operation[k].flags & DS_ADDS_UP)) set |= (uint32_t) 1 << l->launch.place[k];
  l->not_whole |= set;
  for (int k = 0, n; !s && (n = next_run(set, &k)) > 0; k += n)
    s = ds_queue_clear(l->r->queue, DS_DATA(ds_exact_sum, l->r->sums) + k * DS_OPERATION_SUMS,
                       (size_t) n * DS_OPERATION_SUMS * sizeof(ds_exact_sum), "clearing sums", err);
  return s;
}

static ds_operate_stage *operate_stage(const ds_queue *q)
{
#ifdef DS_HAVE_CUDA
  if (!ds_queue_is_host(q)) return ds_operate_cuda;
#endif
  (void) q;
  return ds_operate_host;
}

static ds_status send_launch(launches *l, ds_error *err)
{
  const ds_step_launch *const m = &l->launch;
  if (m->n == 0 && !m->clear && !m->check) return DS_OK;
  ds_status s = clear_sums(l, err);
  if (!s) s = operate_stage(l->r->queue)(l->r->queue, l->atoms, m, l->step, err);
  start_launch(l);
  return s;
}

static ds_status make_sums_whole(launches *l, ds_error *err)
{
  const uint32_t set = l->not_whole;
  l->not_whole = 0;
  return reduce_sums(l->r, set, err);
}

/* Sums of one operation, and whether something has stopped, for the host: waits. */
static ds_status see_sums(ds_steps *r, int operation, ds_error *err)
{
  const size_t at = (size_t) operation * DS_OPERATION_SUMS;
  const ds_status s = ds_queue_copy(r->queue, DS_DATA(ds_exact_sum, r->sums_host) + at, DS_DATA(ds_exact_sum, r->sums) + at,
                                    DS_OPERATION_SUMS * sizeof(ds_exact_sum), "copying sums", err);
  return s ? s : ds_queue_look(r->queue, "sums of operations", err);
}

/* What is about sums is asked when the launches before have been sent. Where something has stopped, nothing acts any more, and
   nobody is asked. What is in no launch yet and reads the box still acts in the one that there was. */
static ds_status ask(launches *l, int place, int64_t step, ds_error *err)
{
  ds_steps *const r = l->r;
  const int from = r->program.operation[place].from;
  ds_question q = {step, place, NULL, &r->program, &l->trigger2};
  ds_status s = DS_OK;
  if (from >= 0) s = see_sums(r, from, err);
  if (s || ds_queue_stopped(r->queue)) return s;
  if (from >= 0) q.sums = DS_DATA(ds_exact_sum, r->sums_host) + from * DS_OPERATION_SUMS;
  s = r->answer(r->answer_user, &q, err);
  for (int k = place; k < r->program.n && !s; k++) s = check_numbers(&r->program.operation[k], err);
  if (!s && l->reads_box && memcmp(l->launch.context.edge, l->box->edge, sizeof l->box->edge) != 0) s = send_launch(l, err);
  take_box(l);
  return s;
}

static int begins_launch(const ds_operation *o)
{
  return (o->flags & DS_AFTER_SUMS) || ((o->flags & DS_ASKS) && o->from >= 0) || o->kind == DS_ADD_TO_BINS;
}

/* What acts before has been sent. */
static ds_status add_to_bins(launches *l, int place, int64_t step, ds_error *err)
{
  ds_steps *const r = l->r;
  const ds_operation *const o = &r->program.operation[place];
  const int k = (int) o->number[0];
  ds_bin_launch b;
  memset(&b, 0, sizeof b);
  b.operation = *o;
  b.binning = r->program.binning[k];
  memcpy(b.region, r->program.region, sizeof b.region);
  b.context = l->launch.context;
  b.tallies = r->tallies;
  b.reads = ds_bins_reads(&b.binning) | reads_more(o);
  return ds_bins_add(r->queue, &r->bins[k], l->atoms, &b, step, err);
}

static int is_due(const ds_step_program *p, int place, const ds_due *due)
{
  const ds_operation *const o = &p->operation[place];
  if (due->step % o->every || (!due->tally && (o->flags & DS_LAST_STEP_ONLY))) return 0;
  return o->kind != DS_ADD_TO_BINS || ds_bins_are_due(&p->binning[(int) o->number[0]], due->step);
}

static int is_nve(const ds_operation *o)
{
  return o->kind == DS_NVE_INITIAL || o->kind == DS_NVE_FINAL;
}

/* Velocities at the end of a step that nobody sees before the first half of the next one gives others: particles of bodies are
   gone through once less. Other particles' velocity Verlet may come between. */
static int is_seen_by_nobody(const launches *l, int place)
{
  const ds_step_program *const p = &l->r->program;
  const ds_due *const now = &l->how->due[0], *const next = &l->how->due[1];
  if (now->tally || next->tally || place < now->first || place >= now->end) return 0;
  for (int k = place + 1; k < now->end; k++)
    if (is_due(p, k, now) && !is_nve(&p->operation[k])) return 0;
  for (int k = next->first; k < next->end; k++) {
    const ds_operation *const o = &p->operation[k];
    if (is_due(p, k, next) && o->kind == DS_BODY_PLACE) return 1;
    if (is_due(p, k, next) && !is_nve(o)) return 0;
  }
  return 0;
}

/* The half of a step that bodies make before the operation acts on particles. */
static ds_status move_bodies(launches *l, const ds_operation *o, int64_t step, ds_error *err)
{
  ds_body_launch *const m = &l->of_bodies;
  const int ends = o->kind == DS_BODY_VELOCITY;
  if (ends) {
    m->ends = 1;
    m->end = *o;
    m->step = step;
  } else {
    m->begins = 1;
    m->begin = *o;
  }
  if (ends && is_seen_by_nobody(l, (int) (o - l->r->program.operation))) return DS_OK;
  ds_status s = send_launch(l, err);
  if (!s && l->bodies_not_whole && l->r->reduce)
    s = ds_bodies_reduce(&l->r->bodies, l->r->queue, l->r->reduce, l->r->reduce_user, err);
  l->bodies_not_whole = 0;
  m->box = *l->box;
  if (!s) s = ds_bodies_move(&l->r->bodies, l->r->queue, m, l->step, err);
  m->ends = m->begins = 0;
  return s;
}

static ds_status add_operation(launches *l, int place, int64_t step, int tally, ds_error *err)
{
  const ds_operation *const o = &l->r->program.operation[place];
  const ds_operation_use *const use = &ds_operation_uses[o->kind];
  ds_step_launch *const m = &l->launch;
  ds_status s = DS_OK;
  if (m->n == DS_LAUNCH_OPERATIONS || begins_launch(o) || (o->kind == DS_CHANGE_BOX && l->reads_box)) s = send_launch(l, err);
  if (!s && (o->flags & DS_AFTER_SUMS)) s = make_sums_whole(l, err);
  if (!s && (o->flags & DS_ASKS)) s = ask(l, place, step, err);
  if (s || o->kind == DS_CHANGE_BOX) return s;
  if (o->kind == DS_BODY_VELOCITY || o->kind == DS_BODY_PLACE) {
    s = move_bodies(l, o, step, err);
    if (l->of_bodies.ends) return s;
  }
  if (s || o->kind == DS_ADD_TO_BINS) return s ? s : add_to_bins(l, place, step, err);
  l->reads_box |= reads_box(o);
  l->bodies_not_whole |= o->kind == DS_BODY_SUM;
  m->operation[m->n] = *o;
  m->step[m->n] = step;
  m->place[m->n] = place;
  m->from_unit[m->n] = o->from < 0 ? 1.0 : l->r->program.operation[o->from].unit;
  m->also_unit[m->n] = o->also < 0 ? 1.0 : l->r->program.operation[o->also].unit;
  m->tally[m->n++] = o->nsums > 0 && tally;
  m->reads |= use->reads | reads_more(o) | (use->bodies && m->tally[m->n - 1] ? F : 0);
  m->writes |= use->writes;
  m->sets |= ds_operation_set(o->kind);
  m->is_plain &= (o->kind == DS_NVE_INITIAL || o->kind == DS_NVE_FINAL) && o->region < 0;
  return s;
}

/* Sums are wanted in any step where another operation reads them, or where they have to last until the next step in which the
   operation acts; others where somebody looks. */
static int keeps_sums(const ds_step_program *p, int place)
{
  if (p->operation[place].every > 1 || (p->operation[place].flags & DS_ADDS_UP)) return 1;
  for (int k = place + 1; k < p->n; k++)
    if (reads_sums_of(&p->operation[k], place)) return 1;
  return 0;
}

static ds_status add_due(launches *l, const ds_due *due, ds_error *err)
{
  const ds_step_program *const p = &l->r->program;
  ds_status s = DS_OK;
  for (int k = due->first; k < due->end && !s; k++)
    if (is_due(p, k, due)) s = add_operation(l, k, due->step, due->tally || keeps_sums(p, k), err);
  return s;
}

static ds_status check_tallies(const ds_steps *steps, const ds_operation *o, int64_t step, ds_error *err)
{
  const int set = o->kind == DS_ADD_TO_BINS ? ds_tallies_of_bins(&steps->program.binning[(int) o->number[0]]) : 0;
  for (int k = 0; k < 2 * DS_TALLIES; k++)
    if ((set >> k & 1) && steps->tallied[k] != step)
      return ds_fail(err, DS_ERR_ARGUMENT, "bins read %s of particles in step %lld, and part %d of them has not been tallied",
                     k < DS_TALLIES ? "energies" : "virials", (long long) step, k % DS_TALLIES);
  return DS_OK;
}

/* That an operation finds what it needs. */
static ds_status check_due(const ds_steps *steps, int place, const ds_resident_view *a, int64_t step, ds_error *err)
{
  const ds_operation *const o = &steps->program.operation[place];
  const ds_operation_use *const use = &ds_operation_uses[o->kind];
  if ((o->flags & DS_ASKS) && !steps->answer)
    return ds_fail(err, DS_ERR_ARGUMENT, "operation %d asks, and nobody answers", place);
  if (has_anchors(o) && a->n > 0 && !a->anchor[o->anchor])
    return ds_fail(err, DS_ERR_ARGUMENT, "%s reads array %d of anchors, which is not there", use->name, (int) o->anchor);
  if (use->bodies && (steps->bodies.n == 0 || (a->n > 0 && !a->body)))
    return ds_fail(err, DS_ERR_ARGUMENT, "%s: no rigid bodies have been set", use->name);
  if ((use->reads & DS_TAG) && a->n > 0 && !a->tag.data)
    return ds_fail(err, DS_ERR_ARGUMENT, "%s needs tags of atoms, which are not there", use->name);
  return check_tallies(steps, o, step, err);
}

ds_status ds_steps_check(const ds_steps *steps, const ds_resident_view *a, const ds_advance *how, ds_error *err)
{
  ds_status s = DS_OK;
  for (const ds_due *due = how->due; due < how->due + 2; due++)
    for (int k = due->first; k < due->end && !s; k++)
      if (is_due(&steps->program, k, due)) s = check_due(steps, k, a, due->step, err);
  return s;
}

ds_status ds_steps_advance(ds_steps *steps, const ds_resident_view *a, const ds_wrap *box,
                           const ds_advance *how, ds_error *err)
{
  launches l;
  l.r = steps;
  l.atoms = a;
  l.box = box;
  l.step = how->step;
  l.trigger2 = how->trigger2;
  l.not_whole = 0;
  l.bodies_not_whole = l.of_bodies.ends = l.of_bodies.begins = 0;
  l.how = how;
  ds_status s = ds_steps_check(steps, a, how, err);
  if (!s) s = reserve_sums(steps, err);
  if (s) return s;
  start_launch(&l);
  for (int k = 0; k < 2 && !s; k++) s = add_due(&l, &how->due[k], err);
  l.launch.clear = how->clear;
  l.launch.check = how->check;
  l.launch.trigger2 = l.trigger2;
  if (!s) s = send_launch(&l, err);
  return s ? s : make_sums_whole(&l, err);
}

/* Of one operation: those of all processes, in the form that does not tell how they came about. */
static void finish_lasting_sums(const ds_steps *steps, ds_exact_sum sums[DS_OPERATION_SUMS])
{
  if (steps->reduce) steps->reduce(steps->reduce_user, sums, DS_OPERATION_SUMS);
  for (int j = 0; j < DS_OPERATION_SUMS; j++) ds_exact_carry(&sums[j]);
}

ds_status ds_steps_sums(ds_steps *steps, ds_exact_sum sums[DS_STEP_SUMS], ds_error *err)
{
  ds_status s = reserve_sums(steps, err);
  if (!s) s = copy_sums(steps, 0, err);
  if (!s) s = ds_queue_wait(steps->queue, "sums of operations", err);
  if (s) return s;
  memcpy(sums, steps->sums_host.data, DS_STEP_SUMS * sizeof *sums);
  for (int k = 0; k < steps->program.n; k++)
    if (steps->program.operation[k].flags & DS_ADDS_UP) finish_lasting_sums(steps, sums + k * DS_OPERATION_SUMS);
  return DS_OK;
}

ds_status ds_steps_clear_sums(ds_steps *steps, ds_error *err)
{
  ds_status s = reserve_sums(steps, err);
  if (!s) s = ds_queue_clear(steps->queue, steps->sums.data, DS_STEP_SUMS * sizeof(ds_exact_sum), "clearing sums", err);
  for (int k = 0; k < DS_MOST_BINNINGS && !s; k++) s = ds_bins_clear(steps->queue, &steps->bins[k], err);
  return s;
}

ds_status ds_steps_take_bins(ds_steps *steps, int binning, ds_exact_sum *cells, size_t n, ds_error *err)
{
  if (binning < 0 || binning >= DS_MOST_BINNINGS)
    return ds_fail(err, DS_ERR_ARGUMENT, "bins %d; allowed: 0 to %d", binning, DS_MOST_BINNINGS - 1);
  return ds_bins_take(steps->queue, &steps->bins[binning], cells, n, err);
}

int ds_operation_writes(ds_operation_kind kind)
{
  return ds_operation_uses[kind].writes;
}

int ds_steps_have_bodies(const ds_steps *steps)
{
  for (int k = 0; k < steps->program.n; k++)
    if (ds_operation_uses[steps->program.operation[k].kind].bodies) return 1;
  return 0;
}

/* The first operation of this point or one behind it. */
int ds_step_begin(const ds_step_program *p, ds_point point)
{
  int k = 0;
  while (k < p->n && p->operation[k].point < (int32_t) point) k++;
  return k;
}

/* ------------------------------------------------------------------------------------------- faults */

int ds_steps_fault_atom(const ds_steps *steps)
{
  return (int) (~steps->queue->control_host->operation_fault & 0xFFFFFFFFu);
}

ds_status ds_steps_fault(const ds_steps *steps, int64_t tag, const double x[3], ds_error *err)
{
  const ds_control *const seen = steps->queue->control_host;
  const unsigned long long fault = ~seen->operation_fault;
  const ds_operation *const o = &steps->program.operation[fault >> 32 & 0xFF];
  const long long step = seen->step - (fault >> 40 ? 0 : 1);
  return ds_fail(err, DS_ERR_POSITION,
                 "%s: atom %lld at (%g, %g, %g) in step %lld is on the wall or behind it, or came there from elsewhere "
                 "than the fluid",
                 ds_operation_uses[o->kind].name, (long long) tag, x[0], x[1], x[2], step);
}
