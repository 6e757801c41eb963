/* Resident atoms of the host backend in arrays of its own.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "apart_host.h"

#include "../neighbor/sort_host.h"
#include "../pair/pair_state.h"

#include <string.h>

typedef struct {
  int field; /* that it belongs to */
  ds_array *array;
  int components;
} field;

static void fields_of(ds_resident_atoms *a, field out[DS_APART_FIELDS])
{
  const field all[DS_APART_FIELDS] = {{DS_POSITION, &a->x, 3},     {DS_VELOCITY, &a->v, 3},
                                      {DS_FORCE, &a->f, 3},        {DS_IMAGE, &a->image, 1},
                                      {DS_IDENTITY, &a->type, 1},  {DS_IDENTITY, &a->mask, 1},
                                      {DS_IDENTITY, &a->rmass, 1}, {DS_TAG, &a->tag, 1}};
  memcpy(out, all, sizeof all);
}

static size_t bytes_of(const field *f, int n)
{
  return f->array->data ? ds_field_bytes(n, f->components, f->array->type) : 0;
}

ds_status ds_apart_host_set(ds_apart_host *p, ds_pool *pool, ds_resident *r, ds_error *err)
{
  field all[DS_APART_FIELDS];
  p->theirs = r->atoms;
  fields_of(&r->atoms, all);
  for (int k = 0; k < DS_APART_FIELDS; k++) {
    if (!all[k].array->data) continue;
    const ds_status s =
        ds_reserve(pool, &p->own[k], bytes_of(&all[k], r->atoms.n) + 8, 1, "resident atoms", err);
    if (s) return s;
    all[k].array->data = p->own[k].data;
  }
  return DS_OK;
}

void ds_apart_host_copy(const ds_apart_host *p, ds_resident *r, int fields, int to_host)
{
  ds_resident_atoms theirs = p->theirs;
  field ours[DS_APART_FIELDS], other[DS_APART_FIELDS];
  fields_of(&r->atoms, ours);
  fields_of(&theirs, other);
  for (int k = 0; k < DS_APART_FIELDS; k++) {
    const size_t bytes = bytes_of(&ours[k], r->atoms.n);
    if (!bytes || !(fields & ours[k].field)) continue;
    if (to_host)
      memcpy(other[k].array->data, ours[k].array->data, bytes);
    else
      memcpy(ours[k].array->data, other[k].array->data, bytes);
  }
}

/* -------------------------------------------------------------------------------------------- order */

static ds_status reserve(ds_apart_host *p, ds_pool *pool, int n, ds_error *err)
{
  const size_t room = (size_t) n + 1;
  ds_status s = ds_reserve(pool, &p->spare, ds_field_bytes(n, 3, DS_F64) + 8, 1, "one field", err);
  if (!s) s = ds_reserve(pool, &p->keyed, room, sizeof(ds_keyed), "sort keys", err);
  if (!s) s = ds_reserve(pool, &p->work, room, sizeof(ds_keyed), "work space of the sort", err);
  if (!s) s = ds_reserve(pool, &p->order, room, sizeof(int32_t), "sorted order", err);
  return s ? s : ds_reserve(pool, &p->composed, room, sizeof(int32_t), "sorted order", err);
}

static void find_order(ds_apart_host *p, const ds_resident *r, const ds_sort_bins *bins)
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
static void put_in_order(ds_apart_host *p, void *data, int n, size_t bytes)
{
  const int32_t *const order = p->order.data;
  char *const spare = p->spare.data;
  for (int i = 0; i < n; i++)
    memcpy(spare + bytes * (size_t) i, (char *) data + bytes * (size_t) order[i], bytes);
  memcpy(data, spare, bytes * (size_t) n);
}

ds_status ds_apart_host_sort(ds_apart_host *p, ds_pool *pool, ds_resident *r,
                             const ds_sort_bins *bins, int composed, ds_error *err)
{
  const int n = r->atoms.n;
  field all[DS_APART_FIELDS];
  const ds_status s = reserve(p, pool, n, err);
  if (s || n == 0) return s;
  find_order(p, r, bins);
  fields_of(&r->atoms, all);
  for (int k = 0; k < DS_APART_FIELDS; k++)
    if (all[k].array->data)
      put_in_order(p, all[k].array->data, n,
                   ds_field_bytes(1, all[k].components, all[k].array->type));
  if (composed)
    put_in_order(p, p->composed.data, n, sizeof(int32_t));
  else
    memcpy(p->composed.data, p->order.data, (size_t) n * sizeof(int32_t));
  return DS_OK;
}
