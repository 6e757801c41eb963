/* What lists of both backends have in common: the cell grid of a box, and memory.   SPDX-License-Identifier: GPL-2.0-or-later */
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

/* 3 bits per dimension order a cell of some ten atoms well, and 1 nearly as well. A radix sort takes 8 bits of a
   key at a time: as many as fit without one pass more. */
static int fine_bits(int cell_bits)
{
  const int passes = (3 * (cell_bits + 1) + 7) / 8;
  int fine = 1;
  while (fine < 3 && 3 * (cell_bits + fine + 1) <= 8 * passes) fine++;
  return fine;
}

ds_status ds_grid_init(ds_grid *grid, const ds_frame *frame, double range, int natoms, ds_error *err)
{
  enum { MAX_CELLS = 1 << 18 };
  double density[3];
  uint32_t most = 1;
  if (!(range > 0.0)) return ds_fail(err, DS_ERR_ARGUMENT, "neighbor range %g must be positive", range);
  ds_frame_face_densities(frame->inverse, density);
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
  for (int d = 0; d < 3; d++)
    if ((uint32_t) grid->cells[d] > most) most = (uint32_t) grid->cells[d];
  const int cell_bits = most > 1 ? ds_sort_bits(most - 1) : 0;
  grid->fine_bits = fine_bits(cell_bits);
  grid->key_bits = 3 * (cell_bits + grid->fine_bits);
  for (int d = 0; d < 3; d++) {
    const double fine = ldexp((double) grid->cells[d], grid->fine_bits);
    grid->inverse[d] = (uint64_t) floor(ldexp(fine, DS_GRID_SHIFT) / (double) grid->extent[d]);
  }
  return ds_succeed(err);
}

/* ------------------------------------------------------------------------------------------ memory */

void ds_list_open(ds_list *l, ds_queue *q, ds_isa isa, int threads)
{
  static const ds_list_stages *const host[DS_ISA_COUNT] = DS_KERNEL_TABLE(&ds_list_stages);
  memset(l, 0, sizeof *l);
  l->queue = q;
  l->stages = DS_CHOOSE_STAGE(q, host[isa], &ds_list_stages_cuda);
  l->threads = threads;
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
  if (!s) s = l->stages->stencils(l, err);
  if (!s) l->stencil_grid = l->grid;
  return s;
}

ds_status ds_list_reserve(ds_list *l, const ds_grid *grid, int n, ds_error *err)
{
  const size_t room = (size_t) n + 1, cells = (size_t) ds_grid_count(grid);
  ds_queue *const q = l->queue;
  l->grid = *grid;
  l->slots = n;
  ds_status s = ds_queue_reserve_cleared(q, &q->memory, &l->first, room, sizeof(uint32_t), "list rows", err);
  if (!s) s = ds_queue_reserve(q, &l->count, room, sizeof(int32_t), "list rows", err);
  if (!s) s = ds_queue_reserve(q, &l->cell_range, cells, 2 * sizeof(int32_t), "cells", err);
  if (!s)
    s = ds_sort_reserve(q, &q->memory, &l->sort, n, ds_grid_has_wide_keys(grid) ? sizeof(uint64_t) : sizeof(uint32_t), err);
  if (!s && !ds_queue_is_host(q)) s = ds_queue_reserve(q, &l->cell_of_slot, room, sizeof(int32_t), "cells of atoms", err);
  return s ? s : make_stencils(l, err);
}

ds_status ds_list_reserve_entries(ds_list *l, size_t guess, ds_error *err)
{
  const size_t wanted = (size_t) l->queue->control_host->entries;
  const size_t need = wanted ? wanted + wanted / 10 : guess;
  if (l->room >= wanted && l->room > 0 && l->room <= 2 * need + 65536) return DS_OK;
  if (l->room > 2 * need + 65536) ds_buffer_free(l->queue->memory.memory, &l->entries);
  const ds_status s = ds_queue_reserve_cleared(l->queue, &l->queue->memory, &l->entries, need + DS_ROW_UNIT, sizeof(uint32_t),
                                               "neighbor list", err);
  l->room = l->entries.bytes / sizeof(uint32_t);
  return s;
}

/* Ranges are work space of a rebuild: they are cleared whether stages have been stopped or not. */
ds_status ds_list_cells(ds_list *l, int64_t step, ds_error *err)
{
  const size_t bytes = 2 * sizeof(int32_t) * (size_t) ds_grid_count(&l->grid);
  if (l->slots == 0) return DS_OK;
  const ds_status s = ds_queue_clear(l->queue, l->cell_range.data, bytes, "clearing cells", err);
  return s ? s : l->stages->cells(l, step, err);
}

ds_status ds_list_build_rows(ds_list *l, const ds_list_source *source, size_t guess, ds_error *err)
{
  ds_queue *const q = l->queue;
  for (;;) {
    ds_status s = ds_list_reserve_entries(l, guess, err);
    if (!s) s = ds_queue_clear(q, &q->control->entries, sizeof q->control->entries, "clearing a count of entries", err);
    if (!s) s = ds_list_rows(l, source, 0, err);
    if (!s) s = ds_queue_read_control(q, "rows of a list", err);
    if (s || !ds_queue_stopped(q)) return s;
    s = ds_queue_resume(q, err);
    if (s) return s;
  }
}
