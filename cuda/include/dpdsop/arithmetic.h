/* arithmetic.h: the two arithmetics of pair forces, as one set of names with a letter at the end.
   SPDX-License-Identifier: GPL-2.0-or-later

     f  mixed precision: single arithmetic, sums of integers, exact bits
     d  double precision: 64-bit positions, double arithmetic, exact bits

   A formula is written once, in a file that dpdsop/each_arithmetic.h includes for each of them; there DS_R(name) is
   the name with the letter. */
#ifndef DPDSOP_ARITHMETIC_H
#define DPDSOP_ARITHMETIC_H

#include "dpdsop/fastmath.h"
#include "dpdsop/fixed_sum.h"
#include "dpdsop/frame.h"
#include "dpdsop/gaussian.h"

/* Pairs whose squared distance is not above this, in squared cutoffs, have no direction and exert no force. */
#define DS_CONTACT2 1.0e-20

/* ---- types: reals, words of positions, and what a pair's rounded terms are summed from */
typedef float ds_real_f;
typedef double ds_real_d;
typedef int32_t ds_word_f;
typedef int64_t ds_word_d;
typedef int32_t ds_summand_f;
typedef int64_t ds_summand_d;

/* ---- functions that C has for each type */
#define ds_fma_f fmaf
#define ds_fma_d fma
#define ds_rsqrt_f ds_rsqrtf
#define ds_rsqrt_d ds_rsqrt
#define ds_power_f ds_powf
#define ds_power_d ds_pow
#define ds_log2_f ds_log2f
#define ds_log2_d ds_log2
#define ds_reciprocal_f ds_reciprocalf
#define ds_reciprocal_d ds_reciprocal

/* ---- separations */
#define ds_diff_f ds_diff32
#define ds_diff_d ds_diff64
#define ds_separate_f ds_separation
#define ds_separate_d ds_separation64
#define ds_square_f ds_square
#define ds_square_d ds_square64

/* ---- normal deviates of a pair (gaussian.h); k: which, see ds_pair_words */
#define ds_normals_f ds_pair_normalsf
#define ds_normals_d ds_pair_normals
#define ds_noise_f ds_pair_gaussianf
#define ds_noise_d ds_pair_gaussian

/* ---- rounding of scaled terms (fixed_sum.h), and the range that they must be in */
#define ds_round_f ds_round32
#define ds_round_d ds_round64
#define ds_in_range_f ds_in_range32
#define ds_in_range_d ds_in_range64

/* ---- the signature in the fourth word of a velocity */
DS_FUNC uint32_t ds_signature_of_f(float w)
{
  return ds_float_as_uint(w);
}

DS_FUNC uint32_t ds_signature_of_d(double w)
{
  return (uint32_t) ds_double_as_ulong(w);
}

#endif
