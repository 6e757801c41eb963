/* mt19937.h: the Mersenne Twister MT19937.   SPDX-License-Identifier: GPL-2.0-or-later

   Matsumoto & Nishimura, "Mersenne Twister: a 623-dimensionally equidistributed uniform pseudo-random number
   generator", ACM TOMACS 8 (1998), and Bradley et al. 2010, eq. 5:
     X_{k+624} = X_{k+397} ^ (upper bit of X_k | lower 31 bits of X_{k+1}) D,   word k = tempered X_{k+624}
   The period is 2^19937 - 1. Seeds are the authors' of 2002: below 2^32 init_genrand(seed), above
   init_by_array of the lower and the upper half of the seed; so NumPy's RandomState(seed), and
   RandomState([lower, upper]), have the same words.

   A state is kept as the window of the 624 words that come next, not yet tempered. The 31 bits of X_0 that
   the recurrence never reads are not in it, so it is a function of the position, and each of its bits obeys
   the recurrence of the characteristic polynomial: that is what jumps are made of (dpdsop/device/rng/mt19937_jump.h).

   Stream 0 of a seed is the sequence of ds_rng_fill. Stream s is that of init_by_array of the lower and the upper
   half of s, and those of the seed, so NumPy's RandomState([lower s, upper s, lower seed, upper seed]). Disjoint parts
   of one sequence are made with ds_mt19937_jump. A GPU's blocks rather share a window, as in
   cuda/rng/mt19937_team.cuh. */
#ifndef DPDSOP_RNG_MT19937_H
#define DPDSOP_RNG_MT19937_H

#include "dpdsop/device/base.h"

enum {
  DS_MT19937_WORDS = 624,
  DS_MT19937_MIDDLE = 397,
  DS_MT19937_GAP = 227,     /* 624 - 397: so many words depend on none of each other */
  DS_MT19937_DEGREE = 19937 /* of the characteristic polynomial */
};

/* (upper bit of a | lower bits of b) D. On the GPU a selection of bits that the compiler would make two
   instructions of, and a product, because the multiplier is idle and the logic unit is not. */
DS_FUNC uint32_t ds_mt19937_twist(uint32_t a, uint32_t b)
{
#ifdef __CUDA_ARCH__
  uint32_t y;
  asm("lop3.b32 %0, %1, %2, 0x7FFFFFFF, 0xD8;" : "=r"(y) : "r"(a), "r"(b));
  return (y >> 1) ^ (b & 1u) * 0x9908B0DFu;
#else
  const uint32_t y = (a & 0x80000000u) | (b & 0x7FFFFFFFu);
  return (y >> 1) ^ ((0u - (b & 1u)) & 0x9908B0DFu);
#endif
}

DS_FUNC uint32_t ds_mt19937_temper(uint32_t x)
{
  x ^= x >> 11;
  x ^= (x << 7) & 0x9D2C5680u;
  x ^= (x << 15) & 0xEFC60000u;
  return x ^ (x >> 18);
}

/* ------------------------------------------------------------------------------------------ seeds */

/* X_0 ... X_623 */
DS_FUNC void ds_mt19937_init_genrand(uint32_t seed, uint32_t x[DS_MT19937_WORDS])
{
  x[0] = seed;
  for (uint32_t k = 1; k < DS_MT19937_WORDS; k++) x[k] = 1812433253u * (x[k - 1] ^ (x[k - 1] >> 30)) + k;
}

DS_FUNC void ds_mt19937_init_by_array(const uint32_t *key, int length, uint32_t x[DS_MT19937_WORDS])
{
  int i = 1, j = 0;
  ds_mt19937_init_genrand(19650218u, x);
  for (int k = length > DS_MT19937_WORDS ? length : DS_MT19937_WORDS; k > 0; k--) {
    x[i] = (x[i] ^ (x[i - 1] ^ (x[i - 1] >> 30)) * 1664525u) + key[j] + (uint32_t) j;
    if (++i == DS_MT19937_WORDS) x[0] = x[DS_MT19937_WORDS - 1], i = 1;
    if (++j == length) j = 0;
  }
  for (int k = DS_MT19937_WORDS - 1; k > 0; k--) {
    x[i] = (x[i] ^ (x[i - 1] ^ (x[i - 1] >> 30)) * 1566083941u) - (uint32_t) i;
    if (++i == DS_MT19937_WORDS) x[0] = x[DS_MT19937_WORDS - 1], i = 1;
  }
  x[0] = 0x80000000u;
}

