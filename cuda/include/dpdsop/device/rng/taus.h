/* taus.h: Hybrid Taus, three Tausworthe generators and a linear congruential one.
   SPDX-License-Identifier: GPL-2.0-or-later

   PRNG Algorithm 1; Howes & Thomas, "GPU Gems 3", chapter 37 (2007). The Tausworthe generators are those of taus88
   (L'Ecuyer, "Maximally equidistributed combined Tausworthe generators", 1996). The paper prints two shifts under
   wrong names: of "c11 = 13, c21 = 19, c31 = 12, c21 = 2, ..., c31 = 3, ..." the second c21 and c31 are c12 and c13, and
   each triple is (c1j, c2j, c3j). The second period is 2^29 - 1, as its mask keeps 29 bits, not 2^30 - 1 as printed;
   so that of the whole is (2^31 - 1) (2^29 - 1) (2^28 - 1) 2^32, just below 2^120.
   Bit k of the words, counted from the lowest, has a linear complexity of 88 + 2^k + 1 only: 88 bits of the three, and a
   congruential bit that repeats after 2^(k+1) words.
   Stream s of a seed is stream s of ds_rng_fill. */
#ifndef DPDSOP_RNG_TAUS_H
#define DPDSOP_RNG_TAUS_H

#include "dpdsop/device/rng/seed.h"

typedef struct {
  uint32_t z1, z2, z3, z4;
} ds_taus;

/* One step of a Tausworthe generator: lines 6 and 7 of the algorithm. */
DS_FUNC uint32_t ds_tausworthe(uint32_t z, int c1, int c2, int c3, uint32_t mask)
{
  const uint32_t b = ((z << c1) ^ z) >> c2;
  return ((z & mask) << c3) ^ b;
}

/* Of any four words. The masks leave out the lowest 1, 3 and 4 bits, and the others must not all be 0. */
DS_FUNC void ds_taus_set(ds_taus *g, const uint32_t seed[4])
{
  g->z1 = seed[0] > 1u ? seed[0] : seed[0] + 2u;
  g->z2 = seed[1] > 7u ? seed[1] : seed[1] + 8u;
  g->z3 = seed[2] > 15u ? seed[2] : seed[2] + 16u;
  g->z4 = seed[3];
}

DS_FUNC void ds_taus_init(ds_taus *g, uint64_t seed, uint64_t stream)
{
  uint32_t words[4];
  for (uint32_t j = 0; j < 4; j++) words[j] = ds_seed_word(seed, 4 * stream + j);
  ds_taus_set(g, words);
}

/* The next word. */
DS_FUNC uint32_t ds_taus_next(ds_taus *g)
{
  g->z1 = ds_tausworthe(g->z1, 13, 19, 12, 4294967294u);
  g->z2 = ds_tausworthe(g->z2, 2, 25, 4, 4294967288u);
  g->z3 = ds_tausworthe(g->z3, 3, 11, 17, 4294967280u);
  g->z4 = 1664525u * g->z4 + 1013904223u;
  return g->z1 ^ g->z2 ^ g->z3 ^ g->z4;
}

#endif
