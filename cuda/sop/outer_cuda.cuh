/* Rows of the outer list, as both kernels that make it write them.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOP_OUTER_CUDA_CUH
#define DPDSOP_SOP_OUTER_CUDA_CUH

#include "../core/gpu.h"
#include "particle_cuda.h"

/* Whether beads i and j repel each other by the list: not those that are bonded, in contact or i, i+2. together: beads of
   different molecules do. */
__device__ __forceinline__ bool outer_has(const ds_sop_particle_lists &l, int molecule_beads, bool together, int i, int j)
{
  if (i == j) return false;
  if (i < molecule_beads && j < molecule_beads) /* without divisions, for the first molecule, often the only one */
    return !ds_sop_is_excluded(&l.exclusions, i, j);
  if (i / molecule_beads != j / molecule_beads) return together;
  return !ds_sop_is_excluded(&l.exclusions, i % molecule_beads, j % molecule_beads);
}

__device__ __forceinline__ void outer_put(const ds_sop_particle_lists &l, int i, int place, int j)
{
  if (place < l.outer_room) l.outer[(size_t) i * l.outer_room + place] = j;
}

/* Puts partners of bead i, one or none of each lane of a warp, at the end of its row. Returns how long that is now. */
__device__ __forceinline__ int outer_append(const ds_sop_particle_lists &l, int i, int count, bool near, int j)
{
  const unsigned who = __ballot_sync(DS_FULL_WARP, near), lane = threadIdx.x & 31;
  if (near) outer_put(l, i, count + __popc(who & ((1u << lane) - 1u)), j);
  return count + __popc(who);
}

/* The row is complete; one thread. It is filled up to fours, by which it may be read. */
__device__ __forceinline__ void outer_end(const ds_sop_particle_lists &l, int i, int count, ds_sop_report *report)
{
  l.outer_count[i] = count < l.outer_room ? count : l.outer_room;
  for (int k = count; k % 4 && k < l.outer_room; k++) outer_put(l, i, k, i);
  if (count > l.outer_room) atomicMax(&report->full, count);
}

/* ---- the engine's list of n beads from number `base` on: outer_engine_cuda.cu */

/* Finds the pairs. *fits becomes 0 where the beads are too far apart for it. */
ds_status ds_sop_cuda_engine_list(const ds_sop *sop, ds_sop_cuda *g, int base, int n, int *fits, ds_error *err);

/* They become rows of the outer list. */
ds_status ds_sop_cuda_engine_rows(const ds_sop *sop, ds_sop_cuda *g, const ds_sop_particle_lists *l, int base, int n,
                                  ds_error *err);

#endif
