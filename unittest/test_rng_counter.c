/* test_rng_counter.c: numbers of a seed, a purpose, a step and an id: every bit of these counts, and none makes up for
   another.   SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "in_place.h"
#include "support/rng.h"
#include "support/system.h"

typedef struct {
  uint64_t seed, step, id;
  uint32_t purpose;
} place;

typedef void at_function(const place *p, uint32_t w[4]);

static void philox(const place *p, uint32_t w[4])
{
  ds_philox_at(p->seed, p->purpose, p->step, p->id, w);
}

static void tea(const place *p, uint32_t w[4])
{
  ds_tea_at(p->seed, p->purpose, p->step, p->id, w);
}

/* As ds_tea_at, of fewer rounds. */
static void tea_of(int rounds, const place *p, uint32_t w[4])
{
  for (uint32_t half = 0; half < 2; half++)
    ds_tea_half(rounds, p->seed, p->purpose, p->step, p->id, half, w + 2 * half);
}

static void tea_6(const place *p, uint32_t w[4])
{
  tea_of(6, p, w);
}

static void tea_5(const place *p, uint32_t w[4])
{
  tea_of(5, p, w);
}

/* The bits that ds_tea_at has, which are fewer than those of ds_philox_at. */
enum { SEED = 64, PURPOSE = 16, STEP = 47, ID = 47, INPUTS = SEED + PURPOSE + STEP + ID };

static void flip(place *p, int bit)
{
  if (bit < SEED)
    p->seed ^= (uint64_t) 1 << bit;
  else if ((bit -= SEED) < PURPOSE)
    p->purpose ^= (uint32_t) 1 << bit;
  else if ((bit -= PURPOSE) < STEP)
    p->step ^= (uint64_t) 1 << bit;
  else
    p->id ^= (uint64_t) 1 << (bit - STEP);
}

/* The farthest that any bit of the words, changed by any bit of the input, is from being changed in half of n cases,
   in standard errors. The cases are those of a simulation: small steps and ids. */
static double farthest(at_function *at, int n)
{
  double most = 0.0;
  for (int bit = 0; bit < INPUTS; bit++) {
    int changed[128] = {0};
    for (int k = 0; k < n; k++) {
      place p = {1, (uint64_t) k % 64, (uint64_t) k / 64, DS_PURPOSE_USER};
      uint32_t a[4], b[4];
      at(&p, a);
      flip(&p, bit);
      at(&p, b);
      for (int o = 0; o < 128; o++) changed[o] += (a[o / 32] ^ b[o / 32]) >> (o % 32) & 1u;
    }
    for (int o = 0; o < 128; o++) most = fmax(most, fabs(changed[o] - 0.5 * n) / (0.5 * sqrt(n)));
  }
  return most;
}

/* 174 x 128 comparisons. Where the bit is one of the 12 that the cases themselves have, each pair of cases is counted
   twice and the scatter is larger by the root of 2. The largest of 22,272 normal deviates is beyond 5.5 once in 1,000
   times, and of 1,536 beyond 7.2 / 1.41 once in 1,900. */
static void test_avalanche(void)
{
  const int n = check_brief() ? 1024 : 8192;
  CHECK_BOUND(farthest(philox, n), 7.2, "philox: a bit for a bit, in sigma");
  CHECK_BOUND(farthest(tea, n), 7.2, "tea, 8 rounds: a bit for a bit, in sigma");
  CHECK_BOUND(farthest(tea_6, n), 7.2, "tea, 6 rounds: a bit for a bit, in sigma");
  CHECK(farthest(tea_5, n) > 10.0); /* the test sees what is wrong with fewer */
}

static int compare(const void *a, const void *b)
{
  return memcmp(a, b, 2 * sizeof(uint32_t));
}

static int distance(const uint32_t a[4], const uint32_t b[4])
{
  int bits = 0;
  for (int o = 0; o < 128; o++) bits += (a[o / 32] ^ b[o / 32]) >> (o % 32) & 1u;
  return bits;
}

/* No change of two bits of the input is undone by another, as TEA has pairs of keys that are the same, and others that
   are the same to few rounds: after it no half of the four words is one that was there before, and in the mean over
   n cases half of the bits are others. Of 15,051 normal deviates one is beyond 5.5 once in 1,700 times. */
static void test_pairs_of_bits(at_function *at, const char *name)
{
  const int n = check_brief() ? 20 : 200;
  int same = 0;
  double most = 0.0;
  for (int i = 0; i < INPUTS; i++)
    for (int j = 0; j < i; j++) {
      int bits = 0;
      for (int k = 0; k < n; k++) {
        place p = {20100611, 1000 + (uint64_t) k, 7 * (uint64_t) k, DS_PURPOSE_USER};
        uint32_t a[4], b[4];
        at(&p, a);
        flip(&p, i);
        flip(&p, j);
        at(&p, b);
        bits += distance(a, b);
        for (int half = 0; half < 4; half++)
          same += compare(a + (half & 2), b + 2 * (half & 1)) == 0;
      }
      most = fmax(most, fabs(bits - 64.0 * n) / sqrt(32.0 * n));
    }
  CHECK_MSG(same == 0, "%s: %d changes of two bits give the same words", name, same);
  char what[64];
  snprintf(what, sizeof what, "%s: two bits for a bit, in sigma", name);
  CHECK_BOUND(most, 5.5, what);
}

