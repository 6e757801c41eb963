/* screening.h: how smeared charges screen each other: what of a charge lies within a distance, for clouds of Slater's and of
   Gauss's form.   SPDX-License-Identifier: GPL-2.0-or-later

   With t = 2 r / lamda a Slater cloud has the part 1 - (1 + t + t^2/2) exp(-t) of its charge within r, and a Gauss cloud, with
   x = g r, the part erf(x) - 2 x exp(-x^2) / sqrt(pi). Near the center both are differences of almost equal numbers. So there
   they are a polynomial times the cube of the distance, and a force has all its digits down to distance zero. Made of + - *
   fma, 1/x and integer operations alone, as fastmath.h; tools/fit-polynomials derives the coefficients; the errors stated here
   are those that unittest/test_engine_coul.c holds them to. */
#ifndef DS_FORMULAS
#ifndef DPDSOP_SCREENING_H
#define DPDSOP_SCREENING_H

#include "dpdsop/device/fastmath.h"

#define DS_TWO_BY_ROOT_PI 1.1283791670955126

/* ------------------------------------------------------------------------ single precision */

/* exp(-t) for t >= 0, relative error <= 3e-7; 0 where it is below 2^-125. The integer part of the power of two as in
   ds_powf; log2(e) in two parts, so that the rest of the power has its digits. */
DS_FUNC float ds_exp_minusf(float t)
{
  const float most = t < 700.0f ? t : 700.0f;
  const float shifted = fmaf(-1.44269502f, most, DS_ROUND_F);
  const float n = shifted - DS_ROUND_F;
  const float r = fmaf(-1.92596299e-8f, most, fmaf(-1.44269502f, most, -n));
  const float scale = ds_uint_as_float((ds_float_as_uint(shifted) << 23) + DS_ONE_F_BITS);
  const uint32_t power = ds_float_as_uint(ds_exp2_fractionf(r) * scale);
  const uint32_t tiny = ds_float_as_uint(shifted) - ds_float_as_uint(DS_ROUND_F) + 125u;
  return ds_uint_as_float(power & ((tiny >> 31) - 1u));
}

/* (1 - (1 + t + t^2/2) exp(-t)) / t^3, t in [0, 2]. */
DS_FUNC float ds_slater_coref(float t)
{
  float p = -3.96559335e-06f;
  p = fmaf(p, t, 6.01553911e-05f);
  p = fmaf(p, t, -0.00049306883f);
  p = fmaf(p, t, 0.00294988928f);
  p = fmaf(p, t, -0.0138749238f);
  p = fmaf(p, t, 0.0499962531f);
  p = fmaf(p, t, -0.124999605f);
  return fmaf(p, t, 0.166666657f);
}

/* (erf(x) - 2 x exp(-x^2) / sqrt(pi)) / x^3 of w = x^2 in [0, 1]. */
DS_FUNC float ds_gauss_coref(float w)
{
  float p = 0.000134471484f;
  p = fmaf(p, w, -0.00135033578f);
  p = fmaf(p, w, 0.00848372094f);
  p = fmaf(p, w, -0.041769065f);
  p = fmaf(p, w, 0.161193147f);
  p = fmaf(p, w, -0.451351404f);
  return fmaf(p, w, 0.752252758f);
}

/* exp(x^2) erfc(x) / s of s = 1 / (1 + x), x >= 1. */
DS_FUNC float ds_erfc_by_sf(float s)
{
  float p = 0.803623855f;
  p = fmaf(p, s, -2.87033534f);
  p = fmaf(p, s, 4.06399059f);
  p = fmaf(p, s, -2.51222229f);
  p = fmaf(p, s, 0.170378208f);
  p = fmaf(p, s, 0.214077339f);
  p = fmaf(p, s, 0.569905818f);
  return fmaf(p, s, 0.563982487f);
}

/* ------------------------------------------------------------------------ double precision */

/* As ds_exp_minusf, relative error <= 1e-15. */
DS_FUNC double ds_exp_minus(double t)
{
  const double most = t < 700.0 ? t : 700.0;
  const double shifted = fma(-1.4426950408889634, most, DS_ROUND);
  const double n = shifted - DS_ROUND;
  const double r = fma(-2.0355273740931033e-17, most, fma(-1.4426950408889634, most, -n));
  const double scale = ds_ulong_as_double((ds_double_as_ulong(shifted) << 52) + DS_ONE_BITS);
  return ds_exp2_fraction(r) * scale;
}

