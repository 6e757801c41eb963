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

static ds_status reserve_spare(ds_resident *r, ds_error *err)
{
  const size_t room = (size_t) r->atoms.n + 1;
  ds_status s = ds_reserve(&r->memory, &r->spare, 3 * room, sizeof(double), "one field", err);
  for (size_t k = 0; k < 2 && r->queue->gpus.n > 1 && !s; k++)
    s = ds_reserve(&r->memory, &r->spare_words[k], room, 4 * (k + 1), "one field", err);
  return s;
}

static void *spare_for(const ds_resident *r, int components, int bytes)
{
  const ds_buffer *const words = &r->spare_words[bytes == 8];
  return components == 1 && words->data ? words->data : r->spare.data;
}

/* One field in an order, or back. */
static ds_status put_in_order(ds_resident *r, const int32_t *order, int back, void *data, int components, int bytes,
                              ds_error *err)
{
  const int n = r->atoms.n;
  void *const spare = spare_for(r, components, bytes);
  const ds_status s = r->stages->put(r->queue, order, back, data, spare, n, components, bytes, err);
  return s ? s : r->stages->put(r->queue, NULL, 0, spare, data, n, components, bytes, err);
}

static ds_status put_fields_in_order(ds_resident *r, const int32_t *order, int back, ds_error *err)
{
  ds_status s = DS_OK;
  for (int k = 0; k < DS_OWN_ARRAYS && !s; k++) {
    const ds_array *const array = ds_own_array_of(&r->atoms, k);
    const int bytes = ds_type_bytes(array->type);
    if (array->data) s = put_in_order(r, order, back, array->data, ds_own_kind_of(k)->components, bytes, err);
  }
  return s;
}

