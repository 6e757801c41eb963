/* arithmetic.h: the three arithmetics of pair forces, as one set of names with a letter at the end.
   SPDX-License-Identifier: GPL-2.0-or-later

     f  mixed precision: single arithmetic, sums of integers, exact bits
     d  double precision: 64-bit positions, double arithmetic, exact bits
     q  single precision: what the hardware offers, sums in floating point, no promise on bits

   A formula is written once, in a file that dpdsop/each_arithmetic.h includes for each of them; there DS_R(name) is
   the name with the letter, and DS_T(name) that of a type, which f and q share. */
#ifndef DPDSOP_ARITHMETIC_H
#define DPDSOP_ARITHMETIC_H

#include "dpdsop/fastmath.h"
#include "dpdsop/fixed_sum.h"
#include "dpdsop/frame.h"
#include "dpdsop/gaussian.h"

/* Pairs closer than this, in cutoffs, have no direction and exert no force. */
#define DS_CONTACT2 1.0e-20

/* ---- types: reals, words of positions, and what a pair's rounded terms are summed from */
typedef float ds_real_f;
typedef double ds_real_d;
typedef float ds_real_q;
typedef int32_t ds_word_f;
typedef int64_t ds_word_d;
typedef int32_t ds_word_q;
typedef int32_t ds_summand_f;
typedef int64_t ds_summand_d;
typedef float ds_summand_q;

/* ---- functions that C has for each type */
#define ds_fma_f fmaf
#define ds_fma_d fma
#define ds_fma_q fmaf
#define ds_rsqrt_f ds_rsqrtf
#define ds_rsqrt_d ds_rsqrt
#define ds_power_f ds_powf
#define ds_power_d ds_pow
#define ds_log2_f ds_log2f
#define ds_log2_d ds_log2
#define ds_log2_q ds_log2f
#define ds_reciprocal_f ds_reciprocalf
#define ds_reciprocal_d ds_reciprocal
#define ds_reciprocal_q ds_reciprocalf

/* What the hardware offers where bits are not promised; on the host nothing is faster than ours. */
DS_FUNC float ds_rsqrt_q(float x)
{
#ifdef __CUDA_ARCH__
  return rsqrtf(x);
#else
  return ds_rsqrtf(x);
#endif
}

DS_FUNC float ds_power_q(float a, float b)
{
#ifdef __CUDA_ARCH__
  return __powf(a, b);
#else
  return ds_powf(a, b);
#endif
}

/* ---- separations */
#define ds_diff_f ds_diff32
#define ds_diff_d ds_diff64
#define ds_diff_q ds_diff32
#define ds_separate_f ds_separation
#define ds_separate_d ds_separation64
#define ds_separate_q ds_separation
#define ds_square_f ds_square
#define ds_square_d ds_square64
#define ds_square_q ds_square

/* ---- normal deviates of a pair (gaussian.h); k: which, see ds_pair_words */
#define ds_normals_f ds_pair_normalsf
#define ds_normals_d ds_pair_normals
#define ds_noise_f ds_pair_gaussianf
#define ds_noise_d ds_pair_gaussian

/* Box-Muller on the hardware's logarithm and cosine, for single precision on the GPU. */
DS_FUNC void ds_normals_q(uint32_t sig_i, uint32_t sig_j, int k, float *a, float *b)
{
#ifdef __CUDA_ARCH__
  uint32_t v0, v1;
  ds_pair_words(sig_i, sig_j, k, &v0, &v1);
  const float u = ((float) v0 + 0.5f) * 0x1p-32f;
  const float radius2 = fmaxf(-2.0f * __logf(u), 1e-30f); /* u may round to 1 */
  /* the phase from -pi to pi, where the approximation is good */
  const float radius = radius2 * rsqrtf(radius2),
              phase = (float) (int32_t) v1 * (6.2831853071795865f * 0x1p-32f);
  *a = radius * __cosf(phase);
  *b = radius * __sinf(phase);
#else
  ds_pair_normalsf(sig_i, sig_j, k, a, b);
#endif
}

DS_FUNC float ds_noise_q(uint32_t sig_i, uint32_t sig_j)
{
#ifdef __CUDA_ARCH__
  float a, b;
  ds_normals_q(sig_i, sig_j, 0, &a, &b);
  return a;
#else
  return ds_pair_gaussianf(sig_i, sig_j);
#endif
}

/* ---- rounding of scaled terms (fixed_sum.h), and the range that they must be in */
#define ds_round_f ds_round32
#define ds_round_d ds_round64
#define ds_in_range_f ds_in_range32
#define ds_in_range_d ds_in_range64
#define ds_in_range_q ds_in_range32

DS_FUNC float ds_round_q(float x)
{
  return x;
}

/* ---- the signature in the fourth word of a velocity */
DS_FUNC uint32_t ds_signature_of_f(float w)
{
  return ds_float_as_uint(w);
}

DS_FUNC uint32_t ds_signature_of_d(double w)
{
  return (uint32_t) ds_double_as_ulong(w);
}

#define ds_signature_of_q ds_signature_of_f

#endif
