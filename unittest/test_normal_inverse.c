/* test_normal_inverse.c: errors, symmetry, order and moments of the inverse of the normal distribution.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>

#include "check.h"
#include "dpdsop/device/rng/normal_inverse.h"

#if LDBL_MANT_DIG < 64
#error "the references need a long double with at least 64 bits of mantissa"
#endif

static const long double SQRT_2 = 1.41421356237309504880168872420969808L;
static const long double SQRT_2_PI = 2.50662827463100050241576528481104525L; /* sqrt(2 pi) */

static double larger(double a, double b)
{
  return b > a || b != b ? b : a; /* keeps a NaN */
}

static long double density(long double z)
{
  return expl(-0.5L * z * z) / SQRT_2_PI;
}

/* Relative error of z > 0, given for the word that many steps from an end. The distribution function
   at z is compared with the word, from whichever side does not cancel, and the difference divided
   by the density is what z is off. */
static double error_of(long double z, uint32_t steps)
{
  long double off;
  if (z < 0.5L) { /* the function of the error is the probability of [-z,z] */
    const long double middle = (long double) (0x7FFFFFFFu - steps) + 0.5L;
    off = 0.5L * (erfl(z / SQRT_2) - middle / 2147483648.0L);
  } else
    off = ((long double) steps + 0.5L) / 4294967296.0L - 0.5L * erfcl(z / SQRT_2);
  return (double) fabsl(off / (density(z) * z));
}

typedef struct {
  double error_f, error, fall_f; /* relative */
  long asymmetric, unordered;
} findings;

/* The words of the lower half that are `from`, from + stride, ... steps from the end, and their
   opposites. In double precision the numbers must rise with the words strictly; in single, where
   many words have the same number, they may fall by rounding, which is measured. */
static void sweep(uint32_t from, uint32_t stride, uint32_t count, findings *found)
{
  float least_f = FLT_MAX;
  double previous = DBL_MAX;
  for (uint32_t k = 0; k < count; k++) {
    const uint32_t w = from + k * stride;
    const float z_f = -ds_normal_inversef(w);
    const double z = -ds_normal_inverse(w);
    found->error_f = larger(found->error_f, error_of(z_f, w));
    found->error = larger(found->error, error_of(z, w));
    found->asymmetric += ds_normal_inversef(~w) != z_f || ds_normal_inverse(~w) != z;
    found->unordered += !(z > 0 && z < previous && z_f > 0);
    previous = z;
    if (z_f < least_f)
      least_f = z_f;
    else
      found->fall_f = larger(found->fall_f, (z_f - least_f) / z_f);
  }
}

/* Dense at the end, in the middle, where the tail begins, and where 1 - x^2 passes a power of two,
   since there the logarithm changes its exponent; in between a stride that is prime. */
static void test_errors(void)
{
  findings found = {0, 0, 0, 0, 0};
  sweep(0, 1, 1u << 18, &found);
  sweep(0x80000000u - (1u << 18), 1, 1u << 18, &found);
  sweep(DS_NORMAL_TAIL - (1u << 14), 1, 1u << 15, &found);
  for (int n = 1; n < 20; n++) {
    const double steps = (1 - sqrt(1 - ldexp(1, -n))) * 2147483648.0;
    sweep((uint32_t) steps - (1u << 10), 1, 1u << 11, &found);
  }
  sweep(0, 1049u, 0x80000000u / 1049u, &found);
  CHECK_BOUND(found.error_f, 7e-7, "ds_normal_inversef, relative");
  CHECK_BOUND(found.error, 7e-11, "ds_normal_inverse, relative");
  CHECK_BOUND(found.fall_f, 2.5e-7, "ds_normal_inversef falls between words, relative");
  CHECK_INT(found.asymmetric, 0);
  CHECK_INT(found.unordered, 0);
}

/* 4096 words are 2.4e-6 of z in the middle and more outside, some times the error of a single. */
static void test_rising(void)
{
  long unordered = 0;
  float previous = -FLT_MAX;
  for (uint32_t k = 0; k < 1u << 20; k++) {
    const float z = ds_normal_inversef(4096u * k + 2048u);
    unordered += !(z > previous);
    previous = z;
  }
  CHECK_INT(unordered, 0);
  CHECK(previous > 4.8f && previous < 5.1f); /* 2048 words from the end: 4.94 */
}

