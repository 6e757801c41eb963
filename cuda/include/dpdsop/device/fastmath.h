/* fastmath.h: logarithm, cosine, power and square root for the pair interaction.
   SPDX-License-Identifier: GPL-2.0-or-later

   Tang & Karniadakis 2014, section 3.5 and Alg. 5. Branch-free, for the ranges that a pair can
   meet; made of + - * fma and integer operations alone, so that every compiler and processor gives
   the same bits and loops become vector code. tools/fit-polynomials derives the coefficients; the
   errors stated here are those that unittest/test_fastmath.c holds them to.

   Three tricks return throughout:
   - an integer below 2^23 (2^52) ORed into the mantissa of 2^23 (2^52) is that power of two plus
     the integer: subtracting the power converts without a conversion instruction, exactly;
   - adding 1.5 * 2^23 (2^52) rounds to an integer, which then stands in the low mantissa bits;
   - mantissas are taken from [sqrt(1/2), sqrt(2)), so that logarithms near 1 do not cancel. */
#ifndef DPDSOP_FASTMATH_H
#define DPDSOP_FASTMATH_H

#include "dpdsop/device/base.h"

/* ------------------------------------------------------------------------ single precision */

#define DS_SQRT_HALF_F_BITS 0x3F3504F3u /* sqrt(1/2) */
#define DS_ONE_F_BITS 0x3F800000u
#define DS_ROUND_F 12582912.0f /* 1.5 * 2^23 */

/* log2(1 + f), f in [sqrt(1/2) - 1, sqrt(2) - 1]: f times a polynomial, so relative near f = 0. */
DS_FUNC float ds_log2_1pf(float f)
{
  float p = 0.125837073f;
  p = fmaf(p, f, -0.207270011f);
  p = fmaf(p, f, 0.215715706f);
  p = fmaf(p, f, -0.238944799f);
  p = fmaf(p, f, 0.287916243f);
  p = fmaf(p, f, -0.360703677f);
  p = fmaf(p, f, 0.480910629f);
  p = fmaf(p, f, -0.721347332f);
  p = fmaf(p, f, 1.44269502f);
  return f * p;
}

/* -log2(v / 2^32) >= 0 for v != 0, relative error <= 2.5e-7.
   v is split in two exact halves: the float nearest to v gives the exponent e, the halves give
   f = v / 2^e - 1 with one rounding. Near v = 2^32 the integer part 32 - e is zero, so the result
   keeps its digits. */
DS_FUNC float ds_neg_log2_unitf(uint32_t v)
{
  const float hi = ds_uint_as_float(0x53000000u | (v >> 16)) - 549755813888.0f; /* 2^16 (v >> 16) */
  const float lo = ds_uint_as_float(0x4B000000u | (v & 0xFFFFu)) - 8388608.0f;
  const uint32_t k = (ds_float_as_uint(hi + lo) - DS_SQRT_HALF_F_BITS) & 0xFF800000u; /* e * 2^23 */
  const float scale = ds_uint_as_float(DS_ONE_F_BITS - k);
  const float f = fmaf(lo, scale, fmaf(hi, scale, -1.0f));
  const float whole = fmaf((float) (int32_t) k, -1.1920928955078125e-7f, 32.0f);
  return whole - ds_log2_1pf(f);
}

/* Top bit of v: sign; the other 31: phase u in [0,1). Returns +-cos(pi u), which for uniform v is
   distributed as cos(2 pi u). Absolute and relative error <= 2e-7.
   cos(pi u) = -sin(pi w), w = u - 1/2, so five odd terms suffice. */
DS_FUNC float ds_cos2pi_u31f(uint32_t v)
{
  const float w = (float) (int32_t) ((v << 1) ^ 0x80000000u) * 2.3283064365386963e-10f;
  const float t = w * w;
  float p = -0.0775603876f;
  p = fmaf(p, t, 0.598242104f);
  p = fmaf(p, t, -2.55006981f);
  p = fmaf(p, t, 5.16770983f);
  p = fmaf(p, t, -3.14159274f);
  return ds_flip_signf(w * p, v);
}

/* The partner of ds_cos2pi_u31f: the same sign times sin(pi u), so that the two are a point of the
   unit circle. Absolute error <= 2e-7. sin(pi u) = cos(pi w) is even: with t from the cosine, four
   steps more. */
