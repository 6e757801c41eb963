/* A rebuild, in the order of its stages; and a list read back.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "pair_state.h"

#include <stdlib.h>
#include <string.h>

ds_list_source ds_pair_list_source(const ds_pair *pair, const ds_list_ranges *ranges, const ds_mirror *list2,
                                   const ds_grid *grid)
{
  const ds_buffer *const position = ds_is_double(pair) ? &pair->sorted.upper : &pair->sorted.position;
  ds_list_source s;
  s.frame = pair->frame;
  s.nlocal = pair->nlocal;
  s.ntypes = ranges->ntypes;
  s.both_ways = !ds_queue_is_host(&pair->queue) || pair->options.threads > 1;
  s.ranges_differ = ranges->differ;
  s.list2 = ranges->squared[0];
  s.margin = ds_list_margin(&pair->frame, grid);
  s.list2_table = DS_DATA(float, list2->device);
  s.position = DS_DATA(int32_t, *position);
  s.copy_stride = ds_copy_stride(&pair->queue, position, 4 * sizeof(int32_t));
  s.tag = DS_DATA(int64_t, pair->sorted.tag);
  s.special = pair->particles.special;
  s.excluded = pair->particles.excluded;
  return s;
}

/* Places of all atoms along the curve, the order that they make, and the cells in it. */
static ds_status queue_order(ds_pair *pair, ds_error *err)
{
  ds_queue *const q = &pair->queue;
  ds_list *const l = &pair->list;
  ds_placing to;
  ds_queue_begin(q, DS_STAGE_PLACE);
  ds_status s = ds_list_begin(l, &to, err);
  if (!s) s = pair->particles.stages->place(&pair->particles, &to, err);
  ds_queue_end(q, DS_STAGE_PLACE);
  ds_queue_begin(q, DS_STAGE_SORT);
  if (!s) s = ds_list_order(l, &pair->ranking, pair->step, err);
  ds_queue_end(q, DS_STAGE_SORT);
  return s;
}

ds_status ds_pair_queue_list(ds_pair *pair, ds_error *err)
{
  enum { GUESS = 60 }; /* entries of an atom in a list of which nothing is known */
  const int n = pair->nlocal + pair->nghost;
  ds_grid grid;
  pair->version.order++;
  pair->evaluations_before_list = pair->version.evaluation;
  ds_status s = ds_pair_send_tables(pair, err);
  const int splits = ds_pair_splits_lists(pair);
  const ds_list_ranges *const ranges = splits ? &pair->shared : &pair->ranges;
  pair->by_type = splits || pair->ranges.differ || pair->particles.excludes_types;
  if (!s) s = ds_grid_init(&grid, &pair->frame, ranges->range, n, err);
  if (!s) s = ds_list_reserve(&pair->list, &grid, n, err);
  if (!s) s = ds_list_reserve_entries(&pair->list, GUESS * (size_t) pair->nlocal, err);
  if (!s) s = queue_order(pair, err);
  if (!s) s = ds_pair_gather(pair, DS_GATHER_ALL, err);
  if (s) return s;
  const ds_list_source source = ds_pair_list_source(pair, ranges, splits ? &pair->shared_list2 : &pair->list2, &grid);
  s = ds_list_rows(&pair->list, &source, pair->step, err);
  if (!s && splits) s = DS_WITH_CUDA(ds_own_lists_build(pair, err), DS_OK);
  return s ? s : DS_WITH_CUDA(ds_begin_find_inner(pair, err), DS_OK);
}

ds_status ds_pair_settle_list(ds_pair *pair, ds_error *err)
{
  ds_status s = DS_OK;
  while (!s && pair->checked.order != pair->version.order) {
    const int is_evaluated = pair->evaluations_before_list != pair->version.evaluation;
    int64_t again = -1;
    s = ds_pair_check(pair, NULL, &again, err);
    if (s || again < 0) break;
    if (is_evaluated) return ds_pair_requeue_error(again, err);
    s = ds_pair_queue_list(pair, err);
    pair->have_list = s == DS_OK;
  }
  return s;
}

/* With arrays in host memory every evaluation is waited for: then faults are reported here already. */
ds_status ds_pair_build_list(ds_pair *pair, ds_error *err)
{
  ds_status s = ds_queue_enter(&pair->queue, &err);
  if (!s) s = ds_pair_need_positions(pair, "list built before positions", err);
  if (s) return s;
  s = ds_pair_queue_list(pair, err);
  if (!s && pair->particles.given.x.space == DS_SPACE_HOST) s = ds_pair_settle_list(pair, err);
  pair->have_list = s == DS_OK;
  return ds_queue_leave(&pair->queue, s, err);
}

