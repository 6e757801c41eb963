/* Neighbor list of the host: sort along the curve, cells by boundary detection, ordered stencils, rows one after the other
   (Tang & Karniadakis 2014, 3.2-3.3); compiled once for each instruction set.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../core/isa.h"
#include "list.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------- order, cells */

/* Two slots of a cell's range: the first, and that after its last. */
static int32_t *range_of(const ds_list *l, int32_t cell)
{
  return DS_DATA(int32_t, l->cell_range) + 2 * (size_t) cell;
}

static ds_status stencils(ds_list *l, ds_error *err)
{
  (void) err;
  for (int32_t c = 0; c < ds_grid_count(&l->grid); c++) {
    int32_t *const stencil = DS_DATA(int32_t, l->stencil) + (size_t) c * DS_STENCIL;
    for (int k = ds_grid_stencil(&l->grid, c, stencil); k < DS_STENCIL; k++) stencil[k] = -1;
  }
  return DS_OK;
}

/* Sorted by keys; then one look at each atom and those beside it (3.2.3). */
static ds_status order(ds_list *l, ds_ranking *left, int64_t step, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(l->queue, step);
  const ds_keyed *const keyed = DS_DATA(ds_keyed, l->sort.key[0]);
  const int shift = 3 * DS_FINE_BITS;
  (void) left, (void) err; /* nothing is left to do */
  if (ds_stage_stopped(&launch)) return DS_OK;
  ds_sort_find_order(&l->sort, l->slots, l->threads);
#pragma omp parallel for num_threads(l->threads)
  for (int s = 0; s < l->slots; s++) {
    int32_t *const range = range_of(l, ds_grid_cell_of_key(&l->grid, keyed[s].key));
    if (s == 0 || keyed[s].key >> shift != keyed[s - 1].key >> shift) range[0] = s;
    if (s == l->slots - 1 || keyed[s].key >> shift != keyed[s + 1].key >> shift) range[1] = s + 1;
  }
  return DS_OK;
}

/* ------------------------------------------------------------------------------------------ rows */

/* What one thread works with: the atoms of a cell's stencil, side by side (the fine stencil, Tang & Karniadakis 2014, 3.3.1),
   and rows of a cell before they are stored. */
typedef struct {
  int size, n;     /* room of the stencil, its atoms */
  int own;         /* of these own ones, which come first */
  int32_t *at[3];  /* integer positions */
  float *place[3]; /* relative to an origin in the cell (list_distance.h) */
  int32_t *type;   /* 0-based */
  uint32_t *slot;  /* increasing, of own atoms and of ghosts */
  int32_t *hit;    /* within range of the present row */
  uint32_t *rows;
  size_t rows_room, rows_used;
} row_space;

static void find_places(const ds_frame *f, ds_position origin, const row_space *w)
{
  const ds_frame frame = *f;
  const int32_t *restrict ix = w->at[0], *restrict iy = w->at[1], *restrict iz = w->at[2];
  float *restrict x = w->place[0], *restrict y = w->place[1], *restrict z = w->place[2];
  const int n = w->n;
  DS_VECTOR_LOOP
  for (int k = 0; k < n; k++) {
    const ds_position p = {ix[k], iy[k], iz[k]};
    float px, py, pz;
    ds_list_place(&frame, origin, p, &px, &py, &pz);
    x[k] = px;
    y[k] = py;
    z[k] = pz;
  }
}

/* Own atoms of the stencil up to this slot. */
static int count_up_to(const row_space *w, uint32_t slot)
{
  int first = 0, last = w->own;
  while (first < last) {
    const int middle = (first + last) / 2;
    if (w->slot[middle] <= slot)
      first = middle + 1;
    else
      last = middle;
  }
  return first;
}

/* Entries of the row of the atom at (px, py, pz): slots closer than list2, of the stencil from number `first` on. list2 is the
   row of the atom's type, by partner type. self is left out. entries has room for w->n words. Returns how many. */
