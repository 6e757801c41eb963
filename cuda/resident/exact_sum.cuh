/* Exact sums over the threads of a kernel.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_EXACT_SUM_CUH
#define DPDSOP_EXACT_SUM_CUH

#include "dpdsop/device/step/exact_sum.h"

__device__ inline int64_t ds_add_warp(int64_t value)
{
  for (int lane = 16; lane > 0; lane /= 2) value += __shfl_down_sync(~0u, (long long) value, lane);
  return value;
}

/* Terms of all threads of a block, up to LIMIT of each thread, are added to n sums in device memory. All threads of the
   block call it. Parts of terms beyond 2^30 units are rare. */
template <int LIMIT> __device__ void ds_add_exact_terms(const double *add, int n, double unit, ds_exact_sum *to)
{
  __shared__ unsigned long long part[2 * LIMIT];
  unsigned long long *const sums = (unsigned long long *) to;
  __syncthreads();
  if (threadIdx.x < 2 * LIMIT) part[threadIdx.x] = 0;
  __syncthreads();
#pragma unroll
  for (int j = 0; j < LIMIT; j++) {
    if (j >= n) continue;
    const ds_exact_sum term = ds_exact_term(add[j], unit);
    if (term.top) atomicAdd_system(&sums[4 * j + 2], (unsigned long long) term.top);
    if (term.invalid) atomicAdd_system(&sums[4 * j + 3], 1ull);
    const int64_t high = ds_add_warp(term.high), low = ds_add_warp(term.low);
    if (threadIdx.x % 32) continue;
    atomicAdd(&part[2 * j], (unsigned long long) low);
    atomicAdd(&part[2 * j + 1], (unsigned long long) high);
  }
  __syncthreads();
  const int sum = threadIdx.x / 2, half = threadIdx.x % 2;
  if (sum < n) atomicAdd_system(&sums[4 * sum + half], part[threadIdx.x]);
}

#endif
