/* test_engine_rng_sobol.c: Sobol points against published ones and what is known of them, skipping and striding
   against eq. 3 of Bradley et al., arrays against single points.   SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "dpdsop/device/rng/sobol.h"
#include "support/rng.h"
#include "support/system.h"

enum { DIMENSIONS = DS_SOBOL_DIMENSIONS, BITS = DS_SOBOL_BITS };

static uint32_t m[DIMENSIONS][BITS]; /* all direction numbers */

/* ---------------------------------------------------------------------------------- known answers */

/* The first ten points in three dimensions as the program of Joe & Kuo prints them (scipy, too). */
static const double FIRST[10][3] = {
    {0.0, 0.0, 0.0},          {0.5, 0.5, 0.5},         {0.75, 0.25, 0.25},    {0.25, 0.75, 0.75},
    {0.375, 0.375, 0.625},    {0.875, 0.875, 0.125},   {0.625, 0.125, 0.875}, {0.125, 0.625, 0.375},
    {0.1875, 0.3125, 0.9375}, {0.6875, 0.8125, 0.4375}};

/* scipy 1.17.1, qmc.Sobol(d, scramble=False, bits=32) after fast_forward(point), times 2^32. */
enum { SOME = 7 };
static const int OF_DIMENSION[SOME] = {1, 2, 3, 128, 1000, 10000, 21201}; /* counted from 1 */

typedef struct {
  uint32_t point, word[SOME];
} row;

static const row SCIPY[] = {
    {1,
     {0x80000000u, 0x80000000u, 0x80000000u, 0x80000000u, 0x80000000u, 0x80000000u, 0x80000000u}},
    {2,
     {0xC0000000u, 0x40000000u, 0x40000000u, 0x40000000u, 0xC0000000u, 0x40000000u, 0xC0000000u}},
    {3,
     {0x40000000u, 0xC0000000u, 0xC0000000u, 0xC0000000u, 0x40000000u, 0xC0000000u, 0x40000000u}},
    {1000,
     {0x38400000u, 0x18C00000u, 0x84C00000u, 0x8B400000u, 0x33400000u, 0x6EC00000u, 0x15400000u}},
    {4095,
     {0x00100000u, 0xF0F00000u, 0x55900000u, 0x42F00000u, 0x4EF00000u, 0x11B00000u, 0xE6100000u}},
    {1000003,
     {0x46C71000u, 0x8FD9F000u, 0x13F79000u, 0x755D1000u, 0x0A2D7000u, 0x4CFCD000u, 0x84673000u}}};

/* In the first three dimensions. */
static const row SCIPY_FAR[] = {{16777215u, {0x00000100u, 0xFF00FF00u, 0x5555C500u}},
                                {2147495993u, {0xA4140003u, 0x85695555u, 0x620CBBBBu}},
                                {4294967295u, {0x00000001u, 0xFFFFFFFFu, 0xC5005555u}}};

static void test_known_answers(void)
{
  for (uint32_t n = 0; n < 10; n++)
    for (int d = 0; d < 3; d++)
      CHECK_NEAR(ds_sobol_word(m[d], n) * DS_SOBOL_SCALE, FIRST[n][d], 0.0);
  for (size_t k = 0; k < sizeof SCIPY / sizeof SCIPY[0]; k++)
    for (int c = 0; c < SOME; c++)
      CHECK_HEX(ds_sobol_word(m[OF_DIMENSION[c] - 1], SCIPY[k].point), SCIPY[k].word[c]);
  for (size_t k = 0; k < sizeof SCIPY_FAR / sizeof SCIPY_FAR[0]; k++)
    for (int d = 0; d < 3; d++)
      CHECK_HEX(ds_sobol_word(m[d], SCIPY_FAR[k].point), SCIPY_FAR[k].word[d]);
}

/* ------------------------------------------------------------------------------ direction numbers */

/* FNV-1a, word by word, over the 21201 x 32 numbers that scipy 1.17.1 has for bits=32. */
#define SCIPY_DIGEST 0xE8A61DC3041AEC02ull

static void test_table(void)
{
  ds_error err;
  uint32_t other[BITS];
  uint64_t digest = 0xCBF29CE484222325ull;
  long wrong = 0;
  for (int d = 0; d < DIMENSIONS; d++)
    for (int i = 1; i <= BITS; i++) {
      const uint32_t v = m[d][i - 1];
      digest = (digest ^ v) * 0x100000001B3ull;
      /* the odd number below 2^i, at the upper end of the word */
      wrong += i < BITS && v << i != 0;
      wrong += (v >> (BITS - i)) % 2 != 1;
    }
  CHECK_INT(wrong, 0);
  CHECK_HEX(digest, SCIPY_DIGEST);
  CHECK(ds_sobol_directions(-1, other, &err) == DS_ERR_ARGUMENT);
  CHECK(ds_sobol_directions(DIMENSIONS, other, &err) == DS_ERR_ARGUMENT &&
        strstr(err.text, "21200"));
}

