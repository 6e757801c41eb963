/* What the builder of rows is made of: segments of cells, stencils, a warp's tables (Tang & Karniadakis 2014, 3.3).
   SPDX-License-Identifier: GPL-2.0-or-later

   A warp builds the rows of 32 consecutive slots. They belong to a few cells: the slots of one cell are a segment, and
   its rows have the same stencil. */
#ifndef DPDSOP_BUILDER_CUH
#define DPDSOP_BUILDER_CUH

#include "list_cuda.h"

enum {
  DS_WARP = 32,
  DS_TILES = 6, /* of 64 places, that a stencil can have in the tables */
  DS_WINDOW = DS_TILES * 2 * DS_WARP,
  DS_PLACES = 1248 /* of all stencils in the tables: of 32 slots, mostly */
};

typedef struct {
  ds_launch_id launch;
  ds_list_source in;
  int slots;
  const int32_t *atom_of_slot, *cell_of_slot;
  const int2 *cell_range;
  const int32_t *stencil; /* DS_STENCIL by cell, -1 behind the last */
  uint32_t *first, *entries;
  int32_t *count;
  unsigned long long room;
  int single_rows; /* a segment is one row (dpdsop/device/list_distance.h) */
} build_args;

typedef struct {
  float4 row[DS_WARP];           /* -2 p, p the row's place; |p|^2, or what it leaves of the range */
  uint2 near[DS_TILES][DS_WARP]; /* by tile of the row's stencil: places within range */
  int32_t type[DS_WARP];         /* of the row's atom, times the number of types */
  uint32_t place[DS_PLACES];     /* slots of the stencils' atoms, one stencil after the other */
} warp_space;

__device__ __forceinline__ uint32_t ds_lanes_below(int lane)
{
  return (1u << lane) - 1u;
}

/* The fine stencil of a cell (3.3.1): each lane holds one cell of the coarse one. */
typedef struct {
  int total;         /* places */
  int offset, count; /* first place and places of this lane's cell */
  int first;         /* slot of it */
} fine_stencil;

__device__ __forceinline__ fine_stencil open_stencil(const build_args &a, int cell, int lane)
{
  fine_stencil f;
  int2 range = make_int2(0, 0);
  const int other = lane < DS_STENCIL ? __ldg(&a.stencil[(size_t) cell * DS_STENCIL + lane]) : -1;
  if (other >= 0) range = __ldg(&a.cell_range[other]);
  f.first = range.x;
  f.count = range.y - range.x;
  int sum = f.count;
#pragma unroll
  for (int step = 1; step < DS_WARP; step *= 2) {
    const int below = __shfl_up_sync(DS_FULL_WARP, sum, step);
    if (lane >= step) sum += below;
  }
  f.offset = sum - f.count;
  f.total = __shfl_sync(DS_FULL_WARP, sum, DS_WARP - 1);
  return f;
}

/* Slots of places from .. from + n - 1 of a stencil. */
__device__ __forceinline__ void write_places(const fine_stencil &f, int from, int n, uint32_t *place)
{
  const int begin = max(0, from - f.offset), end = min(f.count, from + n - f.offset);
  for (int k = begin; k < end; k++) place[f.offset - from + k] = (uint32_t) (f.first + k);
  __syncwarp();
}

/* Place of a slot of the segment's own cell, which begins at slot `begin`, in the stencil. */
__device__ __forceinline__ int own_place(const fine_stencil &f, int begin, int slot)
{
  const uint32_t own = __ballot_sync(DS_FULL_WARP, f.count > 0 && f.first == begin);
  return __shfl_sync(DS_FULL_WARP, f.offset, __ffs((int) own) - 1) + slot - begin;
}

#endif
