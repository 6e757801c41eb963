/* Neighbor list of the CUDA backend (dpdsop/device/neighbor.h).   SPDX-License-Identifier: GPL-2.0-or-later

   A rebuild has two halves, because the atoms are put into the sorted order between them: sort (order, cells) and build
   (rows of the list). All work is queued on a stream; nothing waits.

   The rows of a warp's 32 atoms lie side by side, four entries of each in turn, so that the warp reads and writes them as
   one piece of 512 bytes. They are as wide as the longest of the 32. A row is filled up to a multiple of four with the
   atom itself, which is too near to count. */
#ifndef DPDSOP_LIST_CUDA_H
#define DPDSOP_LIST_CUDA_H

#include "../core/queue.h"
#include "dpdsop/device/list_distance.h"
#include "dpdsop/device/neighbor.h"

typedef struct {
  int slots;
  const int32_t *atom_of_slot; /* in one of the two buffers of the sort */
  ds_buffer first, count;      /* uint32, int32 by row */
  ds_buffer entries;           /* uint32 */
  size_t room;                 /* of entries; what is wanted of it: ds_control.entries */
  /* work space */
  ds_buffer key[2], value[2], scratch;
  ds_buffer cell_of_slot; /* int32 */
  ds_buffer cell_range;   /* 2 x int32 by cell: first slot, slot after the last */
  ds_buffer stencil, stencil_count;
  ds_grid stencil_grid; /* that the stencils are of */
  /* of ds_list_cuda_split */
  ds_buffer ghosts, inner, split_scratch;
  ds_buffer block; /* int32: blocks of rows, first those without ghosts */
  int blocks;
} ds_list_cuda;

/* Where entry n of a row is whose first four entries are at `first`, in units of four. */
DS_FUNC size_t ds_lane_entry(uint32_t first, int n)
{
  return ((size_t) first + (size_t) (n / 4) * 32) * 4 + (size_t) (n % 4);
}

/* What the second half reads; device pointers. */
typedef struct {
  ds_frame frame;
  int nlocal, ntypes;
  float list2; /* of the only type, where there is one */
  ds_list_margins margin;
  const float *list2_table;
  const int4 *position; /* by slot: x y z type, the upper halves of 64-bit positions */
  const int64_t *tag;   /* by slot; only with special partners */
  ds_special special;   /* by atom */
  ds_exclusions excluded;
} ds_list_source;

/* Room for keys of 32 bits, or 64 where the grid needs them, of n atoms: keys[k] is of atom k. */
ds_status ds_list_cuda_reserve(ds_list_cuda *list, ds_queue *s, const ds_grid *grid, int n,
                               int64_t step, ds_error *err);
static inline int ds_list_cuda_wide_keys(const ds_grid *grid)
{
  return grid->key_bits > 32;
}

/* First half: keys in key[0], atoms in value[0] -> order, cells. */
ds_status ds_list_cuda_sort(ds_list_cuda *list, ds_queue *s, const ds_grid *grid, int n,
                            int64_t step, ds_error *err);

/* Second half. Where the rows need more room than there is, the kernels after it stop. */
ds_status ds_list_cuda_build(ds_list_cuda *list, ds_queue *s, const ds_list_source *source,
                             int64_t step, ds_error *err);

/* Blocks of rows, at most 1024 each, those that can have no ghosts first: ds_control.inner_blocks of them. */
ds_status ds_list_cuda_split(ds_list_cuda *list, ds_queue *s, int nlocal, int block_rows,
                             int64_t step, ds_error *err);

/* Room for `need` entries; what is much more is given back. */
ds_status ds_list_cuda_grow(ds_list_cuda *list, ds_queue *s, size_t need, ds_error *err);

#endif