/* The first bits of the direction numbers follow a recurrence of the order of the polynomial's degree: shortest one by
   Berlekamp & Massey. Returns its length; x[i] is the sum of c[k] x[i - k], k = 1 ... length. */
static int shortest_recurrence(const uint8_t x[BITS], uint8_t c[BITS + 1])
{
  uint8_t b[BITS + 1] = {1}, old[BITS + 1];
  int length = 0, since = 1;
  memset(c, 0, BITS + 1);
  c[0] = 1;
  for (int i = 0; i < BITS; i++, since++) {
    int sum = 0;
    for (int k = 0; k <= length; k++) sum ^= c[k] & x[i - k];
    if (!sum) continue;
    memcpy(old, c, sizeof old);
    for (int k = since; k <= BITS; k++) c[k] ^= b[k - since];
    if (2 * length > i) continue;
    length = i + 1 - length;
    memcpy(b, old, sizeof b);
    since = 0;
  }
  return length;
}

/* Sobol's property A in d dimensions: the matrix of the first bits of m_1 ... m_d in these dimensions is regular,
   so that 2^d points have one in each of the cubes of half the size. Joe & Kuo have made sure of it for 1111
   dimensions, which are all those with polynomials up to degree 13, and no further. */
static void test_property_a(void)
{
  enum { LIMIT = 1112, WORDS = (LIMIT + 63) / 64 };
  static uint64_t rows[LIMIT][WORDS];
  int regular = 0;
  for (int d = 0; d < LIMIT; d++) {
    uint8_t x[LIMIT], c[BITS + 1];
    for (int i = 0; i < BITS; i++) x[i] = (uint8_t) (m[d][i] >> 31);
    const int length = shortest_recurrence(x, c);
    CHECK_MSG(length <= 14, "dimension %d: recurrence of order %d", d + 1, length);
    for (int i = BITS; i < LIMIT; i++) {
      x[i] = 0;
      for (int k = 1; k <= length; k++) x[i] ^= c[k] & x[i - k];
    }
    for (int i = 0; i < LIMIT; i++) rows[d][i / 64] |= (uint64_t) x[i] << i % 64;
    if (regular < d) continue;
    for (int j = 0; j < d; j++) /* all pivots so far are on the diagonal */
      if (rows[d][j / 64] >> j % 64 & 1)
        for (int k = 0; k < WORDS; k++) rows[d][k] ^= rows[j][k];
    regular += (int) (rows[d][d / 64] >> d % 64 & 1);
  }
  CHECK_INT(regular, 1111);
}

/* In every dimension, 2^k points from a multiple of 2^k on are one in each interval of length 2^-k. */
static void test_intervals(void)
{
  enum { LOG = 9, POINTS = 1 << LOG };
  uint64_t random = 3;
  long empty = 0;
  for (int d = 0; d < DIMENSIONS; d++)
    for (int far = 0; far < 2; far++) {
      static uint8_t seen[POINTS];
      const uint32_t first = far ? (uint32_t) check_random(&random) & ~(POINTS - 1u) : 0;
      ds_sobol g;
      memset(seen, 0, sizeof seen);
      ds_sobol_set(&g, m[d], first);
      for (int k = 0; k < POINTS; k++) seen[ds_sobol_next(&g) >> (BITS - LOG)] = 1;
      for (int k = 0; k < POINTS; k++) empty += !seen[k];
    }
  CHECK_INT(empty, 0);
}

/* ------------------------------------------------------------------------------ stepping, skipping */

/* Eq. 3 as printed: f(n), and the bits of the Gray code one by one. */
static int place_of_zero(uint32_t n)
{
  int f = 1;
  while (n & 1) n >>= 1, f++;
  return f;
}

static uint32_t word_of(const uint32_t *of, uint32_t n)
{
  uint32_t y = 0;
  for (int i = 1; i <= BITS; i++)
    if ((n >> (i - 1) ^ (i < BITS ? n >> i : 0)) & 1) y ^= of[i - 1];
  return y;
}

