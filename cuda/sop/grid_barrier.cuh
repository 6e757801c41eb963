/* A barrier of all blocks of a cooperative launch that carries flags.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOP_GRID_BARRIER_CUH
#define DPDSOP_SOP_GRID_BARRIER_CUH

#include <cuda_runtime.h>

/* Words of memory that the barrier wants, 0 at the launch. */
enum { DS_BARRIER_WORDS = 96 };

/* A barrier of the whole grid after which each block has the flags of all blocks, ored. Barriers use two counters in turn: a
   block that is early for the next barrier cannot spoil the counter that others still read. A counter has in its lower half
   how many blocks have arrived, and in its upper half how many of them had flags; it is never reset. The flags themselves
   are in one of three words, in turn, which is read only where the upper half has changed. */
struct grid_barrier {
  unsigned long long *word;
  unsigned seen_even, seen_odd;
  int turn;

  __device__ grid_barrier(unsigned long long *w) : word(w), seen_even(0), seen_odd(0), turn(0) {}

  /* Adds to a word what other blocks read together with all that this block has written before. */
  __device__ static void arrive(unsigned long long *at, unsigned long long add)
  {
    asm volatile("red.release.gpu.global.add.u64 [%0], %1;" ::"l"(at), "l"(add) : "memory");
  }
  __device__ static unsigned long long look(const unsigned long long *at)
  {
    unsigned long long v;
    asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(v) : "l"(at) : "memory");
    return v;
  }
  __device__ unsigned *said() const { return (unsigned *) (word + 32 + 16 * (turn % 3)); }
  /* One thread of each block. */
  __device__ void come(int mine)
  {
    /* nobody has yet come to the next turn, and all have read what was said two turns ago */
    if (blockIdx.x == 0) *(volatile unsigned *) (word + 32 + 16 * ((turn + 1) % 3)) = 0;
    if (mine) atomicOr(said(), (unsigned) mine);
    arrive(word + 16 * (turn & 1), mine ? 1ull << 32 | 1ull : 1ull);
  }
  /* The same thread. */
  __device__ int wait()
  {
    const int odd = turn & 1;
    const unsigned want = gridDim.x * (unsigned) (turn / 2 + 1);
    unsigned long long now;
    do {
      now = look(word + 16 * odd);
    } while ((unsigned) now < want);
    const unsigned flagged = (unsigned) (now >> 32), seen = odd ? seen_odd : seen_even;
    if (odd)
      seen_odd = flagged;
    else
      seen_even = flagged;
    return flagged == seen ? 0 : (int) *(volatile unsigned *) said();
  }
  /* All threads; each does something of its own meanwhile. */
  template <class Work> __device__ int agree(int flags, Work meanwhile)
  {
    __shared__ int all, told;
    int mine = 0;
    if (__syncthreads_or(flags)) { /* seldom */
      if (threadIdx.x == 0) all = 0;
      __syncthreads();
      if (flags) atomicOr(&all, flags);
      __syncthreads();
      mine = all;
    }
    if (threadIdx.x == 0) come(mine);
    meanwhile();
    if (threadIdx.x == 0) told = wait();
    turn++;
    __syncthreads();
    return told;
  }
  __device__ int agree(int flags)
  {
    return agree(flags, [] {});
  }
};

#endif
