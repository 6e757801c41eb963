/* Host backend: C with OpenMP.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "pair_host.h"

#include "dpdsop/device/signature.h"

#include <stdlib.h>
#include <string.h>

static ds_status host_open(ds_pair *pair, ds_error *err)
{
  ds_host_state *h = calloc(1, sizeof *h);
  if (!h) return ds_fail(err, DS_ERR_MEMORY, "no host memory for the host backend");
  h->isa = pair->isa;
  h->storage64 = pair->options.precision == DS_PRECISION_DOUBLE;
  h->pool.memory = &ds_host_memory;
  h->atoms.pool = h->list.pool = &h->pool;
  h->atoms.source.storage64 = h->storage64;
  h->atoms.source.isa = h->isa;
  pair->state = h;
  return DS_OK;
}

static void host_close(ds_pair *pair)
{
  ds_host_state *h = pair->state;
  ds_pool_close(&h->pool);
  free(h);
}

/* ------------------------------------------------------------------------------------------- atoms */

static ds_status host_set_types(ds_pair *pair, const ds_array *type, ds_error *err)
{
  ds_host_state *h = pair->state;
  const ds_status s = ds_host_space_only(type, "atom types", err);
  if (s) return s;
  h->atoms.source.type = *type;
  return ds_succeed(err);
}

static ds_status host_set_atoms(ds_pair *pair, const ds_atoms *atoms, ds_error *err)
{
  ds_host_state *h = pair->state;
  h->atoms.source.ntypes = pair->tables.ntypes;
  const ds_status s = ds_atoms_host_set(&h->atoms, atoms, pair->options.threads, err);
  if (s) return s;
  const int bad = ds_source_bad_type(&h->atoms.source);
  if (bad >= 0)
    return ds_pair_type_error(pair, ds_array_int(&atoms->tag, bad, 0),
                              ds_array_int(&atoms->type, bad, 0), err);
  return ds_succeed(err);
}

static ds_status host_load(ds_pair *pair, const ds_array *x, const ds_array *v, ds_error *err)
{
  ds_host_state *h = pair->state;
  ds_atom_source *const source = &h->atoms.source;
  ds_status s = ds_host_space_only(x, "positions", err);
  if (!s) s = ds_host_space_only(v, "velocities", err);
  if (s) return s;
  source->frame = pair->frame;
  source->ntypes = pair->tables.ntypes;
  source->x = *x;
  source->v = *v;
  source->seed = pair->tables.seed;
  source->step = ds_signature_step((uint64_t) pair->step, pair->place);
  return ds_succeed(err);
}

/* ---------------------------------------------------------------------------------- atoms by slot */

static ds_status reserve_slots(ds_host_state *h, size_t n, ds_error *err)
{
  const size_t word = h->storage64 ? 8 : 4;
  ds_status s = ds_reserve(&h->pool, &h->slot_position, 4 * n, word, "sorted positions", err);
  if (!s) s = ds_reserve(&h->pool, &h->slot_velocity, 4 * n, word, "sorted velocities", err);
  return s;
}

/* Returns what is wrong with atoms. */
static int fill_slots(ds_pair *pair, ds_host_state *h)
{
  const int32_t *const atom = DS_DATA(int32_t, h->list.atom_of_slot);
  const size_t bytes = h->storage64 ? 32 : 16;
  int bad = 0;
#pragma omp parallel for num_threads(pair->options.threads) reduction(| : bad)
  for (int first = 0; first < h->list.slots; first += DS_ATOM_BATCH) {
    const int left = h->list.slots - first;
    bad |= ds_source_read(&h->atoms.source, 0, atom + first, left < DS_ATOM_BATCH ? left : DS_ATOM_BATCH,
                          DS_DATA(char, h->slot_position) + bytes * (size_t) first,
                          DS_DATA(char, h->slot_velocity) + bytes * (size_t) first);
  }
  if (bad & DS_FAR_POSITION) ds_pair_list_outlived(pair);
  return bad & DS_BAD_ATOM;
}

static int type_of_slot(const ds_host_state *h, size_t slot)
{
  return h->storage64 ? (int) DS_DATA(int64_t, h->slot_position)[4 * slot + 3]
                      : DS_DATA(int32_t, h->slot_position)[4 * slot + 3];
}

