/* Neighbor list of the host backend: sort along the curve, cells by boundary detection, ordered
   stencils, rows that grow (Tang & Karniadakis 2014, 3.2-3.3).
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "list_host.h"

#include "filter.h"
#include "sort_host.h"

#include <stdlib.h>
#include <string.h>

#define ARRAY(type, buffer) ((type *) (buffer).data)

static ds_position position_of(const int32_t *p, uint32_t atom)
{
  const ds_position q = {p[4 * (size_t) atom], p[4 * (size_t) atom + 1], p[4 * (size_t) atom + 2]};
  return q;
}

static ds_status reserve_atoms(ds_list_host *l, const ds_list_input *in, ds_error *err)
{
  const size_t n = (size_t) in->nall + 1, rows = (size_t) in->nlocal + 1;
  const size_t cells = (size_t) ds_grid_count(in->grid);
  ds_status s = ds_buffer_reserve(&l->order, n, sizeof(uint32_t), "sorted order", err);
  if (!s) s = ds_buffer_reserve(&l->keyed, n, sizeof(ds_keyed), "sort keys", err);
  if (!s) s = ds_buffer_reserve(&l->slot_row, n, sizeof(int32_t), "rows of atoms", err);
  if (!s) s = ds_buffer_reserve(&l->x, n, sizeof(int32_t), "sorted positions", err);
  if (!s) s = ds_buffer_reserve(&l->y, n, sizeof(int32_t), "sorted positions", err);
  if (!s) s = ds_buffer_reserve(&l->z, n, sizeof(int32_t), "sorted positions", err);
  if (!s) s = ds_buffer_reserve(&l->type, n, sizeof(int32_t), "sorted types", err);
  if (!s) s = ds_buffer_reserve(&l->row_slot, rows, sizeof(uint32_t), "list rows", err);
  if (!s) s = ds_buffer_reserve(&l->core, rows, sizeof(int32_t), "list rows", err);
  if (!s) s = ds_buffer_reserve(&l->count, rows, sizeof(int32_t), "list rows", err);
  if (!s) s = ds_buffer_reserve(&l->cell_first, cells, sizeof(int32_t), "cells", err);
  if (!s) s = ds_buffer_reserve(&l->cell_last, cells, sizeof(int32_t), "cells", err);
  return s;
}

static void sort_atoms(ds_list_host *l, const ds_list_input *in)
{
  ds_keyed *keyed = ARRAY(ds_keyed, l->keyed);
#pragma omp parallel for num_threads(in->threads)
  for (int i = 0; i < in->nall; i++) {
    keyed[i].key = ds_grid_key(in->grid, position_of(in->positions, (uint32_t) i));
    keyed[i].index = (uint32_t) i;
  }
  ds_sort_host(keyed, in->nall, in->threads);
#pragma omp parallel for num_threads(in->threads)
  for (int s = 0; s < in->nall; s++) {
    const uint32_t atom = keyed[s].index;
    const ds_position p = position_of(in->positions, atom);
    ARRAY(uint32_t, l->order)[s] = atom;
    ARRAY(int32_t, l->x)[s] = p.x;
    ARRAY(int32_t, l->y)[s] = p.y;
    ARRAY(int32_t, l->z)[s] = p.z;
    ARRAY(int32_t, l->type)[s] = in->type[atom];
  }
}

/* One look at each atom and the one before it (3.2.3). */
static void find_cells(ds_list_host *l, const ds_list_input *in)
{
  const ds_keyed *keyed = ARRAY(ds_keyed, l->keyed);
  const int shift = 3 * in->grid->fine_bits;
  int32_t *first = ARRAY(int32_t, l->cell_first), *last = ARRAY(int32_t, l->cell_last);
  memset(first, 0, sizeof *first * (size_t) ds_grid_count(in->grid));
  memset(last, 0, sizeof *last * (size_t) ds_grid_count(in->grid));
#pragma omp parallel for num_threads(in->threads)
  for (int s = 0; s < in->nall; s++) {
    if (s == 0 || keyed[s].key >> shift != keyed[s - 1].key >> shift)
      first[ds_grid_cell_of_key(in->grid, keyed[s].key)] = s;
    if (s == in->nall - 1 || keyed[s].key >> shift != keyed[s + 1].key >> shift)
      last[ds_grid_cell_of_key(in->grid, keyed[s].key)] = s + 1;
  }
}

