/* Neighbor list of the host backend.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_LIST_HOST_H
#define DPDSOP_LIST_HOST_H

#include "../core/buffer.h"
#include "../core/isa.h"
#include "dpdsop/array.h"
#include "dpdsop/device/neighbor.h"
#include "sort_host.h"

/* Arrays by slot; see dpdsop/device/neighbor.h. */
typedef struct {
  int slots;
  ds_buffer atom_of_slot; /* int32 */
  ds_buffer first, count; /* uint32, int32 by row */
  ds_buffer entries;      /* uint32 */
  size_t room, used;      /* of entries */
  /* work space of the builder */
  ds_pool *pool;
  ds_buffer keyed, keyed_work, cell_first, cell_last, stencil, stencil_count;
  ds_grid stencil_grid; /* that the stencils are of */
} ds_list_host;

typedef struct {
  const ds_frame *frame;
  const ds_grid *grid;
  int ntypes;
  const float
      *list2; /* ntypes^2: squared range in largest cutoffs; 0: the pair does not interact */
  ds_special special;     /* by atom */
  ds_exclusions excluded; /* by atom */
  int nlocal;
  const int32_t *position; /* by slot: x y z type */
  ds_array tag;            /* by atom */
  int threads;
  ds_isa isa;
} ds_list_input;

/* Sorting: the caller fills the keys of n atoms, with their numbers as index; then cells and atom_of_slot. */
ds_status ds_list_host_reserve(ds_list_host *list, const ds_grid *grid, int n, ds_error *err);
void ds_list_host_sort(ds_list_host *list, const ds_grid *grid, int n, int threads);

/* Rows, from positions by slot. */
ds_status ds_list_host_build(ds_list_host *list, const ds_list_input *in, ds_error *err);

#endif
