/* normal_inverse.h: normal numbers by the inverse of the distribution function, one word each.
   SPDX-License-Identifier: GPL-2.0-or-later

   Word w stands for u = (w + 1/2) / 2^32, and the result z is the number with Phi(z) = u. The method
   is that of Giles, "Approximating the erfinv function" (2010), which Bradley et al. 2010 use for
   Sobol points and the Mersenne twister: with x = 2 u - 1, the quotient z / x is a smooth function of
   log(1 - x^2), hence a polynomial in the centre and another in the tail. Here the variable is
   t = -log2(1 - x^2) - 4. It ends at 27 for the outermost words, |z| = 6.34, and over so short a way
   the tail does without the square root of the logarithm that is needed further out.

   Where the last digits count, they come from the word as an integer: its distance from the nearer
   end and from the middle. Words w and ~w have both in common, so they give exactly opposite
   numbers, and the mean over all words is zero. */
#ifndef DPDSOP_RNG_NORMAL_INVERSE_H
#define DPDSOP_RNG_NORMAL_INVERSE_H

#include "dpdsop/device/base.h"

/* The tail: words less than 2^22 steps from an end, 1 - |x| < 2^-9 or |z| > 3.09: one in 512.
   A GPU's warp rarely has one; on the CPU both polynomials are computed and one is selected. */
#define DS_NORMAL_TAIL 0x00400000u

/* Steps from word w to the nearer end, 0 ... 2^31 - 1: 1 - |x| = (steps + 1/2) / 2^31. */
DS_FUNC uint32_t ds_normal_steps(uint32_t w)
{
  return w ^ (0u - (w >> 31));
}

/* ------------------------------------------------------------------------ single precision */

/* t for y = 2^62 (1 - x^2), up to 1.1e-6 off in the centre and 3e-6 in the tail; z changes by at most
   0.19 of that, in the tail by 0.07, relative. The bits of y, taken for an integer, are its logarithm
   with straight lines between the powers of two; a polynomial in the mantissa bends them. */
DS_FUNC float ds_normal_depthf(float y)
{
  const uint32_t bits = ds_float_as_uint(y);
  const float lines = (float) (int32_t) (0x5E800000u - bits);
  const float f = ds_uint_as_float((bits & 0x007FFFFFu) | 0x3F800000u) - 1.5f;
  float p = -0.015125392f;
  p = fmaf(p, f, 0.0251233689f);
  p = fmaf(p, f, -0.0373112746f);
  p = fmaf(p, f, 0.0705895796f);
  p = fmaf(p, f, -0.142545193f);
  p = fmaf(p, f, 0.320632786f);
  p = fmaf(p, f, 0.0382044613f);
  p = fmaf(p, f, -4.08496284f);
  return fmaf(lines, 1.1920928955078125e-7f, p);
}

/* z / x */
DS_FUNC float ds_normal_centref(float t)
{
  float p = 3.64283537e-08f;
  p = fmaf(p, t, -3.93532645e-07f);
  p = fmaf(p, t, -2.01201215e-06f);
  p = fmaf(p, t, 6.78809593e-05f);
  p = fmaf(p, t, -0.000481335475f);
  p = fmaf(p, t, -0.00346913282f);
  p = fmaf(p, t, 0.239283621f);
  return fmaf(p, t, 2.21791983f);
}

DS_FUNC float ds_normal_tailf(float t)
{
  const float s = t - 15.5f;
  float p = 2.10479742e-14f;
  p = fmaf(p, s, -3.39762533e-13f);
  p = fmaf(p, s, -2.05413703e-12f);
  p = fmaf(p, s, 6.01214842e-11f);
  p = fmaf(p, s, -9.95493243e-10f);
  p = fmaf(p, s, 3.79301461e-08f);
  p = fmaf(p, s, -1.25995518e-06f);
  p = fmaf(p, s, 4.17472329e-05f);
  p = fmaf(p, s, -0.00169371301f);
  p = fmaf(p, s, 0.134428784f);
  return fmaf(p, s, 4.96861172f);
}

/* Relative error <= 7e-7. |x| = (middle + 1/2) / 2^31 has one rounding; y has e + 1/2 for e in its
   first factor, where that counts. */
