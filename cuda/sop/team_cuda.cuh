/* Teams: the threads of one bead.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOP_TEAM_CUDA_CUH
#define DPDSOP_SOP_TEAM_CUDA_CUH

#include "../core/gpu.h"

#include <cuda_runtime.h>
#include <stdint.h>

/* A bead in a loop over all. has: false where there are no beads left for the team, whose threads take part nevertheless. */
struct team_bead {
  int number;
  bool has;
};

/* `size` neighboring lanes of a warp, a power of two. All teams of a warp go through loops together, so that exchanges are
   those of whole warps: for (int turn = t.first; turn < beads; turn += t.count) { const team_bead b = t.at(turn, beads); ... */
struct team {
  int size, lane, number, count;
  int first;  /* number of the first team of the warp */
  int offset; /* of this team from it */
  int base;   /* lane of the warp at which the team begins */

  __device__ team(int lanes)
  {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x, in_warp = threadIdx.x & 31;
    size = lanes;
    lane = thread & (lanes - 1);
    number = thread / lanes;
    count = gridDim.x * blockDim.x / lanes;
    base = in_warp & ~(lanes - 1);
    first = (thread - in_warp) / lanes;
    offset = number - first;
  }
  __device__ team_bead at(int turn, int beads) const
  {
    const int bead = turn + offset;
    const team_bead b = {bead < beads ? bead : beads - 1, bead < beads};
    return b;
  }
  /* Sums over the team. */
  __device__ void sum(int32_t v[3]) const
  {
#pragma unroll
    for (int k = 16; k > 0; k /= 2) {
      if (k >= size) continue;
#pragma unroll
      for (int c = 0; c < 3; c++) v[c] += __shfl_xor_sync(DS_FULL_WARP, v[c], k);
    }
  }
  __device__ float from(float v, int source) const
  {
    return __shfl_sync(DS_FULL_WARP, v, base + source);
  }
  /* Which of the team's threads, by lane of the team. */
  __device__ unsigned which(bool yes) const
  {
    const unsigned all = __ballot_sync(DS_FULL_WARP, yes) >> base;
    return size == 32 ? all : all & ((1u << size) - 1u);
  }
};

#endif
