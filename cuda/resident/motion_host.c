/* Stages of resident atoms on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../core/sort_host.h"
#include "dpdsop/device/sort_bins.h"
#include "step_particle.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------- motion */

static ds_status find_outside(ds_queue *q, const ds_resident_view *a, const ds_wrap *w, int64_t step, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  int outside = 0;
  (void) err;
  if (ds_stage_stopped(&launch)) return DS_OK;
#pragma omp parallel for num_threads(a->threads) reduction(| : outside)
  for (int i = 0; i < a->n; i++) outside |= ds_outside(w, a->x + 3 * (size_t) i);
  if (!outside) return DS_OK;
  launch.control->outside = 1;
  ds_stage_stop(&launch);
  return DS_OK;
}

static ds_status move(ds_queue *q, ds_box_move how, const ds_resident_view *a, const ds_wrap *w, const int flips[3], int64_t step,
                      ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  (void) err;
  if (how == DS_BOX_WRAP && ds_stage_stopped(&launch)) return DS_OK;
#pragma omp parallel for num_threads(a->threads)
  for (int i = 0; i < a->n; i++) ds_move_in_box(how, a, w, flips, i);
  return DS_OK;
}

/* -------------------------------------------------------------------------------------------- order */

static ds_status find_order(ds_queue *q, ds_pool *pool, ds_order *o, const ds_resident_view *a, const ds_sort_bins *bins,
                            ds_error *err)
{
  const size_t room = (size_t) a->n + 1;
  ds_status s = DS_OK;
  (void) q;
  for (int k = 0; k < 2 && !s; k++) s = ds_reserve(pool, &o->key[k], room, sizeof(ds_keyed), "sort keys", err);
  if (!s) s = ds_reserve(pool, &o->value[0], room, sizeof(int32_t), "sorted order", err);
  if (s) return s;
  ds_keyed *const keyed = o->key[0].data;
  int32_t *const order = o->value[0].data;
  for (int i = 0; i < a->n; i++) {
    keyed[i].key = (uint64_t) ds_sort_bin(bins, a->x + 3 * (size_t) i);
    keyed[i].index = (uint32_t) i;
  }
  ds_sort_host(keyed, o->key[1].data, a->n, a->threads);
  for (int i = 0; i < a->n; i++) order[i] = (int32_t) keyed[i].index;
  o->order = order;
  return DS_OK;
}

static ds_status put(ds_queue *q, const int32_t *order, int back, const void *from, void *to, int n, int components, int bytes,
                     ds_error *err)
{
  const size_t size = (size_t) components * (size_t) bytes;
  (void) q, (void) err;
  for (size_t i = 0; i < (size_t) n; i++) {
    const size_t there = (size_t) order[i];
    memcpy((char *) to + size * (back ? there : i), (const char *) from + size * (back ? i : there), size);
  }
  return DS_OK;
}

const ds_resident_stages ds_resident_stages_host = {find_outside, move, find_order, put, &ds_bonded_stages_host};
