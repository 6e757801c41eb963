/* bits.h: one number per device function that changes when any of its results changes in any bit.
   SPDX-License-Identifier: GPL-2.0-or-later

   For each name in DS_BITS_LIST there is a function ds_bits_<name>(i) that makes the i-th input, by
   integer arithmetic or exactly rounded operations, and returns the bits of the result.
   ds_bits_item turns them into a hash; the hashes of i = 0 ... DS_BITS_COUNT - 1 are added up, in
   any order, and the sum must be the one recorded here, whatever compiled the loop and whatever
   runs it. Plain C99 with DS_FUNC, so a CUDA test runs the same functions. After a deliberate
   change of a function, test_bits prints the new sums. */
#ifndef DPDSOP_BITS_H
#define DPDSOP_BITS_H

#include "dpdsop/device/fastmath.h"
#include "dpdsop/device/gaussian.h"
#include "dpdsop/device/morton.h"
#include "dpdsop/device/rng/normal_inverse.h"
#include "dpdsop/device/signature.h"

#include "splitmix.h"

#define DS_BITS_COUNT (1u << 20)

#define DS_BITS_LIST(X)                                                                            \
  X(neg_log2_unitf, 0x3E19124EABEA7907u)                                                          \
  X(cos2pi_u31f, 0xBCAC615BA2F464AFu)                                                              \
  X(sin2pi_u31f, 0x2ABAB552BA845CA3u)                                                              \
  X(powf, 0x7DE98EA4F5170487u)                                                                     \
  X(rsqrtf, 0x5DFA0E13C58999E2u)                                                                   \
  X(sqrtf, 0x56308C8EB9C897C5u)                                                                    \
  X(log2_u32, 0xA8C7DC34DA8B564Eu)                                                                 \
  X(neg_log2_unit, 0x76EBF57539D673B1u)                                                            \
  X(cos2pi_u31, 0x7D9EA6814417A30Fu)                                                               \
  X(sin2pi_u31, 0xAB55E712601CEBFCu)                                                               \
  X(pow, 0xCF97DF144087CCBBu)                                                                      \
  X(rsqrt, 0x72ADC44FA9B5CA2Bu)                                                                    \
  X(sqrt, 0xF29C2157B64B4503u)                                                                     \
  X(signature, 0x1A8043D6B044B91Eu)                                                                \
  X(morton, 0x05CE9712D56909DBu)                                                                   \
  X(pair_gaussianf, 0x88756906CE9EAD2Au)                                                           \
  X(pair_gaussian, 0x8CD960A69CCD2CFFu)                                                            \
  X(normal_inversef, 0x0106AB9499D9A91Cu)                                                         \
  X(normal_inverse, 0x2436FCB608D6D5CCu)

/* Word number i. */
DS_FUNC uint64_t ds_bits_mix(uint64_t i)
{
  return ds_splitmix(i * DS_SPLITMIX_STEP);
}

/* A nonzero word: of any length, and half of them counted from 2^32 downwards. */
DS_FUNC uint32_t ds_bits_word(uint64_t i)
{
  const uint64_t r = ds_bits_mix(i);
  const uint32_t v = ((uint32_t) r >> (r >> 32 & 31u)) ^ (0u - (uint32_t) (r >> 40 & 1u));
  return v + (v == 0);
}

DS_FUNC uint32_t ds_bits_scale32(uint32_t r, uint32_t n) /* in [0,n) */
{
  return (uint32_t) (((uint64_t) r * n) >> 32);
}

DS_FUNC double ds_bits_double(uint64_t r, uint32_t first_exponent, uint32_t exponents)
{
  const uint64_t exponent = first_exponent + ds_bits_scale32((uint32_t) r, exponents);
  return ds_ulong_as_double(exponent << 52 | (ds_bits_mix(r) >> 12));
}

DS_FUNC double ds_bits_unit(uint64_t r) /* in [0,1), exact */
{
  return ds_ulong_as_double(DS_ONE_BITS | r >> 12) - 1.0;
}

DS_FUNC uint64_t ds_bits_neg_log2_unitf(uint64_t i)
{
  return ds_float_as_uint(ds_neg_log2_unitf(ds_bits_word(i)));
}

DS_FUNC uint64_t ds_bits_cos2pi_u31f(uint64_t i)
{
  return ds_float_as_uint(ds_cos2pi_u31f(ds_bits_word(i) ^ (uint32_t) (i << 30)));
}

DS_FUNC uint64_t ds_bits_sin2pi_u31f(uint64_t i)
{
  return ds_float_as_uint(ds_sin2pi_u31f(ds_bits_word(i) ^ (uint32_t) (i << 30)));
}