/* ---------------------------------------------------------------------------------------- reading back */

/* The list, and what its slots hold, in host memory. */
typedef struct {
  ds_pool pool;
  ds_buffer atom, count, first, entries, velocity, place;
} list_copy;

static void fetch(ds_pair *pair, list_copy *l, ds_buffer *to, const void *from, size_t bytes, ds_status *s, ds_error *err)
{
  if (!*s) *s = ds_reserve(&l->pool, to, bytes + 1, 1, "reading the neighbor list", err);
  if (!*s) *s = ds_queue_copy(&pair->queue, to->data, from, bytes, "reading the neighbor list", err);
}

/* An array by slot, of which each GPU has a copy: from each those rows that it has. */
static void fetch_sorted(ds_pair *pair, list_copy *l, ds_buffer *to, const ds_buffer *from, size_t n, size_t size, ds_status *s,
                         ds_error *err)
{
  const size_t gpus = (size_t) pair->queue.gpus.n, stride = ds_copy_stride(&pair->queue, from, size);
  if (!*s) *s = ds_reserve(&l->pool, to, n + 1, size, "reading the neighbor list", err);
  for (size_t gpu = 0; gpu < gpus && !*s; gpu++) {
    const size_t first = n * gpu / gpus, end = n * (gpu + 1) / gpus;
    const char *const rows = (const char *) from->data + (gpu * stride + first) * size;
    *s = ds_queue_copy(&pair->queue, (char *) to->data + first * size, rows, (end - first) * size, "reading the neighbor list",
                       err);
  }
}

/* Entry e of the row of a slot. */
static uint32_t entry_of(const list_copy *l, int is_host, int slot, int e)
{
  const uint32_t first = DS_DATA(uint32_t, l->first)[slot];
  return DS_DATA(uint32_t, l->entries)[is_host ? (size_t) first * DS_ROW_UNIT + (size_t) e : ds_lane_entry(first, e)];
}

static int compare_entries(const void *one, const void *other)
{
  const uint32_t a = *(const uint32_t *) one & DS_INDEX_MASK, b = *(const uint32_t *) other & DS_INDEX_MASK;
  return (a > b) - (a < b);
}

/* Of each slot, entries of other rows that name it, where a pair of own atoms is in one of their rows. */
static void count_named(const ds_pair *pair, const list_copy *l, int64_t *named)
{
  const int32_t *const of_slot = DS_DATA(int32_t, l->atom), *const count = DS_DATA(int32_t, l->count);
  for (int k = 0; k < pair->list.slots; k++)
    for (int e = 0; e < count[k] && of_slot[k] < pair->nlocal; e++) {
      const uint32_t j = entry_of(l, 1, k, e) & DS_INDEX_MASK; /* on the host */
      if (of_slot[j] < pair->nlocal) named[j]++;
    }
}

/* Entries of the caller's rows, as slots. `end`: of each slot, where its next entry goes. */
static void write_entries(const ds_pair *pair, const list_copy *l, int is_host, int64_t *end, uint32_t *entries)
{
  const int32_t *const of_slot = DS_DATA(int32_t, l->atom), *const count = DS_DATA(int32_t, l->count);
  for (int k = 0; k < pair->list.slots; k++)
    for (int e = 0; e < count[k] && of_slot[k] < pair->nlocal; e++) {
      const uint32_t entry = entry_of(l, is_host, k, e), j = entry & DS_INDEX_MASK;
      entries[end[k]++] = entry;
      if (!pair->list.both_ways && of_slot[j] < pair->nlocal)
        entries[end[j]++] = (uint32_t) k | (entry & ~(uint32_t) DS_INDEX_MASK);
    }
}

