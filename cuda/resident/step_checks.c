/* Operations of a step: what each kind reads and changes, what is checked of a program, and faults in words.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "step.h"

#include <math.h>

enum { X = DS_POSITION, V = DS_VELOCITY, F = DS_FORCE, IMAGE = DS_IMAGE, TAG = DS_TAG };

const ds_operation_use ds_operation_uses[DS_OPERATION_KINDS] = {
    [DS_NVE_INITIAL] = {"first half of fix nve", X | V | F, X | V},
    [DS_NVE_FINAL] = {"second half of fix nve", V | F, V},
    [DS_NVE_LIMIT_INITIAL] = {"first half of fix nve/limit", X | V | F, X | V},
    [DS_NVE_LIMIT_FINAL] = {"second half of fix nve/limit", V | F, V},
    [DS_ADD_FORCE] = {"fix addforce", X | F | IMAGE, F},
    [DS_SET_FORCE] = {"fix setforce", F, F},
    [DS_SUM_FORCE] = {"sum of forces", F, 0},
    [DS_AVERAGE_FORCE] = {"fix aveforce", F, F, .sums = 1},
    [DS_GRAVITY] = {"fix gravity", X | F, F},
    [DS_LANGEVIN] = {"fix langevin", V | F | TAG, F, .has_bias = 1, .bias = 7},
    [DS_SUM_CENTER] = {"center of mass", X | IMAGE, 0},
    [DS_SPRING_TETHER] = {"fix spring", F, F, .sums = 1},
    [DS_WALL_REFLECT] = {"fix wall/reflect", X | V, X | V},
    [DS_WALL_BOUNCE] = {"fix wall/bounce", X | V, X | V, .may_fail = 1},
    [DS_REGION_BOUNCE] = {"fix wall/bounce", X | V, X | V, .may_fail = 1},
    [DS_WALL_LJ93] = {"fix wall/lj93", X | F, F, .may_fail = 1},
    [DS_WALL_LJ126] = {"fix wall/lj126", X | F, F, .may_fail = 1},
    [DS_WALL_HARMONIC] = {"fix wall/harmonic", X | F, F, .may_fail = 1},
    [DS_SUM_KINETIC] = {"kinetic energy", V, 0, .has_bias = 1},
    [DS_SUM_KINETIC_TRACE] = {"kinetic energy", V, 0, .has_bias = 1},
    [DS_RESCALE_TEMPERATURE] = {"fix temp/rescale", V, V, .sums = 1, .has_bias = 1, .bias = 5},
    [DS_SUM_MOMENTUM] = {"momentum", V, 0},
    [DS_REMOVE_MOMENTUM] = {"fix momentum", V, V, .sums = 1},
    [DS_RESCALE_ENERGY] = {"fix momentum rescale", V, V, .sums = 2},
    [DS_SPRING_SELF] = {"fix spring/self", X | F | IMAGE, F, .anchors = 1},
    [DS_SUM_DISPLACEMENT] = {"displacements", X | IMAGE, 0, .anchors = 1},
    [DS_MOVE_LINEAR_INITIAL] = {"first half of fix move", X | V | F | IMAGE, X | V, .anchors = 1},
    [DS_MOVE_LINEAR_FINAL] = {"second half of fix move", V | F, V},
    [DS_MVV_INITIAL] = {"first half of fix mvv/dpd", X | V | F, X | V, .anchors = 1},
    [DS_MVV_FINAL] = {"second half of fix mvv/dpd", V | F, V, .anchors = 1},
    [DS_SUM_ROTATION] = {"angular momentum", X | V | IMAGE, 0, .sums = 1},
    [DS_REMOVE_ROTATION] = {"fix momentum angular", X | V | IMAGE, V, .sums = 2},
    [DS_SUM_NOISE] = {"sum of noise", TAG, 0, .has_bias = 1, .bias = 7},
    [DS_SUM_WORK] = {"work of a thermostat", V, 0, .anchors = 1},
    [DS_SCALE_VELOCITY] = {"scaling of velocities", V, V},
    [DS_DRIFT] = {"drift", X | V, X},
    [DS_REMAP] = {"remap", X, X},
    [DS_TO_FRACTIONS] = {"positions to fractions", X, X},
    [DS_FROM_FRACTIONS] = {"positions from fractions", X, X},
    [DS_CHANGE_BOX] = {"change of the box", 0, 0},
    [DS_ADD_TO_BINS] = {"bins", X, 0, .has_bias = 1, .bias = 1},
    [DS_BODY_SUM] = {"sums of rigid bodies", X | F | IMAGE | DS_BODY_NUMBER, 0, .bodies = 1},
    [DS_BODY_VELOCITY] = {"second half of rigid bodies", X | V | IMAGE | DS_BODY_NUMBER, V, .anchors = 1, .bodies = 1},
    [DS_BODY_PLACE] = {"first half of rigid bodies", X | V | IMAGE | DS_BODY_NUMBER, X | V, .anchors = 1, .bodies = 1},
    [DS_BODY_KINETIC] = {"kinetic energy of rigid bodies", 0, 0, .bodies = 1},
};

/* ------------------------------------------------------------------------------------------- the program */

