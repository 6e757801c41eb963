/* Neighbor list of the host backend: sort along the curve, cells by boundary detection, ordered
   stencils, rows one after the other (Tang & Karniadakis 2014, 3.2-3.3).
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "list_host.h"

#include "dpdsop/device/list_distance.h"
#include "filter.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------- order, cells */

static ds_status make_stencils(ds_list_host *l, const ds_grid *grid, ds_error *err)
{
  const size_t cells = (size_t) ds_grid_count(grid);
  const ds_grid *const old = &l->stencil_grid;
  if (l->stencil.data && memcmp(old->cells, grid->cells, sizeof grid->cells) == 0 &&
      memcmp(old->wraps, grid->wraps, sizeof grid->wraps) == 0)
    return DS_OK;
  l->stencil_grid.cells[0] = 0; /* nothing is right till all of them are */
  ds_status s =
      ds_reserve(l->pool, &l->stencil, cells * DS_STENCIL, sizeof(int32_t), "stencils", err);
  if (!s) s = ds_reserve(l->pool, &l->stencil_count, cells, sizeof(int32_t), "stencils", err);
  if (s) return s;
  for (size_t c = 0; c < cells; c++) DS_DATA(int32_t, l->stencil_count)
  [c] = ds_grid_stencil(grid, (int32_t) c, DS_DATA(int32_t, l->stencil) + c * DS_STENCIL);
  l->stencil_grid = *grid;
  return DS_OK;
}

ds_status ds_list_host_reserve(ds_list_host *l, const ds_grid *grid, int n, ds_error *err)
{
  const size_t room = (size_t) n + 1, cells = (size_t) ds_grid_count(grid);
  ds_status s = ds_reserve(l->pool, &l->atom_of_slot, room, sizeof(int32_t), "sorted order", err);
  if (!s) s = ds_reserve(l->pool, &l->keyed, room, sizeof(ds_keyed), "sort keys", err);
  if (!s) s = ds_reserve(l->pool, &l->keyed_work, room, sizeof(ds_keyed), "sort keys", err);
  if (!s) s = ds_reserve(l->pool, &l->first, room, sizeof(uint32_t), "list rows", err);
  if (!s) s = ds_reserve(l->pool, &l->count, room, sizeof(int32_t), "list rows", err);
  if (!s) s = ds_reserve(l->pool, &l->cell_first, cells, sizeof(int32_t), "cells", err);
  if (!s) s = ds_reserve(l->pool, &l->cell_last, cells, sizeof(int32_t), "cells", err);
  return s ? s : make_stencils(l, grid, err);
}

/* One look at each atom and the one before it (3.2.3). */
static void find_cells(ds_list_host *l, const ds_grid *grid, int n, int threads)
{
  const ds_keyed *const keyed = DS_DATA(ds_keyed, l->keyed);
  const int shift = 3 * grid->fine_bits;
  int32_t *const first = DS_DATA(int32_t, l->cell_first), *const last =
                                                              DS_DATA(int32_t, l->cell_last);
  (void) threads;
  memset(first, 0, sizeof *first * (size_t) ds_grid_count(grid));
  memset(last, 0, sizeof *last * (size_t) ds_grid_count(grid));
#pragma omp parallel for num_threads(threads)
  for (int s = 0; s < n; s++) {
    if (s == 0 || keyed[s].key >> shift != keyed[s - 1].key >> shift)
      first[ds_grid_cell_of_key(grid, keyed[s].key)] = s;
    if (s == n - 1 || keyed[s].key >> shift != keyed[s + 1].key >> shift)
      last[ds_grid_cell_of_key(grid, keyed[s].key)] = s + 1;
  }
}

void ds_list_host_sort(ds_list_host *l, const ds_grid *grid, int n, int threads)
{
  ds_keyed *const keyed = DS_DATA(ds_keyed, l->keyed);
  ds_sort_host(keyed, DS_DATA(ds_keyed, l->keyed_work), n, threads);
#pragma omp parallel for num_threads(threads)
  for (int s = 0; s < n; s++) DS_DATA(int32_t, l->atom_of_slot)[s] = (int32_t) keyed[s].index;
  find_cells(l, grid, n, threads);
  l->slots = n;
}

/* ------------------------------------------------------------------------------------------ rows */

/* What one thread works with: a fine stencil, and rows of a cell before they are stored. */
typedef struct {
  int size;
  float *x, *y, *z;
  int32_t *ix, *iy, *iz, *type, *hit;
  uint32_t *slot;
  uint32_t *rows;
  size_t rows_room, rows_used;
  int failed;
} row_space;

