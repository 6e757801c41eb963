/* Barriers of some warps of a block.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOP_PART_BARRIER_CUH
#define DPDSOP_SOP_PART_BARRIER_CUH

#include <cuda_runtime.h>

/* Waits for `threads` of the block, whole warps, to come to barrier `number`, 1 to 15: 0 is that of __syncthreads(). */
__device__ __forceinline__ void ds_part_barrier(int number, int threads)
{
  asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

/* The same, and returns whether `yes` is true for any of them. */
__device__ __forceinline__ bool ds_part_barrier_or(int number, int threads, bool yes)
{
  int any;
  asm volatile("{\n"
               ".reg .pred p, q;\n"
               "setp.ne.s32 p, %3, 0;\n"
               "bar.red.or.pred q, %1, %2, p;\n"
               "selp.s32 %0, 1, 0, q;\n"
               "}"
               : "=r"(any)
               : "r"(number), "r"(threads), "r"((int) yes)
               : "memory");
  return any != 0;
}

#endif
