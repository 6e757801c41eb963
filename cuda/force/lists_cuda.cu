/* Neighbor lists of the CUDA backend: built, read back.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/device/list_distance.h"
#include "pair_cuda.h"

#include <stdlib.h>
#include <string.h>

static ds_list_source source_of(const ds_pair *pair, const ds_cuda_state *c)
{
  ds_list_source s;
  s.frame = pair->frame;
  s.nlocal = pair->nlocal;
  s.ntypes = pair->tables.ntypes;
  s.list2 = pair->tables.list2[0];
  s.margin = ds_list_margin(&pair->frame, &pair->grid);
  s.list2_table = DS_DATA(float, c->list2);
  s.position = DS_DATA(int4, c->atoms.storage64 ? c->slots.upper : c->slots.position);
  s.tag = DS_DATA(int64_t, c->slots.tag);
  s.special = c->atoms.special;
  s.excluded = c->atoms.excluded;
  return s;
}

/* Room for the list: what the last one wanted and a tenth, as far as it is known. */
static ds_status reserve_entries(ds_pair *pair, ds_cuda_state *c, ds_error *err)
{
  const size_t wanted = (size_t) c->stream.control_host->entries;
  const size_t need = wanted ? wanted + wanted / 10 : 60 * (size_t) pair->nlocal;
  if (c->list.room >= wanted && c->list.room > 0 && c->list.room <= 2 * need + 65536) return DS_OK;
  return ds_list_cuda_grow(&c->list, &c->stream, need, err);
}

static ds_status queue_build(ds_pair *pair, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) pair->state;
  const int n = pair->nlocal + pair->nghost, wide = ds_list_cuda_wide_keys(&pair->grid);
  ds_status s = ds_cuda_loaded(c, err);
  if (!s) s = ds_queue_use(&c->stream, err);
  c->by_type = pair->tables.ranged || c->atoms.excludes_types;
  if (!s) s = ds_cuda_send_tables(pair, err);
  if (!s) s = ds_list_cuda_reserve(&c->list, &c->stream, &pair->grid, n, pair->step, err);
  if (!s) s = reserve_entries(pair, c, err);
  if (!s) s = ds_atoms_cuda_send_messages(&c->atoms, err);
  ds_timer_begin(&c->stream.timer, DS_STAGE_SORT, c->stream.stream);
  if (!s)
    s = ds_atoms_cuda_keys(&c->atoms, &pair->grid, c->list.key[0].data, wide,
                           DS_DATA(int32_t, c->list.value[0]), err);
  if (!s) s = ds_list_cuda_sort(&c->list, &c->stream, &pair->grid, n, pair->step, err);
  if (!s) s = ds_cuda_gather(pair, err);
  if (!s) {
    const ds_list_source source = source_of(pair, c);
    s = ds_list_cuda_build(&c->list, &c->stream, &source, pair->step, err);
  }
  /* ghosts will come by messages to the device, and some rows may be begun without them */
  const int split = pair->nghost > 0 && !c->atoms.on_host && !c->atoms.have_owners && !c->by_type &&
                    pair->nlocal >= ds_cuda_least_begun(pair);
  if (!s && split)
    s = ds_list_cuda_split(&c->list, &c->stream, pair->nlocal, DS_SWEEP_THREADS, pair->step, err);
  c->split_order = !s && split ? pair->version.order : 0;
  c->list_unchecked = 1;
  return s;
}

ds_status ds_cuda_settle_list(ds_pair *pair, ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) pair->state;
  ds_status s = ds_queue_use(&c->stream, err);
  while (!s && c->list_unchecked) {
    const int evaluated = c->evaluated;
    int64_t again = -1;
    s = ds_cuda_check(pair, NULL, &again, err);
    if (s || again < 0) break;
    if (evaluated) return ds_pair_once_more_error(again, err);
    pair->version.order++;
    s = queue_build(pair, err);
  }
  return s;
}

/* With arrays in host memory every evaluation is waited for: then faults are told here already. */
ds_status ds_cuda_build_list(ds_pair *pair, ds_error *err)
{
  const ds_cuda_state *c = (const ds_cuda_state *) pair->state;
  ds_status s = queue_build(pair, err);
  if (!s && c->atoms.on_host) s = ds_cuda_settle_list(pair, err);
  return s ? s : ds_succeed(err);
}

/* ---------------------------------------------------------------------------------------- reading back */