/* The result for the nearest word to u, carried from there to u by the slope of the inverse. */
static double quantile(double u)
{
  const uint32_t w = (uint32_t) (u * 4294967296.0);
  const double z = ds_normal_inverse(w);
  return z + (double) ((u - ((long double) w + 0.5L) / 4294967296.0L) / density(z));
}

static double quantile_f(double u)
{
  const uint32_t w = (uint32_t) (u * 4294967296.0);
  const double z = ds_normal_inversef(w);
  return z + (double) ((u - ((long double) w + 0.5L) / 4294967296.0L) / density(z));
}

static void test_quantiles(void)
{
  /* Abramowitz & Stegun 1964, tables 26.5 and 26.6: five decimals, upper tail */
  static const double table[][2] = {
      {0.4, 0.25335},   {0.3, 0.52440},  {0.2, 0.84162},   {0.1, 1.28155},   {0.05, 1.64485},
      {0.025, 1.95996}, {0.01, 2.32635}, {0.005, 2.57583}, {0.001, 3.09023}, {1e-4, 3.71902},
      {1e-5, 4.26489},  {1e-6, 4.75342}, {1e-7, 5.19934}};
  for (unsigned k = 0; k < sizeof table / sizeof table[0]; k++) {
    CHECK_NEAR(-quantile(table[k][0]), table[k][1], 6e-6);
    CHECK_NEAR(-quantile_f(table[k][0]), table[k][1], 9e-6);
    CHECK_NEAR(quantile(1 - table[k][0]), table[k][1], 6e-6);
    CHECK_NEAR(quantile_f(1 - table[k][0]), table[k][1], 9e-6);
  }
  /* Wichura 1988, algorithm AS 241: the numbers given for checking it */
  CHECK_NEAR(quantile(0.25), -0.6744897501960817, 7e-11 * 0.7);
  CHECK_NEAR(quantile(0.001), -3.090232306167814, 7e-11 * 3.1);
  /* the four words around the middle are odd multiples of 2^-33, times sqrt(2 pi) */
  for (int k = -2; k < 2; k++) {
    const double z = (k + 0.5) / 4294967296.0 * 2.5066282746310005;
    CHECK_NEAR(ds_normal_inverse(0x80000000u + (uint32_t) k) / z, 1, 7e-11);
    CHECK_NEAR(ds_normal_inversef(0x80000000u + (uint32_t) k) / z, 1, 7e-7);
  }
  CHECK_NEAR(error_of(ds_normal_inverse(0xFFFFFFFFu), 0), 0, 7e-11); /* the last word */
  CHECK(ds_normal_inverse(0xFFFFFFFFu) > 6.33 && ds_normal_inverse(0xFFFFFFFFu) < 6.34);
}

/* Averages over a regular grid of words, the midpoints of N cells of equal probability, against the
   integrals 1 and 3 of z^2 and z^4. A power of z falls from the end to the middle, so what cell
   after cell is wrong by is, summed up, at most its value at the first cell's inner side, a; in the
   first cell itself the integrals are larger than a^2 / N by less than 2 / N, and than a^4 / N by
   less than (4 a^2 + 6) / N (integrals by parts). Odd moments are zero by symmetry. */
static void test_moments(void)
{
  enum { STRIDE = 256 };
  const double cells = 4294967296.0 / STRIDE, a = -ds_normal_inverse(STRIDE);
  double sum[2][2] = {{0, 0}, {0, 0}};
  for (uint32_t w = STRIDE / 2; w < 0x80000000u; w += STRIDE) {
    const double z[2] = {ds_normal_inversef(w), ds_normal_inverse(w)};
    for (int k = 0; k < 2; k++) {
      sum[k][0] += z[k] * z[k];
      sum[k][1] += z[k] * z[k] * z[k] * z[k];
    }
  }
  const double bound[2] = {2 * (a * a + 2) / cells, 2 * (a * a * a * a + 4 * a * a + 6) / cells};
  for (int k = 0; k < 2; k++) {
    printf("%s precision, %.0f words\n", k ? "double" : "single", cells);
    CHECK_BOUND(fabs(2 * sum[k][0] / cells - 1), bound[0], "mean of z^2, from 1");
    CHECK_BOUND(fabs(2 * sum[k][1] / cells - 3), bound[1], "mean of z^4, from 3");
  }
}

int main(int argc, char **argv)
{
  check_open(argc, argv);
  CHECK_CASE(test_quantiles());
  CHECK_CASE(test_errors());
  CHECK_CASE(test_rising());
  CHECK_CASE(test_moments());
  return check_result();
}