DS_FUNC float ds_sin2pi_u31f(uint32_t v)
{
  const float w = (float) (int32_t) ((v << 1) ^ 0x80000000u) * 2.3283064365386963e-10f;
  const float t = w * w;
  float p = 0.219697103f;
  p = fmaf(p, t, -1.33187854f);
  p = fmaf(p, t, 4.05841255f);
  p = fmaf(p, t, -4.934793f);
  p = fmaf(p, t, 0.99999994f);
  return ds_flip_signf(p, v);
}

/* 2^x for |x| <= 1/2. */
DS_FUNC float ds_exp2_fractionf(float x)
{
  float p = 0.000153458168f;
  p = fmaf(p, x, 0.00133999321f);
  p = fmaf(p, x, 0.00961848907f);
  p = fmaf(p, x, 0.0555032864f);
  p = fmaf(p, x, 0.240226462f);
  p = fmaf(p, x, 0.693147182f);
  return fmaf(p, x, 1.0f);
}

/* log2(a) of a normal a > 0 as an integer, *whole, and the rest, which is returned. */
DS_FUNC float ds_log2_partsf(float a, float *whole)
{
  const uint32_t bits = ds_float_as_uint(a) - DS_SQRT_HALF_F_BITS;
  *whole = (float) ((int32_t) bits >> 23);
  return ds_log2_1pf(ds_uint_as_float((bits & 0x007FFFFFu) + DS_SQRT_HALF_F_BITS) - 1.0f);
}

/* log2(a) for normal a > 0, relative error <= 3e-7. */
DS_FUNC float ds_log2f(float a)
{
  float whole;
  const float part = ds_log2_partsf(a, &whole);
  return whole + part;
}

/* a^b for normal a > 0, b >= 0, b log2(a) < 127. For a in [1e-10,2]: <= 4 ULP for b <= 3, <= 6 ULP
   for b <= 6. Results below 2^-125.5 are 0, so none is subnormal. Alg. 5, with the fraction of
   log2(a) centred on zero. */
DS_FUNC float ds_powf(float a, float b)
{
  float whole;
  const float part = ds_log2_partsf(a, &whole);
  const float x = b * (whole + part);
  const float shifted = x + DS_ROUND_F;
  const float n = shifted - DS_ROUND_F;
  const float r = fmaf(b, part, fmaf(b, whole, -n));
  const float scale = ds_uint_as_float((ds_float_as_uint(shifted) << 23) + DS_ONE_F_BITS);
  const uint32_t power = ds_float_as_uint(ds_exp2_fractionf(r) * scale);
  /* the sign of n + 125 as a mask: gcc would make a branch of a comparison */
  const uint32_t tiny = ds_float_as_uint(shifted) - ds_float_as_uint(DS_ROUND_F) + 125u;
  return ds_uint_as_float(power & ((tiny >> 31) - 1u));
}

/* 1/sqrt(x) to 2.2e-5 for normal x > 0: an integer guess, bent straight by a polynomial in
   its residual. */
DS_FUNC float ds_rsqrt_guessf(float x)
{
  const float y = ds_uint_as_float(0x5F3510DFu - (ds_float_as_uint(x) >> 1));
  const float e = fmaf(-(x * y), y, 1.0f);
  return y * fmaf(fmaf(0.396950632f, e, 0.500541985f), e, 0.999980986f);
}

/* 1/sqrt(x) for normal x > 0, <= 1 ULP: one Newton step on the guess. */
DS_FUNC float ds_rsqrtf(float x)
{
  const float y = ds_rsqrt_guessf(x);
  const float e = fmaf(-(x * y), y, 1.0f);
  return fmaf(0.5f * y, e, y);
}

/* sqrt(x) for x = 0 (gives 0) and normal x > 0, <= 1 ULP: the same step, taken on x y. */
DS_FUNC float ds_sqrtf(float x)
{
  const float y = ds_rsqrt_guessf(x);
  const float s = x * y;
  const float e = fmaf(-s, s, x);
  return fmaf(0.5f * y, e, s);
}

/* 1/x, correctly rounded, for normal x whose reciprocal is normal. The GPU's guess is within 1 ULP, and one step with
   fused operations from there rounds correctly: unittest/gpu/test_gpu_bits.cu looks at every mantissa. */
DS_FUNC float ds_reciprocalf(float x)
{
#ifdef __CUDA_ARCH__
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return fmaf(y, fmaf(-x, y, 1.0f), y);
#else
  return 1.0f / x;
#endif
}

/* ------------------------------------------------------------------------ double precision */