static void number_rows(ds_list_host *l, const ds_list_input *in)
{
  int row = 0;
  for (int s = 0; s < in->nall; s++) {
    const int own = ARRAY(uint32_t, l->order)[s] < (uint32_t) in->nlocal;
    ARRAY(int32_t, l->slot_row)[s] = own ? row : -1;
    if (own) ARRAY(uint32_t, l->row_slot)[row++] = (uint32_t) s;
  }
  l->slots = in->nall;
  l->rows = row;
}

/* The coarse stencils depend on the number of cells alone, so they outlive a rebuild. */
static ds_status make_stencils(ds_list_host *l, const ds_list_input *in, ds_error *err)
{
  const int cells = ds_grid_count(in->grid);
  ds_status s;
  if (l->stencil.data && memcmp(l->stencil_cells, in->grid->cells, sizeof l->stencil_cells) == 0)
    return DS_OK;
  s = ds_buffer_reserve(&l->stencil, (size_t) cells * DS_STENCIL, sizeof(int32_t), "stencils", err);
  if (!s)
    s = ds_buffer_reserve(&l->stencil_count, (size_t) cells, sizeof(int32_t), "stencils", err);
  if (s) return s;
#pragma omp parallel for num_threads(in->threads)
  for (int c = 0; c < cells; c++) ARRAY(int32_t, l->stencil_count)
  [c] = ds_grid_stencil(in->grid, c, ARRAY(int32_t, l->stencil) + (size_t) c * DS_STENCIL);
  memcpy(l->stencil_cells, in->grid->cells, sizeof l->stencil_cells);
  return DS_OK;
}

/* What one thread works with: a fine stencil and one row before it is stored. */
typedef struct {
  int size;
  int32_t *x, *y, *z, *type, *kind;
  uint32_t *slot, *core, *skin;
} row_space;

static int grow_space(row_space *w, int size)
{
  if (size <= w->size) return 1;
  free(w->x);
  w->size = size + size / 2 + 64;
  w->x = malloc((size_t) w->size * 8 * sizeof(int32_t));
  if (!w->x) {
    w->size = 0;
    return 0;
  }
  w->y = w->x + w->size;
  w->z = w->y + w->size;
  w->type = w->z + w->size;
  w->kind = w->type + w->size;
  w->slot = (uint32_t *) (w->kind + w->size);
  w->core = w->slot + w->size;
  w->skin = w->core + w->size;
  return 1;
}

static int gather_stencil(const ds_list_host *l, int cell, row_space *w)
{
  const int32_t *first = ARRAY(int32_t, l->cell_first), *last = ARRAY(int32_t, l->cell_last);
  const int32_t *stencil = ARRAY(int32_t, l->stencil) + (size_t) cell * DS_STENCIL;
  const int cells = ARRAY(int32_t, l->stencil_count)[cell];
  int n = 0;
  for (int k = 0; k < cells; k++) n += last[stencil[k]] - first[stencil[k]];
  if (!grow_space(w, n + 1)) return -1;
  n = 0;
  for (int k = 0; k < cells; k++) {
    const int begin = first[stencil[k]], end = last[stencil[k]];
    for (int s = begin; s < end; s++, n++) {
      w->x[n] = ARRAY(int32_t, l->x)[s];
      w->y[n] = ARRAY(int32_t, l->y)[s];
      w->z[n] = ARRAY(int32_t, l->z)[s];
      w->type[n] = ARRAY(int32_t, l->type)[s];
      w->slot[n] = (uint32_t) s;
    }
  }
  return n;
}

