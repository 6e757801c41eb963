/* test_fastmath.c: the errors of fastmath.h against long double, held to the bounds stated there.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <stdlib.h>

#include "check.h"
#include "dpdsop/device/bonded.h"
#include "dpdsop/device/fastmath.h"

#if LDBL_MANT_DIG < 64
#error "the references need a long double with at least 64 bits of mantissa"
#endif

static const long double LN2 = 0.693147180559945309417232121458176568L;
static const long double PI = 3.14159265358979323846264338327950288L;

static double larger(double a, double b)
{
  return b > a || b != b ? b : a; /* keeps a NaN */
}

/* |got - exact| in units of the last place of a number of `digits` bits near exact. */
static double ulp_error(long double got, long double exact, int digits)
{
  int exponent;
  frexpl(exact, &exponent);
  return (double) (fabsl(got - exact) / ldexpl(1.0L, exponent - digits));
}

/* Dense at both ends, where logarithm and cosine have their zeros, and in between a stride that is
   prime: 2^21 words at each end and 2^22 between. */
#define WORDS_END (1u << 21)
#define WORDS (2u * WORDS_END + (1u << 22))
static uint32_t word(uint32_t k)
{
  if (k < WORDS_END) return k + 1u;
  if (k < 2u * WORDS_END) return 0u - (k - WORDS_END) - 1u;
  return (k - 2u * WORDS_END) * 1021u + 12345u;
}

static void test_logarithm(void)
{
  double log_error = 0, unit_error = 0, unit_error_f = 0;
  for (uint32_t k = 0; k < WORDS; k++) {
    const uint32_t v = word(k);
    const long double exact = log2l((long double) v);
    const long double unit = -log1pl(-(long double) (0u - v) / 4294967296.0L) / LN2;
    if (v > 1)
      log_error = larger(log_error, (double) fabsl(((long double) ds_log2_u32(v) - exact) / exact));
    unit_error =
        larger(unit_error, (double) fabsl(((long double) ds_neg_log2_unit(v) - unit) / unit));
    unit_error_f =
        larger(unit_error_f, (double) fabsl(((long double) ds_neg_log2_unitf(v) - unit) / unit));
  }
  CHECK_BOUND(log_error, 4.21e-12, "ds_log2_u32, relative");
  CHECK_BOUND(unit_error, 4.22e-12, "ds_neg_log2_unit, relative");
  CHECK_BOUND(unit_error_f, 2.5e-7, "ds_neg_log2_unitf, relative");
  for (int e = 0; e < 32; e++) { /* powers of two have no fraction */
    CHECK(ds_log2_u32(1u << e) == e);
    CHECK(ds_neg_log2_unit(1u << e) == 32 - e);
    CHECK(ds_neg_log2_unitf(1u << e) == (float) (32 - e));
  }
  CHECK(ds_neg_log2_unit(0xFFFFFFFFu) > 0 && ds_neg_log2_unitf(0xFFFFFFFFu) > 0);
}

static void test_cosine(void)
{
  double error = 0, relative = 0, error_f = 0, relative_f = 0;
  long opposite = 0;
  for (uint32_t k = 0; k < WORDS; k++) {
    /* dense around phase 0 with both signs, and around 1/2, where the cosine is zero */
    const uint32_t v = k & 1u ? word(k) ^ 0x40000000u : word(k);
    const long double w = (long double) (int32_t) ((v & 0x7FFFFFFFu) - 0x40000000u) / 2147483648.0L;
    const long double exact = (v >> 31 ? 1 : -1) * sinl(PI * w);
    const double c = ds_cos2pi_u31(v);
    const float cf = ds_cos2pi_u31f(v);
    error = larger(error, (double) fabsl((long double) c - exact));
    error_f = larger(error_f, (double) fabsl((long double) cf - exact));
    if (w != 0) {
      relative = larger(relative, (double) fabsl(((long double) c - exact) / exact));
      relative_f = larger(relative_f, (double) fabsl(((long double) cf - exact) / exact));
    }
    opposite += ds_cos2pi_u31(v ^ 0x80000000u) == -c && ds_cos2pi_u31f(v ^ 0x80000000u) == -cf;
  }
  CHECK_BOUND(error, 2.2e-11, "ds_cos2pi_u31, absolute (paper: 1.10e-10)");
  CHECK_BOUND(relative, 2.2e-11, "ds_cos2pi_u31, relative");
  CHECK_BOUND(error_f, 2e-7, "ds_cos2pi_u31f, absolute");
  CHECK_BOUND(relative_f, 2e-7, "ds_cos2pi_u31f, relative");
  CHECK_INT(opposite, WORDS);
}