static void test_steps(void)
{
  uint64_t random = 4;
  long wrong = 0;
  CHECK_INT(ds_sobol_zero(0), 0);
  CHECK_INT(ds_sobol_zero(7), 3);
  CHECK_INT(ds_sobol_zero(0x7FFFFFFFu), 31);
  CHECK_INT(ds_sobol_zero(0xFFFFFFFFu), 31);
  for (int k = 0; k < 20000; k++) {
    const uint64_t r = check_random(&random);
    const uint32_t *of = m[k < 30 ? k : (int) (r % DIMENSIONS)];
    const uint32_t n = (uint32_t) (r >> 32) >> (k % 4 == 0 ? k / 4 % 32 : 0);
    const int p = 1 + k % 31;
    ds_sobol g;
    ds_sobol_set(&g, of, n);
    wrong += g.y != word_of(of, n);
    if (n != UINT32_MAX) wrong += word_of(of, n + 1) != (g.y ^ of[place_of_zero(n) - 1]);
    for (uint32_t c = 0; c < 9; c++) wrong += ds_sobol_next(&g) != word_of(of, n + c);
    ds_sobol_skip(&g, (uint32_t) r);
    wrong += ds_sobol_next(&g) != word_of(of, n + 9 + (uint32_t) r);
    ds_sobol_set(&g, of, n);
    for (uint32_t c = 0; c < 9; c++)
      wrong += ds_sobol_stride(&g, p) != word_of(of, n + (c << p)); /* some pass the last point */
    wrong += g.n != n + ((uint32_t) 9 << p);
  }
  CHECK_INT(wrong, 0);
}

/* ------------------------------------------------------------------------------------ the object */

static ds_rng *open_as(const ds_rng_options *variant, int64_t width, int64_t pieces)
{
  ds_rng_options o = *variant;
  o.generator = "sobol";
  o.width = width;
  return rng_open_pieces(&o, pieces);
}

/* Points first to first + n - 1 as words and as numbers of both sizes, each from a new start: what is made in vectors
   and what is not depends on n, the position and the size. */
static void check_array(const ds_rng_options *variant, int width, uint32_t first, size_t n,
                        int64_t pieces)
{
  const size_t all = (size_t) width * n;
  uint32_t *w = test_alloc(all * 4);
  float *f = test_alloc(all * 4);
  double *x = test_alloc(all * 8);
  ds_error err;
  ds_rng *r = open_as(variant, width, pieces), *rf = open_as(variant, width, pieces),
         *rx = open_as(variant, width, pieces);
  CHECK_OK(ds_rng_skip(r, first, 0, &err), err);
  CHECK_OK(ds_rng_skip(rf, first, 0, &err), err);
  CHECK_OK(ds_rng_skip(rx, first, 0, &err), err);
  CHECK_OK(ds_rng_fill(r, DS_WORDS, DS_I32, DS_SPACE_HOST, w, all, &err), err);
  CHECK_OK(ds_rng_fill(rf, DS_UNIFORM_LEFT, DS_F32, DS_SPACE_HOST, f, all, &err), err);
  CHECK_OK(ds_rng_fill(rx, DS_UNIFORM, DS_F64, DS_SPACE_HOST, x, all, &err), err);
  size_t wrong = 0, wrong_f = 0, wrong_x = 0;
  for (int d = 0; d < width; d++)
    for (size_t i = 0; i < n; i++) {
      const size_t k = (size_t) d * n + i;
      const uint32_t y = word_of(m[d], first + (uint32_t) i);
      wrong += w[k] != y;
      wrong_f += f[k] != (float) ((y >> 8) + 1) / 16777216.0f;
      wrong_x += x[k] != y / 4294967296.0;
    }
  CHECK_MSG(wrong + wrong_f + wrong_x == 0,
            "%d dimensions, points %u + %zu, %d pieces: %zu words, %zu float, %zu double differ",
            width, first, n, (int) pieces, wrong, wrong_f, wrong_x);
  ds_rng_close(r);
  ds_rng_close(rf);
  ds_rng_close(rx);
  free(w);
  free(f);
  free(x);
}