static ds_status check_region(const ds_step_program *p, int k, ds_error *err)
{
  const ds_region *const r = &p->region[k];
  if (r->kind < DS_REGION_BLOCK || r->kind > DS_REGION_INTERSECT)
    return ds_fail(err, DS_ERR_ARGUMENT, "region %d is of kind %d", k, (int) r->kind);
  if (r->kind < DS_REGION_UNION) return DS_OK;
  if (r->first < 0 || r->count < 1 || r->first > p->nregions - r->count)
    return ds_fail(err, DS_ERR_ARGUMENT, "region %d is made of %d from number %d on, of %d", k, (int) r->count, (int) r->first,
                   (int) p->nregions);
  for (int j = r->first; j < r->first + r->count; j++)
    if (p->region[j].kind >= DS_REGION_UNION)
      return ds_fail(err, DS_ERR_ARGUMENT, "region %d is made of others that are made of others", k);
  return DS_OK;
}

/* Sums of other operations. */
static int reads_sums(const ds_operation *o)
{
  if (o->kind == DS_SUM_DISPLACEMENT) return o->number[0] != 0.0;
  if (o->kind == DS_LANGEVIN) return o->number[5] != 0.0;
  return ds_operation_uses[o->kind].sums > 0;
}

ds_status ds_operation_check_numbers(const ds_operation *o, ds_error *err)
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
    return ds_fail(err, DS_ERR_ARGUMENT, "operation %d is of kind %d at point %d", k, (int) o->kind, (int) o->point);
  const char *const name = ds_operation_uses[o->kind].name;
  if (k > 0 && p->operation[k - 1].point > o->point)
    return ds_fail(err, DS_ERR_ARGUMENT, "%s is not in the order of points", name);
  if (o->anchor < 0 || o->anchor >= DS_MAX_ANCHORS)
    return ds_fail(err, DS_ERR_ARGUMENT, "%s reads array %d of anchors; allowed: 0 to %d", name, (int) o->anchor,
                   DS_MAX_ANCHORS - 1);
  if (o->every < 1) return ds_fail(err, DS_ERR_ARGUMENT, "%s every %d steps", name, (int) o->every);
  if (o->region < -1 || o->region >= p->nregions)
    return ds_fail(err, DS_ERR_ARGUMENT, "%s in region %d of %d", name, (int) o->region, (int) p->nregions);
  if (((o->flags & DS_OUTSIDE_REGION) || o->kind == DS_REGION_BOUNCE) && o->region < 0)
    return ds_fail(err, DS_ERR_ARGUMENT, "%s outside of no region", name);
  if (o->nsums < 0 || o->nsums > DS_OPERATION_SUMS || (o->nsums && !(o->unit > 0.0)))
    return ds_fail(err, DS_ERR_ARGUMENT, "%s adds up %d sums in units of %g", name, (int) o->nsums, o->unit);
  if (o->from < -1 || o->from >= k || o->also < -1 || o->also >= k ||
      (reads_sums(o) && (o->from < 0 || !(o->flags & DS_AFTER_SUMS))) ||
      (ds_operation_uses[o->kind].sums == 2 && o->also < 0) || ((o->flags & DS_AFTER_SUMS) && o->from < 0))
    return ds_fail(err, DS_ERR_ARGUMENT, "%s reads sums of operation %d", name, (int) o->from);
  if ((o->flags & DS_ASKS) && o->from >= 0 && !(o->flags & DS_AFTER_SUMS))
    return ds_fail(err, DS_ERR_ARGUMENT, "%s asks about sums of operation %d before they are whole", name, (int) o->from);
  if (o->kind == DS_BODY_KINETIC && o->nsums > DS_BODY_KINETIC_SUMS)
    return ds_fail(err, DS_ERR_ARGUMENT, "%s adds up %d sums; allowed: 0 to %d", name, (int) o->nsums, DS_BODY_KINETIC_SUMS);
  if (o->kind == DS_CHANGE_BOX && !(o->flags & DS_ASKS)) return ds_fail(err, DS_ERR_ARGUMENT, "%s without a question", name);
  if (ds_operation_check_numbers(o, err) || check_use_of_bins(p, o, err)) return DS_ERR_ARGUMENT;
  if (o->from >= 0 && o->from + ds_operations_read(o) > k)
    return ds_fail(err, DS_ERR_ARGUMENT, "%s reads sums of %d operations", name, ds_operations_read(o));
  for (int j = 0; j < k; j++)
    if (ds_operation_reads_sums_of(o, j) && (p->operation[j].flags & DS_ADDS_UP))
      return ds_fail(err, DS_ERR_ARGUMENT, "%s reads sums that go on from step to step", name);
  return DS_OK;
}

