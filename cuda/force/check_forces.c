/* The public interface of pairs: what evaluations have found, faults in words.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "pair_state.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------------------ faults, in words */

ds_status ds_pair_requeue_error(int64_t step, ds_error *err)
{
  return ds_fail(err, DS_ERR_ARGUMENT, "an evaluation of step %lld is to be queued once more (ds_pair_check)",
                 (long long) step);
}

ds_status ds_pair_type_error(const ds_pair *pair, int64_t tag, int64_t type, ds_error *err)
{
  return ds_fail(err, DS_ERR_ARGUMENT, "atom %lld has type %lld; allowed: 1 to %d", (long long) tag, (long long) type,
                 pair->ranges.ntypes);
}

static ds_status position_error(const ds_pair *pair, int64_t step, int64_t tag, const double x[3], ds_error *err)
{
  const ds_frame *const f = &pair->frame;
  double lambda[3];
  char allowed[40] = "one edge of the box";
  ds_fraction(f, x[0], x[1], x[2], lambda);
  for (int d = 0; d < 3; d++)
    if (!f->shift[d] && !(lambda[d] >= f->low[d] && lambda[d] <= f->high[d]))
      snprintf(allowed, sizeof allowed, "the skin %g", pair->box.slack);
  return ds_fail(err, DS_ERR_POSITION,
                 "atom %lld at (%g, %g, %g) at step %lld is not a number or further outside its "
                 "subdomain than %s allows",
                 (long long) tag, x[0], x[1], x[2], (long long) step, allowed);
}

static ds_status force_error(ds_pair *pair, int64_t step, ds_error *err)
{
  const ds_control *const r = pair->queue.control_host;
  ds_interaction *const a = &pair->interaction[(uint32_t) ~r->force_fault >> DS_FAULT_ENTRY_BITS];
  const double limit = (ds_is_double(pair) ? DS_PAIR_LIMIT64 : (double) DS_PAIR_LIMIT) / a->tables.force_scale;
  const int several = pair->interactions > 1;
  ds_status s = a->stages->identify ? a->stages->identify(&a->evaluation, err) : DS_OK;
  if (!s) s = ds_queue_read_control(&pair->queue, "identify kernel", err);
  return s ? s
           : ds_fail(err, DS_ERR_FORCE_RANGE,
                     "force %g%s%s between atoms %lld and %lld at step %lld exceeds the fixed-point "
                     "range, at most %g with these coefficients",
                     r->fault_force, several ? " of " : "", several ? a->style->name : "", (long long) r->fault_tag[0],
                     (long long) r->fault_tag[1], (long long) step, limit);
}

static ds_status name_fault(ds_pair *pair, ds_error *err)
{
  const ds_control r = *pair->queue.control_host;
  const uint32_t atom_fault = r.type_fault ? r.type_fault : r.position_fault;
  int64_t tag, type;
  double x[3];
  if (atom_fault) {
    const ds_status s = ds_particles_find(&pair->particles, pair->nlocal - (int) atom_fault, &tag, &type, x, err);
    if (s) return s;
    return r.type_fault ? ds_pair_type_error(pair, tag, type, err) : position_error(pair, r.step, tag, x, err);
  }
  if (r.ghost_fault)
    return ds_fail(err, DS_ERR_GHOST,
                   "what arrived for ghost %d at step %lld is no atom: the process that it came "
                   "from has failed",
                   (int) r.ghost_fault - 1, (long long) r.step);
  return r.force_fault ? force_error(pair, r.step, err) : DS_OK;
}

/* ---------------------------------------------------------------------------------------- checking */

static double joined(const int64_t sum[2], double scale)
{
  return ((double) sum[0] * (double) (1 << DS_SUM_SHIFT) + (double) sum[1]) / scale;
}

/* Every pair is in the rows of both of its atoms, so sums over rows count it twice. */
double ds_pair_virial_of(const ds_pair *pair, int style, const int64_t part[2])
{
  const ds_sweep_tables *const t = &pair->interaction[style].tables;
  return 0.5 * t->cutoff * joined(part, t->force_scale);
}

void ds_pair_sums(const ds_pair *pair, ds_pair_totals *totals)
{
  for (int style = 0; style < pair->interactions; style++, totals++) {
    const ds_sweep_sums *const sums = &pair->queue.control_host->sums[style];
    totals->energy = 0.5 * joined(sums->energy, pair->interaction[style].tables.energy_scale);
    memcpy(totals->virial_part, sums->virial, sizeof sums->virial);
    for (int k = 0; k < 6; k++) totals->virial[k] = ds_pair_virial_of(pair, style, sums->virial[k]);
    for (int k = 0; k < 3; k++) totals->force_sum[k] = sums->force[k];
  }
}

ds_status ds_pair_resume(ds_pair *pair, ds_error *err)
{
  for (int k = 0; k < DS_RESULTS; k++) pair->result[k].added_by_host = 0;
  return ds_queue_resume(&pair->queue, err);
}

static int is_some_list_full(const ds_pair *pair)
{
  int is_full = ds_list_wanted(&pair->list) > pair->list.room;
  for (int k = 0; k < pair->interactions; k++) {
    const ds_list *const own = &pair->interaction[k].own.list;
    is_full |= ds_pair_has_own_list(pair, k) && ds_list_wanted(own) > own->room;
  }
  return is_full;
}

/* Stopped: the step is to be queued again, with a list that ds_pair_build_list gives the room, or the types, that are
   wanted. Unless it was a fault. */
static ds_status stopped(ds_pair *pair, int64_t *again, ds_error *err)
{
  const ds_control *const seen = pair->queue.control_host;
  const int64_t step = seen->step;
  ds_error ignored;
  const ds_status fault = name_fault(pair, err);
  const ds_status s = ds_pair_resume(pair, fault ? &ignored : err);
  if (fault) {
    pair->fault = *err;
    pair->have_positions = pair->have_list = 0;
    return fault;
  }
  if (seen->other_types || is_some_list_full(pair)) pair->have_list = 0;
  *again = step;
  return s ? s : ds_succeed(err);
}

ds_status ds_pair_check(ds_pair *pair, ds_pair_totals *totals, int64_t *again, ds_error *err)
{
  static const char *const what = "an evaluation of forces";
  ds_queue *const q = &pair->queue;
  const int must_look = pair->checked.order != pair->version.order || pair->tallied > pair->checked.evaluation;
  ds_status s = ds_queue_enter(q, &err);
  if (!s) s = ds_check_pointer(again, "place for the step to queue again", err);
  if (s) return s;
  *again = -1;
  if (pair->fault.code) return ds_pair_need_positions(pair, "", err);
  for (int k = 0; k < pair->interactions && totals; k++) totals[k].force_unit = 1.0 / pair->interaction[k].tables.force_scale;
  s = must_look ? DS_OK : ds_queue_wait(q, what, err);
  if (!s && (must_look || ds_queue_stopped(q))) s = ds_queue_read_control(q, what, err);
  if (s) return ds_queue_leave(q, s, err);
  pair->checked = pair->version;
  ds_queue_collect_times(q);
  if (ds_queue_stopped(q)) return ds_queue_leave(q, stopped(pair, again, err), err);
  ds_pair_add_results(pair);
  if (totals && pair->tallied) ds_pair_sums(pair, totals);
  return ds_succeed(err);
}
