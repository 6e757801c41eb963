/* What lists of both backends have in common: the cell grid of a box, and memory.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../particles/particles.h"
#include "list.h"

#include <math.h>
#include <string.h>

void ds_grid_limit_cells(int32_t cells[3], int natoms)
{
  const double most = fmin(64.0 + 4.0 * natoms, 1073741824.0);
  while ((double) cells[0] * cells[1] * cells[2] > most) {
    int d = cells[0] >= cells[1] ? 0 : 1;
    if (cells[2] > cells[d]) d = 2;
    cells[d] = (cells[d] + 1) / 2;
  }
}

ds_status ds_grid_init(ds_grid *grid, const ds_frame *frame, double range, int natoms, ds_error *err)
{
  enum { MAX_CELLS = 1 << (DS_MAX_FINE_BITS - DS_FINE_BITS) };
  double density[3];
  if (!(range > 0.0)) return ds_fail(err, DS_ERR_ARGUMENT, "neighbor range %g must be positive", range);
  ds_face_densities(frame->inverse, density);
  for (int d = 0; d < 3; d++) {
    /* more than the range by what the rounding of positions adds, a unit before the shift, and by one */
    const double edge = ldexp(frame->units[d], frame->shift[d]);
    const double width = ceil(range * density[d] * edge) + ldexp(1.0, frame->shift[d]) + 1.0;
    const int wraps = frame->shift[d] > 0;
    const double low = wraps ? 0.0 : floor(frame->low[d] * edge) - width;
    const double high = wraps ? edge : ceil(frame->high[d] * edge) + width;
    const double cells = floor((high - low) / width);
    grid->wraps[d] = wraps;
    grid->origin[d] = (int64_t) low;
    grid->extent[d] = (int64_t) (high - low);
    grid->cells[d] = (int32_t) fmin(fmax(cells, 1.0), MAX_CELLS);
  }
  ds_grid_limit_cells(grid->cells, natoms);
  for (int d = 0; d < 3; d++) {
    const double fine = ldexp((double) grid->cells[d], DS_FINE_BITS);
    grid->inverse[d] = (uint64_t) floor(ldexp(fine, DS_GRID_SHIFT) / (double) grid->extent[d]);
  }
  return ds_succeed(err);
}

/* ------------------------------------------------------------------------------------------ memory */

void ds_list_open(ds_list *l, ds_queue *q, int number, ds_isa isa, int threads)
{
  static const ds_list_stages *const host[DS_ISA_COUNT] = DS_KERNEL_TABLE(&ds_list_stages);
  memset(l, 0, sizeof *l);
  l->queue = q;
  l->stages = DS_CHOOSE_STAGE(q, host[isa], &ds_list_stages_cuda);
  l->number = number;
  l->threads = threads;
}

/* A table by cell, of each GPU. */
static ds_status reserve_table(ds_list *l, ds_buffer *table, size_t cells, size_t size, ds_error *err)
{
  return ds_reserve_copies(l->queue, table, cells, size, "cells", err);
}

/* Which of several GPUs read an atom. */
static ds_status reserve_readers(ds_list *l, size_t room, size_t cells, ds_error *err)
{
  const size_t size = sizeof(uint32_t);
  if (l->queue->gpus.n == 1) return DS_OK;
  const ds_status s = reserve_table(l, &l->cell_readers, cells, size, err);
  return s ? s : ds_queue_reserve(l->queue, &l->readers, room, size, "GPUs that read an atom", err);
}

/* Stencils depend on the number of cells alone, so they outlive a rebuild. */
static ds_status make_stencils(ds_list *l, ds_error *err)
{
  const size_t cells = (size_t) ds_grid_count(&l->grid);
  const ds_grid *const old = &l->stencil_grid;
  if (l->stencil.data && memcmp(old->cells, l->grid.cells, sizeof old->cells) == 0 &&
      memcmp(old->wraps, l->grid.wraps, sizeof old->wraps) == 0)
    return DS_OK;
  memset(&l->stencil_grid, 0, sizeof l->stencil_grid); /* until all stencils have been made */
  ds_status s = ds_queue_reserve(l->queue, &l->stencil, cells * DS_STENCIL, sizeof(int32_t), "stencils", err);
  if (!s && !ds_queue_is_host(l->queue)) s = reserve_table(l, &l->curve, cells, sizeof(int32_t), err);
  if (!s && l->queue->gpus.n > 1) s = ds_queue_reserve(l->queue, &l->reach, cells, 2 * sizeof(int32_t), "stencils", err);
  if (!s) s = l->stages->stencils(l, err);
  if (!s) l->stencil_grid = l->grid;
  return s;
}

