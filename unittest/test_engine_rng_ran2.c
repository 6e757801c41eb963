/* test_engine_rng_ran2.c: Ran2 against the GNU Scientific Library and against the algorithm written down in
   another way.   SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "dpdsop/device/rng/ran2.h"
#include "support/rng.h"
#include "support/system.h"

enum { STREAMS = 300, ROWS = 200, WORDS = 3 + DS_RAN2_TABLE };

static const int64_t M1 = 2147483563, M2 = 2147483399;

/* The integers of ran2 as the GNU Scientific Library 2.7 makes them: gsl_rng_ran2 with the seed s, which is idum = -s,
   numbers 1 to 4 and 10000. The first three of s = 1, divided by M1, are 0.285380, 0.253358 and 0.093468. */
static void test_known_answers(void)
{
  static const struct {
    uint32_t seed;
    uint32_t first[4], last;
  } known[] = {{1, {612850790, 544082547, 200722134, 1306737071}, 1701364455},
               {2, {890935924, 2124877546, 1662644596, 505766634}, 1242715999},
               {123456789, {575679427, 1806240376, 933561900, 726064896}, 866878175}};
  static const double u[3] = {0.285380, 0.253358, 0.093468};
  for (int k = 0; k < 3; k++)
    for (int stride = 1; stride <= 7; stride += 3) {
      uint32_t table[7 * DS_RAN2_TABLE];
      ds_ran2_core g;
      ds_ran2_core_set(&g, table, stride, known[k].seed, known[k].seed);
      for (int n = 1; n <= 10000; n++) {
        const uint32_t w = ds_ran2_core_next(&g, table, stride);
        if (n <= 4) CHECK_HEX(w, 2 * known[k].first[n - 1]);
        if (n <= 3 && k == 0) CHECK_NEAR(w / (2.0 * (double) M1), u[n - 1], 1e-6);
        if (n == 10000) CHECK_HEX(w, 2 * known[k].last);
      }
    }
}

/* The algorithm with 64-bit remainders: one state as it is saved, x1, x2, y and the table. */
static int64_t plain(int64_t state[WORDS])
{
  int64_t *const x1 = state, *const x2 = state + 1, *const y = state + 2, *const table = state + 3;
  const int64_t divisor = 1 + (M1 - 1) / 32;
  *x1 = *x1 * 40014 % M1;
  *x2 = *x2 * 40692 % M2;
  const int64_t j = *y / divisor;
  *y = table[j] - *x2;
  if (*y < 1) *y += M1 - 1;
  table[j] = *x1;
  return *y;
}

/* Two words that are no legal states become such, the others stay, and the table is filled as printed. */
static void test_seeds(void)
{
  static const uint32_t seeds[] = {0,           1,           2,           2147483398u, 2147483399u,
                                   2147483400u, 2147483562u, 2147483563u, 2147483564u, 4294967295u};
  for (int k = 0; k < 10; k++) {
    uint32_t table[DS_RAN2_TABLE];
    int64_t x = seeds[k] % M1 ? seeds[k] % M1 : 1;
    ds_ran2_core g;
    ds_ran2_core_set(&g, table, 1, seeds[k], seeds[k]);
    CHECK_INT(g.x2, seeds[k] % M2 ? seeds[k] % M2 : 1);
    for (int j = DS_RAN2_TABLE + 7; j >= 0; j--) {
      x = x * 40014 % M1;
      if (j < DS_RAN2_TABLE) CHECK_INT(table[j], x);
    }
    CHECK_INT(g.x1, x);
    CHECK_INT(g.y, x);
  }
}

/* Steps at the ends of the range, where a x has 47 bits. */
static void test_steps(void)
{
  uint64_t state = 3;
  for (int k = 0; k < 10000; k++) {
    const uint32_t near_end = k < 100 ? (uint32_t) k : (uint32_t) (check_random(&state) >> 34);
    const uint32_t x1 = (uint32_t) (k & 1 ? near_end % (M1 - 1) + 1 : M1 - 1 - near_end % (M1 - 1));
    const uint32_t x2 = (uint32_t) (k & 1 ? near_end % (M2 - 1) + 1 : M2 - 1 - near_end % (M2 - 1));
    CHECK_INT(ds_ran2_step(x1, 40014, DS_RAN2_M1), (int64_t) x1 * 40014 % M1);
    CHECK_INT(ds_ran2_step(x2, 40692, DS_RAN2_M2), (int64_t) x2 * 40692 % M2);
  }
}

