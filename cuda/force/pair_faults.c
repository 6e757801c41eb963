/* What is wrong with atoms and forces, in words.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "pair_state.h"

#include <stdio.h>

ds_status ds_pair_requeue_error(int64_t step, ds_error *err)
{
  return ds_fail(err, DS_ERR_ARGUMENT, "an evaluation of step %lld is to be queued once more (ds_pair_check)",
                 (long long) step);
}

ds_status ds_pair_type_error(const ds_pair *pair, int64_t tag, int64_t type, ds_error *err)
{
  return ds_fail(err, DS_ERR_ARGUMENT, "atom %lld has type %lld; allowed: 1 to %d", (long long) tag, (long long) type,
                 pair->tables.ntypes);
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
  const double limit = (ds_is_double(pair) ? DS_PAIR_LIMIT64 : (double) DS_PAIR_LIMIT) / pair->tables.numbers.force_scale;
  ds_status s = pair->stages->identify ? pair->stages->identify(&pair->evaluation, err) : DS_OK;
  if (!s) s = ds_queue_read_control(&pair->queue, "identify kernel", err);
  return s ? s
           : ds_fail(err, DS_ERR_FORCE_RANGE,
                     "force %g between atoms %lld and %lld at step %lld exceeds the fixed-point "
                     "range, at most %g with these coefficients",
                     r->fault_force, (long long) r->fault_tag[0], (long long) r->fault_tag[1], (long long) step, limit);
}

ds_status ds_pair_fault(ds_pair *pair, ds_error *err)
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