/* What is in the list depends on types, and some have changed since it was built. */
static int has_other_types(const ds_host_state *h)
{
  if (!h->by_type) return 0;
  for (size_t k = 0; k < (size_t) h->list.slots; k++)
    if (type_of_slot(h, k) != DS_DATA(int32_t, h->slot_list_type)[k]) return 1;
  return 0;
}

ds_status ds_host_gather(ds_pair *pair, ds_error *err)
{
  ds_host_state *h = pair->state;
  if (ds_same_slots(&h->gathered, &pair->version)) return DS_OK;
  ds_status s = reserve_slots(h, (size_t) h->list.slots + 1, err);
  if (s) return s;
  if (fill_slots(pair, h)) return ds_pair_source_error(pair, &h->atoms.source, err);
  h->gathered = pair->version;
  return has_other_types(h) ? ds_pair_build_list(pair, err) : DS_OK;
}

static ds_status host_get_velocities(ds_pair *pair, const ds_array *v, ds_error *err)
{
  const ds_host_state *h = pair->state;
  const ds_status s = ds_host_gather(pair, err);
  if (s) return s;
  const int32_t *const atom = DS_DATA(int32_t, h->list.atom_of_slot);
#pragma omp parallel for num_threads(pair->options.threads)
  for (int k = 0; k < h->list.slots; k++)
    for (int c = 0; c < 3 && atom[k] < pair->nlocal; c++) {
      const size_t at = 4 * (size_t) k + (size_t) c;
      ds_array_put(v, atom[k], c,
                   h->storage64 ? DS_DATA(double, h->slot_velocity)[at]
                                : (double) DS_DATA(float, h->slot_velocity)[at]);
    }
  return ds_succeed(err);
}

/* ------------------------------------------------------------------------------------------ ghosts */

static ds_status host_pack(ds_pair *pair, int n, const int *list, const int shift[3], void *buffer,
                           ds_space space, ds_error *err)
{
  (void) space; /* the host's, as checked */
  const ds_host_state *h = pair->state;
  ds_source_pack(&h->atoms.source, n, list, shift, pair->options.threads, buffer);
  return ds_succeed(err);
}

static ds_status host_unpack(ds_pair *pair, int first, int n, const void *buffer, ds_space space,
                             ds_error *err)
{
  (void) space;
  ds_host_state *h = pair->state;
  ds_atoms_host_unpack(&h->atoms, first, n, buffer);
  return ds_succeed(err);
}

static ds_status host_set_owners(ds_pair *pair, const int *owner, const int *image, ds_error *err)
{
  ds_host_state *h = pair->state;
  const ds_status s = ds_atoms_host_owners(&h->atoms, pair->nghost, owner, image, err);
  return s ? s : ds_succeed(err);
}

/* ------------------------------------------------------------------------------------------- lists */

/* Keys from positions; returns what is wrong with atoms. */
static int fill_keys(const ds_pair *pair, ds_host_state *h, int n)
{
  ds_keyed *const keyed = DS_DATA(ds_keyed, h->list.keyed);
  int bad = 0;
#pragma omp parallel for num_threads(pair->options.threads) reduction(| : bad)
  for (int first = 0; first < n; first += DS_ATOM_BATCH) {
    const int count = n - first < DS_ATOM_BATCH ? n - first : DS_ATOM_BATCH;
    ds_position_words position;
    int32_t upper[4 * DS_ATOM_BATCH];
    bad |= ds_source_read(&h->atoms.source, first, NULL, count, &position, NULL);
    ds_source_upper(&h->atoms.source, &position, count, upper);
    for (int k = 0; k < count; k++) {
      const ds_position p = {upper[4 * k], upper[4 * k + 1], upper[4 * k + 2]};
      keyed[first + k].key = ds_grid_key(&pair->grid, p);
      keyed[first + k].index = (uint32_t) (first + k);
    }
  }
  return bad & DS_BAD_ATOM;
}

/* Positions by slot as lists want them, and the types that the list is built for. */
static ds_status list_positions(ds_pair *pair, ds_host_state *h, const int32_t **position,
                                ds_error *err)
{
  const size_t n = (size_t) h->list.slots;
  *position = DS_DATA(int32_t, h->slot_position);
  if (h->storage64) {
    const ds_status s =
        ds_reserve(&h->pool, &h->slot_upper, 4 * n + 4, sizeof(int32_t), "sorted positions", err);
    if (s) return s;
    ds_source_upper(&h->atoms.source, h->slot_position.data, h->list.slots,
                    DS_DATA(int32_t, h->slot_upper));
    *position = DS_DATA(int32_t, h->slot_upper);
  }
  h->by_type = pair->tables.ranged || h->atoms.excludes_types;
  if (!h->by_type) return DS_OK;
  const ds_status s =
      ds_reserve(&h->pool, &h->slot_list_type, n + 1, sizeof(int32_t), "types of the list", err);
  for (size_t k = 0; k < n && !s; k++)
    DS_DATA(int32_t, h->slot_list_type)[k] = (*position)[4 * k + 3];
  return s;
}