/* The sine belongs to the cosine of the same word: both are compared with one angle. */
static void test_sine(void)
{
  double error = 0, relative = 0, error_f = 0, circle = 0, circle_f = 0;
  long opposite = 0;
  for (uint32_t k = 0; k < WORDS; k++) {
    /* dense around phases 0 and 1, where the sine is zero, with both signs, and around 1/2 */
    const uint32_t v = word(k) ^ (k & 2u) << 30 ^ (k % 5u == 0 ? 0x40000000u : 0);
    const uint32_t phase = v & 0x7FFFFFFFu, turned = 0x80000000u - phase; /* pi - angle */
    const long double sign = v >> 31 ? -1 : 1;
    const long double exact = sign * sinl(PI * (phase < turned ? phase : turned) / 2147483648.0L);
    const double s = ds_sin2pi_u31(v), c = ds_cos2pi_u31(v);
    const float sf = ds_sin2pi_u31f(v), cf = ds_cos2pi_u31f(v);
    error = larger(error, (double) fabsl((long double) s - exact));
    error_f = larger(error_f, (double) fabsl((long double) sf - exact));
    if (phase) relative = larger(relative, (double) fabsl(((long double) s - exact) / exact));
    circle = larger(circle, fabs(s * s + c * c - 1));
    circle_f = larger(circle_f, fabs((double) sf * sf + (double) cf * cf - 1));
    opposite += ds_sin2pi_u31(v ^ 0x80000000u) == -s && ds_sin2pi_u31f(v ^ 0x80000000u) == -sf;
  }
  CHECK_BOUND(error, 4e-12, "ds_sin2pi_u31, absolute");
  CHECK_BOUND(relative, 4e-12, "ds_sin2pi_u31, relative");
  CHECK_BOUND(error_f, 2e-7, "ds_sin2pi_u31f, absolute");
  CHECK_BOUND(circle, 4.4e-11, "cosine^2 + sine^2, from 1"); /* 2 cosine^2 2.2e-11 */
  CHECK_BOUND(circle_f, 4e-7, "the same in single precision");
  CHECK_INT(opposite, WORDS);
  CHECK(ds_sin2pi_u31(0) == 0);
}

/* ULP error of ds_pow, a log-uniform in [lo,hi], b uniform in [0,b_max], both ends included. */
static double pow_error(double lo, double hi, double b_max, long count, uint64_t seed)
{
  double error = 0;
  for (long k = 0; k < count; k++) {
    double a = exp(log(lo) + (log(hi) - log(lo)) * check_uniform(&seed));
    double b = b_max * check_uniform(&seed);
    if (k % 1000 == 0) a = k % 2000 ? lo : hi;
    if (k % 1000 == 1) b = k % 2000 == 1 ? b_max : b_max * 0.5;
    if (k % 7 == 0) a = 1.0 + (a > 1 ? 1 : -1) * ldexp(check_uniform(&seed), -(int) (k / 7 % 52));
    error = larger(error, ulp_error(ds_pow(a, b), powl(a, b), 53));
  }
  return error;
}

static double powf_error(double lo, double hi, double b_max, long count, uint64_t seed)
{
  double error = 0;
  for (long k = 0; k < count; k++) {
    float a = (float) exp(log(lo) + (log(hi) - log(lo)) * check_uniform(&seed));
    float b = (float) (b_max * check_uniform(&seed));
    if (k % 1000 == 0) a = (float) (k % 2000 ? lo : hi);
    if (k % 1000 == 1) b = (float) (k % 2000 == 1 ? b_max : b_max * 0.5);
    if (k % 7 == 0) a = (float) (1.0 - ldexp(check_uniform(&seed), -(int) (k / 7 % 24)));
    if (!(a > 0)) a = (float) lo;
    const double exact = pow(a, b);
    const float got = ds_powf(a, b);
    if (exact > 0x1p-125)
      error = larger(error, ulp_error(got, exact, 24));
    else if (exact < 0x1p-126)
      CHECK_MSG(got == 0, "ds_powf(%g, %g) is %g, expected 0", a, b, got);
  }
  return error;
}

