/* tea.h: the Tiny Encryption Algorithm as a hash of two 32-bit words.
   SPDX-License-Identifier: GPL-2.0-or-later

   Wheeler & Needham 1995; used as in Tang & Karniadakis 2014, Alg. 4. The state lives in two
   registers, so that a noise term can be made where it is needed, the same on every processor. */
#ifndef DPDSOP_TEA_H
#define DPDSOP_TEA_H

#include "dpdsop/device/base.h"

/* Key of the pair noise: the one that Zafar, Olano & Curtis 2010 used for random numbers on GPUs.
   Any key would do; a published one shows that it was not picked to please a test. */
#define DS_TEA_KEY                                                                                                             \
  {                                                                                                                            \
    0xA341316Cu, 0xC8013EA4u, 0xAD90777Du, 0x7E95761Eu                                                                         \
  }

#define DS_TEA_DELTA 0x9E3779B9u

/* Alg. 4, function TEA. `rounds` should be a constant at the call (at most 32): the loop is
   unrolled. */
DS_FUNC void ds_tea_encrypt(int rounds, const uint32_t key[4], uint32_t *v0, uint32_t *v1)
{
  uint32_t a = *v0, b = *v1, sum = 0;
  DS_UNROLL(32)
  for (int i = 0; i < rounds; i++) {
    sum += DS_TEA_DELTA;
    a += ((b << 4) + key[0]) ^ (b + sum) ^ ((b >> 5) + key[1]);
    b += ((a << 4) + key[2]) ^ (a + sum) ^ ((a >> 5) + key[3]);
  }
  *v0 = a;
  *v1 = b;
}

#endif
