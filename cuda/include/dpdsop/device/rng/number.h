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

/* -ln(w / 2^32): [2.3e-10, 22.2], and 0 is never given. */
DS_FUNC float ds_exponentialf(uint32_t w)
{
  return 0.693147182f * ds_neg_log2_unitf(ds_nonzero(w));
}

DS_FUNC double ds_exponential(uint32_t w)
{
  return 0.69314718055994531 * ds_neg_log2_unit(ds_nonzero(w));
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
#define DS_NUMBER_TRANSFORMS(X)                                                                                                \
  X(DS_TRANSFORM_UNIFORM)                                                                                                      \
  X(DS_TRANSFORM_UNIFORM_LEFT)                                                                                                 \
  X(DS_TRANSFORM_EXPONENTIAL)                                                                                                  \
  X(DS_TRANSFORM_BOX_MULLER)                                                                                                   \
  X(DS_TRANSFORM_INVERSE)

/* Numbers of a unit, and words that it takes: 1 of 1, 1 of 2, or 2 of 2. */
#define DS_TRANSFORM_NUMBERS(kind) ((kind) == DS_TRANSFORM_BOX_MULLER ? 2 : 1)
#define DS_TRANSFORM_TAKES(kind, is_double)                                                                                    \
  ((kind) == DS_TRANSFORM_BOX_MULLER ||                                                                                        \
           ((is_double) && ((kind) == DS_TRANSFORM_UNIFORM || (kind) == DS_TRANSFORM_UNIFORM_LEFT))                            \
       ? 2                                                                                                                     \
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
  case DS_TRANSFORM_UNIFORM: *x0 = ds_uniformf(w0); break;
  case DS_TRANSFORM_UNIFORM_LEFT: *x0 = ds_uniform_leftf(w0); break;
  case DS_TRANSFORM_EXPONENTIAL: *x0 = ds_exponentialf(w0); break;
  case DS_TRANSFORM_BOX_MULLER: ds_normal_pairf(w0, w1, x0, x1); break;
  case DS_TRANSFORM_INVERSE: *x0 = ds_normal_inversef(w0); break;
  default: break;
  }
}

DS_FUNC void ds_make(ds_transform_kind kind, double scale, double shift, uint32_t w0, uint32_t w1, double *x0, double *x1)
{
  switch (kind) {
  case DS_TRANSFORM_UNIFORM: *x0 = ds_uniform(w0, w1); break;
  case DS_TRANSFORM_UNIFORM_LEFT: *x0 = ds_uniform_left(w0, w1); break;
  case DS_TRANSFORM_SCALED: *x0 = ds_uniform_scaled(w0, scale, shift); break;
  case DS_TRANSFORM_EXPONENTIAL: *x0 = ds_exponential(w0); break;
  case DS_TRANSFORM_BOX_MULLER: ds_normal_pair(w0, w1, x0, x1); break;
  case DS_TRANSFORM_INVERSE: *x0 = ds_normal_inverse(w0); break;
  default: break;
  }
}

#endif