/* Work space of an order by counting. The order itself is clear at first: where kernels have been stopped, there is none. */
static ds_status reserve_counts(ds_list *l, size_t room, size_t cells, ds_error *err)
{
  ds_queue *const q = l->queue;
  ds_status s = ds_queue_reserve_cleared(q, &q->memory, &l->sort.value[0], room, sizeof(int32_t), "sorted order", err);
  if (!s) s = ds_queue_reserve(q, &l->noted, room, 4 * sizeof(int32_t), "places of atoms", err);
  if (!s) s = ds_queue_reserve(q, &l->members, room, sizeof(uint64_t), "atoms of cells", err);
  if (!s) s = ds_queue_reserve(q, &l->cell_of_slot, room, sizeof(int32_t), "cells of atoms", err);
  if (!s) s = ds_queue_reserve(q, &l->slot_of_atom, room, sizeof(int32_t), "slots of atoms", err);
  const size_t counts = l->cell_count.bytes;
  if (!s) s = reserve_table(l, &l->cell_count, cells, sizeof(int32_t), err);
  if (l->cell_count.bytes != counts) l->clear_cells = 0; /* these are other ones */
  if (!s) s = reserve_readers(l, room, cells, err);
  return s ? s : reserve_table(l, &l->cell_begin, cells, sizeof(int32_t), err);
}

ds_status ds_list_reserve(ds_list *l, const ds_grid *grid, int n, ds_error *err)
{
  const size_t room = (size_t) n + 1, cells = (size_t) ds_grid_count(grid);
  ds_queue *const q = l->queue;
  l->grid = *grid;
  l->slots = l->about = n;
  ds_status s = ds_queue_reserve_cleared(q, &q->memory, &l->first, room, sizeof(uint32_t), "list rows", err);
  if (!s) s = ds_queue_reserve(q, &l->count, room, sizeof(int32_t), "list rows", err);
  if (!s) s = reserve_table(l, &l->cell_range, cells, 2 * sizeof(int32_t), err);
  if (!s) s = ds_queue_is_host(q) ? ds_sort_reserve(q, &q->memory, &l->sort, n, 0, err) : reserve_counts(l, room, cells, err);
  return s ? s : make_stencils(l, err);
}

size_t ds_list_wanted(const ds_list *l)
{
  const unsigned long long *const entries = l->queue->control_host->entries[l->number];
  unsigned long long most = 0;
  for (int gpu = 0; gpu < l->queue->gpus.n; gpu++)
    if (entries[gpu] > most) most = entries[gpu];
  return (size_t) most * (size_t) l->queue->gpus.n;
}

ds_status ds_list_reserve_entries(ds_list *l, size_t guess, ds_error *err)
{
  const size_t wanted = ds_list_wanted(l);
  const size_t need = wanted ? wanted + wanted / 10 : guess;
  if (l->room >= wanted && l->room > 0 && l->room <= 2 * need + 65536) return DS_OK;
  if (l->room > 2 * need + 65536) ds_buffer_free(l->queue->memory.memory, &l->entries);
  const ds_status s = ds_queue_reserve_cleared(l->queue, &l->queue->memory, &l->entries, need + DS_ROW_UNIT, sizeof(uint32_t),
                                               "neighbor list", err);
  l->room = l->entries.bytes / sizeof(uint32_t);
  return s;
}

/* Counts and ranges are work space of a rebuild: they are cleared whether stages have been stopped or not. */
ds_status ds_list_begin(ds_list *l, ds_placing *to, ds_error *err)
{
  const size_t cells = (size_t) ds_grid_count(&l->grid);
  const int is_host = ds_queue_is_host(l->queue);
  const int counts = ds_list_stride(l, &l->cell_count, sizeof(int32_t)), curves = ds_list_stride(l, &l->curve, sizeof(int32_t));
  *to = (ds_placing) {l->grid, DS_DATA(ds_keyed, l->sort.key[0]), DS_DATA(int32_t, l->noted), DS_DATA(uint32_t, l->cell_count),
                      counts, ds_list_cells_of_gpu(l), DS_DATA(int32_t, l->curve), curves};
  l->sort.order = DS_DATA(int32_t, l->sort.value[0]);
  if (is_host) return ds_queue_clear(l->queue, l->cell_range.data, cells * 2 * sizeof(int32_t), "clearing cells", err);
  const int clear = (size_t) l->clear_cells >= cells;
  l->clear_cells = 0; /* until there is an order */
  if (clear) return DS_OK;
  const size_t bytes = (size_t) l->queue->gpus.n * (size_t) counts * sizeof(int32_t);
  return ds_queue_clear(l->queue, l->cell_count.data, bytes, "clearing cells", err);
}

ds_status ds_list_build_rows(ds_list *l, const ds_list_source *source, size_t guess, ds_error *err)
{
  ds_queue *const q = l->queue;
  for (;;) {
    ds_status s = ds_list_reserve_entries(l, guess, err);
    if (!s)
      s = ds_queue_clear(q, q->control->entries[l->number], sizeof q->control->entries[0], "clearing a count of entries", err);
    if (!s) s = ds_list_rows(l, source, 0, err);
    if (!s) s = ds_queue_read_control(q, "rows of a list", err);
    if (s || !ds_queue_stopped(q)) return s;
    s = ds_queue_resume(q, err);
    if (s) return s;
  }
}
