/* number.h: uniform, exponential and normal numbers from 32-bit words, the same bits everywhere.
   SPDX-License-Identifier: GPL-2.0-or-later

   A transform makes `numbers` numbers of `words` words. Suffix f: floats. */
#ifndef DPDSOP_RNG_NUMBER_H
#define DPDSOP_RNG_NUMBER_H

#include "dpdsop/device/gaussian.h"
#include "dpdsop/device/rng/normal_inverse.h"

/* [0,1) in steps of 2^-24, and (0,1]. The lower 8 bits of the word are not used: rounding them in would
   give 1 in the first and other weights near 0. */
DS_FUNC float ds_uniformf(uint32_t w)
{
  return (float) (int32_t) (w >> 8) * 5.9604644775390625e-8f;
}

DS_FUNC float ds_uniform_leftf(uint32_t w)
{
  return (float) (int32_t) ((w >> 8) + 1u) * 5.9604644775390625e-8f;
}

/* [0,1) in steps of 2^-53 from two words, as Matsumoto & Nishimura's genrand_res53: 27 bits of the first,
   26 of the second. The first stands in the mantissa of 2^25, where the last bit is 2^-27, the second in that of
   1/2, with 2^-53. Both sums are exact. */
DS_FUNC double ds_uniform_sum(uint32_t hi, uint32_t lo)
{
  const double first = ds_ulong_as_double(0x4180000000000000ull | hi) - 33554432.5;
  return first + ds_ulong_as_double(0x3FE0000000000000ull | lo);
}

DS_FUNC double ds_uniform(uint32_t w0, uint32_t w1)
{
  return ds_uniform_sum(w0 >> 5, w1 >> 6);
}

DS_FUNC double ds_uniform_left(uint32_t w0, uint32_t w1)
{
  return ds_uniform_sum(w0 >> 5, (w1 >> 6) + 1u);
}

/* w scale + shift, of one word: what the publication of a generator makes of it (see ds_transform). */
DS_FUNC double ds_uniform_scaled(uint32_t w, double scale, double shift)
{
  return fma(ds_ulong_as_double(0x4330000000000000ull | w) - 4503599627370496.0, scale, shift);
}

/* A word for a logarithm: 0 is taken for 1. */
DS_FUNC uint32_t ds_nonzero(uint32_t w)
{
  return w > 1u ? w : 1u;
}

/* -ln(w / 2^32): [2.3e-10, 22.2], and 0 is never given. */
DS_FUNC float ds_exponentialf(uint32_t w)
{
  return 0.693147182f * ds_neg_log2_unitf(ds_nonzero(w));
}

DS_FUNC double ds_exponential(uint32_t w)
{
  return 0.69314718055994531 * ds_neg_log2_unit(ds_nonzero(w));
}

/* Box & Muller: two words, two independent normal numbers, r cos and r sin of one angle. The top bit of w1
   is the sign of both, the 31 others are half a turn. (The sign is given to r, once; the bits of the
   products are the same.) */
DS_FUNC void ds_normal_pairf(uint32_t w0, uint32_t w1, float *z0, float *z1)
{
  const uint32_t sign = w1 & 0x80000000u, phase = w1 & 0x7FFFFFFFu;
  const float r = ds_sqrtf(1.38629436f * ds_neg_log2_unitf(ds_nonzero(w0)));
  const float s = ds_uint_as_float(ds_float_as_uint(r) ^ sign);
  *z0 = s * ds_cos2pi_u31f(phase);
  *z1 = s * ds_sin2pi_u31f(phase);
}

DS_FUNC void ds_normal_pair(uint32_t w0, uint32_t w1, double *z0, double *z1)
{
  const uint64_t sign = (uint64_t) (w1 & 0x80000000u) << 32;
  const uint32_t phase = w1 & 0x7FFFFFFFu;
  const double r = ds_sqrt(1.3862943611198906 * ds_neg_log2_unit(ds_nonzero(w0)));
  const double s = ds_ulong_as_double(ds_double_as_ulong(r) ^ sign);
  *z0 = s * ds_cos2pi_u31(phase);
  *z1 = s * ds_sin2pi_u31(phase);
}

