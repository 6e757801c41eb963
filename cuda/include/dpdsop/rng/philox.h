/* philox.h: Philox4x32-10, a counter-based generator.   SPDX-License-Identifier: GPL-2.0-or-later

   Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011): ten rounds of a
   bijection of the 128-bit counter, keyed by the 64-bit seed. Any number of the sequence is made
   directly, so there is no state; the period is 2^130 words. */
#ifndef DPDSOP_RNG_PHILOX_H
#define DPDSOP_RNG_PHILOX_H

#include "dpdsop/base.h"

enum { DS_PHILOX_WORDS = 4, DS_PHILOX_ROUNDS = 10 };

/* The keys of all rounds, two each: Weyl sequences of the golden ratio and of sqrt(3) - 1. */
typedef struct {
  uint32_t key[2 * DS_PHILOX_ROUNDS];
} ds_philox_keys;

DS_FUNC ds_philox_keys ds_philox_schedule(uint64_t seed)
{
  ds_philox_keys k;
  DS_UNROLL(10)
  for (uint32_t i = 0; i < DS_PHILOX_ROUNDS; i++) {
    k.key[2 * i] = (uint32_t) seed + i * 0x9E3779B9u;
    k.key[2 * i + 1] = (uint32_t) (seed >> 32) + i * 0xBB67AE85u;
  }
  return k;
}

/* The four words of a counter, with keys that are used many times; counter and words may be the same array. */
DS_FUNC void ds_philox_keyed(const uint32_t counter[4], const ds_philox_keys *keys,
                             uint32_t words[4])
{
  uint32_t a = counter[0], b = counter[1], c = counter[2], d = counter[3];
  DS_UNROLL(10)
  for (int i = 0; i < DS_PHILOX_ROUNDS; i++) {
    const uint64_t p = ds_mul_wide(a, 0xD2511F53u), q = ds_mul_wide(c, 0xCD9E8D57u);
    a = (uint32_t) (q >> 32) ^ b ^ keys->key[2 * i];
    c = (uint32_t) (p >> 32) ^ d ^ keys->key[2 * i + 1];
    b = (uint32_t) q;
    d = (uint32_t) p;
  }
  words[0] = a;
  words[1] = b;
  words[2] = c;
  words[3] = d;
}

DS_FUNC void ds_philox(const uint32_t counter[4], uint64_t seed, uint32_t words[4])
{
  const ds_philox_keys keys = ds_philox_schedule(seed);
  ds_philox_keyed(counter, &keys, words);
}

/* Words 4 block to 4 block + 3 of the sequence of a seed. */
DS_FUNC void ds_philox_block(uint64_t seed, uint64_t block, uint32_t words[4])
{
  const uint32_t counter[4] = {(uint32_t) block, (uint32_t) (block >> 32), 0, 0};
  ds_philox(counter, seed, words);
}

#endif
