/* A barrier of all blocks of a cooperative launch that carries flags.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOP_GRID_BARRIER_CUH
#define DPDSOP_SOP_GRID_BARRIER_CUH

#include <cuda_runtime.h>

/* Words of memory that the barrier wants, 0 at the launch. */
enum { DS_BARRIER_WORDS = 96 };

/* A barrier of the whole grid after which each block has the flags of all blocks, ored. Barriers use two counters alternately:
   a block that is early for the next barrier cannot spoil the counter that others still read. A counter has in its lower half
   how many blocks have arrived, and in its upper half how many of them had flags; it is never reset. The flags themselves
   are in one of three words, used cyclically, which is read only where the upper half has changed. */
struct grid_barrier {
  unsigned long long *word;
  unsigned seen_even, seen_odd;
  int number; /* of the barrier, from 0 on */

  __device__ grid_barrier(unsigned long long *w) : word(w), seen_even(0), seen_odd(0), number(0) {}

  /* Adds to a word what other blocks read together with all that this block has written before. */
  __device__ static void add_release(unsigned long long *at, unsigned long long add)
  {
    asm volatile("red.release.gpu.global.add.u64 [%0], %1;" ::"l"(at), "l"(add) : "memory");
  }
  __device__ static unsigned long long load_acquire(const unsigned long long *at)
  {
    unsigned long long v;
    asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(v) : "l"(at) : "memory");
    return v;
  }
  __device__ unsigned *flags_word() const { return (unsigned *) (word + 32 + 16 * (number % 3)); }
  /* One thread of each block. */
  __device__ void arrive(int mine)
  {
    /* no block has arrived at the next barrier yet, and all have read the flags of two barriers ago */
    if (blockIdx.x == 0) *(volatile unsigned *) (word + 32 + 16 * ((number + 1) % 3)) = 0;
    if (mine) atomicOr(flags_word(), (unsigned) mine);
    add_release(word + 16 * (number & 1), mine ? 1ull << 32 | 1ull : 1ull);
  }
  /* The same thread. */
  __device__ int wait()
  {
    const int odd = number & 1;
    const unsigned want = gridDim.x * (unsigned) (number / 2 + 1);
    unsigned long long now;
    do {
      now = load_acquire(word + 16 * odd);
    } while ((unsigned) now < want);
    const unsigned flagged = (unsigned) (now >> 32), seen = odd ? seen_odd : seen_even;
    if (odd)
      seen_odd = flagged;
    else
      seen_even = flagged;
    return flagged == seen ? 0 : (int) *(volatile unsigned *) flags_word();
  }
  /* All threads; each does something of its own meanwhile. */
  template <class Work> __device__ int agree(int flags, Work meanwhile)
  {
    __shared__ int block_flags, result;
    int mine = 0;
    if (__syncthreads_or(flags)) { /* seldom */
      if (threadIdx.x == 0) block_flags = 0;
      __syncthreads();
      if (flags) atomicOr(&block_flags, flags);
      __syncthreads();
      mine = block_flags;
    }
    if (threadIdx.x == 0) arrive(mine);
    meanwhile();
    if (threadIdx.x == 0) result = wait();
    number++;
    __syncthreads();
    return result;
  }
  __device__ int agree(int flags)
  {
    return agree(flags, [] {});
  }
};

#endif
