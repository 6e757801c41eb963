/* Neighbor list of the CUDA backend.   SPDX-License-Identifier: GPL-2.0-or-later

   A rebuild has two halves, because the atoms are put into the sorted order between them: sort (keys,
   order, cells, rows) and build (rows of the list). All work is queued on a stream.

   Entry n of row r lies at (r/32) 32 capacity + n 32 + r%32: a warp of the force kernel, one thread a
   row, reads entry n of its 32 rows as one piece of 128 bytes. */
#ifndef DPDSOP_LIST_CUDA_H
#define DPDSOP_LIST_CUDA_H

#include "../gpu/gpu.h"
#include "dpdsop/neighbor.h"

typedef struct {
  int slots, rows, capacity;
  const uint32_t *order;  /* by slot: atom; in one of the two buffers of the sort */
  ds_gpu_buffer row_slot; /* uint32 by row: slot of the own atom */
  ds_gpu_buffer core;     /* int32 by row: core entries */
  ds_gpu_buffer count;    /* int32 by row: all entries */
  ds_gpu_buffer entries;  /* uint32 */
  /* work space */
  ds_gpu_buffer key[2], value[2], scratch;
  ds_gpu_buffer cell_range; /* 2 x int32 by cell: first slot, slot after the last */
  ds_gpu_buffer mark;       /* uint64 by slot: own atoms and batches before it */
  ds_gpu_buffer slot_row;   /* int32 by slot: row, or -1 for a ghost */
  ds_gpu_buffer batch;      /* 2 x int32: first slot, cell */
  ds_gpu_buffer stencil, stencil_count;
  ds_gpu_buffer longest; /* int32: longest row that did not fit, or 0 */
  ds_pinned_buffer longest_host;
  cudaEvent_t built;
  int stencil_cells[3];
} ds_list_cuda;

/* What the second half reads; device pointers. */
typedef struct {
  ds_frame frame;
  int ntypes;
  float core2, list2; /* of the only type, where there is one */
  const float *core2_table, *list2_table;
  const int4 *position; /* by slot: x y z type, the upper halves of 64-bit positions */
  const int64_t *tag;   /* by slot; only with special partners */
  ds_special special;   /* by atom; max_special 0: none */
} ds_list_source;

ds_status ds_list_cuda_open(ds_list_cuda *list, ds_error *err);
void ds_list_cuda_close(ds_list_cuda *list);
size_t ds_list_cuda_bytes(const ds_list_cuda *list);

/* First half: positions by atom (x y z and one word unused) -> order, cells, rows. */
ds_status ds_list_cuda_sort(ds_list_cuda *list, const ds_grid *grid, const int4 *position,
                            int nlocal, int nall, ds_stage_timer *timer, cudaStream_t stream,
                            ds_error *err);

/* Second half. Waits for the rows, and repeats them with more room where one did not fit. */
ds_status ds_list_cuda_build(ds_list_cuda *list, const ds_list_source *source,
                             ds_stage_timer *timer, cudaStream_t stream, ds_error *err);

/* Somebody else's list: slots are atoms; rows in the given order, laid out as above by the caller. */
ds_status ds_list_cuda_reserve_set(ds_list_cuda *list, int slots, int rows, int longest,
                                   cudaStream_t stream, ds_error *err);

/* Words of the entries: whole groups of 32 rows. */
static inline size_t ds_list_cuda_words(int rows, int capacity)
{
  return ((size_t) rows + 31) / 32 * 32 * (size_t) capacity;
}

#endif