/* The difference modulo M1 - 1, where 0 counts as M1 - 1. */
static void test_combination(void)
{
  CHECK_INT(ds_ran2_combine(5, 4), 1);
  CHECK_INT(ds_ran2_combine(5, 5), M1 - 1);
  CHECK_INT(ds_ran2_combine(5, 6), M1 - 2);
  CHECK_INT(ds_ran2_combine((uint32_t) M1 - 1, 1), M1 - 2);
  CHECK_INT(ds_ran2_combine(1, (uint32_t) M2 - 1), M1 - M2 + 1);
  CHECK_INT(ds_ran2_where(1), 0);
  CHECK_INT(ds_ran2_where(67108861), 0);
  CHECK_INT(ds_ran2_where(67108862), 1);
  CHECK_INT(ds_ran2_where((uint32_t) M1 - 1), 31);
}

static int compare(const void *a, const void *b)
{
  return memcmp(a, b, 2 * sizeof(uint32_t));
}

#define SEED 0xB00000007ull

static void check_streams(const uint32_t *saved, const uint32_t *w, const double *u)
{
  static uint32_t pairs[STREAMS][2];
  for (int s = 0; s < STREAMS; s++) {
    int64_t state[WORDS];
    for (int j = 0; j < WORDS; j++) {
      state[j] = saved[j * STREAMS + s];
      CHECK(state[j] >= 1 && state[j] < (j == 1 ? M2 : M1));
    }
    for (int j = 0; j < 2; j++) pairs[s][j] = (uint32_t) state[j];
    uint32_t table[DS_RAN2_TABLE];
    ds_ran2_core g;
    ds_ran2_core_set(&g, table, 1, rng_seed_word(SEED, 2 * (uint64_t) s),
                     rng_seed_word(SEED, 2 * (uint64_t) s + 1));
    CHECK(g.x1 == state[0] && g.x2 == state[1] && g.y == state[2]);
    for (int j = 0; j < DS_RAN2_TABLE; j++) CHECK_HEX(state[3 + j], table[j]);
    for (int i = 0; i < ROWS; i++) {
      const int64_t y = plain(state);
      CHECK_HEX(w[i * STREAMS + s], 2 * y);
      CHECK_NEAR(u[i * STREAMS + s] * (double) M1, y, 1e-15 * (double) M1);
      CHECK(u[i * STREAMS + s] > 0.0 && u[i * STREAMS + s] < 1.0);
    }
  }
  qsort(pairs, STREAMS, sizeof pairs[0], compare);
  for (int s = 1; s < STREAMS; s++) CHECK(compare(pairs[s - 1], pairs[s]) != 0);
}

/* Words and doubles of every stream are those that follow its saved first state: y and y / M1. */
static void test_streams(const rng_variants *v)
{
  enum { COUNT = STREAMS * ROWS };
  for (int k = 0; k < v->n; k++)
    for (int left = 0; left < 2; left++) {
      ds_rng_options o = v->options[k];
      ds_error err;
      double *u = test_alloc(COUNT * sizeof *u);
      o.generator = "ran2";
      o.seed = SEED;
      o.width = STREAMS;
      uint32_t *w = rng_words(&o, COUNT), *saved = rng_first_state(&o, WORDS * STREAMS);
      ds_rng *r = rng_open(&o);
      CHECK(ds_rng_fill(r, left ? DS_UNIFORM_LEFT : DS_UNIFORM, DS_F64, DS_SPACE_HOST, u, COUNT,
                        &err) == DS_OK);
      check_streams(saved, w, u);
      ds_rng_close(r);
      free(saved);
      free(w);
      free(u);
    }
}

int main(int argc, char **argv)
{
  rng_variants v;
  const int skip = rng_variants_open(&v, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_known_answers());
  CHECK_CASE(test_seeds());
  CHECK_CASE(test_steps());
  CHECK_CASE(test_combination());
  CHECK_CASE(test_streams(&v));
  CHECK_CASE(rng_conformance(&v, "ran2", 1, 0, 3000, 1));
  CHECK_CASE(rng_conformance(&v, "ran2", 1003, 0, 20, 1));
  CHECK_CASE(rng_conformance(&v, "ran2", 6000, 0, 6, 1));
  return check_result();
}
