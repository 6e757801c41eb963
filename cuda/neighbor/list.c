/* What lists of both backends have in common: their memory.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "list.h"

#include <string.h>

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
  ds_status s = ds_queue_reserve_cleared(q, &l->first, room, sizeof(uint32_t), "list rows", err);
  if (!s) s = ds_queue_reserve(q, &l->count, room, sizeof(int32_t), "list rows", err);
  if (!s) s = ds_queue_reserve(q, &l->cell_range, cells, 2 * sizeof(int32_t), "cells", err);
  if (!s) s = l->stages->reserve(l, n, err);
  return s ? s : make_stencils(l, err);
}

ds_status ds_list_reserve_entries(ds_list *l, size_t guess, ds_error *err)
{
  const size_t wanted = (size_t) l->queue->control_host->entries;
  const size_t need = wanted ? wanted + wanted / 10 : guess;
  if (l->room >= wanted && l->room > 0 && l->room <= 2 * need + 65536) return DS_OK;
  if (l->room > 2 * need + 65536) ds_buffer_free(l->queue->memory.memory, &l->entries);
  const ds_status s =
      ds_queue_reserve_cleared(l->queue, &l->entries, need + DS_ROW_UNIT, sizeof(uint32_t), "neighbor list", err);
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