static void test_power(void)
{
  CHECK_BOUND(pow_error(1e-102, 1e102, 3, 2000000, 1), 6,
              "ds_pow in ULP, a in [1e-102,1e102], b in [0,3]");
  CHECK_BOUND(pow_error(1e-51, 1e51, 6, 2000000, 2), 11,
              "ds_pow in ULP, a in [1e-51,1e51], b in [0,6]");
  CHECK_BOUND(pow_error(1e-10, 2, 3, 2000000, 3), 4, "ds_pow in ULP, a in [1e-10,2], b in [0,3]");
  CHECK_BOUND(powf_error(1e-10, 2, 3, 4000000, 4), 4, "ds_powf in ULP, a in [1e-10,2], b in [0,3]");
  CHECK_BOUND(powf_error(1e-10, 2, 6, 4000000, 5), 6, "ds_powf in ULP, a in [1e-10,2], b in [0,6]");

  uint64_t seed = 6;
  for (int k = 0; k < 10000; k++) {
    const double a = exp(40 * check_uniform(&seed) - 20), b = 6 * check_uniform(&seed);
    CHECK(ds_pow(a, 0) == 1 && ds_powf((float) a, 0) == 1);
    CHECK(ds_pow(1, b) == 1 && ds_powf(1, (float) b) == 1);
    CHECK_MSG(ulp_error(ds_pow(a, 1), a, 53) <= 2, "ds_pow(%.17g, 1) is %.17g", a, ds_pow(a, 1));
  }
  for (int e = -33; e <= 33; e++) { /* whole exponents have no fraction, whatever the sign */
    CHECK(ds_pow(ldexp(1, e), 3) == ldexp(1, 3 * e));
    CHECK(ds_powf((float) ldexp(1, e), 3) == (float) ldexp(1, 3 * e));
  }
  CHECK(ds_pow(1e-200, 3) == 0 && ds_powf(1e-20f, 3) == 0); /* too small: zero, not garbage */
  CHECK(ds_pow(DBL_MIN, 100) == 0 && ds_powf(FLT_MIN, 100) == 0);
}

/* Guess and steps see only the mantissa and the parity of the exponent, so [1,4) stands for all
   normal numbers; in single precision that is tried one by one. */
static void test_roots_single(void)
{
  double error = 0, root_error = 0;
  long scaled = 0, tried = 0;
  uint64_t seed = 7;
  for (uint32_t bits = 0x3F800000u; bits < 0x40800000u; bits += check_brief() ? 16u : 1u) {
    const float x = ds_uint_as_float(bits), y = ds_rsqrtf(x), s = ds_sqrtf(x);
    const double exact = sqrt((double) x);
    error = larger(error, ulp_error(y, 1.0 / exact, 24));
    root_error = larger(root_error, ulp_error(s, exact, 24));
    if (bits % 16 ==
        0) { /* 4^n x, everything but the lowest exponents, where a residual may be subnormal */
      const int n = (int) (check_random(&seed) % 111u) - 48;
      scaled += ds_rsqrtf(ldexpf(x, 2 * n)) == ldexpf(y, -n) &&
                ds_sqrtf(ldexpf(x, 2 * n)) == ldexpf(s, n);
      tried++;
    }
  }
  CHECK_BOUND(error, 1, "ds_rsqrtf in ULP, every mantissa");
  CHECK_BOUND(root_error, 1, "ds_sqrtf in ULP, every mantissa");
  CHECK_INT(scaled, tried);
  error = root_error = 0;
  for (uint32_t bits = 0x00800000u; bits < 0x10000000u;
       bits += 99u) { /* the lowest normal exponents */
    const float x = ds_uint_as_float(bits);
    error = larger(error, ulp_error(ds_rsqrtf(x), 1.0 / sqrt((double) x), 24));
    root_error = larger(root_error, ulp_error(ds_sqrtf(x), sqrt((double) x), 24));
  }
  CHECK_BOUND(error, 1, "ds_rsqrtf in ULP, smallest numbers");
  CHECK_BOUND(root_error, 1, "ds_sqrtf in ULP, smallest numbers");
  CHECK(ds_sqrtf(0) == 0);
  CHECK(ulp_error(ds_sqrtf(FLT_MAX), sqrt((double) FLT_MAX), 24) <= 1);
}