static int grow_stencil(row_space *w, int size)
{
  if (size <= w->size) return 1;
  free(w->x);
  w->size = size + size / 2 + 64;
  w->x = malloc((size_t) w->size * 9 * sizeof(float));
  if (!w->x) {
    w->size = 0;
    return 0;
  }
  w->y = w->x + w->size;
  w->z = w->y + w->size;
  w->ix = (int32_t *) (w->z + w->size);
  w->iy = w->ix + w->size;
  w->iz = w->iy + w->size;
  w->type = w->iz + w->size;
  w->hit = w->type + w->size;
  w->slot = (uint32_t *) (w->hit + w->size);
  return 1;
}

static int grow_rows(row_space *w, size_t more)
{
  if (w->rows_used + more <= w->rows_room) return 1;
  const size_t room = 2 * (w->rows_used + more);
  uint32_t *const rows = realloc(w->rows, room * sizeof *rows);
  if (!rows) return 0;
  w->rows = rows;
  w->rows_room = room;
  return 1;
}

static ds_position position_of(const ds_list_input *in, uint32_t slot)
{
  const int32_t *const p = in->position + 4 * (size_t) slot;
  const ds_position q = {p[0], p[1], p[2]};
  return q;
}

static int type_of(const ds_list_input *in, uint32_t slot)
{
  return in->position[4 * (size_t) slot + 3];
}

/* Returns the number of atoms, or -1 without memory. */
static int gather_stencil(const ds_list_host *l, const ds_list_input *in, int cell,
                          ds_position origin, row_space *w)
{
  const int32_t *const first = DS_DATA(int32_t, l->cell_first), *const last =
                                                                    DS_DATA(int32_t, l->cell_last);
  const int32_t *const stencil = DS_DATA(int32_t, l->stencil) + (size_t) cell * DS_STENCIL;
  const int cells = DS_DATA(int32_t, l->stencil_count)[cell];
  static ds_places_function *const places[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_places);
  int n = 0;
  for (int k = 0; k < cells; k++) n += last[stencil[k]] - first[stencil[k]];
  if (!grow_stencil(w, n + 1)) return -1;
  n = 0;
  for (int k = 0; k < cells; k++)
    for (int s = first[stencil[k]]; s < last[stencil[k]]; s++, n++) {
      const int32_t *const p = in->position + 4 * (size_t) s;
      w->ix[n] = p[0];
      w->iy[n] = p[1];
      w->iz[n] = p[2];
      w->type[n] = p[3];
      w->slot[n] = (uint32_t) s;
    }
  places[in->isa](in->frame, origin, n, w->ix, w->iy, w->iz, w->x, w->y, w->z);
  return n;
}

/* Special codes into the entries, and excluded pairs out of them; returns how many are left. */
static int finish_row(const ds_list_host *l, const ds_list_input *in, uint32_t slot,
                      uint32_t *entries, int n)
{
  const int32_t *const atom = DS_DATA(int32_t, l->atom_of_slot);
  const ds_position p = position_of(in, slot);
  int kept = 0;
  for (int k = 0; k < n; k++) {
    const int j = atom[entries[k]];
    const ds_position q = position_of(in, entries[k]);
    const int code =
        ds_entry_code(in->frame, &in->special, &in->excluded, atom[slot], j, 1 + type_of(in, slot),
                      1 + type_of(in, entries[k]), ds_array_int(&in->tag, j, 0),
                      ds_diff32(p.x, q.x), ds_diff32(p.y, q.y), ds_diff32(p.z, q.z));
    entries[kept] = entries[k] | (uint32_t) (code < 0 ? 0 : code) << DS_INDEX_BITS;
    kept += code >= 0;
  }
  return kept;
}