/* Particles of many steps under two purposes, and the array of the same seed: no block of four words is there twice. */
static void test_apart(at_function *at, const char *name)
{
  enum { STEPS = 50, IDS = 2000, N = 2 * STEPS * IDS, BULK = 100000 };
  ds_rng_options o = rng_plain(name, 4357, 0);
  o.rounds = DS_TEA_ROUNDS;
  uint32_t *bulk = rng_words(&o, 2 * BULK), (*w)[2] = test_alloc((N + BULK) * sizeof *w);
  int n = 0, same = 0;
  for (uint64_t step = 0; step < STEPS; step++)
    for (uint64_t id = 0; id < IDS; id++)
      for (uint32_t k = 0; k < 2; k++) {
        const place p = {4357, step, id, k ? DS_PURPOSE_USER : DS_PURPOSE_SOP};
        uint32_t four[4];
        at(&p, four);
        memcpy(w[n++], four, sizeof w[0]);
      }
  memcpy(w[n], bulk, BULK * sizeof w[0]);
  qsort(w, N + BULK, sizeof *w, compare);
  for (int k = 1; k < N + BULK; k++) same += compare(w[k - 1], w[k]) == 0;
  CHECK_MSG(same == 0, "%s: %d of %d pairs of words are there twice", name, same, N + BULK);
  free(bulk);
  free(w);
}

/* Purpose 0 is that of the arrays. */
static void test_bulk(void)
{
  for (uint64_t block = 0; block < 100; block++) {
    uint32_t a[4], b[4];
    ds_philox_block(9, block, a);
    ds_philox_at(9, DS_PURPOSE_BULK, 0, block, b);
    CHECK(memcmp(a, b, sizeof a) == 0);
    ds_tea_block(9, DS_TEA_ROUNDS, block, a);
    ds_tea_at(9, DS_PURPOSE_BULK, 0, block, b);
    CHECK(memcmp(a, b, 2 * sizeof *a) == 0);
  }
}

/* ---------------------------------------------------------------------------------- normal numbers */

/* Three of four words are those of gaussian.h, words of 0 among them. */
static void test_normal_bits(void)
{
  uint64_t random = 5;
  for (int k = 0; k < 100000; k++) {
    uint32_t w[4];
    float x[3], f[4];
    double y[3], d[4];
    for (int c = 0; c < 4; c++) w[c] = (uint32_t) (check_random(&random) >> 16);
    if (k < 16)
      for (int c = 0; c < 4; c++) w[c] = k >> c & 1 ? w[c] : 0;
    ds_normal3f(w, x);
    ds_normal3(w, y);
    for (int c = 0; c < 4; c += 2) {
      const uint32_t first = w[c] ? w[c] : 1u;
      ds_box_muller_pairf(first, w[c + 1], f + c, f + c + 1);
      ds_box_muller_pair(first, w[c + 1], d + c, d + c + 1);
    }
    CHECK(memcmp(x, f, sizeof x) == 0 && memcmp(y, d, sizeof y) == 0);
  }
}

/* Means, variances and correlations of the numbers of STEPS steps of IDS particles, of each with the two others of
   its particle, with its own a step before, and with that of the particle before. A mean of n products of normal
   numbers has the standard error 1 / sqrt(n), that of a square sqrt(2 / n). Beyond 4.5 is one in 150,000; here are
   30. */
static void test_normal_moments(at_function *at, const char *name)
{
  enum { STEPS = 300, IDS = 1000, N = STEPS * IDS };
  float(*x)[3] = test_alloc(N * sizeof *x);
  double mean[3] = {0}, square[3] = {0}, other[3] = {0}, before[3] = {0}, beside[3] = {0}, most = 0;
  for (int k = 0; k < N; k++) {
    const place p = {20100611, (uint64_t) (k / IDS), (uint64_t) (k % IDS), DS_PURPOSE_SOP};
    uint32_t w[4];
    at(&p, w);
    ds_normal3f(w, x[k]);
    for (int c = 0; c < 3; c++) {
      mean[c] += x[k][c];
      square[c] += x[k][c] * x[k][c] - 1.0;
      if (k >= IDS) before[c] += x[k][c] * x[k - IDS][c];
      if (k > 0) beside[c] += x[k][c] * x[k - 1][c];
    }
    for (int c = 0; c < 3; c++) other[c] += x[k][c] * x[k][(c + 1) % 3];
  }
  for (int c = 0; c < 3; c++) {
    const double sums[] = {mean[c], square[c] / sqrt(2.0), other[c], before[c], beside[c]};
    for (int k = 0; k < 5; k++) most = fmax(most, fabs(sums[k]) / sqrt(N));
  }
  char what[64];
  snprintf(what, sizeof what, "%s: moments of normal numbers, in sigma", name);
  CHECK_BOUND(most, 4.5, what);
  free(x);
}

int main(int argc, char **argv)
{
  check_open(argc, argv);
  CHECK_CASE(test_avalanche());
  CHECK_CASE(test_pairs_of_bits(philox, "philox"));
  CHECK_CASE(test_pairs_of_bits(tea, "tea"));
  CHECK_CASE(test_apart(philox, "philox"));
  CHECK_CASE(test_apart(tea, "tea"));
  CHECK_CASE(test_bulk());
  CHECK_CASE(test_normal_bits());
  CHECK_CASE(test_normal_moments(philox, "philox"));
  CHECK_CASE(test_normal_moments(tea, "tea"));
  return check_result();
}
