/* Which operations of a program act in a step, what they read, and what may be done with them together.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "step.h"

/* Numbers that say what of a velocity is no heat (DS_BIAS_NONE ...); NULL: the operation asks for no temperature. */
static const double *bias_of(const ds_operation *o)
{
  const ds_operation_use *const use = &ds_operation_uses[o->kind];
  return use->has_bias ? o->number + use->bias : NULL;
}

int ds_operation_reads(const ds_operation *o)
{
  const double *const bias = bias_of(o);
  const int types = (o->kind == DS_LANGEVIN || o->kind == DS_SUM_NOISE) && o->number[4] != 0.0;
  return ds_operation_uses[o->kind].reads | (o->region >= 0 ? DS_POSITION : 0) | (types ? DS_IDENTITY : 0) |
         (bias && bias[0] == DS_BIAS_FLOW ? DS_POSITION : 0) | (bias && bias[0] != DS_BIAS_NONE ? DS_VELOCITY : 0);
}

int ds_operation_reads_box(const ds_operation *o)
{
  const double *const bias = bias_of(o);
  return (ds_operation_uses[o->kind].reads & DS_IMAGE) || (bias && bias[0] == DS_BIAS_FLOW);
}

int ds_operation_reads_sums_of(const ds_operation *o, int place)
{
  return o->also == place || (o->from >= 0 && o->from <= place && place < o->from + ds_operations_read(o));
}

int ds_operation_is_due(const ds_step_program *p, int place, const ds_due *due)
{
  const ds_operation *const o = &p->operation[place];
  if (due->step % o->every || (!due->tally && (o->flags & DS_LAST_STEP_ONLY))) return 0;
  return o->kind != DS_ADD_TO_BINS || ds_bins_are_due(&p->binning[(int) o->number[0]], due->step);
}

int ds_operation_tallies(const ds_step_program *p, int place)
{
  const ds_operation *const o = &p->operation[place];
  return o->kind == DS_ADD_TO_BINS ? ds_tallies_of_bins(&p->binning[(int) o->number[0]]) : 0;
}

static ds_status check_tallies(const ds_steps *steps, int place, int64_t step, ds_error *err)
{
  const int set = ds_operation_tallies(&steps->program, place);
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
  const int anchors = use->anchors || (o->kind == DS_LANGEVIN && o->number[6] != 0.0);
  if (anchors && a->n > 0 && !a->anchor[o->anchor])
    return ds_fail(err, DS_ERR_ARGUMENT, "%s reads array %d of anchors, which is not there", use->name, (int) o->anchor);
  if (o->kind == DS_ADD_TO_BINS && a->n > 0 && !a->molecule &&
      steps->program.binning[(int) o->number[0]].kind == DS_BINS_MOLECULES)
    return ds_fail(err, DS_ERR_ARGUMENT, "bins of molecules, whose numbers are not there");
  if (use->bodies && (steps->bodies.n == 0 || (a->n > 0 && !a->body)))
    return ds_fail(err, DS_ERR_ARGUMENT, "%s: no rigid bodies have been set", use->name);
  if ((use->reads & DS_TAG) && a->n > 0 && !a->tag.data)
    return ds_fail(err, DS_ERR_ARGUMENT, "%s needs tags of atoms, which are not there", use->name);
  return check_tallies(steps, place, step, err);
}

ds_status ds_steps_check(const ds_steps *steps, const ds_resident_view *a, const ds_advance *how, ds_error *err)
{
  ds_status s = DS_OK;
  for (const ds_due *due = how->due; due < how->due + 2; due++)
    for (int k = due->first; k < due->end && !s; k++)
      if (ds_operation_is_due(&steps->program, k, due)) s = check_due(steps, k, a, due->step, err);
  return s;
}

/* -------------------------------------------------------------------------------------------- together */

int ds_operation_sums_told(const ds_step_program *p, int place)
{
  return p->operation[place].kind == DS_BODY_KINETIC ? place : p->operation[place].from;
}

int ds_steps_only_move(const ds_step_program *p, const ds_due *due, int *n)
{
  for (int k = due->first; k < due->end; k++) {
    const ds_operation *const o = &p->operation[k];
    if (!ds_operation_is_due(p, k, due)) continue;
    if (ds_operation_set(o->kind) != DS_SET_MOTION) return 0;
    if ((*n)++ > 0 && o->from >= 0) return 0;
  }
  return 1;
}

static int may_end_rows(const ds_operation *o)
{
  enum { READ = DS_VELOCITY | DS_FORCE | DS_IDENTITY, SETS = DS_SET_MOTION | DS_SET_KINETIC };
  return (ds_operation_set(o->kind) & SETS) && o->region < 0 && !(o->flags & (DS_ASKS | DS_AFTER_SUMS | DS_ADDS_UP)) &&
         !(ds_operation_reads(o) & ~READ) && !(ds_operation_uses[o->kind].writes & ~DS_VELOCITY);
}

int ds_steps_find_row_end(const ds_step_program *p, const ds_due *due, int place[DS_ROW_OPERATIONS], int *question)
{
  int n = 0;
  for (int k = due->first; k < due->end; k++) {
    const ds_operation *const o = &p->operation[k];
    if (!ds_operation_is_due(p, k, due)) continue;
    if (n > 0 && ds_operation_set(p->operation[place[n - 1]].kind) == DS_SET_KINETIC) {
      *question = k;
      return (o->flags & DS_ASKS) && ds_operation_sums_told(p, k) == place[n - 1] ? n : 0;
    }
    if (n == DS_ROW_OPERATIONS || !may_end_rows(o)) return 0;
    place[n++] = k;
  }
  return 0;
}

int ds_first_operation(const ds_step_program *p, ds_point point)
{
  int k = 0;
  while (k < p->n && p->operation[k].point < (int32_t) point) k++;
  return k;
}