/* Rows of one cell into w->rows, `first` relative to them. Returns 0 without memory. */
static int build_cell(ds_list_host *l, const ds_list_input *in, int cell, const float *list2,
                      row_space *w, ds_filter_function *filter)
{
  const int begin = DS_DATA(int32_t, l->cell_first)[cell],
            end = DS_DATA(int32_t, l->cell_last)[cell];
  const int finishes = in->special.max_special || in->excluded.n;
  const int single = ds_list_single_rows(in->grid);
  ds_fine_stencil fine = {-1, w->x, w->y, w->z, w->type, w->slot};
  ds_position origin = {0, 0, 0};
  w->rows_used = 0;
  for (int s = begin; s < end; s++) {
    int32_t *const count = DS_DATA(int32_t, l->count) + s;
    float x, y, z;
    *count = 0;
    DS_DATA(uint32_t, l->first)[s] = (uint32_t) (w->rows_used / DS_ROW_UNIT);
    if (DS_DATA(int32_t, l->atom_of_slot)[s] >= in->nlocal) continue;
    if (fine.n < 0 || single) { /* first own atom: cells of ghosts alone need no stencil */
      origin = position_of(in, (uint32_t) s);
      fine.n = gather_stencil(l, in, cell, origin, w);
      if (fine.n < 0) return 0;
      fine.x = w->x;
      fine.y = w->y;
      fine.z = w->z;
      fine.type = w->type;
      fine.slot = w->slot;
    }
    if (!grow_rows(w, (size_t) fine.n + DS_ROW_UNIT)) return 0;
    ds_list_place(in->frame, origin, position_of(in, (uint32_t) s), &x, &y, &z);
    uint32_t *const entries = w->rows + w->rows_used;
    *count = filter(&fine, x, y, z, (uint32_t) s, in->ntypes,
                    list2 + (size_t) in->position[4 * (size_t) s + 3] * (size_t) in->ntypes, w->hit,
                    entries);
    if (finishes) *count = finish_row(l, in, (uint32_t) s, entries, *count);
    w->rows_used += ((size_t) *count + DS_ROW_UNIT - 1) / DS_ROW_UNIT * DS_ROW_UNIT;
  }
  return 1;
}

/* A place for the cell's rows in the list, if there is room; *used counts on where there is none. */
static void store_cell(ds_list_host *l, int cell, const row_space *w, size_t *used)
{
  const int begin = DS_DATA(int32_t, l->cell_first)[cell],
            end = DS_DATA(int32_t, l->cell_last)[cell];
  size_t at;
  if (w->rows_used == 0) return;
#pragma omp atomic capture
  {
    at = *used;
    *used += w->rows_used;
  }
  if (at + w->rows_used > l->room) return;
  for (int s = begin; s < end; s++) DS_DATA(uint32_t, l->first)[s] += (uint32_t) (at / DS_ROW_UNIT);
  memcpy(DS_DATA(uint32_t, l->entries) + at, w->rows, w->rows_used * sizeof *w->rows);
}

/* Returns 0 without memory. */
static int build_rows(ds_list_host *l, const ds_list_input *in, const float *list2)
{
  static ds_filter_function *const filters[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_filter);
  const int cells = ds_grid_count(in->grid);
  size_t used = 0;
  int failed = 0;
#pragma omp parallel num_threads(in->threads) reduction(| : failed)
  {
    row_space w;
    memset(&w, 0, sizeof w);
#pragma omp for schedule(dynamic, 64)
    for (int c = 0; c < cells; c++) {
      if (DS_DATA(int32_t, l->cell_first)[c] == DS_DATA(int32_t, l->cell_last)[c] || failed)
        continue;
      if (build_cell(l, in, c, list2, &w, filters[in->isa]))
        store_cell(l, c, &w, &used);
      else
        failed = 1;
    }
    free(w.x);
    free(w.rows);
  }
  l->used = used;
  return !failed;
}

/* Room for `need` entries; much more than that is given back. */
static ds_status reserve_entries(ds_list_host *l, size_t need, ds_error *err)
{
  if (l->room > 4 * need + 65536) ds_buffer_free(l->pool->memory, &l->entries);
  const ds_status s =
      ds_reserve(l->pool, &l->entries, need + 1, sizeof(uint32_t), "neighbor list", err);
  l->room = l->entries.bytes / sizeof(uint32_t);
  return s;
}

ds_status ds_list_host_build(ds_list_host *l, const ds_list_input *in, ds_error *err)
{
  const size_t pairs = (size_t) in->ntypes * (size_t) in->ntypes;
  const ds_list_margins margin = ds_list_margin(in->frame, in->grid);
  float *const list2 = malloc(pairs * sizeof *list2);
  if (!list2) return ds_fail(err, DS_ERR_MEMORY, "neighbor list: no host memory for ranges");
  for (size_t k = 0; k < pairs; k++) list2[k] = ds_list_widen(in->list2[k], margin);
  ds_status s = reserve_entries(l, l->used ? l->used : 32 * (size_t) l->slots, err);
  for (int full = 1; full && !s;) {
    if (!build_rows(l, in, list2))
      s = ds_fail(err, DS_ERR_MEMORY, "neighbor list: no host memory for a stencil");
    full = l->used > l->room;
    if (full && !s) s = reserve_entries(l, l->used, err);
  }
  free(list2);
  return s ? s : ds_succeed(err);
}
