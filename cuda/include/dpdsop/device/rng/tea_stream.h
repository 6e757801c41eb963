/* tea_stream.h: the Tiny Encryption Algorithm as a counter-based generator.
   SPDX-License-Identifier: GPL-2.0-or-later

   Zafar, Olano & Curtis, "GPU random numbers via the tiny encryption algorithm" (2010): two words are the cipher of
   a counter, with n rounds; the seed goes into the key. Their tests ask for 8 rounds and more. With 6 and more, each
   bit of seed, purpose, step and id changes each bit of the words in half of all cases (unittest/test_rng_counter.c).

   What is hashed: the plaintext is (id mod 2^32, step mod 2^32). The key is that of the pair noise with
     word 0 ^ lower half of the seed     word 1 ^ M (bits 32 to 46 of step, and above them those of id)
     word 2 ^ upper half of the seed     word 3 ^ M (purpose, and below it a bit for the second half of four words)
   To TEA two keys are the same where the top bits of words 0 and 1 are both changed, or those of words 2 and 3. Bits 31
   are not used in words 1 and 3 before the factor M, and being odd it leaves them so modulo 2^31. So no two of
   all seeds, purposes below 2^16, and steps and ids below 2^47 have both key and plaintext in common. A cipher is a
   permutation: under one key no two (step, id) have the same two words, and under two keys they have them by
   chance, once in 2^64.

   Without M it would be more often: a lower bit that is changed in both words 0 and 1 is no change to a round in half
   of all cases (Kelsey, Schneier & Wagner 1997), so in 2^-8 of those to 8 rounds. M spreads a bit of one over many. It
   is the multiplier of MT19937's seeding. */
#ifndef DPDSOP_RNG_TEA_STREAM_H
#define DPDSOP_RNG_TEA_STREAM_H

#include "dpdsop/device/rng/purpose.h"
#include "dpdsop/device/tea.h"

enum { DS_TEA_ROUNDS = 8 };

/* Two of four words: half 0 or 1. */
DS_FUNC void ds_tea_half(int rounds, uint64_t seed, uint32_t purpose, uint64_t step, uint64_t id, uint32_t half,
                         uint32_t words[2])
{
  const uint32_t spread = 1812433253u;
  uint32_t key[4] = DS_TEA_KEY;
  key[0] ^= (uint32_t) seed;
  key[1] ^= spread * (((uint32_t) (step >> 32) & 0x7FFFu) | ((uint32_t) (id >> 32) & 0x7FFFu) << 15);
  key[2] ^= (uint32_t) (seed >> 32);
  key[3] ^= spread * (purpose << 1 | half);
  words[0] = (uint32_t) id;
  words[1] = (uint32_t) step;
  ds_tea_encrypt(rounds, key, words, words + 1);
}

/* Four words for anything that is known by a purpose, a step and an id. Steps and ids from 2^47 on repeat. */
DS_FUNC void ds_tea_at(uint64_t seed, uint32_t purpose, uint64_t step, uint64_t id, uint32_t words[4])
{
  ds_tea_half(DS_TEA_ROUNDS, seed, purpose, step, id, 0, words);
  ds_tea_half(DS_TEA_ROUNDS, seed, purpose, step, id, 1, words + 2);
}

/* Words 2 block and 2 block + 1 of the sequence of a seed, as ds_rng_fill has it. */
DS_FUNC void ds_tea_block(uint64_t seed, int rounds, uint64_t block, uint32_t words[2])
{
  ds_tea_half(rounds, seed, DS_PURPOSE_BULK, block >> 32, (uint32_t) block, 0, words);
}

/* The same by fours, of what all words of the sequence share. */
typedef struct {
  uint64_t seed;
  int rounds;
} ds_tea_keys;

DS_FUNC ds_tea_keys ds_tea_schedule(uint64_t seed, int rounds)
{
  const ds_tea_keys keys = {seed, rounds};
  return keys;
}

DS_FUNC void ds_tea_four(const ds_tea_keys *keys, uint64_t four, uint32_t words[4])
{
  ds_tea_block(keys->seed, keys->rounds, 2 * four, words);
  ds_tea_block(keys->seed, keys->rounds, 2 * four + 1, words + 2);
}

/* Stream s: words 2^33 s to 2^33 (s + 1) - 1 of that sequence, of 8 rounds; s below 2^31. */
typedef struct {
  uint64_t seed, next; /* the word that comes next */
  uint32_t words[2];   /* of its block, where it is the second one */
} ds_tea;

DS_FUNC void ds_tea_init(ds_tea *g, uint64_t seed, uint64_t stream)
{
  g->seed = seed;
  g->next = stream << 33;
  g->words[0] = g->words[1] = 0;
}

DS_FUNC uint32_t ds_tea_next(ds_tea *g)
{
  if (g->next++ & 1u) return g->words[1];
  ds_tea_block(g->seed, DS_TEA_ROUNDS, (g->next - 1u) >> 1, g->words);
  return g->words[0];
}

#endif
