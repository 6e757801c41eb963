/* test_number.c: the laws that make numbers of words, against exact integers and against libm.
   SPDX-License-Identifier: GPL-2.0-or-later

   The inverse normal law is in test_normal_inverse.c. */
#include "check.h"
#include "dpdsop/device/rng/number.h"

enum { WORDS = 1 << 21 };

static const uint32_t edge[] = {0,          1,           2,           31,          32,
                                63,         64,          255,         256,         0xFFFF,
                                0x10000,    0x7FFFFFFFu, 0x80000000u, 0x80000001u, 0xC0000000u,
                                0xFFFFFF00, 0xFFFFFFBFu, 0xFFFFFFC0u, 0xFFFFFFDFu, 0xFFFFFFE0u,
                                0xFFFFFFFE, 0xFFFFFFFFu};
enum { EDGES = (int) (sizeof edge / sizeof edge[0]) };

/* Word k of a sequence that begins with all pairs of the edges. */
static uint32_t word(uint32_t k)
{
  if (k < 2 * EDGES * EDGES) return k & 1 ? edge[k / 2 % EDGES] : edge[k / 2 / EDGES];
  uint32_t a = k, b = 12345;
  const uint32_t key[4] = DS_TEA_KEY;
  ds_tea_encrypt(8, key, &a, &b);
  return a;
}

/* Uniform numbers are integers over a power of two, and a step more for (0,1]: exactly. */
static void test_uniform(void)
{
  long wrong = 0;
  for (uint32_t k = 0; k + 1 < WORDS; k++) {
    const uint32_t a = word(k), b = word(k + 1);
    const float one = ldexpf((float) (a >> 8), -24), left = ldexpf((float) ((a >> 8) + 1), -24);
    const uint64_t both = (uint64_t) (a >> 5) << 26 | b >> 6;
    wrong += ds_uniformf(a) != one || ds_uniform_leftf(a) != left;
    wrong += ds_uniform(a, b) != ldexp((double) both, -53);
    wrong += ds_uniform_left(a, b) != ldexp((double) (both + 1), -53);
    wrong += ds_uniform_scaled(a, 0x1p-32, 0x1p-32) != ldexp((double) a + 1.0, -32);
  }
  CHECK_MSG(wrong == 0, "%ld uniform numbers are wrong", wrong);
  CHECK(ds_uniformf(0) == 0.0f && ds_uniformf(0xFFFFFFFFu) == 1.0f - 0x1p-24f);
  CHECK(ds_uniform_leftf(0) == 0x1p-24f && ds_uniform_leftf(0xFFFFFFFFu) == 1.0f);
  CHECK(ds_uniform(0, 0) == 0.0 && ds_uniform(0xFFFFFFFFu, 0xFFFFFFFFu) == 1.0 - 0x1p-53);
  CHECK(ds_uniform_left(0, 0) == 0x1p-53 && ds_uniform_left(0xFFFFFFFFu, 0xFFFFFFFFu) == 1.0);
}

/* The bounds are those of the logarithm (fastmath.h) and a rounding or two. */
static void test_exponential(void)
{
  double single = 0.0, full = 0.0;
  for (uint32_t k = 0; k < WORDS; k++) {
    const uint32_t a = word(k);
    const double exact = -log((a ? (double) a : 1.0) * 0x1p-32);
    single = fmax(single, fabs(ds_exponentialf(a) / exact - 1.0));
    full = fmax(full, fabs(ds_exponential(a) / exact - 1.0));
  }
  CHECK_BOUND(single, 3.5e-7, "exponential, single: relative error");
  CHECK_BOUND(full, 4.3e-12, "exponential, double: relative error");
  CHECK(ds_exponentialf(0) == ds_exponentialf(1) && ds_exponential(0) == ds_exponential(1));
  CHECK(ds_exponentialf(0) > 22.18f && ds_exponentialf(0) < 22.2f);
  CHECK(ds_exponentialf(0xFFFFFFFFu) > 0.0f && ds_exponential(0xFFFFFFFFu) > 0.0);
}

/* r (cos, sin) of half a turn with the sign of the top bit. Errors over r: those of cosine and sine (fastmath.h),
   half of the logarithm's, and the roundings. */
static void test_normal_pair(void)
{
  const double pi = 3.14159265358979323846;
  double cos_f = 0.0, sin_f = 0.0, cos_d = 0.0, sin_d = 0.0, largest = 0.0;
  for (uint32_t k = 0; k + 1 < WORDS; k++) {
    const uint32_t a = word(k), b = word(k + 1);
    const double r = sqrt(-2.0 * log((a ? (double) a : 1.0) * 0x1p-32));
    const double angle = pi * (double) (b & 0x7FFFFFFFu) * 0x1p-31, sign = b >> 31 ? -1.0 : 1.0;
    const double x = sign * cos(angle), y = sign * sin(angle);
    float xf, yf;
    double xd, yd;
    ds_normal_pairf(a, b, &xf, &yf);
    ds_normal_pair(a, b, &xd, &yd);
    cos_f = fmax(cos_f, fabs(xf / r - x));
    sin_f = fmax(sin_f, fabs(yf / r - y));
    cos_d = fmax(cos_d, fabs(xd / r - x));
    sin_d = fmax(sin_d, fabs(yd / r - y));
    largest = fmax(largest, fmax(fabs(xd), fabs(yd)));
  }
  CHECK_BOUND(cos_f, 5e-7, "normal pair, single, first: error over r");
  CHECK_BOUND(sin_f, 5e-7, "normal pair, single, second: error over r");
  CHECK_BOUND(cos_d, 1.2e-10, "normal pair, double, first: error over r");
  CHECK_BOUND(sin_d, 7e-12, "normal pair, double, second: error over r");
  CHECK(largest > 6.6 && largest < 6.67);
}

int main(int argc, char **argv)
{
  check_open(argc, argv);
  CHECK_CASE(test_uniform());
  CHECK_CASE(test_exponential());
  CHECK_CASE(test_normal_pair());
  return check_result();
}
