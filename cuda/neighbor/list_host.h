/* Neighbor list of the host backend.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_LIST_HOST_H
#define DPDSOP_LIST_HOST_H

#include "../common/buffer.h"
#include "../common/isa.h"
#include "dpdsop/neighbor.h"

/* Arrays by slot (position in the sorted order) or by row; see dpdsop/neighbor.h. */
typedef struct {
  int slots, rows, capacity;
  int coded;          /* entries may carry special codes */
  ds_buffer order;    /* uint32 by slot: atom */
  ds_buffer row_slot; /* uint32 by row: slot of the own atom */
  ds_buffer core;     /* int32 by row: core entries */
  ds_buffer count;    /* int32 by row: all entries */
  ds_buffer entries;  /* uint32, capacity a row */
  /* work space of the builder */
  ds_buffer keyed, cell_first, cell_last, slot_row, stencil, stencil_count;
  ds_buffer x, y, z, type; /* int32 by slot */
  int stencil_cells[3];
} ds_list_host;

typedef struct {
  const ds_frame *frame;
  const ds_grid *grid;
  ds_list_range range;
  const ds_special *special; /* NULL: none */
  int nlocal, nall;
  const int32_t *positions; /* x y z and one word unused, by atom */
  const int32_t *type;      /* by atom, 0-based */
  const int64_t *tag;       /* by atom */
  int threads;
  ds_isa isa;
} ds_list_input;

ds_status ds_list_host_build(ds_list_host *list, const ds_list_input *in, ds_error *err);
/* Somebody else's list of `slots` atoms: slots are atoms, and rows of own atoms are copied. */
ds_status ds_list_host_set(ds_list_host *list, int slots, int rows, const int *atom,
                           const int *count, int *const *entries, int threads, ds_error *err);
void ds_list_host_free(ds_list_host *list);
size_t ds_list_host_bytes(const ds_list_host *list);

#endif