static ds_status sort(ds_resident *r, const ds_sort_bins *bins, ds_error *err)
{
  ds_status s = ds_resident_reserve_fractions(r, err);
  const ds_resident_view a = ds_resident_view_of(r);
  const size_t room = (size_t) a.n + 1;
  if (!s) s = reserve_spare(r, err);
  if (!s) s = ds_reserve(&r->memory, &r->composed, room, sizeof(int32_t), "sorted order", err);
  if (!s) s = ds_sort_reserve(r->queue, &r->memory, &r->order, a.n, sizeof(uint32_t), err);
  if (s || a.n == 0) return s;
  s = r->stages->find_order(r->queue, &r->memory, &r->order, &a, bins, err);
  /* orders one behind the other, since the caller's arrays were in the engine's */
  const size_t bytes = (size_t) a.n * sizeof(int32_t);
  if (!s)
    s = r->reordered ? put_in_order(r, r->order.order, 0, r->composed.data, 1, sizeof(int32_t), err)
                     : ds_queue_copy(r->queue, r->composed.data, r->order.order, bytes, "copying the order of atoms", err);
  if (!s) s = put_fields_in_order(r, r->order.order, 0, err);
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

/* -------------------------------------------------------------------------------- the order of the list, during a run */

/* One GPU writes sorted particles that stay in its cache in any order. */
static int may_stay(const ds_resident *r)
{
  return !ds_queue_is_host(r->queue) && r->queue->gpus.n == 1 && ds_pair_stays_in_cache(r->pair);
}

/* What would have to be put in order besides fields and charges, by atom: terms of bonds, special partners, molecules that
   rules of exclusion read and that are no field, densities, energies; arrays of the caller. */
static int has_more_than_fields(const ds_resident *r)
{
  const ds_particles *const p = &r->pair->particles;
  const int types_are_new = p->types_read != p->types; /* they will be read into the pair object's array */
  const int has_molecules = p->excluded.molecule.data && !r->atoms.molecule.data;
  const int charges_are_callers = p->given.charge.data && !ds_particles_copied_charges(p);
  return types_are_new || ds_resident_has_bonds(r) || r->bonded.with_copies || r->reads_tallies || p->special.max_special > 0 ||
         has_molecules || charges_are_callers || ds_pair_has_densities(r->pair);
}

int ds_resident_may_follow_list(const ds_resident *r, const ds_run_request *request)
{
  const ds_pair_request *const wanted = request->wanted;
  return r->own_copies && r->have_tags && r->atoms.n > 0 && !may_stay(r) && !has_more_than_fields(r) &&
         !(wanted && (wanted->eatom.data || wanted->vatom.data));
}

/* Reference positions and fractions, too, which a rebuild that finds an atom outside of the box leaves as they are. */
static ds_status put_all_in_order(ds_resident *r, const int32_t *order, int back, ds_error *err)
{
  void *const charges = ds_particles_copied_charges(&r->pair->particles);
  ds_status s = put_fields_in_order(r, order, back, err);
  if (!s && charges) s = put_in_order(r, order, back, charges, 1, ds_type_bytes(r->pair->particles.source.charge.type), err);
  if (!s && r->have_reference) s = put_in_order(r, order, back, r->x_ref.data, 3, sizeof(double), err);
  return !s && ds_resident_has_fractions(r) ? put_in_order(r, order, back, r->fraction.data, 3, sizeof(double), err) : s;
}

ds_status ds_resident_follow_list(ds_resident *r, ds_error *err)
{
  const size_t room = (size_t) r->atoms.n + 1;
  const int32_t *const order = r->pair->list.sort.order;
  ds_status s = reserve_spare(r, err);
  if (!s) s = ds_reserve(&r->memory, &r->followed, room, sizeof(int32_t), "order of a list", err);
  if (s) return s;
  int32_t *const followed = r->followed.data;
  s = r->pair->follows_list ? put_in_order(r, order, 0, followed, 1, sizeof(int32_t), err)
                            : r->stages->put(r->queue, NULL, 0, order, followed, r->atoms.n, 1, sizeof(int32_t), err);
  if (!s) s = put_all_in_order(r, order, 0, err);
  const ds_identity identity = ds_resident_identity(r);
  ds_pair_follow_list(r->pair, &identity);
  return s;
}

/* Slots stay what they are: each has another atom's number. */
static ds_status number_list(ds_resident *r, const int32_t *followed, ds_error *err)
{
  ds_list *const l = &r->pair->list;
  const int n = r->atoms.n;
  void *const spare = spare_for(r, 1, sizeof(int32_t));
  ds_status s = r->stages->put(r->queue, l->sort.order, 0, followed, spare, n, 1, sizeof(int32_t), err);
  if (!s) s = r->stages->put(r->queue, NULL, 0, spare, (void *) l->sort.order, n, 1, sizeof(int32_t), err);
  if (!s && l->slot_of_atom.data) s = put_in_order(r, followed, 1, l->slot_of_atom.data, 1, sizeof(int32_t), err);
  return s ? s : DS_WITH_CUDA(ds_own_lists_number(r->pair, err), DS_OK);
}

ds_status ds_resident_return_from_list(ds_resident *r, ds_error *err)
{
  const int32_t *const followed = r->followed.data;
  ds_status s = put_all_in_order(r, followed, 1, err);
  if (!s && r->pair->have_list) s = number_list(r, followed, err);
  ds_pair_return_from_list(r->pair);
  return s;
}

/* The spare field is used again by what is queued behind. */
ds_status ds_resident_copy(ds_resident *r, int out, void *engine, void *caller, int components, int bytes, const char *what,
                           ds_error *err)
{
  const int n = r->atoms.n;
  const size_t size = (size_t) n * (size_t) components * (size_t) bytes;
  const int32_t *const order = r->composed.data;
  void *const spare = r->spare.data;
  const ds_status lacks = ds_pair_need_own_order(r->pair, what, err);
  if (lacks) return lacks;
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

ds_identity ds_resident_identity(const ds_resident *r)
{
  return (ds_identity){r->atoms.tag, r->atoms.type, r->atoms.mask, r->atoms.molecule};
}
