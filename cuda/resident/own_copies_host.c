/* Resident atoms of the host backend in arrays of its own.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "own_copies_host.h"

#include "../neighbor/sort_host.h"
#include "../force/pair_state.h"
#include "dpdsop/device/sort_bins.h"

#include <string.h>

ds_status ds_own_copies_host_set(ds_own_copies_host *p, ds_pool *pool, ds_resident *r, ds_error *err)
{
  p->theirs = r->atoms;
  for (int k = 0; k < DS_OWN_ARRAYS; k++) {
    const size_t bytes = ds_own_bytes(&p->theirs, k);
    if (!bytes) continue;
    const ds_status s = ds_reserve(pool, &p->own[k], bytes, 1, "resident atoms", err);
    if (s) return s;
    ds_own_array_of(&r->atoms, k)->data = p->own[k].data;
  }
  return DS_OK;
}

void ds_own_copies_host_copy(const ds_own_copies_host *p, int fields, int to_host)
{
  ds_resident_atoms theirs = p->theirs;
  for (int k = 0; k < DS_OWN_ARRAYS; k++) {
    const size_t bytes = ds_own_bytes(&theirs, k);
    if (!bytes || !(fields & ds_own_kinds[k].field)) continue;
    void *const other = ds_own_array_of(&theirs, k)->data, *const ours = p->own[k].data;
    memcpy(to_host ? other : ours, to_host ? ours : other, bytes);
  }
}

/* -------------------------------------------------------------------------------------------- order */

static ds_status reserve(ds_own_copies_host *p, ds_pool *pool, int n, ds_error *err)
{
  const size_t room = (size_t) n + 1;
  ds_status s = ds_reserve(pool, &p->spare, ds_field_bytes(n, 3, DS_F64) + 8, 1, "one field", err);
  if (!s) s = ds_reserve(pool, &p->keyed, room, sizeof(ds_keyed), "sort keys", err);
  if (!s) s = ds_reserve(pool, &p->work, room, sizeof(ds_keyed), "work space of the sort", err);
  if (!s) s = ds_reserve(pool, &p->order, room, sizeof(int32_t), "sorted order", err);
  return s ? s : ds_reserve(pool, &p->composed, room, sizeof(int32_t), "sorted order", err);
}

static void find_order(ds_own_copies_host *p, const ds_resident *r, const ds_sort_bins *bins)
{
  const double *const x = r->atoms.x.data;
  ds_keyed *const keyed = p->keyed.data;
  int32_t *const order = p->order.data;
  for (int i = 0; i < r->atoms.n; i++) {
    keyed[i].key = (uint64_t) ds_sort_bin(bins, x + 3 * (size_t) i);
    keyed[i].index = (uint32_t) i;
  }
  ds_sort_host(keyed, p->work.data, r->atoms.n, r->pair->options.threads);
  for (int i = 0; i < r->atoms.n; i++) order[i] = (int32_t) keyed[i].index;
}

/* Elements of `bytes` each. */
static void put_in_order(ds_own_copies_host *p, void *data, int n, size_t bytes)
{
  const int32_t *const order = p->order.data;
  char *const spare = p->spare.data;
  for (int i = 0; i < n; i++)
    memcpy(spare + bytes * (size_t) i, (char *) data + bytes * (size_t) order[i], bytes);
  memcpy(data, spare, bytes * (size_t) n);
}

ds_status ds_own_copies_host_sort(ds_own_copies_host *p, ds_pool *pool, ds_resident *r,
                             const ds_sort_bins *bins, int composed, ds_error *err)
{
  const int n = r->atoms.n;
  const ds_status s = reserve(p, pool, n, err);
  if (s || n == 0) return s;
  find_order(p, r, bins);
  for (int k = 0; k < DS_OWN_ARRAYS; k++) {
    const size_t bytes = ds_own_bytes(&r->atoms, k);
    if (bytes) put_in_order(p, p->own[k].data, n, bytes / (size_t) n);
  }
  if (composed)
    put_in_order(p, p->composed.data, n, sizeof(int32_t));
  else
    memcpy(p->composed.data, p->order.data, (size_t) n * sizeof(int32_t));
  return DS_OK;
}
