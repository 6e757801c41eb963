/* test_gaussian.c: distribution, symmetry and independence of the pair noise.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "dpdsop/device/gaussian.h"
#include "dpdsop/device/signature.h"

#define PARTICLES 4473u /* 4473 * 4472 / 2 = 10,001,628 pairs */

static uint32_t *signatures(uint64_t step)
{
  uint32_t *s = malloc(PARTICLES * sizeof *s);
  if (!s) abort();
  for (uint32_t k = 0; k < PARTICLES; k++) s[k] = ds_signature(k + 1u, 0, 0, 0, 4711, step);
  return s;
}

/* Averages of powers of n independent unit normals have the deviations sqrt(m / n) with m = 1, 2,
   15, 96 (variances of x, x^2, x^3, x^4). Bound: 4.5 deviations, exceeded by a good generator once
   in 150,000. The quantiles are counted in 64 classes of equal probability: chi-square with 63
   degrees, which has mean 63 and deviation sqrt(126). Its bound, 63 + 5 sqrt(126), leaves about
   3e-6. */
static void test_distribution(const char *name, double (*draw)(uint32_t, uint32_t),
                              const uint32_t *s)
{
  const double mean[4] = {0, 1, 0, 3}, variance[4] = {1, 2, 15, 96};
  double sum[4] = {0}, largest = 0, n = 0;
  long classes[64] = {0};
  for (uint32_t i = 0; i < PARTICLES; i++) {
    double row[4] = {0};
    for (uint32_t j = i + 1; j < PARTICLES; j++) {
      const double x = draw(s[i], s[j]);
      row[0] += x;
      row[1] += x * x;
      row[2] += x * x * x;
      row[3] += x * x * x * x;
      largest = fmax(largest, fabs(x));
      int c = (int) (32.0 * erfc(-x * 0.70710678118654752));
      classes[c < 0 ? 0 : c > 63 ? 63 : c]++;
    }
    for (int k = 0; k < 4; k++) sum[k] += row[k];
    n += PARTICLES - 1u - i;
  }
  printf("%s, %.0f draws\n", name, n);
  for (int k = 0; k < 4; k++) {
    char what[64];
    sprintf(what, "moment %d, deviations from %g", k + 1, mean[k]);
    CHECK_BOUND(fabs(sum[k] / n - mean[k]) / sqrt(variance[k] / n), 4.5, what);
  }
  double chi2 = 0;
  for (int k = 0; k < 64; k++) chi2 += (classes[k] - n / 64) * (classes[k] - n / 64) / (n / 64);
  CHECK_BOUND(chi2, 63 + 5 * sqrt(126.0), "chi-square of 64 quantiles");
  /* 1e7 normals exceed 4.5 in size with certainty, 6.7 never: u1 >= 2^-32 */
  CHECK(largest > 4.5 && largest < 6.67);
}

static double draw_single(uint32_t a, uint32_t b)
{
  return ds_pair_gaussianf(a, b);
}

static double draw_double(uint32_t a, uint32_t b)
{
  return ds_pair_gaussian(a, b);
}

/* The others that a pair has, for what needs more than one deviate. */
static double draw_sine(uint32_t a, uint32_t b)
{
  float x, y;
  ds_pair_normalsf(a, b, 0, &x, &y);
  return y;
}

static double draw_second(uint32_t a, uint32_t b)
{
  float x, y;
  ds_pair_normalsf(a, b, 1, &x, &y);
  return x;
}

static double draw_second_sine(uint32_t a, uint32_t b)
{
  double x, y;
  ds_pair_normals(a, b, 1, &x, &y);
  return y;
}

/* The two pairs of words of a pair: every bit of one against every bit of the other. Each of the 4,096
   counts is that of a coin; the largest of them leaves 6 deviations once in 120,000. */