#define DS_SQRT_HALF_BITS 0x3FE6A09E00000000ull /* sqrt(1/2), its upper half */
#define DS_ONE_BITS 0x3FF0000000000000ull
#define DS_MANTISSA_MASK 0x000FFFFFFFFFFFFFull
#define DS_ROUND 6755399441055744.0 /* 1.5 * 2^52 */

/* z = f / (2 + f), f in [sqrt(1/2) - 1, sqrt(2) - 1], that is (x - 1) / (x + 1) for x = 1 + f.
   The reciprocal starts at 1.3e-3, one cubic step leaves 2.2e-9, the last step corrects the
   quotient itself. */
DS_FUNC double ds_log_ratio(double f)
{
  const double d = 2.0 + f;
  double r = fma(fma(0.1168629056380012, f, -0.25499258306807299), f, 0.50031925278669021);
  const double e = fma(-d, r, 1.0);
  r = fma(r, fma(e, e, e), r);
  const double z = f * r;
  return fma(fma(-z, d, f), r, z);
}

/* The integer e and log2(x) - e of x = v: *whole = e exact, f = x / 2^e - 1 exact. */
DS_FUNC double ds_log2_u32_parts(uint32_t v, double *whole)
{
  const double x = ds_ulong_as_double(0x4330000000000000ull | v) - 4503599627370496.0;
  const uint64_t bits = ds_double_as_ulong(x) - DS_SQRT_HALF_BITS;
  const double f = ds_ulong_as_double((bits & DS_MANTISSA_MASK) + DS_SQRT_HALF_BITS) - 1.0;
  const double z = ds_log_ratio(f);
  const double t = z * z;
  double p = 0.34072809209107913;
  p = fma(p, t, 0.41167282280016371);
  p = fma(p, t, 0.57708358332768994);
  p = fma(p, t, 0.96179667334983443);
  p = fma(p, t, 2.8853900817900802);
  *whole = ds_ulong_as_double(0x4330000000000000ull | (bits >> 52)) - 4503599627370496.0;
  return z * p;
}

/* log2(v) for v != 0, relative error <= 4.21e-12 (section 3.5 a). */
DS_FUNC double ds_log2_u32(uint32_t v)
{
  double whole;
  const double part = ds_log2_u32_parts(v, &whole);
  return whole + part;
}

/* -log2(v / 2^32) >= 0 for v != 0, relative error <= 4.22e-12 up to v = 2^32 - 1. */
DS_FUNC double ds_neg_log2_unit(uint32_t v)
{
  double whole;
  const double part = ds_log2_u32_parts(v, &whole);
  return (32.0 - whole) - part;
}

/* As ds_cos2pi_u31f, absolute and relative error <= 1.1e-10 (section 3.5 b): 11th order, six terms.
   v << 1 in the mantissa of 2^20 has the weight 2^-32, so one subtraction gives w = u - 1/2. */
DS_FUNC double ds_cos2pi_u31(uint32_t v)
{
  const double w = ds_ulong_as_double(0x4130000000000000ull | (uint32_t) (v << 1)) - 1048576.5;
  const double t = w * w;
  double p = 0.0070221634861172876;
  p = fma(p, t, -0.08204647883833914);
  p = fma(p, t, 0.59925133011741838);
  p = fma(p, t, -2.5501632403197658);
  p = fma(p, t, 5.1677127621159258);
  p = fma(p, t, -3.1415926535233467);
  return ds_flip_sign(w * p, v);
}

/* As ds_sin2pi_u31f, absolute and relative error <= 4e-12: cos(pi w) is (1/4 - w^2) times a
   polynomial, and 1/4 - w^2 = u (1 - u) has one rounding, so what is near zero is right too. */
DS_FUNC double ds_sin2pi_u31(uint32_t v)
{
  const double w = ds_ulong_as_double(0x4130000000000000ull | (uint32_t) (v << 1)) - 1048576.5;
  const double t = w * w;
  double p = -0.0018267642337708191;
  p = fma(p, t, 0.025309221684779816);
  p = fma(p, t, -0.22899503530961604);
  p = fma(p, t, 1.2780131269306598);
  p = fma(p, t, -3.7392087984461582);
  p = fma(p, t, 3.9999999999865805);
  return ds_flip_sign(fma(-w, w, 0.25) * p, v);
}