static void test_roots_double(void)
{
  double error = 0, root_error = 0;
  uint64_t seed = 8;
  for (long k = 0; k < (check_brief() ? 250000 : 4000000); k++) {
    double x = 1.0 + 3.0 * check_uniform(&seed);
    if (k % 4 == 0) x = ldexp(x, (int) (check_random(&seed) % 2040u) - 1020);
    if (k % 64 == 1) x = 1.0 + (double) (k / 64) * DBL_EPSILON;
    if (k % 64 == 2) x = 4.0 - (double) (k / 64 + 1) * 2 * DBL_EPSILON;
    const long double exact = sqrtl(x);
    error = larger(error, ulp_error(ds_rsqrt(x), 1 / exact, 53));
    root_error = larger(root_error, ulp_error(ds_sqrt(x), exact, 53));
  }
  CHECK_BOUND(error, 1, "ds_rsqrt in ULP");
  CHECK_BOUND(root_error, 1, "ds_sqrt in ULP");
  CHECK(ds_sqrt(0) == 0);
  CHECK(ulp_error(ds_sqrt(DBL_MAX), sqrtl(DBL_MAX), 53) <= 1);
  CHECK(ulp_error(ds_sqrt(DBL_MIN), sqrtl(DBL_MIN), 53) <= 1);
}

static void test_bit_access(void)
{
  CHECK_HEX(ds_float_as_uint(-1.5f), 0xBFC00000u);
  CHECK_HEX(ds_double_as_ulong(-1.5), 0xBFF8000000000000u);
  CHECK(ds_uint_as_float(0x40490FDBu) == 3.14159274f);
  CHECK(ds_ulong_as_double(0x400921FB54442D18u) == 3.1415926535897931);
  for (int k = 0; k < 32; k++) {
    CHECK_INT(ds_clz32(0xFFFFFFFFu >> k), k);
    CHECK_INT(ds_clz32(0x80000000u >> k), k);
    CHECK_HEX(ds_brev32(1u << k), 0x80000000u >> k);
  }
  CHECK_HEX(ds_brev32(0x12345678u), 0x1E6A2C48u);
}

/* Over its range, near its ends, where it goes like a root, and near the values at which the formula changes. */
static void test_arc_cosine(void)
{
  double error = 0;
  const double middle[] = {-1.0, -0.5, 0.0, 0.5, 1.0};
  for (int k = -1000000; k <= 1000000; k++) {
    const double x = k * 1e-6;
    if (k != 1000000) error = larger(error, ulp_error(ds_arc_cosine(x), acosl((long double) x), 53));
  }
  for (int m = 0; m < 5; m++)
    for (int e = 1; e < 54; e++)
      for (int sign = -1; sign <= 1; sign += 2) {
        const double x = middle[m] + sign * ldexp(1.0, -e);
        if (fabs(x) < 1.0) error = larger(error, ulp_error(ds_arc_cosine(x), acosl((long double) x), 53));
      }
  CHECK_BOUND(error, 2, "ds_arc_cosine in ULP");
  CHECK_MSG(ds_arc_cosine(1.0) == 0.0 && ds_arc_cosine(-1.0) == acos(-1.0) && ds_arc_cosine(0.0) == acos(0.0),
            "arc cosines of 1, -1, 0: %.17g, %.17g, %.17g", ds_arc_cosine(1.0), ds_arc_cosine(-1.0), ds_arc_cosine(0.0));
}

int main(int argc, char **argv)
{
  check_open(argc, argv);
  CHECK_CASE(test_bit_access());
  CHECK_CASE(test_logarithm());
  CHECK_CASE(test_cosine());
  CHECK_CASE(test_sine());
  CHECK_CASE(test_power());
  CHECK_CASE(test_roots_single());
  CHECK_CASE(test_roots_double());
  CHECK_CASE(test_arc_cosine());
  return check_result();
}