ds_status ds_steps_check_program(const ds_step_program *p, ds_error *err)
{
  ds_status s = DS_OK;
  if (p->n < 0 || p->n > DS_MAX_OPERATIONS || p->nregions < 0 || p->nregions > DS_MAX_REGIONS)
    return ds_fail(err, DS_ERR_ARGUMENT, "%d operations in %d regions; allowed: 0 to %d and %d", (int) p->n, (int) p->nregions,
                   DS_MAX_OPERATIONS, DS_MAX_REGIONS);
  if (p->nbinnings < 0 || p->nbinnings > DS_MAX_BINNINGS)
    return ds_fail(err, DS_ERR_ARGUMENT, "%d kinds of bins; allowed: 0 to %d", (int) p->nbinnings, DS_MAX_BINNINGS);
  for (int k = 0; k < p->nregions && !s; k++) s = check_region(p, k, err);
  for (int k = 0; k < p->nbinnings && !s; k++) s = ds_bins_check(&p->binning[k], k, err);
  for (int k = 0; k < p->n && !s; k++) s = check_operation(p, k, err);
  for (int k = 0; k < 9 && !s; k++)
    if (!isfinite(p->flow[k])) s = ds_fail(err, DS_ERR_ARGUMENT, "the flow has %g as number %d", p->flow[k], k);
  return s;
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

/* ------------------------------------------------------------------------------------------- faults */

ds_status ds_steps_fault(const ds_steps *steps, const ds_array *x, const ds_array *tag, ds_error *err)
{
  const ds_control *const seen = steps->queue->control_host;
  const unsigned long long fault = ~seen->operation_fault;
  const ds_operation *const o = &steps->program.operation[fault >> 32 & 0xFF];
  const long long step = seen->step - (fault >> 40 ? 0 : 1);
  const int atom = (int) (fault & 0xFFFFFFFFu);
  int64_t name = atom + 1;
  double at[3];
  ds_status s = DS_OK;
  for (int d = 0; d < 3 && !s; d++) s = ds_queue_get(steps->queue, x, atom, d, &at[d], NULL, err);
  if (!s && tag->data) s = ds_queue_get(steps->queue, tag, atom, 0, NULL, &name, err);
  return s ? s
           : ds_fail(err, DS_ERR_POSITION,
                     "%s: atom %lld at (%g, %g, %g) in step %lld is on the wall or behind it, or came there from elsewhere "
                     "than the fluid",
                     ds_operation_uses[o->kind].name, (long long) name, at[0], at[1], at[2], step);
}