static int filter(const row_space *w, int first, float px, float py, float pz, uint32_t self, int ntypes, const float *list2,
                  uint32_t *entries)
{
  const float *restrict x = w->place[0], *restrict y = w->place[1], *restrict z = w->place[2];
  const int32_t *restrict type = w->type;
  int32_t *restrict hit = w->hit;
  const float only = list2[0];
  const int n = w->n;
  int found = 0;
  if (ntypes == 1) {
    DS_VECTOR_LOOP
    for (int k = first; k < n; k++) hit[k] = ds_squaref(px - x[k], py - y[k], pz - z[k]) < only;
  } else {
    DS_VECTOR_LOOP
    for (int k = first; k < n; k++) hit[k] = ds_squaref(px - x[k], py - y[k], pz - z[k]) < list2[type[k]];
  }
  /* branch-free: every slot is written, the counter decides which stay */
  for (int k = first; k < n; k++) {
    entries[found] = w->slot[k];
    found += hit[k] & (w->slot[k] != self);
  }
  return found;
}

static int grow_stencil(row_space *w, int size)
{
  if (size <= w->size) return 1;
  free(w->place[0]);
  w->size = size + size / 2 + 64;
  const size_t room = (size_t) w->size;
  w->place[0] = malloc(room * 9 * sizeof(float));
  if (!w->place[0]) return w->size = 0;
  int32_t *const integers = (int32_t *) (w->place[0] + 3 * room);
  for (size_t d = 0; d < 3; d++) {
    w->place[d] = w->place[0] + d * room;
    w->at[d] = integers + d * room;
  }
  w->type = integers + 3 * room;
  w->hit = integers + 4 * room;
  w->slot = (uint32_t *) (integers + 5 * room);
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

static ds_position position_of(const ds_list_source *in, uint32_t slot)
{
  const int32_t *const p = in->position + 4 * (size_t) slot;
  const ds_position q = {p[0], p[1], p[2]};
  return q;
}

static void add_to_stencil(row_space *w, const ds_list_source *in, int slot)
{
  const int32_t *const p = in->position + 4 * (size_t) slot;
  const int n = w->n++;
  for (int d = 0; d < 3; d++) w->at[d][n] = p[d];
  w->type[n] = p[3];
  w->slot[n] = (uint32_t) slot;
}

/* The fine stencil of a cell; returns 0 without memory. */
static int gather_stencil(const ds_list *l, const ds_list_source *in, int cell, ds_position origin, row_space *w)
{
  const int32_t *const stencil = DS_DATA(int32_t, l->stencil) + (size_t) cell * DS_STENCIL;
  int n = 0, cells = 0;
  while (cells < DS_STENCIL && stencil[cells] >= 0) cells++;
  for (int k = 0; k < cells; k++) n += range_of(l, stencil[k])[1] - range_of(l, stencil[k])[0];
  if (!grow_stencil(w, n + 1)) return 0;
  w->n = 0;
  for (int ghosts = 0; ghosts <= (l->slots > in->nlocal); ghosts++) {
    for (int k = 0; k < cells; k++)
      for (int s = range_of(l, stencil[k])[0]; s < range_of(l, stencil[k])[1]; s++)
        if ((l->sort.order[s] >= in->nlocal) == ghosts) add_to_stencil(w, in, s);
    if (!ghosts) w->own = w->n;
  }
  find_places(&in->frame, origin, w);
  return 1;
}

/* Excluded pairs out of a row; returns how many entries are left. */
static int leave_out(const ds_list *l, const ds_list_source *in, uint32_t slot, uint32_t *entries, int n)
{
  const int32_t *const atom = l->sort.order, *const position = in->position;
  const ds_excluded_atom self = ds_read_excluded(&in->excluded, atom[slot], 1 + position[4 * (size_t) slot + 3]);
  int kept = 0;
  if (!ds_may_be_excluded(&in->excluded, &self)) return n;
  for (int k = 0; k < n; k++) {
    const uint32_t j = entries[k];
    const ds_excluded_atom other = ds_read_excluded(&in->excluded, atom[j], 1 + position[4 * (size_t) j + 3]);
    entries[kept] = j;
    kept += !ds_is_excluded(&in->excluded, &self, &other);
  }
  return kept;
}

static void mark_special(const ds_list *l, const ds_list_source *in, uint32_t slot, uint32_t *entries, int n)
{
  const ds_position p = position_of(in, slot);
  for (int k = 0; k < n; k++) {
    const ds_position q = position_of(in, entries[k]);
    const int code = ds_entry_code(&in->frame, &in->special, l->sort.order[slot], in->tag[entries[k]], ds_diff32(p.x, q.x),
                                   ds_diff32(p.y, q.y), ds_diff32(p.z, q.z));
    entries[k] |= (uint32_t) code << DS_INDEX_BITS;
  }
}

/* Rows of one cell into w->rows, `first` relative to them. Returns 0 without memory. */
static int build_cell(ds_list *l, const ds_list_source *in, int cell, const float *list2, row_space *w)
{
  const int begin = range_of(l, cell)[0], end = range_of(l, cell)[1];
  const int single = ds_list_single_rows(&l->grid);
  ds_position origin = {0, 0, 0};
  w->rows_used = 0;
  w->n = -1; /* not yet gathered */
  for (int s = begin; s < end; s++) {
    int32_t *const count = DS_DATA(int32_t, l->count) + s;
    float x, y, z;
    *count = 0;
    DS_DATA(uint32_t, l->first)[s] = (uint32_t) (w->rows_used / DS_ROW_UNIT);
    if (l->sort.order[s] >= in->nlocal) continue;
    if (w->n < 0 || single) { /* first own atom: cells of ghosts alone need no stencil */
      origin = position_of(in, (uint32_t) s);
      if (!gather_stencil(l, in, cell, origin, w)) return 0;
    }
    if (!grow_rows(w, (size_t) w->n + DS_ROW_UNIT)) return 0;
    ds_list_place(&in->frame, origin, position_of(in, (uint32_t) s), &x, &y, &z);
    uint32_t *const entries = w->rows + w->rows_used;
    *count = filter(w, in->both_ways ? 0 : count_up_to(w, (uint32_t) s), x, y, z, (uint32_t) s, in->ntypes,
                    list2 + (size_t) in->position[4 * (size_t) s + 3] * (size_t) in->ntypes, entries);
    if (in->excluded.n) *count = leave_out(l, in, (uint32_t) s, entries, *count);
    if (in->special.max_special) mark_special(l, in, (uint32_t) s, entries, *count);
    w->rows_used += ((size_t) *count + DS_ROW_UNIT - 1) / DS_ROW_UNIT * DS_ROW_UNIT;
  }
  return 1;
}

/* A place for the cell's rows in the list, if there is room; *used counts on where there is none. */
static void store_cell(ds_list *l, int cell, const row_space *w, size_t *used)
{
  const int begin = range_of(l, cell)[0], end = range_of(l, cell)[1];
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

/* Returns 0 without memory; *used: what the rows want. */
static int build_rows(ds_list *l, const ds_list_source *in, const float *list2, size_t *used)
{
  const int count = ds_grid_count(&l->grid);
  int failed = 0;
#pragma omp parallel num_threads(l->threads) reduction(| : failed)
  {
    row_space w;
    memset(&w, 0, sizeof w);
#pragma omp for schedule(dynamic, 64)
    for (int c = 0; c < count; c++) {
      if (range_of(l, c)[0] == range_of(l, c)[1] || failed) continue;
      if (build_cell(l, in, c, list2, &w))
        store_cell(l, c, &w, used);
      else
        failed = 1;
    }
    free(w.place[0]);
    free(w.rows);
  }
  return !failed;
}

static ds_status rows(ds_list *l, const ds_list_source *in, int64_t step, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(l->queue, step);
  const size_t pairs = (size_t) in->ntypes * (size_t) in->ntypes;
  const float *const list2 = in->ntypes == 1 ? &in->list2 : in->list2_table;
  size_t used = 0;
  if (ds_stage_stopped(&launch)) return DS_OK;
  float *const wide = malloc(pairs * sizeof *wide);
  if (!wide) return ds_fail(err, DS_ERR_MEMORY, "neighbor list: no host memory for ranges");
  for (size_t k = 0; k < pairs; k++) wide[k] = ds_list_widen(list2[k], in->margin);
  ds_queue_begin(l->queue, DS_STAGE_BUILD_LIST);
  const int built = build_rows(l, in, wide, &used);
  ds_queue_end(l->queue, DS_STAGE_BUILD_LIST);
  free(wide);
  if (!built) return ds_fail(err, DS_ERR_MEMORY, "neighbor list: no host memory for a stencil");
  launch.control->entries[l->number][0] = used;
  if (used > l->room) ds_stage_stop(&launch);
  return DS_OK;
}

const ds_list_stages DS_KERNEL(ds_list_stages) = {stencils, order, rows};
