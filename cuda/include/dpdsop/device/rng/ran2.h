/* ran2.h: Ran2, two linear congruential generators with a shuffled output.
   SPDX-License-Identifier: GPL-2.0-or-later

   PRNG Algorithm 2; Press et al., "Numerical Recipes in C" (1992), ran2; the two generators are those of L'Ecuyer,
   "Efficient and portable combined random number generators" (1988). All its numbers have less than 31 bits, and no
   product that is kept has more than 32, so that 32-bit words do where the paper has 35 long integers: 140 bytes
   instead of 280. The paper's listing leaves out iy = iv[0], with which the filling of the table ends.

   The integers y are in [1, M1 - 1] and the published number is y / M1. A word of the generator has y in its upper 31
   bits and 0 in the lowest, and is never 0. Stream s of a seed is stream s of ds_rng_fill. */
#ifndef DPDSOP_RNG_RAN2_H
#define DPDSOP_RNG_RAN2_H

#include "dpdsop/device/rng/seed.h"

enum { DS_RAN2_TABLE = 32, DS_RAN2_WARM_UP = 8 };

#define DS_RAN2_M1 2147483563u
#define DS_RAN2_M2 2147483399u

/* A stream without its table of DS_RAN2_TABLE words, which lies in some memory, `stride` words apart, so that those of
   neighboring threads can lie side by side. */
typedef struct {
  uint32_t x1, x2, y;
} ds_ran2_core;

/* a x modulo m, of 0 < x < m, by Schrage's method: with m = a q + r, its a (x - k q) - k r is a x - k m,
   which fits in 32 bits and a sign although a x does not. q = m / a; both are constants at the call. */
DS_FUNC uint32_t ds_ran2_step(uint32_t x, uint32_t a, uint32_t m)
{
  const uint32_t k = x / (m / a), rest = a * x - k * m;
  return rest >> 31 ? rest + m : rest;
}

/* Of any two words; those that are legal states, 1 to M1 - 1 and 1 to M2 - 1, are taken as they are. The original,
   with idum = -s, is that of two words s. The streams of an array have two that are independent, because of
   2^31 different states alone many of 10^5 streams and more would be the same. */
DS_FUNC void ds_ran2_core_set(ds_ran2_core *g, uint32_t *table, int64_t stride, uint32_t seed1, uint32_t seed2)
{
  g->x1 = seed1 % DS_RAN2_M1;
  g->x2 = seed2 % DS_RAN2_M2;
  g->x1 += g->x1 == 0;
  g->x2 += g->x2 == 0;
  for (int j = DS_RAN2_TABLE + DS_RAN2_WARM_UP - 1; j >= 0; j--) {
    g->x1 = ds_ran2_step(g->x1, 40014u, DS_RAN2_M1);
    if (j < DS_RAN2_TABLE) table[j * stride] = g->x1;
  }
  g->y = table[0];
}

DS_FUNC void ds_ran2_core_init(ds_ran2_core *g, uint32_t *table, int64_t stride, uint64_t seed, uint64_t stream)
{
  ds_ran2_core_set(g, table, stride, ds_seed_word(seed, 2 * stream), ds_seed_word(seed, 2 * stream + 1));
}

/* Lines 21 to 28. */
DS_FUNC void ds_ran2_advance(ds_ran2_core *g)
{
  g->x1 = ds_ran2_step(g->x1, 40014u, DS_RAN2_M1);
  g->x2 = ds_ran2_step(g->x2, 40692u, DS_RAN2_M2);
}

/* Where in the table the number lies that comes next, line 29. */
DS_FUNC uint32_t ds_ran2_where(uint32_t y)
{
  return y / (1u + (DS_RAN2_M1 - 1u) / DS_RAN2_TABLE);
}

/* What it becomes with x2, lines 31 to 34: modulo M1 - 1, in [1, M1 - 1]. */
DS_FUNC uint32_t ds_ran2_combine(uint32_t shuffled, uint32_t x2)
{
  const uint32_t y = shuffled - x2;
  return (int32_t) y < 1 ? y + (DS_RAN2_M1 - 1u) : y;
}

/* The next word. */
DS_FUNC uint32_t ds_ran2_core_next(ds_ran2_core *g, uint32_t *table, int64_t stride)
{
  uint32_t *const place = table + (int64_t) ds_ran2_where(g->y) * stride;
  ds_ran2_advance(g);
  g->y = ds_ran2_combine(*place, g->x2);
  *place = g->x1;
  return g->y << 1;
}

/* A whole stream, with its table. */
typedef struct {
  ds_ran2_core core;
  uint32_t table[DS_RAN2_TABLE];
} ds_ran2;

DS_FUNC void ds_ran2_init(ds_ran2 *g, uint64_t seed, uint64_t stream)
{
  ds_ran2_core_init(&g->core, g->table, 1, seed, stream);
}

DS_FUNC uint32_t ds_ran2_next(ds_ran2 *g)
{
  return ds_ran2_core_next(&g->core, g->table, 1);
}

#endif