static void mark_special(const ds_list_host *l, const ds_list_input *in, uint32_t atom,
                         uint32_t *entries, int n)
{
  const ds_position p = position_of(in->positions, atom);
  if (!in->special || in->special->counts[3 * (size_t) atom + 2] == 0) return;
  for (int k = 0; k < n; k++) {
    const uint32_t other = ARRAY(uint32_t, l->order)[entries[k]];
    const int code = ds_special_code(in->special, (int) atom, in->tag[other]);
    const ds_position q = position_of(in->positions, other);
    if (code &&
        ds_is_own_image(in->frame, ds_diff32(p.x, q.x), ds_diff32(p.y, q.y), ds_diff32(p.z, q.z)))
      entries[k] |= (uint32_t) code << DS_INDEX_BITS;
  }
}

/* Rows of one cell; returns the longest row, stored or not, or -1 without memory. */
static int build_cell(ds_list_host *l, const ds_list_input *in, int cell, row_space *w,
                      ds_filter_function *filter)
{
  const int begin = ARRAY(int32_t, l->cell_first)[cell], end = ARRAY(int32_t, l->cell_last)[cell];
  const int ntypes = in->range.ntypes;
  int longest = 0;
  ds_fine_stencil fine = {-1, 0, 0, 0, 0, 0};
  for (int s = begin; s < end; s++) {
    const int row = ARRAY(int32_t, l->slot_row)[s];
    const int32_t type = ARRAY(int32_t, l->type)[s];
    int ncore, nskin;
    if (row < 0) continue;
    if (fine.n < 0) { /* first own atom: cells of ghosts alone need no stencil */
      fine.n = gather_stencil(l, cell, w);
      if (fine.n < 0) return -1;
      fine.x = w->x;
      fine.y = w->y;
      fine.z = w->z;
      fine.type = w->type;
      fine.slot = w->slot;
    }
    const ds_position p = {ARRAY(int32_t, l->x)[s], ARRAY(int32_t, l->y)[s],
                           ARRAY(int32_t, l->z)[s]};
    filter(in->frame, &fine, p, (uint32_t) s, ntypes, in->range.core2 + type * ntypes,
           in->range.list2 + type * ntypes, w->kind, w->core, &ncore, w->skin, &nskin);
    ARRAY(int32_t, l->core)[row] = ncore;
    ARRAY(int32_t, l->count)[row] = ncore + nskin;
    if (ncore + nskin > longest) longest = ncore + nskin;
    if (ncore + nskin > l->capacity) continue;
    uint32_t *entries = ARRAY(uint32_t, l->entries) + (size_t) row * (size_t) l->capacity;
    memcpy(entries, w->core, sizeof *entries * (size_t) ncore);
    memcpy(entries + ncore, w->skin, sizeof *entries * (size_t) nskin);
    mark_special(l, in, ARRAY(uint32_t, l->order)[s], entries, ncore + nskin);
  }
  return longest;
}

static int build_rows(ds_list_host *l, const ds_list_input *in)
{
  static ds_filter_function *const filters[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_filter);
  const int cells = ds_grid_count(in->grid);
  int longest = 0, failed = 0;
#pragma omp parallel num_threads(in->threads) reduction(max : longest) reduction(| : failed)
  {
    row_space w = {0, 0, 0, 0, 0, 0, 0, 0, 0};
#pragma omp for schedule(dynamic, 64)
    for (int c = 0; c < cells; c++) {
      const int n = build_cell(l, in, c, &w, filters[in->isa]);
      if (n > longest) longest = n;
      failed |= n < 0;
    }
    free(w.x);
  }
  return failed ? -1 : longest;
}

