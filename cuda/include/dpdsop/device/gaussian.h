/* gaussian.h: normal random numbers from two 32-bit words, and from two particle signatures.
   SPDX-License-Identifier: GPL-2.0-or-later

   Tang & Karniadakis 2014, section 3.5: Box-Muller on the fast logarithm and cosine of
   fastmath.h. */
#ifndef DPDSOP_GAUSSIAN_H
#define DPDSOP_GAUSSIAN_H

#include "dpdsop/device/fastmath.h"
#include "dpdsop/device/tea.h"

/* sqrt(-2 ln u1) cos(2 pi u2) with u1 = v1 / 2^32; v1 must not be 0. The largest value is 6.66,
   reached with the probability 2^-32 that it has. Words v2 that differ in the top bit alone give
   opposite numbers, so the mean over all words is exactly zero. */
DS_FUNC float ds_box_mullerf(uint32_t v1, uint32_t v2)
{
  const float two_ln2 = 1.38629436f;
  return ds_sqrtf(two_ln2 * ds_neg_log2_unitf(v1)) * ds_cos2pi_u31f(v2);
}

DS_FUNC double ds_box_muller(uint32_t v1, uint32_t v2)
{
  const double two_ln2 = 1.3862943611198906;
  return ds_sqrt(two_ln2 * ds_neg_log2_unit(v1)) * ds_cos2pi_u31(v2);
}

/* The two independent numbers that Box-Muller makes of two words: with the cosine, which is ds_box_muller, and with
   the sine. */
DS_FUNC void ds_box_muller_pairf(uint32_t v1, uint32_t v2, float *a, float *b)
{
  const float two_ln2 = 1.38629436f;
  const float radius = ds_sqrtf(two_ln2 * ds_neg_log2_unitf(v1));
  *a = radius * ds_cos2pi_u31f(v2);
  *b = radius * ds_sin2pi_u31f(v2);
}

DS_FUNC void ds_box_muller_pair(uint32_t v1, uint32_t v2, double *a, double *b)
{
  const double two_ln2 = 1.3862943611198906;
  const double radius = ds_sqrt(two_ln2 * ds_neg_log2_unit(v1));
  *a = radius * ds_cos2pi_u31(v2);
  *b = radius * ds_sin2pi_u31(v2);
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

/* Zero mean, unit variance, symmetric in the two signatures. */
DS_FUNC float ds_pair_gaussianf(uint32_t sig_i, uint32_t sig_j)
{
  uint32_t v1, v2;
  ds_pair_words(sig_i, sig_j, 0, &v1, &v2);
  return ds_box_mullerf(v1, v2);
}

DS_FUNC double ds_pair_gaussian(uint32_t sig_i, uint32_t sig_j)
{
  uint32_t v1, v2;
  ds_pair_words(sig_i, sig_j, 0, &v1, &v2);
  return ds_box_muller(v1, v2);
}

/* Two of them, independent of each other and of those of other k. */
DS_FUNC void ds_pair_normalsf(uint32_t sig_i, uint32_t sig_j, int k, float *a, float *b)
{
  uint32_t v1, v2;
  ds_pair_words(sig_i, sig_j, k, &v1, &v2);
  ds_box_muller_pairf(v1, v2, a, b);
}

DS_FUNC void ds_pair_normals(uint32_t sig_i, uint32_t sig_j, int k, double *a, double *b)
{
  uint32_t v1, v2;
  ds_pair_words(sig_i, sig_j, k, &v1, &v2);
  ds_box_muller_pair(v1, v2, a, b);
}

#endif
