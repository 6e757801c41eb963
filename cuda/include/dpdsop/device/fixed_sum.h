/* Forces, energies and virials are rounded to integers pair by pair and summed as 64-bit integers:
   integer sums do not depend on their order, and F_ij = -F_ji makes the total exactly zero.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_FIXED_SUM_H
#define DPDSOP_FIXED_SUM_H

#include "dpdsop/device/base.h"

#include <stdint.h>

/* Bound of one pair's value after scaling: 2^30 leaves int32 a bit of headroom; 2^55 leaves int64
   the sum of 2^8 pairs at the bound. */
#define DS_PAIR_LIMIT 1073741824.0f
#define DS_PAIR_LIMIT64 36028797018963968.0

/* A scale, integer = round(value * scale): the largest power of two s with bound * s <= limit, so that both ways are exact
   but for the rounding itself; 1 for a bound of zero. Both the scale and its inverse are normal floats. */
static inline double ds_scale_for(double bound, double limit)
{
  int exponent;
  if (!(bound > 0.0)) return 1.0;
  frexp(limit / bound, &exponent);
  exponent -= 1;
  if (exponent > 120) exponent = 120;
  if (exponent < -120) exponent = -120;
  return ldexp(1.0, exponent);
}

/* Nearest integer, ties to even, of |x| <= 2^30; one instruction on every target. */
DS_FUNC int32_t ds_round32(float x)
{
#ifdef __CUDA_ARCH__
  return __float2int_rn(x);
#elif defined(__GNUC__) && !defined(__clang__) /* which has no such function */
  return (int32_t) __builtin_irintf(x);
#else
  return (int32_t) lrintf(x);
#endif
}

DS_FUNC int64_t ds_round64(double x)
{
#ifdef __CUDA_ARCH__
  return __double2ll_rn(x);
#elif defined(__GNUC__)
  return (int64_t) __builtin_llrint(x);
#else
  return (int64_t) llrint(x);
#endif
}

DS_FUNC int ds_in_range32(float x)
{
  return fabsf(x) <= DS_PAIR_LIMIT; /* false for NaN */
}

DS_FUNC int ds_in_range64(double x)
{
  return fabs(x) <= DS_PAIR_LIMIT64;
}

#endif
