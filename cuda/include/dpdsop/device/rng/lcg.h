/* lcg.h: the "quick and dirty" linear congruential generator.   SPDX-License-Identifier: GPL-2.0-or-later

   PRNG eq. 1 with the constants of Press et al., "Numerical Recipes in C" (1992), ranqd2. For benchmarks only: bit k
   of its words has a period of 2^(k+1), and all streams are pieces of one and the same cycle of 2^32 numbers, so
   that those of many threads overlap, whatever their seeds. Stream s of a seed is stream s of ds_rng_fill. */
#ifndef DPDSOP_RNG_LCG_H
#define DPDSOP_RNG_LCG_H

#include "dpdsop/device/rng/seed.h"

typedef struct {
  uint32_t x;
} ds_lcg;

/* Any word is a legal state. */
DS_FUNC void ds_lcg_set(ds_lcg *g, uint32_t x)
{
  g->x = x;
}

DS_FUNC void ds_lcg_init(ds_lcg *g, uint64_t seed, uint64_t stream)
{
  ds_lcg_set(g, ds_seed_word(seed, stream));
}

/* The next word. The modulus is that of the words' own arithmetic. */
DS_FUNC uint32_t ds_lcg_next(ds_lcg *g)
{
  g->x = 1664525u * g->x + 1013904223u;
  return g->x;
}

/* `count` steps as one, x -> a x + c, from the squares of one step. */
DS_FUNC void ds_lcg_steps(uint32_t count, uint32_t *a, uint32_t *c)
{
  uint32_t square = 1664525u, shift = 1013904223u;
  *a = 1;
  *c = 0;
  for (; count; count >>= 1) {
    if (count & 1) {
      *a *= square;
      *c = square * *c + shift;
    }
    shift *= square + 1;
    square *= square;
  }
}

/* Leave out `count` words. */
DS_FUNC void ds_lcg_skip(ds_lcg *g, uint32_t count)
{
  uint32_t a, c;
  ds_lcg_steps(count, &a, &c);
  g->x = a * g->x + c;
}

#endif
