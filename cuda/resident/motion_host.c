/* Stages of resident atoms on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../core/sort.h"
#include "dpdsop/device/sort_bins.h"
#include "step_particle.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------- motion */

static ds_status move(ds_queue *q, ds_box_move how, const ds_resident_view *a, const ds_wrap *w, const int flips[3],
                      int64_t step, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  int outside = 0;
  (void) err;
  if (how <= DS_BOX_WRAP && ds_stage_stopped(&launch)) return DS_OK;
#pragma omp parallel for num_threads(a->threads) reduction(| : outside)
  for (int i = 0; i < a->n; i++) outside |= ds_move_in_box(how, a, w, flips, i);
  if (!outside) return DS_OK;
  launch.control->outside = 1;
  ds_stage_stop(&launch);
  return DS_OK;
}

/* -------------------------------------------------------------------------------------------- order */

static ds_status find_order(ds_queue *q, ds_pool *pool, ds_sort_space *w, const ds_resident_view *a, const ds_sort_bins *bins,
                            ds_error *err)
{
  ds_keyed *const keyed = w->key[0].data;
  (void) q, (void) pool, (void) err;
  for (int i = 0; i < a->n; i++) {
    keyed[i].key = (uint64_t) ds_sort_bin(bins, a->x + 3 * (size_t) i);
    keyed[i].index = (uint32_t) i;
  }
  ds_sort_find_order(w, a->n, a->threads);
  return DS_OK;
}

static ds_status put(ds_queue *q, const int32_t *order, int back, const void *from, void *to, int n, int components, int bytes,
                     ds_error *err)
{
  const size_t size = (size_t) components * (size_t) bytes;
  (void) q, (void) err;
  if (!order && n > 0) memcpy(to, from, (size_t) n * size);
  if (!order) return DS_OK;
  for (size_t i = 0; i < (size_t) n; i++) {
    const size_t there = (size_t) order[i];
    memcpy((char *) to + size * (back ? there : i), (const char *) from + size * (back ? i : there), size);
  }
  return DS_OK;
}

const ds_resident_stages ds_resident_stages_host = {move, find_order, put, &ds_bonded_stages_host};
