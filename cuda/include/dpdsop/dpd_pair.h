/* The pair force of dissipative particle dynamics (Tang & Karniadakis 2014, eqs. 3-9) in the three
   arithmetics: f (mixed precision: single, exact bits), d (double, exact bits) and q (single
   precision with the GPU's own approximations, no promise on bits).
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_DPD_PAIR_H
#define DPDSOP_DPD_PAIR_H

#include "dpdsop/base.h"
#include "dpdsop/fastmath.h"
#include "dpdsop/gaussian.h"

/* Pairs closer than this, in cutoffs, have no direction and exert no force. */
#define DS_CONTACT2 1.0e-20

#define DS_REAL float
#define DS_R(name) name##_f
#define DS_FMA fmaf
#define DS_RSQRT ds_rsqrtf
#define DS_POW ds_powf
#define DS_WEIGHT_FLOOR 0x1p-30f
#include "dpdsop/dpd_pair_real.h"
#undef DS_REAL
#undef DS_R
#undef DS_FMA
#undef DS_RSQRT
#undef DS_POW
#undef DS_WEIGHT_FLOOR

#define DS_REAL double
#define DS_R(name) name##_d
#define DS_FMA fma
#define DS_RSQRT ds_rsqrt
#define DS_POW ds_pow
#define DS_WEIGHT_FLOOR 0x1p-60
#include "dpdsop/dpd_pair_real.h"
#undef DS_REAL
#undef DS_R
#undef DS_FMA
#undef DS_RSQRT
#undef DS_POW
#undef DS_WEIGHT_FLOOR

/* What the hardware offers where bits are not promised; on the host nothing is faster than ours. */
DS_FUNC float ds_rsqrtq(float x)
{
#ifdef __CUDA_ARCH__
  return rsqrtf(x);
#else
  return ds_rsqrtf(x);
#endif
}

DS_FUNC float ds_powq(float a, float b)
{
#ifdef __CUDA_ARCH__
  return __powf(a, b);
#else
  return ds_powf(a, b);
#endif
}

/* The same data as in mixed precision. */
typedef ds_dpd_coeff_f ds_dpd_coeff_q;
typedef ds_dpd_pair_f ds_dpd_pair_q;
typedef ds_dpd_term_f ds_dpd_term_q;

#define DS_SHARED_TYPES
#define DS_REAL float
#define DS_R(name) name##_q
#define DS_FMA fmaf
#define DS_RSQRT ds_rsqrtq
#define DS_POW ds_powq
#define DS_WEIGHT_FLOOR 0x1p-30f
#include "dpdsop/dpd_pair_real.h"
#undef DS_SHARED_TYPES
#undef DS_REAL
#undef DS_R
#undef DS_FMA
#undef DS_RSQRT
#undef DS_POW
#undef DS_WEIGHT_FLOOR

/* Box-Muller on the hardware's logarithm and cosine, for single precision on the GPU. */
DS_FUNC float ds_pair_gaussianq(uint32_t sig_i, uint32_t sig_j)
{
#ifdef __CUDA_ARCH__
  uint32_t v0, v1;
  ds_pair_words(sig_i, sig_j, &v0, &v1);
  const float u = ((float) v0 + 0.5f) * 0x1p-32f;
  const float radius2 = fmaxf(-2.0f * __logf(u), 1e-30f); /* u may round to 1 */
  /* the phase from -pi to pi, where the approximation is good */
  return radius2 * rsqrtf(radius2) *
         __cosf((float) (int32_t) v1 * (6.2831853071795865f * 0x1p-32f));
#else
  return ds_pair_gaussianf(sig_i, sig_j);
#endif
}

#endif
