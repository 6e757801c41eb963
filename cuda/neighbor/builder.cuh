/* What a builder of rows is made of: batches, fine stencils, rows while they are built (Tang & Karniadakis
   2014, 3.3).   SPDX-License-Identifier: GPL-2.0-or-later

   The list is made of tiles, 32 rows by 32 entries, tile after tile along a group of 32 rows. The
   builder writes a tile row by row; transposed in place it is what list_cuda.h describes. */
#ifndef DPDSOP_BUILDER_CUH
#define DPDSOP_BUILDER_CUH

#include "list_cuda.h"

enum {
  DS_WARP = 32,
  DS_TILE_WORDS = DS_WARP * DS_WARP,
  DS_BATCH_SLOTS = 32 /* slots of a cell that one warp builds rows for */
};

#define DS_FULL_WARP 0xFFFFFFFFu

/* Where entry 0 of a row is built. */
__device__ __forceinline__ uint32_t *ds_built_row(uint32_t *entries, int row, int capacity)
{
  return entries + (size_t) (row / DS_WARP) * DS_WARP * (size_t) capacity + row % DS_WARP * DS_WARP;
}

/* Entry n of it, from there. */
__device__ __forceinline__ int ds_built_entry(int n)
{
  return n / DS_WARP * DS_TILE_WORDS + n % DS_WARP;
}

__device__ __forceinline__ uint32_t ds_lanes_below(int lane)
{
  return (1u << lane) - 1u;
}

typedef struct {
  ds_list_source in;
  const int2 *batch, *cell_range;
  const uint64_t *batches; /* upper half: how many */
  const int32_t *slot_row, *stencil, *stencil_count;
  uint32_t *entries;
  int32_t *core, *count, *longest;
  int capacity;
} build_args;

/* Own atoms of a batch, side by side (slot[] of Alg. 3). */
typedef struct {
  int4 position[DS_BATCH_SLOTS];
  uint32_t slot[DS_BATCH_SLOTS];
  uint32_t *row[DS_BATCH_SLOTS];
  int32_t delta
      [DS_STENCIL]; /* by cell of the stencil that has atoms: slot minus place in the stencil */
} batch_space;

/* The fine stencil of a cell (3.3.1), never stored: each lane holds one cell of the coarse one. */
typedef struct {
  int total;         /* atoms */
  int offset, count; /* of this lane's cell */
} fine_stencil;

__device__ __forceinline__ fine_stencil open_stencil(const build_args &a, int cell, int lane,
                                                     int32_t *delta)
{
  fine_stencil f;
  int2 range = make_int2(0, 0);
  if (lane < a.stencil_count[cell])
    range = a.cell_range[a.stencil[(size_t) cell * DS_STENCIL + lane]];
  f.count = range.y - range.x;
  int sum = f.count;
  for (int step = 1; step < DS_WARP; step *= 2) {
    const int below = __shfl_up_sync(DS_FULL_WARP, sum, step);
    if (lane >= step) sum += below;
  }
  f.offset = sum - f.count;
  f.total = __shfl_sync(DS_FULL_WARP, sum, DS_WARP - 1);
  const uint32_t filled = __ballot_sync(DS_FULL_WARP, f.count > 0);
  if (f.count > 0) delta[__popc(filled & ds_lanes_below(lane))] = range.x - f.offset;
  __syncwarp();
  return f;
}

/* Slot of place first + lane of the stencil: the cells that begin in this chunk are one bit each, so
   counting bits finds the lane's cell. Places past the end give 0. */
__device__ __forceinline__ uint32_t stencil_slot(const fine_stencil &f, int first, int lane,
                                                 const int32_t *delta)
{
  const int at = f.offset - first;
  const uint32_t mine = f.count > 0 && at >= 0 && at < DS_WARP ? 1u << at : 0;
  const uint32_t begins = __reduce_or_sync(DS_FULL_WARP, mine);
  const int before = __popc(__ballot_sync(DS_FULL_WARP, f.count > 0 && at < 0));
  const int cell = before + __popc(begins & (ds_lanes_below(lane) << 1 | 1u)) - 1;
  return first + lane < f.total ? (uint32_t) (first + lane + delta[cell]) : 0;
}

/* Own atoms of the batch to shared memory; returns how many. */
__device__ __forceinline__ int load_batch(const build_args &a, int2 batch, int lane, batch_space *w,
                                          int *row)
{
  const int slot = batch.x + lane;
  const int mine = slot < a.cell_range[batch.y].y ? a.slot_row[slot] : -1;
  const uint32_t own = __ballot_sync(DS_FULL_WARP, mine >= 0);
  const int k = __popc(own & ds_lanes_below(lane));
  if (mine >= 0) {
    w->position[k] = __ldg(&a.in.position[slot]);
    w->slot[k] = (uint32_t) slot;
    w->row[k] = ds_built_row(a.entries, mine, a.capacity);
  }
  __syncwarp();
  const int n = __popc(own);
  /* lane k keeps the row of the k-th own atom */
  const int first_row = __shfl_sync(DS_FULL_WARP, mine, own ? __ffs((int) own) - 1 : 0);
  *row = lane < n ? first_row + lane : -1;
  return n;
}

/* Skin entries stand in reversed order at the back of the row; they must follow the core in increasing
   order. Reversing everything behind the core does that: places p < q change if p + q is the sum of
   the two ends. Each exchange is independent of the others. Here, right after the row was built,
   it is still in the cache. */
__device__ __forceinline__ void join_row(uint32_t *row, int core, int skin, int capacity, int k)
{
  const int q = capacity - 1 - k, p = core + k;
  if (k >= skin || p >= q) return;
  const uint32_t last = row[ds_built_entry(q)];
  if (q < core + skin) row[ds_built_entry(q)] = row[ds_built_entry(p)];
  row[ds_built_entry(p)] = last;
}

__device__ __forceinline__ void join_rows(const batch_space *w, int n, int core, int skin,
                                          int capacity, int lane)
{
  __syncwarp();
  for (int i = 0; i < n; i++) {
    const int c = __shfl_sync(DS_FULL_WARP, core, i), s = __shfl_sync(DS_FULL_WARP, skin, i);
    if (c + s > capacity) continue;
    for (int k = lane; k < s; k += DS_WARP) join_row(w->row[i], c, s, capacity, k);
  }
}

static inline build_args ds_build_arguments(const ds_list_cuda *l, const ds_list_source *source)
{
  build_args a;
  a.in = *source;
  a.batch = DS_DATA(int2, l->batch);
  a.cell_range = DS_DATA(int2, l->cell_range);
  a.batches = DS_DATA(uint64_t, l->mark) + l->slots;
  a.slot_row = DS_DATA(int32_t, l->slot_row);
  a.stencil = DS_DATA(int32_t, l->stencil);
  a.stencil_count = DS_DATA(int32_t, l->stencil_count);
  a.entries = DS_DATA(uint32_t, l->entries);
  a.core = DS_DATA(int32_t, l->core);
  a.count = DS_DATA(int32_t, l->count);
  a.longest = DS_DATA(int32_t, l->longest);
  a.capacity = l->capacity;
  return a;
}

/* Batches are counted on the device: at most one for each started 32 slots and one for each cell. */
static inline size_t ds_most_batches(const ds_list_cuda *l)
{
  const size_t cells = (size_t) l->stencil_cells[0] * l->stencil_cells[1] * l->stencil_cells[2];
  const size_t slots = (size_t) l->slots;
  const size_t most = slots / DS_BATCH_SLOTS + cells;
  return most < slots ? most : slots;
}

#endif
