/* What the two backends of the Mersenne Twister share.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_RNG_MT19937_STATE_H
#define DPDSOP_RNG_MT19937_STATE_H

#include "dpdsop/device/rng/mt19937_jump.h"
#include "method.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Windows of the words that are summed for a jump: the last begins 19936 words after the first. */
enum { DS_MT19937_SPAN = 33 };

/* How the words of a call are cut on the GPU. */
typedef struct {
  uint64_t words; /* of the call; 0: no plan */
  uint64_t piece; /* of a block */
  unsigned blocks;
  uint64_t used; /* when, by the count of calls */
} ds_mt19937_plan;

enum { DS_MT19937_PLANS = 4 };

/* ds_rng.state: the window is the state, of which the object's words count; what is behind it goes with the
   object but is not saved. */
typedef struct {
  uint32_t window[DS_MT19937_WORDS];
  ds_mt19937_plan plan[DS_MT19937_PLANS]; /* their polynomials are on the device */
  int ready;                              /* the plan for whose next call every block's window is there; -1: none */
  uint64_t last_words, calls;
} ds_mt19937_object;

/* ----------------------------------------------------------------- host kernels: see mt19937_simd.c */

/* The next window, not in place. */
typedef void ds_mt19937_next_window_function(const uint32_t *window, uint32_t *next);
ds_mt19937_next_window_function ds_mt19937_next_window_base, ds_mt19937_next_window_avx2, ds_mt19937_next_window_avx512;

typedef void ds_mt19937_output_function(const uint32_t *window, int n, uint32_t *out);
ds_mt19937_output_function ds_mt19937_output_base, ds_mt19937_output_avx2, ds_mt19937_output_avx512;

/* The window jumps; span has room for DS_MT19937_SPAN windows. */
typedef void ds_mt19937_leap_function(uint32_t *window, const uint32_t *polynomial, uint32_t *span);
ds_mt19937_leap_function ds_mt19937_leap_base, ds_mt19937_leap_avx2, ds_mt19937_leap_avx512;

#ifdef __cplusplus
}
#endif
#endif