DS_FUNC float ds_normal_inversef(uint32_t w)
{
  const uint32_t steps = ds_normal_steps(w), middle = steps ^ 0x7FFFFFFFu;
  const float x = fmaf((float) (int32_t) middle, 4.656612873077393e-10f, 2.3283064365386963e-10f);
  const float e = (float) (int32_t) steps;
  const float t = ds_normal_depthf(fmaf(e, 4294967296.0f - e, 2147483648.0f));
  float ratio = ds_normal_centref(t);
  if (steps < DS_NORMAL_TAIL) ratio = ds_normal_tailf(t);
  return ds_uint_as_float(ds_float_as_uint(x * ratio) ^ (~w & 0x80000000u));
}

/* ------------------------------------------------------------------------ double precision */

/* t for y = 1 - x^2, absolute error <= 1.7e-10. `whole` is 64 + k for y = 2^-k m, m in [1,2): the
   exponent stored in y is 1023 - k, its complement k, and that stands in the mantissa of 64. */
DS_FUNC double ds_normal_depth(double y)
{
  const uint64_t bits = ds_double_as_ulong(y);
  const double whole = ds_ulong_as_double(0x4050000000000000ull | (~(bits >> 6) & 0x000FC00000000000ull));
  const double f = ds_ulong_as_double((bits & 0x000FFFFFFFFFFFFFull) | 0x3FF0000000000000ull) - 1.5;
  double p = -0.0021396205412345421;
  p = fma(p, f, 0.0033439701999066424);
  p = fma(p, f, -0.0039429034333782155);
  p = fma(p, f, 0.0067847154016416212);
  p = fma(p, f, -0.012101153490018753);
  p = fma(p, f, 0.021143038324113447);
  p = fma(p, f, -0.037993711632960191);
  p = fma(p, f, 0.071242191411202485);
  p = fma(p, f, -0.14248851327651019);
  p = fma(p, f, 0.32059894154341323);
  p = fma(p, f, -0.96179669274080948);
  p = fma(p, f, -68.584962500873786);
  return whole + p;
}

/* z / x */
DS_FUNC double ds_normal_centre(double t)
{
  double p = 6.1388770453116614e-15;
  p = fma(p, t, -3.1736449336222737e-13);
  p = fma(p, t, 1.2361531960047394e-12);
  p = fma(p, t, 3.8009983556746768e-11);
  p = fma(p, t, -4.2746723823947142e-10);
  p = fma(p, t, -7.1653243366703949e-10);
  p = fma(p, t, 5.238677446111555e-08);
  p = fma(p, t, -3.9110088808058512e-07);
  p = fma(p, t, -2.2243331461990322e-06);
  p = fma(p, t, 6.7893993655849478e-05);
  p = fma(p, t, -0.0004802648223540445);
  p = fma(p, t, -0.0034691473751245479);
  p = fma(p, t, 0.23928215589569066);
  return fma(p, t, 2.2179198104630551);
}

DS_FUNC double ds_normal_tail(double t)
{
  const double s = t - 15.5;
  double p = -2.5335415745763483e-22;
  p = fma(p, s, 3.5312794897796075e-21);
  p = fma(p, s, 9.9408418946142008e-20);
  p = fma(p, s, -2.0357196449073835e-18);
  p = fma(p, s, 1.254366170499176e-17);
  p = fma(p, s, -3.3212252046105035e-16);
  p = fma(p, s, 8.7951350481946095e-15);
  p = fma(p, s, -1.059263778449906e-13);
  p = fma(p, s, 3.3527014630968973e-13);
  p = fma(p, s, 2.5790045594143803e-11);
  p = fma(p, s, -1.1996801803372166e-09);
  p = fma(p, s, 3.9974486057883479e-08);
  p = fma(p, s, -1.2520753351881095e-06);
  p = fma(p, s, 4.1698762519935302e-05);
  p = fma(p, s, -0.0016938272120146966);
  p = fma(p, s, 0.13442910925071333);
  return fma(p, s, 4.9686120915246041);
}

/* Relative error <= 7e-11. |x| is an odd multiple of 2^-32, the weight of the last bit in the
   mantissa of 2^20: exact, and 1 - x^2 has one rounding. */
DS_FUNC double ds_normal_inverse(uint32_t w)
{
  const uint32_t steps = ds_normal_steps(w), odd = ~(steps << 1);
  const double x = ds_ulong_as_double(0x4130000000000000ull | odd) - 1048576.0;
  const double t = ds_normal_depth(fma(-x, x, 1.0));
  double ratio = ds_normal_centre(t);
  if (steps < DS_NORMAL_TAIL) ratio = ds_normal_tail(t);
  return ds_ulong_as_double(ds_double_as_ulong(x * ratio) ^ ((uint64_t) (~w & 0x80000000u) << 32));
}

#endif