/* -------------------------------------------------------------------------------------- the words */

typedef struct {
  uint32_t x[DS_MT19937_WORDS]; /* the window, in a ring */
  int first;                    /* its first word */
} ds_mt19937;

DS_FUNC int ds_mt19937_place(const ds_mt19937 *g, int k) /* of word k of the window */
{
  const int at = g->first + k;
  return at < DS_MT19937_WORDS ? at : at - DS_MT19937_WORDS;
}

/* The window moves on by one; returns the word that leaves it. */
DS_FUNC uint32_t ds_mt19937_step(ds_mt19937 *g)
{
  const uint32_t x = g->x[g->first];
  g->x[g->first] = g->x[ds_mt19937_place(g, DS_MT19937_MIDDLE)] ^ ds_mt19937_twist(x, g->x[ds_mt19937_place(g, 1)]);
  g->first = ds_mt19937_place(g, 1);
  return x;
}

DS_FUNC uint32_t ds_mt19937_next(ds_mt19937 *g)
{
  return ds_mt19937_temper(ds_mt19937_step(g));
}

/* From X_0 ... X_623 in g->x to the first window, X_624 ... X_1247. */
DS_FUNC void ds_mt19937_begin(ds_mt19937 *g)
{
  g->first = 0;
  for (int k = 0; k < DS_MT19937_WORDS; k++) ds_mt19937_step(g);
}

DS_FUNC void ds_mt19937_set(ds_mt19937 *g, uint64_t seed)
{
  const uint32_t key[2] = {(uint32_t) seed, (uint32_t) (seed >> 32)};
  if (key[1])
    ds_mt19937_init_by_array(key, 2, g->x);
  else
    ds_mt19937_init_genrand(key[0], g->x);
  ds_mt19937_begin(g);
}

/* The words of s come first in the key: with those of the seed in front, stream {lower - 2, upper - 2} would be
   stream 0, as init_by_array repeats a key and adds each word's place to it. */
DS_FUNC void ds_mt19937_init(ds_mt19937 *g, uint64_t seed, uint64_t stream)
{
  const uint32_t key[4] = {(uint32_t) stream, (uint32_t) (stream >> 32), (uint32_t) seed, (uint32_t) (seed >> 32)};
  if (stream == 0) {
    ds_mt19937_set(g, seed);
    return;
  }
  ds_mt19937_init_by_array(key, 4, g->x);
  ds_mt19937_begin(g);
}

/* v words on, for the polynomial x^v of dpdsop/device/rng/mt19937_jump.h: Bradley eq. 7, the sum of the windows that
   lie m words on, over the coefficients m that are 1. As much work as 3 million words; where there is room for
   all the words one after the other, windows need not be rings and it is less. */
DS_FUNC void ds_mt19937_jump(ds_mt19937 *g, const uint32_t polynomial[DS_MT19937_WORDS])
{
  uint32_t sum[DS_MT19937_WORDS];
  for (int k = 0; k < DS_MT19937_WORDS; k++) sum[k] = 0;
  for (int m = 0; m < DS_MT19937_DEGREE; m++, ds_mt19937_step(g)) {
    if (!(polynomial[m >> 5] >> (m & 31) & 1u)) continue;
    for (int k = 0; k < DS_MT19937_WORDS; k++) sum[k] ^= g->x[ds_mt19937_place(g, k)];
  }
  for (int k = 0; k < DS_MT19937_WORDS; k++) g->x[k] = sum[k];
  g->first = 0;
}

#endif
