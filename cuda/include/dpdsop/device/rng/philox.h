/* philox.h: Philox4x32-10, a counter-based generator.   SPDX-License-Identifier: GPL-2.0-or-later

   Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011): ten rounds of a
   bijection of the 128-bit counter, keyed by the 64-bit seed. Any number of the sequence is made
   directly, so there is no state; the period is 2^130 words.

   What the counter holds: words 0 and 1 the number of a block or of a particle, 1 and 2 the step, 3 the purpose. As
   it is another one for each purpose, step and id, no two of them ever have the same four words under one seed. */
#ifndef DPDSOP_RNG_PHILOX_H
#define DPDSOP_RNG_PHILOX_H

#include "dpdsop/device/base.h"
#include "dpdsop/device/rng/purpose.h"

enum { DS_PHILOX_WORDS = 4, DS_PHILOX_ROUNDS = 10 };

/* The keys of all rounds, two each: Weyl sequences of the golden ratio and of sqrt(3) - 1. */
typedef struct {
  uint32_t key[2 * DS_PHILOX_ROUNDS];
} ds_philox_keys;

/* There are always ten rounds. */
DS_FUNC ds_philox_keys ds_philox_schedule(uint64_t seed, int rounds)
{
  ds_philox_keys k;
  (void) rounds;
  DS_UNROLL(10)
  for (uint32_t i = 0; i < DS_PHILOX_ROUNDS; i++) {
    k.key[2 * i] = (uint32_t) seed + i * 0x9E3779B9u;
    k.key[2 * i + 1] = (uint32_t) (seed >> 32) + i * 0xBB67AE85u;
  }
  return k;
}

/* The four words of a counter, with keys that are used many times; counter and words may be the same array. */
DS_FUNC void ds_philox_keyed(const uint32_t counter[4], const ds_philox_keys *keys, uint32_t words[4])
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

DS_FUNC void ds_philox_words(const uint32_t counter[4], uint64_t seed, uint32_t words[4])
{
  const ds_philox_keys keys = ds_philox_schedule(seed, DS_PHILOX_ROUNDS);
  ds_philox_keyed(counter, &keys, words);
}

/* Four words for anything that is known by a purpose, a step and an id. Steps and ids from 2^48 on repeat. */
DS_FUNC void ds_philox_at(uint64_t seed, uint32_t purpose, uint64_t step, uint64_t id, uint32_t words[4])
{
  const uint32_t counter[4] = {(uint32_t) id, ((uint32_t) (id >> 32) & 0xFFFFu) | (uint32_t) (step >> 32) << 16,
                               (uint32_t) step, purpose};
  ds_philox_words(counter, seed, words);
}

/* Words 4 block to 4 block + 3 of the sequence of a seed, as ds_rng_fill has it; with its keys, and with the seed. */
DS_FUNC void ds_philox_four(const ds_philox_keys *keys, uint64_t block, uint32_t words[4])
{
  const uint32_t counter[4] = {(uint32_t) block, (uint32_t) (block >> 32), 0, DS_PURPOSE_BULK};
  ds_philox_keyed(counter, keys, words);
}

DS_FUNC void ds_philox_block(uint64_t seed, uint64_t block, uint32_t words[4])
{
  const ds_philox_keys keys = ds_philox_schedule(seed, DS_PHILOX_ROUNDS);
  ds_philox_four(&keys, block, words);
}

/* Stream s has the blocks ds_philox_at(seed, DS_PURPOSE_BULK, s, 0), (..., s, 1), and so on: 2^50 words; s below 2^32.
   Stream 0 is the sequence of ds_rng_fill. */
typedef struct {
  uint64_t seed, stream, next; /* the word that comes next */
  uint32_t words[4];           /* of its block, where it is not the first one */
} ds_philox;

DS_FUNC void ds_philox_init(ds_philox *g, uint64_t seed, uint64_t stream)
{
  g->seed = seed;
  g->stream = stream;
  g->next = 0;
  for (int k = 0; k < 4; k++) g->words[k] = 0;
}

/* Which of the four is a choice among registers: an index that is not constant would move them to memory. */
DS_FUNC uint32_t ds_philox_next(ds_philox *g)
{
  const uint32_t place = (uint32_t) g->next & 3u;
  if (place == 0) ds_philox_at(g->seed, DS_PURPOSE_BULK, g->stream, g->next >> 2, g->words);
  g->next++;
  const uint32_t even = place & 2u ? g->words[2] : g->words[0];
  const uint32_t odd = place & 2u ? g->words[3] : g->words[1];
  return place & 1u ? odd : even;
}

#endif
