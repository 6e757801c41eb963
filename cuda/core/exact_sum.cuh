/* Exact sums over the threads of a kernel.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_CORE_EXACT_SUM_CUH
#define DPDSOP_CORE_EXACT_SUM_CUH

#include "dpdsop/device/step/exact_sum.h"

__device__ inline int64_t ds_add_warp(int64_t value)
{
  for (int lane = 16; lane > 0; lane /= 2) value += __shfl_down_sync(~0u, (long long) value, lane);
  return value;
}

/* Terms of all threads of a block, up to LIMIT of each thread, are added to n sums in device memory. All threads of the
   block call it, which has up to DS_SUM_WARPS warps. Parts of terms beyond 2^30 units are rare. Warps have places of their own,
   as shared memory adds numbers of 64 bits in a loop, which they would go through in turn. */
enum { DS_SUM_WARPS = 8 };

template <int LIMIT> __device__ void ds_add_exact_terms(const double *add, int n, double unit, ds_exact_sum *to)
{
  __shared__ int64_t part[DS_SUM_WARPS][2 * LIMIT];
  unsigned long long *const sums = (unsigned long long *) to;
  int64_t *const mine = part[threadIdx.x / 32];
  __syncthreads(); /* the call before has read its parts */
#pragma unroll
  for (int j = 0; j < LIMIT; j++) {
    if (j >= n) continue;
    const ds_exact_sum term = ds_exact_term(add[j], unit);
    if (term.top) atomicAdd_system(&sums[4 * j + 2], (unsigned long long) term.top);
    if (term.invalid) atomicAdd_system(&sums[4 * j + 3], 1ull);
    const int64_t high = ds_add_warp(term.high), low = ds_add_warp(term.low);
    if (threadIdx.x % 32) continue;
    mine[2 * j] = low;
    mine[2 * j + 1] = high;
  }
  __syncthreads();
  if (threadIdx.x >= 2 * n) return;
  int64_t all = 0;
  for (int warp = 0; warp < blockDim.x / 32; warp++) all += part[warp][threadIdx.x];
  atomicAdd_system(&sums[threadIdx.x / 2 * 4 + threadIdx.x % 2], (unsigned long long) all);
}

#endif