/* 2^x for |x| <= 1/2. */
DS_FUNC double ds_exp2_fraction(double x)
{
  double p = 4.435280534889737e-10;
  p = fma(p, x, 7.07410569252482e-09);
  p = fma(p, x, 1.0178198036695255e-07);
  p = fma(p, x, 1.3215433089243998e-06);
  p = fma(p, x, 1.5252733489951117e-05);
  p = fma(p, x, 0.00015403530462515234);
  p = fma(p, x, 0.0013333558146789962);
  p = fma(p, x, 0.0096181291075883354);
  p = fma(p, x, 0.055504108664819925);
  p = fma(p, x, 0.24022650695910155);
  p = fma(p, x, 0.69314718055994529);
  return fma(p, x, 1.0);
}

/* log2(1 + f), f in [sqrt(1/2) - 1, sqrt(2) - 1], about 1 ULP: 14th order in z. */
DS_FUNC double ds_log2_1p(double f)
{
  const double z = ds_log_ratio(f);
  const double t = z * z;
  double p = 0.21367087028663401;
  p = fma(p, t, 0.22091185816750353);
  p = fma(p, t, 0.26233440206989456);
  p = fma(p, t, 0.32059853392048648);
  p = fma(p, t, 0.41219858585112057);
  p = fma(p, t, 0.57707801634547018);
  p = fma(p, t, 0.96179669392598977);
  p = fma(p, t, 2.8853900817779268);
  return z * p;
}

/* As ds_log2_partsf. */
DS_FUNC double ds_log2_parts(double a, double *whole)
{
  const uint64_t bits = ds_double_as_ulong(a) - DS_SQRT_HALF_BITS;
  /* the exponent may be negative: its 12 bits, the top one flipped, are exponent + 2048 */
  *whole = ds_ulong_as_double(0x4330000000000000ull | ((bits >> 52) ^ 0x800u)) - 4503599627372544.0;
  return ds_log2_1p(ds_ulong_as_double((bits & DS_MANTISSA_MASK) + DS_SQRT_HALF_BITS) - 1.0);
}

/* log2(a) for normal a > 0, relative error <= 6e-16. */
DS_FUNC double ds_log2(double a)
{
  double whole;
  const double part = ds_log2_parts(a, &whole);
  return whole + part;
}

/* a^b for normal a > 0, b >= 0, b log2(a) < 1023: <= 6 ULP for a in [1e-102,1e102], b in [0,3],
   <= 11 ULP for a in [1e-51,1e51], b in [0,6]. Results below 2^-1021.5 are 0. Alg. 5, the fraction
   of log2(a) centred. */
DS_FUNC double ds_pow(double a, double b)
{
  double whole;
  const double part = ds_log2_parts(a, &whole);
  const double x = b * (whole + part);
  const double shifted = x + DS_ROUND;
  const double n = shifted - DS_ROUND;
  const double r = fma(b, part, fma(b, whole, -n));
  const double scale = ds_ulong_as_double((ds_double_as_ulong(shifted) << 52) + DS_ONE_BITS);
  const uint64_t power = ds_double_as_ulong(ds_exp2_fraction(r) * scale);
  const uint64_t tiny = ds_double_as_ulong(shifted) - ds_double_as_ulong(DS_ROUND) + 1021u;
  return ds_ulong_as_double(power & ((tiny >> 63) - 1u));
}

/* 1/sqrt(x) to 6.3e-7 for normal x > 0. */
DS_FUNC double ds_rsqrt_guess(double x)
{
  const double y = ds_ulong_as_double(0x5FE6A230C7B537A9ull - (ds_double_as_ulong(x) >> 1));
  const double e = fma(-(x * y), y, 1.0);
  double p = fma(0.33834708927368035, e, 0.37535882357924444);
  p = fma(p, e, 0.49995900859559772);
  p = fma(p, e, 0.99999987970672155);
  return y * p;
}

/* 1/sqrt(x) for normal x > 0, <= 1 ULP: one cubic step on the guess. */
DS_FUNC double ds_rsqrt(double x)
{
  const double y = ds_rsqrt_guess(x);
  const double e = fma(-(x * y), y, 1.0);
  return fma(y * e, fma(0.375, e, 0.5), y);
}

/* sqrt(x) for x = 0 (gives 0) and normal x > 0, <= 1 ULP: the same step, taken on x y. */
DS_FUNC double ds_sqrt(double x)
{
  const double y = ds_rsqrt_guess(x);
  const double s = x * y;
  const double e = fma(-s, y, 1.0);
  return fma(s * e, fma(0.375, e, 0.5), s);
}

/* 1/x, correctly rounded. */
DS_FUNC double ds_reciprocal(double x)
{
  return 1.0 / x;
}

#endif