ds_status ds_list_host_build(ds_list_host *l, const ds_list_input *in, ds_error *err)
{
  ds_status s = reserve_atoms(l, in, err);
  if (!s) s = make_stencils(l, in, err);
  if (s) return s;
  sort_atoms(l, in);
  find_cells(l, in);
  number_rows(l, in);
  l->coded = in->special != NULL;
  if (l->capacity == 0) l->capacity = DS_ROW_STEP;
  for (;;) {
    s = ds_buffer_reserve(&l->entries, (size_t) (l->rows + 1) * (size_t) l->capacity,
                          sizeof(uint32_t), "neighbor list", err);
    if (s) return s;
    const int longest = build_rows(l, in);
    if (longest < 0)
      return ds_fail(err, DS_ERR_MEMORY, "neighbor list: no host memory for a stencil");
    if (longest <= l->capacity) return ds_succeed(err);
    l->capacity = (longest + longest / 8 + DS_ROW_STEP - 1) / DS_ROW_STEP * DS_ROW_STEP;
  }
}

ds_status ds_list_host_set(ds_list_host *l, int slots, int rows, const int *atom, const int *count,
                           int *const *entries, int threads, ds_error *err)
{
  int longest = 0;
  uint32_t codes = 0;
  for (int r = 0; r < rows; r++)
    if (count[atom[r]] > longest) longest = count[atom[r]];
  l->capacity = (longest / DS_ROW_STEP + 1) * DS_ROW_STEP;
  const size_t n = (size_t) rows + 1;
  ds_status s = ds_buffer_reserve(&l->order, (size_t) slots + 1, sizeof(uint32_t), "order", err);
  if (!s) s = ds_buffer_reserve(&l->row_slot, n, sizeof(uint32_t), "list rows", err);
  if (!s) s = ds_buffer_reserve(&l->core, n, sizeof(int32_t), "list rows", err);
  if (!s) s = ds_buffer_reserve(&l->count, n, sizeof(int32_t), "list rows", err);
  if (!s)
    s = ds_buffer_reserve(&l->entries, n * (size_t) l->capacity, sizeof(uint32_t), "neighbor list",
                          err);
  if (s) return s;
#pragma omp parallel for num_threads(threads)
  for (int k = 0; k < slots; k++) ARRAY(uint32_t, l->order)[k] = (uint32_t) k;
#pragma omp parallel for num_threads(threads) reduction(| : codes)
  for (int r = 0; r < rows; r++) {
    const int i = atom[r];
    uint32_t *to = ARRAY(uint32_t, l->entries) + (size_t) r * (size_t) l->capacity;
    ARRAY(uint32_t, l->row_slot)[r] = (uint32_t) i;
    ARRAY(int32_t, l->core)[r] = ARRAY(int32_t, l->count)[r] = count[i];
    for (int k = 0; k < count[i]; k++) codes |= to[k] = (uint32_t) entries[i][k];
  }
  l->coded = codes >> DS_INDEX_BITS != 0;
  l->slots = slots;
  l->rows = rows;
  return ds_succeed(err);
}

static ds_buffer *buffers_of(ds_list_host *l, int k)
{
  ds_buffer *const all[] = {&l->order,    &l->row_slot, &l->core,          &l->count,
                            &l->entries,  &l->keyed,    &l->cell_first,    &l->cell_last,
                            &l->slot_row, &l->stencil,  &l->stencil_count, &l->x,
                            &l->y,        &l->z,        &l->type};
  return k < (int) (sizeof all / sizeof *all) ? all[k] : NULL;
}

void ds_list_host_free(ds_list_host *l)
{
  for (int k = 0; buffers_of(l, k); k++) ds_buffer_free(buffers_of(l, k));
}

size_t ds_list_host_bytes(const ds_list_host *l)
{
  size_t sum = 0;
  for (int k = 0; buffers_of((ds_list_host *) l, k); k++)
    sum += buffers_of((ds_list_host *) l, k)->bytes;
  return sum;
}