/* Rows one after the other: the list itself has gaps where rows are shorter than others beside them. */
__global__ void compact_kernel(int slots, const uint32_t *first, const int32_t *count,
                               const int64_t *start, const uint32_t *entries, uint32_t *out)
{
  const int slot = blockIdx.x * blockDim.x + threadIdx.x;
  if (slot >= slots || start[slot] < 0) return;
  for (int k = 0; k < count[slot]; k++)
    out[start[slot] + k] = entries[ds_lane_entry(first[slot], k)];
}

typedef struct {
  int32_t *atom, *count;
  int64_t *start; /* by slot; -1: no row */
  uint32_t *entries;
} list_copy;

static void *fetch(ds_queue *stream, const void *from, size_t bytes, ds_status *s, ds_error *err)
{
  void *const to = malloc(bytes + 1);
  if (!to)
    *s = ds_fail(err, DS_ERR_MEMORY,
                 "reading the neighbor list: could not get %zu bytes of host memory", bytes);
  else if (from)
    *s = ds_queue_copy(stream, to, from, bytes, "reading the neighbor list", err);
  return to;
}

/* Rows of own atoms in the order of slots. */
static void number_rows(const ds_pair *pair, const list_copy *l, int slots, int *rows, int *atom,
                        int64_t *start)
{
  int64_t n = 0;
  *rows = 0;
  for (int k = 0; k < slots; k++) {
    l->start[k] = -1;
    if (l->atom[k] >= pair->nlocal) continue;
    l->start[k] = n;
    atom[*rows] = l->atom[k];
    start[(*rows)++] = n;
    n += l->count[k];
  }
  start[*rows] = n;
}

static ds_status fetch_entries(ds_cuda_state *c, list_copy *l, int64_t n, ds_error *err)
{
  ds_queue *const stream = &c->stream;
  const size_t slots = (size_t) c->list.slots;
  ds_status s = ds_reserve(&stream->memory, &c->read_start, slots + 1, sizeof(int64_t),
                           "reading the list", err);
  if (!s)
    s = ds_reserve(&stream->memory, &c->read_entries, (size_t) n + 1, sizeof(uint32_t),
                   "reading the list", err);
  if (!s)
    s = ds_queue_copy(stream, c->read_start.data, l->start, slots * sizeof(int64_t),
                       "reading the neighbor list", err);
  if (!s)
    s = DS_LAUNCH(err, "compact kernel", compact_kernel, ds_gpu_blocks(slots, 128), 128,
                  stream->stream, c->list.slots, DS_DATA(uint32_t, c->list.first),
                  DS_DATA(int32_t, c->list.count), DS_DATA(int64_t, c->read_start),
                  DS_DATA(uint32_t, c->list.entries), DS_DATA(uint32_t, c->read_entries));
  if (!s)
    l->entries =
        (uint32_t *) fetch(stream, c->read_entries.data, (size_t) n * sizeof(uint32_t), &s, err);
  return s ? s : ds_queue_wait(stream, "reading the neighbor list", err);
}

static ds_status read_rows(ds_pair *pair, ds_cuda_state *c, list_copy *l, int *rows, int *atom,
                           int64_t *start, uint32_t *entries, ds_error *err)
{
  const size_t n = (size_t) c->list.slots;
  ds_status s = DS_OK;
  l->atom = (int32_t *) fetch(&c->stream, c->list.atom_of_slot, n * sizeof(int32_t), &s, err);
  if (!s)
    l->count = (int32_t *) fetch(&c->stream, c->list.count.data, n * sizeof(int32_t), &s, err);
  if (!s) l->start = (int64_t *) fetch(&c->stream, NULL, n * sizeof(int64_t), &s, err);
  if (!s) s = ds_queue_wait(&c->stream, "reading the neighbor list", err);
  if (s) return s;
  number_rows(pair, l, c->list.slots, rows, atom, start);
  if (!entries) return DS_OK;
  s = fetch_entries(c, l, start[*rows], err);
  for (int64_t e = 0; e < start[*rows] && !s; e++)
    entries[e] = (uint32_t) l->atom[l->entries[e] & DS_INDEX_MASK] |
                 (l->entries[e] & ~(uint32_t) DS_INDEX_MASK);
  return s;
}

ds_status ds_cuda_read_list(ds_pair *pair, int *rows, int *atom, int64_t *start, uint32_t *entries,
                            ds_error *err)
{
  ds_cuda_state *c = (ds_cuda_state *) pair->state;
  list_copy l = {NULL, NULL, NULL, NULL};
  ds_status s = ds_cuda_settle_list(pair, err);
  if (!s) s = read_rows(pair, c, &l, rows, atom, start, entries, err);
  free(l.atom);
  free(l.count);
  free(l.start);
  free(l.entries);
  return s ? s : ds_succeed(err);
}
