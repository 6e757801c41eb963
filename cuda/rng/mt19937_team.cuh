/* The Mersenne Twister by the threads of a block.   SPDX-License-Identifier: GPL-2.0-or-later

   Bradley section 4.3 makes 224 words between two barriers, because word k of a window needs word k - 227 of the same
   window. But that is all it needs of it: with g_k = (X_k | X_{k+1}) D the window after X is
     Y_k = X_{k+397} ^ g_k,   Y_{k+227} = Y_k ^ g_{k+227},   Y_{k+454} = Y_{k+227} ^ g_{k+454}
   so thread k < 227 makes these three (the last one for k < 170) and has its own Y_k in a register: a whole
   window a barrier. Only g_623 needs another thread's new word, Y_0. */
#ifndef DPDSOP_RNG_MT19937_TEAM_CUH
#define DPDSOP_RNG_MT19937_TEAM_CUH

#include "dpdsop/device/rng/mt19937.h"

enum {
  DS_MT_THIRD = DS_MT19937_WORDS - 2 * DS_MT19937_GAP, /* threads with a third word */
  DS_MT_TEAM = 256                                     /* threads that make windows together */
};

/* Whether a thread is of the warp that makes the last word. */
#define DS_MT_LAST_WARP(thread) ((thread) / 32 == (DS_MT_THIRD - 1) / 32)

/* Barrier `id` of a block, 1 to 15, for the first threads that come; 0 is that of __syncthreads. */
__device__ __forceinline__ void ds_team_barrier(int id, int threads)
{
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

/* A thread's words of the window. Threads past the last do what it does and keep it for themselves. */
struct ds_mt_words {
  uint32_t a, b, c;
  int thread, from, after;

  __device__ __forceinline__ ds_mt_words(const uint32_t *window, int t)
  {
    thread = t;
    from = min(t, DS_MT19937_GAP - 1);
    a = window[from];
    b = window[from + DS_MT19937_GAP];
    c = window[min(from + 2 * DS_MT19937_GAP, DS_MT19937_WORDS - 1)];
    after = min(from + 2 * DS_MT19937_GAP + 1, DS_MT19937_WORDS - 1);
  }

  /* The next window, not in place. All threads of the team have passed a barrier since `window` was written.
     LAST_WORD: for the warp of which DS_MT_LAST_WARP is true. */
  template <bool LAST_WORD> __device__ __forceinline__ void advance(const uint32_t *window, uint32_t *next)
  {
    const uint32_t middle = window[from + DS_MT19937_MIDDLE];
    const uint32_t after_a = window[from + 1];
    const uint32_t after_b = window[from + DS_MT19937_GAP + 1];
    uint32_t after_c = window[after];
    if (LAST_WORD) {
      const uint32_t first = window[DS_MT19937_MIDDLE] ^ ds_mt19937_twist(window[0], window[1]);
      if (thread == DS_MT_THIRD - 1) after_c = first;
    }
    a = middle ^ ds_mt19937_twist(a, after_a);
    b = a ^ ds_mt19937_twist(b, after_b);
    c = b ^ ds_mt19937_twist(c, after_c);
    if (thread < DS_MT19937_GAP) {
      next[from] = a;
      next[from + DS_MT19937_GAP] = b;
    }
    if (thread < DS_MT_THIRD) next[from + 2 * DS_MT19937_GAP] = c;
  }

  __device__ __forceinline__ void advance_any(const uint32_t *window, uint32_t *next)
  {
    if (DS_MT_LAST_WARP(thread))
      advance<true>(window, next);
    else
      advance<false>(window, next);
  }
};

#endif