static void test_word_numbers(const uint32_t *s)
{
  static int64_t unequal[64][64];
  double worst = 0, n = 0;
  for (uint32_t i = 0; i < 1024; i++)
    for (uint32_t first = 0; first < 1024; first += 64, n += 64) {
      uint64_t bits[2][64] = {{0}, {0}}; /* by bit of the words: of 64 pairs */
      for (uint32_t j = 0; j < 64; j++)
        for (int number = 0; number < 2; number++) {
          uint32_t v1, v2;
          ds_pair_words(s[i], s[1024 + first + j], number, &v1, &v2);
          const uint64_t word = (uint64_t) v1 << 32 | v2;
          for (int k = 0; k < 64; k++) bits[number][k] |= (word >> k & 1u) << j;
        }
      for (int a = 0; a < 64; a++)
        for (int b = 0; b < 64; b++) {
          uint64_t x = bits[0][a] ^ bits[1][b];
          x -= x >> 1 & 0x5555555555555555u; /* how many bits */
          x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
          unequal[a][b] +=
              (int64_t) (((x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u >> 56);
        }
    }
  for (int a = 0; a < 64; a++)
    for (int b = 0; b < 64; b++)
      worst = fmax(worst, fabs(2.0 * (double) unequal[a][b] - n) / sqrt(n));
  CHECK_BOUND(worst, 6.0, "bits of words number 0 and 1, deviations");
}

/* Noise of a pair must not tell anything about that of another pair of the same particle, nor about
   its own in the next step. Products of independent unit normals have mean 0 and deviation 1; sums
   of n of them, sqrt(n). Bound: 4.5 deviations. */
static void test_independence(const uint32_t *now, const uint32_t *next)
{
  double shared = 0, in_time = 0, squares = 0, n = 0;
  for (uint32_t i = 0; i + 1 < PARTICLES; i += 3) {
    double previous = 0;
    for (uint32_t j = i + 1; j < PARTICLES; j++) {
      const double x = ds_pair_gaussianf(now[i], now[j]), y = ds_pair_gaussianf(next[i], next[j]);
      shared += x * previous;
      in_time += x * y;
      squares += (x * x - 1) * (previous * previous - 1) / 2;
      previous = x;
      n++;
    }
  }
  CHECK_BOUND(fabs(shared) / sqrt(n), 4.5, "correlation of (i,j) with (i,j+1), deviations");
  CHECK_BOUND(fabs(squares) / sqrt(n), 4.5, "the same of the squares, deviations");
  CHECK_BOUND(fabs(in_time) / sqrt(n), 4.5,
              "correlation of (i,j) with itself a step later, deviations");

  /* all the noise that one particle feels: n sums of n-1 terms, each of variance n-1. Correlations
     within a row, as of a hash that loses one of its words, would make the sums too wide. Their
     mean square has the relative deviation sqrt(2/n), a little more because each pair is in two
     sums. */
  double wide = 0;
  const double rows = PARTICLES - 1.0;
  for (uint32_t i = 0; i < PARTICLES; i++) {
    double sum = 0;
    for (uint32_t j = 0; j < PARTICLES; j++)
      if (j != i) sum += ds_pair_gaussianf(now[i], now[j]);
    wide += sum * sum / rows;
  }
  CHECK_BOUND(fabs(wide / PARTICLES - 1) / sqrt(2 / rows), 5,
              "width of the sum over a particle's pairs, deviations");
}

static void test_symmetry(const uint32_t *s)
{
  double apart = 0;
  for (uint32_t i = 0; i < 1000; i++)
    for (uint32_t j = 0; j < i; j++) {
      const float x = ds_pair_gaussianf(s[i], s[j]);
      const double y = ds_pair_gaussian(s[i], s[j]);
      CHECK(x == ds_pair_gaussianf(s[j], s[i]) && y == ds_pair_gaussian(s[j], s[i]));
      apart = fmax(apart, fabs(x - y) / (1 + fabs(y)));
    }
  CHECK_BOUND(apart, 5e-7, "single against double, |x - y| / (1 + |y|)");
}

/* Undo 4 rounds, to find pairs of signatures whose first word is zero: the one case the logarithm
   excludes. */
static void test_zero_word(void)
{
  const uint32_t key[4] = DS_TEA_KEY;
  int found = 0;
  for (uint32_t v2 = 0; v2 < 100; v2++) {
    uint32_t a = 0, b = v2, sum = 4u * DS_TEA_DELTA, w1, w2;
    for (int k = 0; k < 4; k++) {
      b -= ((a << 4) + key[2]) ^ (a + sum) ^ ((a >> 5) + key[3]);
      a -= ((b << 4) + key[0]) ^ (b + sum) ^ ((b >> 5) + key[1]);
      sum -= DS_TEA_DELTA;
    }
    if (a > b) continue; /* not an ordered pair */
    found++;
    ds_pair_words(b, a, 0, &w1, &w2);
    CHECK(w1 == 1 && w2 == v2);
    CHECK_NEAR(ds_pair_gaussian(a, b), sqrt(64 * log(2.0)), 1e-9); /* the phase is nearly 0 */
    CHECK_NEAR(ds_pair_gaussianf(a, b), sqrt(64 * log(2.0)), 2e-6);
  }
  CHECK(found > 10);
}

static void test_box_muller(void)
{
  uint64_t seed = 5;
  double error = 0, error_f = 0, sine = 0, sine_f = 0;
  for (int k = 0; k < 1000000; k++) {
    const uint64_t r = check_random(&seed);
    const uint32_t v1 = k < 1000   ? (uint32_t) k + 1u
                        : k < 2000 ? 1000u - (uint32_t) k - 1u
                                   : (uint32_t) r;
    const uint32_t v2 = (uint32_t) (r >> 32);
    if (!v1) continue;
    const double u1 = v1 / 4294967296.0, phase = (v2 & 0x7FFFFFFFu) / 2147483648.0;
    const double radius = sqrt(-2 * log1p(u1 - 1)); /* u1 - 1 is exact */
    const double exact = (v2 >> 31 ? -1 : 1) * radius * cos(3.1415926535897932 * phase);
    error = fmax(error, fabs(ds_box_muller(v1, v2) - exact) / radius);
    error_f = fmax(error_f, fabs(ds_box_mullerf(v1, v2) - exact) / radius);
    CHECK(ds_box_muller(v1, v2 ^ 0x80000000u) == -ds_box_muller(v1, v2));
    const double other = (v2 >> 31 ? -1 : 1) * radius * sin(3.1415926535897932 * phase);
    double a, b;
    float af, bf;
    ds_box_muller_pair(v1, v2, &a, &b);
    ds_box_muller_pairf(v1, v2, &af, &bf);
    CHECK(a == ds_box_muller(v1, v2) && af == ds_box_mullerf(v1, v2));
    sine = fmax(sine, fabs(b - other) / radius);
    sine_f = fmax(sine_f, fabs(bf - other) / radius);
  }
  CHECK_BOUND(sine, 1e-11, "ds_box_muller_pair, sine, error over the radius");
  CHECK_BOUND(sine_f, 4e-7, "ds_box_muller_pairf, sine, error over the radius");
  CHECK_BOUND(error, 3e-11, "ds_box_muller, error over the radius");
  CHECK_BOUND(error_f, 4e-7, "ds_box_mullerf, error over the radius");
}

int main(int argc, char **argv)
{
  check_open(argc, argv);
  uint32_t *now = signatures(1000), *next = signatures(1001);
  CHECK_CASE(test_box_muller());
  CHECK_CASE(test_zero_word());
  CHECK_CASE(test_symmetry(now));
  CHECK_CASE(test_distribution("ds_pair_gaussianf", draw_single, now));
  CHECK_CASE(test_distribution("ds_pair_gaussian", draw_double, now));
  CHECK_CASE(test_distribution("sine of ds_pair_normalsf", draw_sine, now));
  CHECK_CASE(test_distribution("ds_pair_normalsf, number 1", draw_second, now));
  CHECK_CASE(test_distribution("sine of ds_pair_normals, number 1", draw_second_sine, now));
  CHECK_CASE(test_word_numbers(now));
  CHECK_CASE(test_independence(now, next));
  free(now);
  free(next);
  return check_result();
}
