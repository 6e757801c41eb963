/* Barriers of some warps of a block.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_GPU_PART_BARRIER_CUH
#define DPDSOP_GPU_PART_BARRIER_CUH

#include <cuda_runtime.h>

/* Waits for `threads` of the block, whole warps, to come to barrier `number`, 1 to 15: 0 is that of __syncthreads(). */
__device__ __forceinline__ void ds_part_barrier(int number, int threads)
{
  asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

#endif
