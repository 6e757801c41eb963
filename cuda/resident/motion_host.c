/* Stages of resident atoms on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../core/sort_host.h"
#include "dpdsop/device/motion.h"
#include "dpdsop/device/sort_bins.h"
#include "resident_state.h"

#include <string.h>

static void stop_if(int found, uint32_t *reason, const ds_launch_id *launch)
{
  if (!found) return;
  *reason = 1;
  ds_stage_stop(launch);
}

/* ------------------------------------------------------------------------------------------- motion */

static ds_status find_outside(ds_queue *q, const ds_resident_view *a, const ds_wrap *w, int64_t step,
                              ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  int outside = 0;
  (void) err;
  if (ds_stage_stopped(&launch)) return DS_OK;
#pragma omp parallel for num_threads(a->threads) reduction(| : outside)
  for (int i = 0; i < a->n; i++) outside |= ds_outside(w, a->x + 3 * (size_t) i);
  stop_if(outside, &launch.control->outside, &launch);
  return DS_OK;
}

static ds_status wrap(ds_queue *q, const ds_resident_view *a, const ds_wrap *w, int64_t step,
                      ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  int32_t *const narrow = a->image;
  int64_t *const wide = a->image;
  (void) err;
  if (ds_stage_stopped(&launch)) return DS_OK;
#pragma omp parallel for num_threads(a->threads)
  for (int i = 0; i < a->n; i++) {
    double *const x = a->x + 3 * (size_t) i;
    int64_t image = a->is_wide ? wide[i] : narrow[i];
    double fraction[3];
    ds_wrap_atom(w, x, a->v + 3 * (size_t) i, &image, fraction);
    if (a->fraction) memcpy(a->fraction + 3 * (size_t) i, fraction, sizeof fraction);
    memcpy(a->x_ref + 3 * (size_t) i, x, 3 * sizeof *x);
    if (a->is_wide)
      wide[i] = image;
    else
      narrow[i] = (int32_t) image;
  }
  return DS_OK;
}

static ds_status flip(ds_queue *q, const ds_resident_view *a, const ds_wrap *w, const int flips[3], ds_error *err)
{
  (void) q, (void) err;
#pragma omp parallel for num_threads(a->threads)
  for (int i = 0; i < a->n; i++) {
    int64_t image = a->is_wide ? ((int64_t *) a->image)[i] : ((int32_t *) a->image)[i];
    ds_flip_atom(w, flips, a->x + 3 * (size_t) i, &image);
    if (a->is_wide)
      ((int64_t *) a->image)[i] = image;
    else
      ((int32_t *) a->image)[i] = (int32_t) image;
  }
  return DS_OK;
}

static ds_status convert(ds_queue *q, const ds_resident_view *a, const ds_wrap *w, ds_error *err)
{
  (void) q, (void) err;
  for (int i = 0; i < a->n; i++) ds_to_fractions_and_back(w, a->x + 3 * (size_t) i, a->fraction + 3 * (size_t) i);
  return DS_OK;
}

static ds_status find_fractions(ds_queue *q, const ds_resident_view *a, const ds_wrap *w, ds_error *err)
{
  (void) q, (void) err;
  for (int i = 0; i < a->n; i++) {
    double *const fraction = a->fraction + 3 * (size_t) i;
    memcpy(fraction, a->x_ref + 3 * (size_t) i, 3 * sizeof *fraction);
    ds_to_fractions(w, fraction);
  }
  return DS_OK;
}

/* -------------------------------------------------------------------------------------------- order */

static ds_status reserve_order(ds_pool *pool, ds_order *o, int n, ds_error *err)
{
  const size_t room = (size_t) n + 1;
  ds_status s = DS_OK;
  for (int k = 0; k < 2 && !s; k++)
    s = ds_reserve(pool, &o->key[k], room, sizeof(ds_keyed), "sort keys", err);
  return s ? s : ds_reserve(pool, &o->value[0], room, sizeof(int32_t), "sorted order", err);
}

static ds_status find_order(ds_queue *q, ds_order *o, const ds_resident_view *a,
                            const ds_sort_bins *bins, ds_error *err)
{
  ds_keyed *const keyed = o->key[0].data;
  int32_t *const order = o->value[0].data;
  (void) q, (void) err;
  for (int i = 0; i < a->n; i++) {
    keyed[i].key = (uint64_t) ds_sort_bin(bins, a->x + 3 * (size_t) i);
    keyed[i].index = (uint32_t) i;
  }
  ds_sort_host(keyed, o->key[1].data, a->n, a->threads);
  for (int i = 0; i < a->n; i++) order[i] = (int32_t) keyed[i].index;
  o->order = order;
  return DS_OK;
}

static ds_status put(ds_queue *q, const int32_t *order, int back, const void *from, void *to, int n, int components,
                     int bytes, ds_error *err)
{
  const size_t size = (size_t) components * (size_t) bytes;
  (void) q, (void) err;
  for (size_t i = 0; i < (size_t) n; i++) {
    const size_t there = (size_t) order[i];
    memcpy((char *) to + size * (back ? there : i), (const char *) from + size * (back ? i : there), size);
  }
  return DS_OK;
}

/* -------------------------------------------------------------------------------------------- tables */

const ds_resident_stages ds_resident_stages_host = {
    ds_operate_host, find_outside, wrap, flip, convert, find_fractions, reserve_order, find_order, put,
    &ds_bonded_stages_host};