/* a in [1e-10, 2), b in [0,6) */
DS_FUNC uint64_t ds_bits_powf(uint64_t i)
{
  const uint64_t r = ds_bits_mix(i);
  const uint32_t lo = 0x2EDBE6FFu, hi = 0x40000000u;
  const float a = ds_uint_as_float(lo + ds_bits_scale32((uint32_t) r, hi - lo));
  const float b = 6.0f * (ds_uint_as_float(DS_ONE_F_BITS | (uint32_t) (r >> 41)) - 1.0f);
  return ds_float_as_uint(ds_powf(a, b));
}

DS_FUNC float ds_bits_normalf(uint64_t i)
{
  return ds_uint_as_float(0x00800000u + ds_bits_scale32((uint32_t) ds_bits_mix(i), 0x7F000000u));
}

DS_FUNC uint64_t ds_bits_rsqrtf(uint64_t i)
{
  return ds_float_as_uint(ds_rsqrtf(ds_bits_normalf(i)));
}

DS_FUNC uint64_t ds_bits_sqrtf(uint64_t i)
{
  return ds_float_as_uint(ds_sqrtf(ds_bits_normalf(i)));
}

DS_FUNC uint64_t ds_bits_log2_u32(uint64_t i)
{
  return ds_double_as_ulong(ds_log2_u32(ds_bits_word(i)));
}

DS_FUNC uint64_t ds_bits_neg_log2_unit(uint64_t i)
{
  return ds_double_as_ulong(ds_neg_log2_unit(ds_bits_word(i)));
}

DS_FUNC uint64_t ds_bits_cos2pi_u31(uint64_t i)
{
  return ds_double_as_ulong(ds_cos2pi_u31(ds_bits_word(i) ^ (uint32_t) (i << 30)));
}

DS_FUNC uint64_t ds_bits_sin2pi_u31(uint64_t i)
{
  return ds_double_as_ulong(ds_sin2pi_u31(ds_bits_word(i) ^ (uint32_t) (i << 30)));
}

/* a from 2^-338 to 2^338, which is 1e-102 to 1e102; b in [0,3) */
DS_FUNC uint64_t ds_bits_pow(uint64_t i)
{
  const uint64_t r = ds_bits_mix(i);
  return ds_double_as_ulong(
      ds_pow(ds_bits_double(r, 1023u - 338u, 676u), 3.0 * ds_bits_unit(ds_bits_mix(~r))));
}

DS_FUNC uint64_t ds_bits_rsqrt(uint64_t i)
{
  return ds_double_as_ulong(ds_rsqrt(ds_bits_double(ds_bits_mix(i), 1u, 2046u)));
}

DS_FUNC uint64_t ds_bits_sqrt(uint64_t i)
{
  return ds_double_as_ulong(ds_sqrt(ds_bits_double(ds_bits_mix(i), 1u, 2046u)));
}

DS_FUNC uint64_t ds_bits_signature(uint64_t i)
{
  const uint64_t r = ds_bits_mix(i), s = ds_bits_mix(~i);
  /* floats in [1,2): only the mantissas count */
  return ds_signature(i * 0x100000001u, ds_uint_as_float(DS_ONE_F_BITS | (uint32_t) (r >> 41)),
                      ds_uint_as_float(DS_ONE_F_BITS | ((uint32_t) r >> 9)),
                      ds_uint_as_float(DS_ONE_F_BITS | (uint32_t) (s >> 41)), (uint32_t) s, r);
}

DS_FUNC uint64_t ds_bits_morton(uint64_t i)
{
  const uint64_t r = ds_bits_mix(i);
  uint32_t x, y, z;
  ds_morton_decode(r, &x, &y, &z);
  return ds_morton_encode(z, x, y) ^
         ds_morton_encode((uint32_t) r, (uint32_t) (r >> 20), (uint32_t) (r >> 32));
}

DS_FUNC uint64_t ds_bits_pair_gaussianf(uint64_t i)
{
  const uint64_t r = ds_bits_mix(i);
  return ds_float_as_uint(ds_pair_gaussianf((uint32_t) r, (uint32_t) (r >> 32)));
}

DS_FUNC uint64_t ds_bits_pair_gaussian(uint64_t i)
{
  const uint64_t r = ds_bits_mix(i);
  return ds_double_as_ulong(ds_pair_gaussian((uint32_t) r, (uint32_t) (r >> 32)));
}

/* Words near both ends and, every other one, near the middle. */
DS_FUNC uint64_t ds_bits_normal_inversef(uint64_t i)
{
  return ds_float_as_uint(ds_normal_inversef(ds_bits_word(i) ^ (uint32_t) (i << 31)));
}

DS_FUNC uint64_t ds_bits_normal_inverse(uint64_t i)
{
  return ds_double_as_ulong(ds_normal_inverse(ds_bits_word(i) ^ (uint32_t) (i << 31)));
}

/* The hash of one result; i is mixed in, so that two results changing places are noticed. */
DS_FUNC uint64_t ds_bits_item(uint64_t i, uint64_t result)
{
  return ds_bits_mix(result ^ ds_bits_mix(i));
}

#endif
