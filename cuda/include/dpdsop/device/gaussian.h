/* gaussian.h: normal random numbers from 32-bit words, and from two particle signatures.
   SPDX-License-Identifier: GPL-2.0-or-later

   Tang & Karniadakis 2014, section 3.5: Box-Muller on the fast logarithm and cosine of fastmath.h. Every function is
   there for floats, where its name ends in f, and for doubles (each_arithmetic.h). */
#ifndef DS_FORMULAS
#ifndef DPDSOP_GAUSSIAN_H
#define DPDSOP_GAUSSIAN_H

#include "dpdsop/device/fastmath.h"
#include "dpdsop/device/tea.h"

/* A word for a logarithm: 0 is taken for 1. */
DS_FUNC uint32_t ds_nonzero(uint32_t w)
{
  return w > 1u ? w : 1u;
}

/* Words number k of a pair, k = 0 or 1: 4 rounds of TEA on the ordered signatures, hence the same for (i,j) and (j,i).
   Four rounds do, because signatures are mixed already; another key would not be enough for words that are independent
   of the first, so the second are those after 8 rounds more, under the key's halves exchanged. The first of two words
   is made nonzero for the logarithm. k should be a constant. */
DS_FUNC void ds_pair_words(uint32_t sig_i, uint32_t sig_j, int k, uint32_t *v1, uint32_t *v2)
{
  const uint32_t key[4] = DS_TEA_KEY;
  const uint32_t second[4] = {key[2], key[3], key[0], key[1]};
  uint32_t a = sig_i < sig_j ? sig_i : sig_j;
  uint32_t b = sig_i < sig_j ? sig_j : sig_i;
  ds_tea_encrypt(4, key, &a, &b);
  if (k) ds_tea_encrypt(8, second, &a, &b);
  *v1 = a + (a == 0);
  *v2 = b;
}

#define DS_FORMULAS "dpdsop/device/gaussian.h" /* this file's second part, in each arithmetic */
#include "dpdsop/device/each_arithmetic.h"

#endif
#else

/* sqrt(-2 ln u) with u = v / 2^32; v must not be 0. The largest value is 6.66, that of v = 1. */
DS_FUNC DS_REAL DS_R(ds_normal_radius)(uint32_t v)
{
  const DS_REAL two_ln2 = (DS_REAL) 1.3862943611198906;
  return DS_R(ds_sqrt)(two_ln2 * DS_R(ds_neg_log2_unit)(v));
}

/* Radius times cos 2 pi u2. The top bit of v2 is the sign, the 31 others are half a turn: so words v2 that differ in the
   top bit alone give opposite numbers, and the mean over all words is exactly zero. */
DS_FUNC DS_REAL DS_R(ds_box_muller)(uint32_t v1, uint32_t v2)
{
  return DS_R(ds_normal_radius)(v1) * DS_R(ds_cos2pi_u31)(v2);
}

/* That number and the one with the sine, which are independent. The sign of both is given to the radius, once; the bits
   are the same. */
DS_FUNC void DS_R(ds_box_muller_pair)(uint32_t v1, uint32_t v2, DS_REAL *a, DS_REAL *b)
{
  const DS_REAL radius = DS_R(ds_flip_sign)(DS_R(ds_normal_radius)(v1), v2);
  *a = radius * DS_R(ds_cos2pi_u31)(v2 & 0x7FFFFFFFu);
  *b = radius * DS_R(ds_sin2pi_u31)(v2 & 0x7FFFFFFFu);
}

/* Two numbers of any two words. */
DS_FUNC void DS_R(ds_normal_pair)(uint32_t w0, uint32_t w1, DS_REAL *z0, DS_REAL *z1)
{
  DS_R(ds_box_muller_pair)(ds_nonzero(w0), w1, z0, z1);
}

/* The three that a step of a particle in space takes, of four words. */
DS_FUNC void DS_R(ds_normal3)(const uint32_t words[4], DS_REAL g[3])
{
  DS_R(ds_normal_pair)(words[0], words[1], g, g + 1);
  g[2] = DS_R(ds_box_muller)(ds_nonzero(words[2]), words[3]);
}

/* Of a pair of particles: zero mean, unit variance, symmetric in the two signatures. */
DS_FUNC DS_REAL DS_R(ds_pair_gaussian)(uint32_t sig_i, uint32_t sig_j)
{
  uint32_t v1, v2;
  ds_pair_words(sig_i, sig_j, 0, &v1, &v2);
  return DS_R(ds_box_muller)(v1, v2);
}

/* Two of them, independent of each other and of those of other k. */
DS_FUNC void DS_R(ds_pair_normals)(uint32_t sig_i, uint32_t sig_j, int k, DS_REAL *a, DS_REAL *b)
{
  uint32_t v1, v2;
  ds_pair_words(sig_i, sig_j, k, &v1, &v2);
  DS_R(ds_box_muller_pair)(v1, v2, a, b);
}

#endif