static void test_arrays(const ds_rng_options *variant)
{
  static const struct {
    int width;
    uint32_t first;
    size_t n;
  } some[] = {{1, 0, 1},
              {1, 0, 70000},
              {3, 0, 65536},
              {3, 8, 65536 + 12},
              {3, 5, 50001},
              {7, 4, 4096},
              {7, 64, 4100},
              {2, 123, 100000},
              {5, 123456, 12},
              {5, 2, 128},
              {130, 8, 33},
              {130, 6, 36},
              {300, 96, 1000},
              {21201, 0, 3},
              {21201, 1000000, 4},
              {2, 0u - 1000u, 1000},
              {2, 0u - 4099u, 4099},
              {2, 0x7FFFFF00u, 1024}};
  static const int64_t pieces[] = {0, 1, 2, 3, 64, 1000, 1 << 20};
  for (size_t k = 0; k < sizeof some / sizeof some[0]; k++)
    for (int p = 0; p < 7; p++)
      if ((size_t) some[k].width * (size_t) pieces[p] < 200000 || some[k].n > 50000)
        check_array(variant, some[k].width, some[k].first, some[k].n, pieces[p]);
  /* every way in which rows and rounds can lie to each other */
  for (int n = 1; n < 300; n += n < 140 ? 1 : 13)
    for (uint32_t first = 0; first < 9; first += 1 + first / 4 * 3)
      check_array(variant, 5, first + (uint32_t) n % 2 * 120, (size_t) n, n % 3);
  /* rows of several rounds for each warp in the number of warps that nobody asks for */
  check_array(variant, 33, 1 << 20, 70000, 0);
}

static void test_end(const ds_rng_options *variant)
{
  uint32_t w[8];
  ds_error err;
  ds_rng *r = open_as(variant, 2, 0);
  CHECK(ds_rng_skip(r, 1, 32, &err) == DS_ERR_ARGUMENT);
  CHECK(ds_rng_skip(r, 3, 31, &err) == DS_ERR_ARGUMENT);
  CHECK_OK(ds_rng_skip(r, 1, 31, &err), err);
  CHECK(ds_rng_skip(r, (1u << 31) + 1u, 0, &err) == DS_ERR_ARGUMENT);
  CHECK_OK(ds_rng_skip(r, (1u << 31) - 3u, 0, &err), err);
  CHECK(ds_rng_fill(r, DS_WORDS, DS_I32, DS_SPACE_HOST, w, 8, &err) == DS_ERR_ARGUMENT);
  CHECK_MSG(strstr(err.text, "it has 3 left of 2^32") != NULL, "%s", err.text);
  CHECK(ds_rng_fill(r, DS_WORDS, DS_I32, DS_SPACE_HOST, w, 5, &err) == DS_ERR_ARGUMENT);
  CHECK_OK(ds_rng_fill(r, DS_WORDS, DS_I32, DS_SPACE_HOST, w, 6, &err), err);
  for (int k = 0; k < 6; k++) CHECK_HEX(w[k], word_of(m[k / 3], 0xFFFFFFFDu + (uint32_t) k % 3));
  CHECK(ds_rng_fill(r, DS_WORDS, DS_I32, DS_SPACE_HOST, w, 2, &err) == DS_ERR_ARGUMENT);
  CHECK_OK(ds_rng_skip(r, 0, 0, &err), err);
  ds_rng_close(r);
}

static void test_options(const ds_rng_options *variant)
{
  static const int64_t bad[] = {-1, DIMENSIONS + 1, INT64_MAX};
  ds_rng_options o = *variant;
  ds_error err;
  o.generator = "sobol";
  for (int k = 0; k < 3; k++) {
    ds_rng *r;
    o.width = bad[k];
    CHECK(ds_rng_open(&r, &o, &err) == DS_ERR_ARGUMENT && r == NULL);
    CHECK_MSG(strstr(err.text, "dimensions") && strstr(err.text, "21201"), "%s", err.text);
  }
  ds_rng *r = open_as(variant, DIMENSIONS, 0);
  CHECK(ds_rng_state_bytes(r) < 128); /* without the direction numbers */
  ds_rng_close(r);
}

int main(int argc, char **argv)
{
  rng_variants v;
  ds_error err;
  const int skipped = rng_variants_open(&v, argc, argv);
  if (skipped) return skipped;
  for (int d = 0; d < DIMENSIONS; d++) CHECK_OK(ds_sobol_directions(d, m[d], &err), err);
  CHECK_CASE(test_known_answers());
  CHECK_CASE(test_table());
  CHECK_CASE(test_property_a());
  CHECK_CASE(test_intervals());
  CHECK_CASE(test_steps());
  for (int k = 0; k < v.n; k++) {
    CHECK_CASE(test_arrays(&v.options[k]));
    CHECK_CASE(test_end(&v.options[k]));
    CHECK_CASE(test_options(&v.options[k]));
  }
  CHECK_CASE(rng_conformance(&v, "sobol", 1, 0, 30000, 1000));
  CHECK_CASE(rng_conformance(&v, "sobol", 3, 0, 20000, 1000));
  CHECK_CASE(rng_conformance(&v, "sobol", 128, 0, 1000, 64));
  CHECK_CASE(rng_conformance(&v, "sobol", 1000, 0, 68, 7));
  return check_result();
}
