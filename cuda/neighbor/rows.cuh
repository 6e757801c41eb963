/* Rows of the CUDA neighbor list while it is built.   SPDX-License-Identifier: GPL-2.0-or-later

   The list is made of tiles, 32 rows by 32 entries, tile after tile along a group of 32 rows. The
   builder writes a tile row by row; transposed in place it is what list_cuda.h describes. */
#ifndef DPDSOP_ROWS_CUH
#define DPDSOP_ROWS_CUH

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

#endif
