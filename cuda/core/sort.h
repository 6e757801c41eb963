/* Sorts of particles by keys.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_CORE_SORT_H
#define DPDSOP_CORE_SORT_H

#include "dpdsop/device/base.h"
#include "queue.h"

DS_C_BEGIN

/* A key of the host, and what has it. */
typedef struct {
  uint64_t key;
  uint32_t index;
} ds_keyed;

/* What a sort reads and works in: on the host ds_keyed in key[0]; on the GPU keys there, and in value[0] what has them. */
typedef struct {
  ds_buffer key[2], value[2], scratch;
  const int32_t *order; /* in value: what has the keys, in their order */
} ds_sort_space;

/* Room for n keys, on the GPU of so many bytes. New memory is cleared: where kernels have been stopped no keys are made, and
   the sort, which does not look, sorts what is there. */
static inline ds_status ds_sort_reserve(ds_queue *q, ds_pool *pool, ds_sort_space *w, int n, size_t key_bytes, ds_error *err)
{
  const size_t room = (size_t) n + 1, bytes = ds_queue_is_host(q) ? sizeof(ds_keyed) : key_bytes;
  ds_status s = DS_OK;
  for (int k = 0; k < 2 && !s; k++) {
    s = ds_queue_reserve_cleared(q, pool, &w->key[k], room, bytes, "sort keys", err);
    if (!s) s = ds_queue_reserve_cleared(q, pool, &w->value[k], room, sizeof(int32_t), "sorted order", err);
  }
  return s;
}

/* Bits of keys up to `last`. */
static inline int ds_sort_bits(uint32_t last)
{
  return last ? 32 - ds_clz32(last) : 1;
}

/* The host's: of n keys. */
void ds_sort_find_order(ds_sort_space *w, int n, int threads);

/* By key, then index. Work space of n records; takes no memory itself, so that it cannot fail. */
void ds_sort_host(ds_keyed *records, ds_keyed *work, int n, int threads);

DS_C_END
#endif