DS_FUNC double ds_slater_core(double t)
{
  double p = -1.9476105943759436e-12;
  p = fma(p, t, 5.3074685639204601e-11);
  p = fma(p, t, -8.3762855969197244e-10);
  p = fma(p, t, 1.0464839088632134e-08);
  p = fma(p, t, -1.1460115709531161e-07);
  p = fma(p, t, 1.1270858694694537e-06);
  p = fma(p, t, -9.9204189293591999e-06);
  p = fma(p, t, 7.7160367236503468e-05);
  p = fma(p, t, -0.00052083328257063091);
  p = fma(p, t, 0.0029761904628952569);
  p = fma(p, t, -0.01388888888678441);
  p = fma(p, t, 0.049999999999824393);
  p = fma(p, t, -0.12499999999999416);
  return fma(p, t, 0.16666666666666663);
}

DS_FUNC double ds_gauss_core(double w)
{
  double p = -1.423368959469839e-09;
  p = fma(p, w, 2.4991935221740727e-08);
  p = fma(p, w, -2.9314562000253935e-07);
  p = fma(p, w, 2.9430158003864539e-06);
  p = fma(p, w, -2.6337592737435329e-05);
  p = fma(p, w, 0.0002089583460594126);
  p = fma(p, w, -0.0014466397448808378);
  p = fma(p, w, 0.008548326985397741);
  p = fma(p, w, -0.041791820999505853);
  p = fma(p, w, 0.16119702387056567);
  p = fma(p, w, -0.45135166683820022);
  return fma(p, w, 0.75225277806367508);
}

/* As ds_erfc_by_sf; its relative error of 1.1e-13 is what the error of ds_gauss_cloud comes from. */
DS_FUNC double ds_erfc_by_s(double s)
{
  double p = 10.780183491939304;
  p = fma(p, s, -57.653430215371053);
  p = fma(p, s, 138.81514517515154);
  p = fma(p, s, -197.01618489141947);
  p = fma(p, s, 179.95785637222011);
  p = fma(p, s, -107.1147101996048);
  p = fma(p, s, 39.32580649078195);
  p = fma(p, s, -7.9364248638863737);
  p = fma(p, s, 1.6432837400200651);
  p = fma(p, s, -0.94737506139267302);
  p = fma(p, s, -0.25875373746994562);
  p = fma(p, s, 0.28057744516252275);
  p = fma(p, s, 0.56424927184160245);
  return fma(p, s, 0.5641885100959354);
}

#define DS_FORMULAS "dpdsop/device/screening.h" /* this file's second part, in each arithmetic */
#include "dpdsop/device/each_arithmetic.h"

#endif
#else

/* Of clouds at distance r: charge within r by r^3, and potential, of a unit charge. */
typedef struct {
  DS_REAL within, potential;
} DS_R(ds_cloud);

/* Slater, rate = 2 / lamda. The potential is (1 - (1 + t/2) exp(-t)) / r. Relative errors <= 1e-14 in double, 1e-6 in single
   precision. rinv = 1 / r. */
DS_FUNC DS_R(ds_cloud) DS_R(ds_slater_cloud)(DS_REAL r, DS_REAL rinv, DS_REAL rate)
{
  DS_R(ds_cloud) c;
  const DS_REAL t = rate * r, e = DS_R(ds_exp_minus)(t), e1 = DS_R(fma)(e, t, e);
  const DS_REAL far = ((DS_REAL) 1 - DS_R(fma)((DS_REAL) 0.5 * (t * t), e, e1)) * (rinv * rinv * rinv);
  const DS_REAL near = DS_R(ds_slater_core)(t < (DS_REAL) 2 ? t : (DS_REAL) 2) * (rate * rate * rate);
  c.within = t < (DS_REAL) 2 ? near : far;
  c.potential = DS_R(fma)(c.within, r * r, (DS_REAL) 0.5 * rate * e1);
  return c;
}

/* Gauss, g in 1 / length. The potential is erf(g r) / r. Relative errors <= 1e-13 in double, 1e-6 in single precision. */
DS_FUNC DS_R(ds_cloud) DS_R(ds_gauss_cloud)(DS_REAL r, DS_REAL rinv, DS_REAL g)
{
  DS_R(ds_cloud) c;
  const DS_REAL x = g * r, w = x * x, e = DS_R(ds_exp_minus)(w);
  const DS_REAL s = DS_R(ds_reciprocal)((DS_REAL) 1 + x);
  const DS_REAL beyond = e * DS_R(fma)(s, DS_R(ds_erfc_by_s)(s), (DS_REAL) DS_TWO_BY_ROOT_PI * x);
  const DS_REAL far = ((DS_REAL) 1 - beyond) * (rinv * rinv * rinv);
  const DS_REAL near = DS_R(ds_gauss_core)(w < (DS_REAL) 1 ? w : (DS_REAL) 1) * (g * g * g);
  c.within = w < (DS_REAL) 1 ? near : far;
  c.potential = DS_R(fma)(c.within, r * r, (DS_REAL) DS_TWO_BY_ROOT_PI * g * e);
  return c;
}

#endif
