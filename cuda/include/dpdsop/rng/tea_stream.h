/* tea_stream.h: the Tiny Encryption Algorithm as a counter-based generator.
   SPDX-License-Identifier: GPL-2.0-or-later

   Zafar, Olano & Curtis, "GPU random numbers via the tiny encryption algorithm" (2010): words 2 k and
   2 k + 1 are the cipher of the counter k, with n rounds; the seed goes into the key. Their tests ask for 8 rounds
   and more. No state; 2^65 words. */
#ifndef DPDSOP_RNG_TEA_STREAM_H
#define DPDSOP_RNG_TEA_STREAM_H

#include "dpdsop/tea.h"

DS_FUNC void ds_tea_block(uint64_t seed, int rounds, uint64_t block, uint32_t words[2])
{
  uint32_t key[4] = DS_TEA_KEY;
  key[0] ^= (uint32_t) seed;
  key[2] ^= (uint32_t) (seed >> 32); /* not key[1]: changing the top bits of both is no change */
  words[0] = (uint32_t) block;
  words[1] = (uint32_t) (block >> 32);
  ds_tea(rounds, key, words, words + 1);
}

#endif