/* The three that a step of a particle in space takes, of four words. */
DS_FUNC void ds_normal3f(const uint32_t words[4], float g[3])
{
  ds_normal_pairf(words[0], words[1], g, g + 1);
  g[2] = ds_box_mullerf(ds_nonzero(words[2]), words[3]);
}

DS_FUNC void ds_normal3(const uint32_t words[4], double g[3])
{
  ds_normal_pair(words[0], words[1], g, g + 1);
  g[2] = ds_box_muller(ds_nonzero(words[2]), words[3]);
}

/* How words become numbers, apart from the precision. */
typedef enum {
  DS_TRANSFORM_WORDS = 0,
  DS_TRANSFORM_UNIFORM,
  DS_TRANSFORM_UNIFORM_LEFT,
  DS_TRANSFORM_SCALED, /* double precision only */
  DS_TRANSFORM_EXPONENTIAL,
  DS_TRANSFORM_BOX_MULLER,
  DS_TRANSFORM_INVERSE,
  DS_TRANSFORMS
} ds_transform_kind;

/* Those of numbers in single and in double precision; whoever compiles a loop for each of them takes this list. */
#define DS_NUMBER_TRANSFORMS(X)                                                                          \
  X(DS_TRANSFORM_UNIFORM)                                                                                \
  X(DS_TRANSFORM_UNIFORM_LEFT)                                                                           \
  X(DS_TRANSFORM_EXPONENTIAL)                                                                            \
  X(DS_TRANSFORM_BOX_MULLER)                                                                             \
  X(DS_TRANSFORM_INVERSE)

/* Numbers of a unit, and words that it takes: 1 of 1, 1 of 2, or 2 of 2. */
#define DS_TRANSFORM_NUMBERS(kind) ((kind) == DS_TRANSFORM_BOX_MULLER ? 2 : 1)
#define DS_TRANSFORM_TAKES(kind, is_double)                                                              \
  ((kind) == DS_TRANSFORM_BOX_MULLER ||                                                                  \
           ((is_double) && ((kind) == DS_TRANSFORM_UNIFORM || (kind) == DS_TRANSFORM_UNIFORM_LEFT))            \
       ? 2                                                                                         \
       : 1)

typedef struct {
  ds_transform_kind kind;
  int words, numbers;  /* of a unit: DS_TRANSFORM_TAKES, DS_TRANSFORM_NUMBERS */
  double scale, shift; /* of DS_TRANSFORM_SCALED */
} ds_transform;

/* One unit. The kind is a constant at the call: what is not of this kind is not compiled. */
DS_FUNC void ds_makef(ds_transform_kind kind, uint32_t w0, uint32_t w1, float *x0, float *x1)
{
  switch (kind) {
  case DS_TRANSFORM_UNIFORM:
    *x0 = ds_uniformf(w0);
    break;
  case DS_TRANSFORM_UNIFORM_LEFT:
    *x0 = ds_uniform_leftf(w0);
    break;
  case DS_TRANSFORM_EXPONENTIAL:
    *x0 = ds_exponentialf(w0);
    break;
  case DS_TRANSFORM_BOX_MULLER:
    ds_normal_pairf(w0, w1, x0, x1);
    break;
  case DS_TRANSFORM_INVERSE:
    *x0 = ds_normal_inversef(w0);
    break;
  default:
    break;
  }
}

DS_FUNC void ds_make(ds_transform_kind kind, double scale, double shift, uint32_t w0, uint32_t w1,
                     double *x0, double *x1)
{
  switch (kind) {
  case DS_TRANSFORM_UNIFORM:
    *x0 = ds_uniform(w0, w1);
    break;
  case DS_TRANSFORM_UNIFORM_LEFT:
    *x0 = ds_uniform_left(w0, w1);
    break;
  case DS_TRANSFORM_SCALED:
    *x0 = ds_uniform_scaled(w0, scale, shift);
    break;
  case DS_TRANSFORM_EXPONENTIAL:
    *x0 = ds_exponential(w0);
    break;
  case DS_TRANSFORM_BOX_MULLER:
    ds_normal_pair(w0, w1, x0, x1);
    break;
  case DS_TRANSFORM_INVERSE:
    *x0 = ds_normal_inverse(w0);
    break;
  default:
    break;
  }
}

#endif
