/* The order of resident atoms.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "resident_state.h"

#include <math.h>

static ds_status check_bins(const ds_sort_bins *b, ds_error *err)
{
  double bins = 1.0;
  if (ds_check_pointer(b, "bins to sort by", err)) return DS_ERR_ARGUMENT;
  for (int d = 0; d < 3; d++) {
    if (!isfinite(b->lo[d])) return ds_fail(err, DS_ERR_ARGUMENT, "bins from %g along axis %d", b->lo[d], d);
    if (b->n[d] < 1 || !(b->inverse[d] > 0.0) || !isfinite(b->inverse[d]))
      return ds_fail(err, DS_ERR_ARGUMENT, "%d bins of edge 1/%g along axis %d; both must be > 0", b->n[d], b->inverse[d], d);
    bins *= b->n[d];
  }
  return bins < 2147483648.0 ? DS_OK : ds_fail(err, DS_ERR_ARGUMENT, "%g bins to sort by; at most 2^31 - 1", bins);
}

/* One field in the order found. */
static ds_status put_in_order(ds_resident *r, void *data, int components, int bytes, ds_error *err)
{
  const size_t size = (size_t) r->atoms.n * (size_t) components * (size_t) bytes;
  const ds_status s = r->stages->put(r->queue, r->order.order, 0, data, r->spare.data, r->atoms.n, components, bytes, err);
  return s ? s : ds_queue_copy(r->queue, data, r->spare.data, size, "copying sorted atoms", err);
}

static ds_status sort(ds_resident *r, const ds_sort_bins *bins, ds_error *err)
{
  ds_status s = ds_resident_reserve_fractions(r, err);
  const ds_resident_view a = ds_resident_view_of(r);
  const size_t room = (size_t) a.n + 1;
  if (!s) s = ds_reserve(&r->memory, &r->spare, 3 * room, sizeof(double), "one field", err);
  if (!s) s = ds_reserve(&r->memory, &r->composed, room, sizeof(int32_t), "sorted order", err);
  if (!s) s = ds_sort_reserve(r->queue, &r->memory, &r->order, a.n, sizeof(uint32_t), err);
  if (s || a.n == 0) return s;
  s = r->stages->find_order(r->queue, &r->memory, &r->order, &a, bins, err);
  /* orders one behind the other, since the caller's arrays were in the engine's */
  const size_t bytes = (size_t) a.n * sizeof(int32_t);
  if (!s)
    s = r->reordered ? put_in_order(r, r->composed.data, 1, sizeof(int32_t), err)
                     : ds_queue_copy(r->queue, r->composed.data, r->order.order, bytes, "copying the order of atoms", err);
  for (int k = 0; k < DS_OWN_ARRAYS && !s; k++) {
    const ds_array *const array = ds_own_array_of(&r->atoms, k);
    if (array->data) s = put_in_order(r, array->data, ds_own_kind_of(k)->components, ds_type_bytes(array->type), err);
  }
  return s || !r->wrap.tilted ? s : r->stages->move(r->queue, DS_BOX_CONVERT, &a, &r->wrap, NULL, 0, err);
}

ds_status ds_resident_sort(ds_resident *r, const ds_sort_bins *bins, ds_error *err)
{
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s && !r->own_copies) s = ds_fail(err, DS_ERR_ARGUMENT, "atoms in the caller's own arrays are his to sort");
  if (!s && (!r->have_atoms || !r->atoms.tag.data)) s = ds_fail(err, DS_ERR_ARGUMENT, "no atoms with tags have been set");
  if (!s) s = ds_resident_need_atoms(r, err);
  if (!s) s = check_bins(bins, err);
  if (s) return s;
  s = sort(r, bins, err);
  if (!s) s = ds_resident_copy_reference(r, err);
  r->have_fractions = !s && r->wrap.tilted;
  if (!s) r->reordered = 1;
  if (!s) s = ds_resident_sort_bonds(r, err);
  return ds_resident_leave(r, s, err);
}

/* The spare field is used again by what is queued behind. */
ds_status ds_resident_copy(ds_resident *r, int out, void *engine, void *caller, int components, int bytes, const char *what,
                           ds_error *err)
{
  const int n = r->atoms.n;
  const size_t size = (size_t) n * (size_t) components * (size_t) bytes;
  const int32_t *const order = r->composed.data;
  void *const spare = r->spare.data;
  if (!r->reordered || n == 0) return ds_queue_copy(r->queue, out ? caller : engine, out ? engine : caller, size, what, err);
  ds_status s = out ? r->stages->put(r->queue, order, 1, engine, spare, n, components, bytes, err)
                    : ds_queue_copy(r->queue, spare, caller, size, what, err);
  if (s) return s;
  return out ? ds_queue_copy(r->queue, caller, spare, size, what, err)
             : r->stages->put(r->queue, order, 0, spare, engine, n, components, bytes, err);
}

ds_status ds_resident_order(ds_resident *r, int32_t *order, ds_error *err)
{
  ds_status s = ds_queue_enter(r->queue, &err);
  if (!s && !r->reordered) s = ds_fail(err, DS_ERR_ARGUMENT, "atoms have not been sorted");
  if (!s && r->atoms.n > 0) s = ds_check_pointer(order, "array of the atoms' order", err);
  if (!s)
    s = ds_queue_copy(r->queue, order, r->composed.data, (size_t) r->atoms.n * sizeof(int32_t), "copying the order of atoms",
                      err);
  if (!s) s = ds_queue_wait(r->queue, "the order of atoms", err);
  return ds_queue_leave(r->queue, s, err);
}

void ds_resident_note_same_order(ds_resident *r)
{
  r->reordered = 0;
}

void ds_resident_identity(const ds_resident *r, ds_array *tag, ds_array *type, ds_array *mask)
{
  *tag = r->atoms.tag;
  *type = r->atoms.type;
  *mask = r->atoms.mask;
}