static ds_status build_rows(ds_pair *pair, ds_host_state *h, ds_error *err)
{
  ds_list_input in;
  const ds_status s = list_positions(pair, h, &in.position, err);
  if (s) return s;
  in.frame = &pair->frame;
  in.grid = &pair->grid;
  in.ntypes = pair->tables.ntypes;
  in.list2 = pair->tables.list2;
  in.special = h->atoms.special;
  in.excluded = h->atoms.excluded;
  in.nlocal = pair->nlocal;
  in.tag = h->atoms.source.tag;
  in.threads = pair->options.threads;
  in.isa = h->isa;
  return ds_list_host_build(&h->list, &in, err);
}

ds_status ds_host_build_list(ds_pair *pair, ds_error *err)
{
  ds_host_state *h = pair->state;
  const int n = pair->nlocal + pair->nghost;
  ds_status s = ds_list_host_reserve(&h->list, &pair->grid, n, err);
  if (!s) s = reserve_slots(h, (size_t) n + 1, err);
  if (s) return s;
  if (fill_keys(pair, h, n)) return ds_pair_source_error(pair, &h->atoms.source, err);
  ds_list_host_sort(&h->list, &pair->grid, n, pair->options.threads);
  fill_slots(pair, h);
  h->gathered = pair->version;
  return build_rows(pair, h, err);
}

static ds_status host_read_list(ds_pair *pair, int *rows, int *atom, int64_t *start,
                                uint32_t *entries, ds_error *err)
{
  const ds_host_state *h = pair->state;
  const int32_t *const atoms = DS_DATA(int32_t, h->list.atom_of_slot);
  int64_t n = 0;
  *rows = 0;
  for (int k = 0; k < h->list.slots; k++) {
    const uint32_t *const from = DS_DATA(uint32_t, h->list.entries) +
                                 (size_t) DS_DATA(uint32_t, h->list.first)[k] * DS_ROW_UNIT;
    const int count = DS_DATA(int32_t, h->list.count)[k];
    if (atoms[k] >= pair->nlocal) continue;
    atom[*rows] = atoms[k];
    start[(*rows)++] = n;
    for (int e = 0; e < count && entries; e++)
      entries[n + e] =
          (uint32_t) atoms[from[e] & DS_INDEX_MASK] | (from[e] & ~(uint32_t) DS_INDEX_MASK);
    n += count;
  }
  start[*rows] = n;
  return ds_succeed(err);
}

/* -------------------------------------------------------------------------------------- the others */

/* All has been done when it was queued. */
static ds_status host_check(ds_pair *pair, ds_pair_result *result, int64_t *again, ds_error *err)
{
  const ds_host_state *h = pair->state;
  *again = -1;
  if (result && h->have_sums) ds_pair_finish_sums(pair, &h->sums, result);
  return ds_succeed(err);
}

static void host_info(const ds_pair *pair, ds_pair_info *info)
{
  const ds_host_state *h = pair->state;
  info->variant = ds_isa_name(h->isa);
  info->rows = pair->have_list ? pair->nlocal : 0;
  info->entries = (int64_t) h->list.room;
  info->bytes_host = ds_pool_bytes(&h->pool);
}

static void host_pin(ds_pair *pair, void *data, size_t bytes)
{
  (void) pair, (void) data, (void) bytes;
}

static const uint64_t *host_halted(const ds_pair *pair)
{
  (void) pair;
  return NULL;
}

static void *host_stream(const ds_pair *pair)
{
  (void) pair;
  return NULL;
}

const ds_pair_backend ds_pair_host_backend = {
    "host",          host_open,       host_close,          host_set_atoms,
    host_set_types,  host_load,       host_get_velocities, host_pack,
    host_unpack,     host_set_owners, ds_host_build_list,  NULL,
    ds_host_enqueue, host_check,      host_read_list,      host_info,
    host_pin,        host_halted,     host_stream};