/* Rows of own atoms in the order of slots; entries in that order, too. place: one number of each slot. */
static void write_rows(const ds_pair *pair, const list_copy *l, int64_t *place, int *rows, int *atom, int64_t *start,
                       uint32_t *entries)
{
  const int32_t *const of_slot = DS_DATA(int32_t, l->atom), *const count = DS_DATA(int32_t, l->count);
  const int is_host = ds_queue_is_host(&pair->queue), slots = pair->list.slots;
  int64_t n = 0;
  *rows = 0;
  memset(place, 0, (size_t) slots * sizeof *place);
  if (!pair->list.both_ways) count_named(pair, l, place);
  for (int k = 0; k < slots; k++) {
    const int64_t named = place[k];
    place[k] = n;
    if (of_slot[k] >= pair->nlocal) continue;
    atom[*rows] = of_slot[k];
    start[(*rows)++] = n;
    n += count[k] + named;
  }
  start[*rows] = n;
  if (!entries) return;
  write_entries(pair, l, is_host, place, entries);
  for (int r = 0; r < *rows; r++)
    qsort(entries + start[r], (size_t) (start[r + 1] - start[r]), sizeof *entries, compare_entries);
  for (int64_t e = 0; e < n; e++)
    entries[e] = (uint32_t) of_slot[entries[e] & DS_INDEX_MASK] | (entries[e] & ~(uint32_t) DS_INDEX_MASK);
}

ds_status ds_pair_read_list(ds_pair *pair, int *rows, int *atom, int64_t *start, uint32_t *entries, ds_error *err)
{
  const ds_list *const from = &pair->list;
  list_copy l = {.pool = {.memory = &ds_host_memory}};
  ds_status s = ds_queue_enter(&pair->queue, &err);
  if (!s && !pair->have_list)
    s = pair->fault.code ? ds_pair_need_positions(pair, "", err) : ds_fail(err, DS_ERR_ARGUMENT, "no list was built");
  if (!s) s = ds_check_pointer(rows, "place for the number of rows", err);
  if (!s) s = ds_check_pointer(start, "array of where rows start", err);
  if (!s && pair->nlocal > 0) s = ds_check_pointer(atom, "array of the rows' atoms", err);
  if (!s) s = ds_pair_settle_list(pair, err);
  const size_t bytes = (size_t) from->slots * sizeof(int32_t);
  fetch(pair, &l, &l.atom, from->sort.order, bytes, &s, err);
  fetch(pair, &l, &l.count, from->count.data, bytes, &s, err);
  fetch(pair, &l, &l.first, from->first.data, bytes, &s, err);
  if (entries || !from->both_ways) fetch(pair, &l, &l.entries, from->entries.data, from->room * sizeof(uint32_t), &s, err);
  if (!s) s = ds_reserve(&l.pool, &l.place, (size_t) from->slots + 1, sizeof(int64_t), "reading the neighbor list", err);
  if (!s) s = ds_queue_wait(&pair->queue, "reading the neighbor list", err);
  if (!s) write_rows(pair, &l, l.place.data, rows, atom, start, entries);
  ds_pool_close(&l.pool);
  return ds_queue_leave(&pair->queue, s, err);
}

/* By slot, as the last evaluation took them. */
ds_status ds_pair_get_velocities(ds_pair *pair, const ds_array *v, ds_error *err)
{
  list_copy l = {.pool = {.memory = &ds_host_memory}};
  ds_status s = ds_queue_enter(&pair->queue, &err);
  if (!s) s = ds_pair_need_list(pair, "velocities wanted before they were loaded, or before a list", err);
  if (!s && v && v->space != DS_SPACE_HOST)
    s = ds_fail(err, DS_ERR_ARGUMENT, "velocities wanted in an array that is not F64 in host memory");
  if (!s) s = ds_check_array(&pair->queue, v, pair->nlocal, DS_F64, DS_F64, "velocities", err);
  if (!s) s = ds_pair_settle_list(pair, err);
  const size_t n = (size_t) pair->list.slots;
  if (!s) s = ds_pair_gather(pair, DS_GATHER_ALL, err);
  fetch(pair, &l, &l.atom, pair->list.sort.order, n * sizeof(int32_t), &s, err);
  fetch_sorted(pair, &l, &l.velocity, &pair->sorted.velocity, n, ds_is_double(pair) ? 32 : 16, &s, err);
  if (!s) s = ds_queue_wait(&pair->queue, "copying velocities", err);
  const ds_array found = {l.velocity.data, ds_is_double(pair) ? DS_F64 : DS_F32, DS_SPACE_HOST, 4, 1};
  for (size_t k = 0; k < n && !s; k++)
    for (int d = 0; d < 3 && DS_DATA(int32_t, l.atom)[k] < pair->nlocal; d++)
      ds_array_put(v, DS_DATA(int32_t, l.atom)[k], d, ds_array_get(&found, (ptrdiff_t) k, d));
  ds_pool_close(&l.pool);
  return ds_queue_leave(&pair->queue, s, err);
}
