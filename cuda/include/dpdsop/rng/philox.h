/* philox.h: Philox4x32-10, a counter-based generator.   SPDX-License-Identifier: GPL-2.0-or-later

   Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011): ten rounds of a
   bijection of the 128-bit counter, keyed by the 64-bit seed. Any number of the sequence is made
   directly, so there is no state; the period is 2^130 words. */
#ifndef DPDSOP_RNG_PHILOX_H
#define DPDSOP_RNG_PHILOX_H

#include "dpdsop/base.h"

enum { DS_PHILOX_WORDS = 4, DS_PHILOX_ROUNDS = 10 };

/* The four words of a counter; counter and words may be the same array. */
DS_FUNC void ds_philox(const uint32_t counter[4], uint64_t seed, uint32_t words[4])
{
  uint32_t a = counter[0], b = counter[1], c = counter[2], d = counter[3];
  uint32_t k0 = (uint32_t) seed, k1 = (uint32_t) (seed >> 32);
  DS_UNROLL(10)
  for (int i = 0; i < DS_PHILOX_ROUNDS; i++) {
    const uint64_t p = (uint64_t) 0xD2511F53u * a, q = (uint64_t) 0xCD9E8D57u * c;
    a = (uint32_t) (q >> 32) ^ b ^ k0;
    c = (uint32_t) (p >> 32) ^ d ^ k1;
    b = (uint32_t) q;
    d = (uint32_t) p;
    k0 += 0x9E3779B9u; /* Weyl sequences of the golden ratio and of sqrt(3) - 1 */
    k1 += 0xBB67AE85u;
  }
  words[0] = a;
  words[1] = b;
  words[2] = c;
  words[3] = d;
}

/* Words 4 block to 4 block + 3 of the sequence of a seed. */
DS_FUNC void ds_philox_block(uint64_t seed, uint64_t block, uint32_t words[4])
{
  const uint32_t counter[4] = {(uint32_t) block, (uint32_t) (block >> 32), 0, 0};
  ds_philox(counter, seed, words);
}

#endif
