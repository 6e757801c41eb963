/* seed.h: independent words for first states, from one seed.   SPDX-License-Identifier: GPL-2.0-or-later

   The streams of a generator want first states without a relation between neighboring streams or neighboring seeds.
   They are words of a cipher, of as many rounds as its authors advise for ciphering: independent of the
   recurrence of every generator. */
#ifndef DPDSOP_RNG_SEED_H
#define DPDSOP_RNG_SEED_H

#include "dpdsop/device/tea.h"

/* Word k of a seed: half of the cipher of the counter k / 2. Two keys of TEA are the same where the top bits of key[0]
   and key[1] are both changed, or those of key[2] and key[3]: so the halves of the seed are not in such a pair. */
DS_FUNC uint32_t ds_seed_word(uint64_t seed, uint64_t k)
{
  const uint32_t key[4] = {(uint32_t) seed, 0, 0x5EEDC0DEu ^ (uint32_t) (seed >> 32), 0x0DD5EED5u};
  uint32_t v0 = (uint32_t) (k >> 1), v1 = (uint32_t) (k >> 33);
  ds_tea_encrypt(32, key, &v0, &v1);
  return k & 1 ? v1 : v0;
}

#endif
