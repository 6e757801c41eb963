/* test_engine_rng_mt19937.c: the Mersenne Twister against its authors' and NumPy's words, and its jumps against
   steps and against each other.   SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "check.h"
#include "dpdsop/device/rng/mt19937_jump.h"
#include "support/rng.h"
#include "support/system.h"

enum { N = DS_MT19937_WORDS };

/* ------------------------------------------------------------------------------- known answers */

/* Words 0 to 3 and word 999. The authors' file mt19937ar.out is of init_by_array {0x123, 0x234, 0x345, 0x456};
   the others are NumPy 2.4's: numpy.random.MT19937()._legacy_seeding(seed or [lower, upper]), random_raw(). */
static const struct {
  uint64_t seed;
  uint32_t words[4], last;
} KNOWN[] = {
    {0, {2357136044u, 2546248239u, 3071714933u, 3626093760u}, 3043451800u},
    {1, {1791095845u, 4282876139u, 3093770124u, 4005303368u}, 548926898u},
    {5489, {3499211612u, 581869302u, 3890346734u, 3586334585u}, 1341017984u},
    {4294967295u, {419326371u, 479346978u, 3918654476u, 2416749639u}, 2673539693u},
    {4294967296u, {485306839u, 1508871100u, 1794561286u, 4014597330u}, 6718883u},
    {0x123456789ABCDEFull, {3851240871u, 1496727489u, 1688815724u, 1191980605u}, 1068068003u},
};

static void test_authors_words(void)
{
  const uint32_t key[4] = {0x123, 0x234, 0x345, 0x456};
  const uint32_t words[5] = {1067595299u, 955945823u, 477289528u, 4107218783u, 4228976476u};
  ds_mt19937 g;
  ds_mt19937_init_by_array(key, 4, g.x);
  ds_mt19937_begin(&g);
  uint32_t w = 0;
  for (int k = 0; k < 1000; k++) {
    w = ds_mt19937_next(&g);
    if (k < 5) CHECK_HEX(w, words[k]);
  }
  CHECK_HEX(w, 3460025646u);
  ds_mt19937_set(&g,
                 5489); /* the default of std::mt19937, whose 10000th word the C++ standard gives */
  for (int k = 0; k < 10000; k++) w = ds_mt19937_next(&g);
  CHECK_HEX(w, 4123659995u);
}

static ds_rng *open_seed(const rng_variants *v, int k, uint64_t seed, int64_t pieces)
{
  ds_rng_options o = v->options[k];
  o.generator = "mt19937";
  o.seed = seed;
  return rng_open_pieces(&o, pieces);
}

static void next(ds_rng *r, ds_distribution d, ds_type type, void *out, size_t n)
{
  ds_error err;
  CHECK_MSG(ds_rng_fill(r, d, type, DS_SPACE_HOST, out, n, &err) == DS_OK, "%s", err.text);
}

static void skip(ds_rng *r, uint64_t count, int log2_unit)
{
  ds_error err;
  CHECK_MSG(ds_rng_skip(r, count, log2_unit, &err) == DS_OK, "%s", err.text);
}

static void test_sequence(const rng_variants *v, int variant)
{
  for (size_t k = 0; k < sizeof KNOWN / sizeof KNOWN[0]; k++) {
    uint32_t w[1000];
    ds_rng *r = open_seed(v, variant, KNOWN[k].seed, 0);
    next(r, DS_WORDS, DS_I32, w, 1000);
    for (int c = 0; c < 4; c++) CHECK_INT(w[c], KNOWN[k].words[c]);
    CHECK_INT(w[999], KNOWN[k].last);
    ds_rng_close(r);
  }
}

/* NumPy: numpy.random.RandomState(20100611).random_sample(), its first three numbers and the millionth. */
static void test_uniform(const rng_variants *v, int variant)
{
  double x[3];
  ds_rng *r = open_seed(v, variant, 20100611, 0);
  next(r, DS_UNIFORM, DS_F64, x, 3);
  CHECK(x[0] == 0.8496075182776092 && x[1] == 0.02238225383962522 && x[2] == 0.8396941265232629);
  skip(r, 2 * (1000000 - 4), 0);
  next(r, DS_UNIFORM, DS_F64, x, 1);
  CHECK(x[0] == 0.8494777999638551);
  ds_rng_close(r);
}

/* NumPy: MT19937()._legacy_seeding(5489), .jumped(1).random_raw(4), which applies x^(2^128) to X_0 ... X_623. So it
   begins 624 words before ours, and its first word has bits of X_0 that are not of the sequence. */
static void test_numpy_jump(const rng_variants *v, int variant)
{
  const uint32_t words[3] = {3962892820u, 1993863073u, 659440139u};
  uint32_t w[3];
  ds_rng *r = open_seed(v, variant, 5489, 0);
  skip(r, UINT64_MAX, 64); /* 2^128 - 623 words in two skips */
  skip(r, UINT64_MAX - 622, 0);
  next(r, DS_WORDS, DS_I32, w, 3);
  for (int c = 0; c < 3; c++) CHECK_INT(w[c], words[c]);
  ds_rng_close(r);
}

/* ----------------------------------------------------------------------------------------- jumps */

/* Every bit of the sequence obeys the characteristic polynomial. Its degree is prime, so x^(2^19937) = x says that
   it is irreducible, and the sequence obeys nothing shorter. */
static void test_characteristic(void)
{
  enum { LENGTH = 2000 };
  uint32_t phi[N], *x = test_alloc((DS_MT19937_DEGREE + 1 + LENGTH) * sizeof *x), p[N];
  int weight = 0, wrong = 0;
  ds_mt19937 g;
  ds_mt19937_characteristic(phi);
  for (int m = 0; m < 32 * N; m++) weight += (int) (phi[m >> 5] >> (m & 31) & 1u);
  CHECK_INT(weight, 135);
  CHECK(phi[N - 1] == 2); /* x^19937 */
  ds_mt19937_set(&g, 11);
  for (int k = 0; k < DS_MT19937_DEGREE + 1 + LENGTH; k++) x[k] = ds_mt19937_step(&g);
  for (int k = 0; k < LENGTH; k++) {
    uint32_t sum = 0;
    for (int m = 0; m <= DS_MT19937_DEGREE; m++)
      if (phi[m >> 5] >> (m & 31) & 1u) sum ^= x[k + m];
    wrong += sum != 0;
  }
  CHECK_INT(wrong, 0);
  if (!check_brief()) {
    ds_mt19937_power(2, 19936, p);
    wrong = p[0] != 2;
    for (int k = 1; k < N; k++) wrong += p[k] != 0;
    CHECK_INT(wrong, 0);
  }
  free(x);
}

static int same_window(const ds_mt19937 *a, const ds_mt19937 *b)
{
  int differ = 0;
  for (int k = 0; k < N; k++)
    differ += a->x[ds_mt19937_place(a, k)] != b->x[ds_mt19937_place(b, k)];
  return differ == 0;
}

static void test_header_jumps(void)
{
  static const uint64_t distance[] = {0, 1, 623, 624, 625, 19936, 19937, 39873, 1234567};
  uint32_t p[N], q[N];
  for (int k = 0; k < 9; k++) {
    ds_mt19937 a, b;
    ds_mt19937_set(&a, 3);
    for (int i = 0; i < 100 * k; i++) ds_mt19937_step(&a);
    b = a;
    ds_mt19937_power(distance[k], 0, p);
    ds_mt19937_jump(&a, p);
    for (uint64_t i = 0; i < distance[k]; i++) ds_mt19937_step(&b);
    CHECK_MSG(same_window(&a, &b), "jump over %d words", (int) distance[k]);
  }
  ds_mt19937_power(12345, 7, p);
  ds_mt19937_power((uint64_t) 12345 << 6, 0, q);
  ds_mt19937_square(q);
  CHECK(memcmp(p, q, sizeof p) == 0);
}

/* A skip over words that have been made. Above two million it is a jump, below that steps. */
static void test_skips(const rng_variants *v, int variant)
{
  enum { LENGTH = 4100000, AFTER = 1300 };
  uint64_t random = 77;
  uint32_t *w = test_alloc(LENGTH * sizeof *w), got[AFTER];
  ds_rng *r = open_seed(v, variant, 99, 1);
  next(r, DS_WORDS, DS_I32, w, LENGTH);
  ds_rng_close(r);
  for (int k = 0; k < 12; k++) {
    const uint64_t before = check_random(&random) % 2000;
    const uint64_t over = k < 6 ? 2100000 + check_random(&random) % 1990000
                                : check_random(&random) % (k < 9 ? 2000 : 2000000);
    r = open_seed(v, variant, 99, 0);
    next(r, DS_WORDS, DS_I32, got, before % AFTER);
    skip(r, over, 0);
    next(r, DS_WORDS, DS_I32, got, AFTER);
    CHECK_MSG(memcmp(got, w + before % AFTER + over, sizeof got) == 0, "skip over %d words",
              (int) over);
    ds_rng_close(r);
  }
  free(w);
}

/* Two jumps are one over the sum. */
static void test_huge_skips(const rng_variants *v, int variant)
{
  static const struct {
    uint64_t count[3];
    int log2_unit[3]; /* of a, b and a + b */
  } sum[] = {
      {{0x7FFFFFFFFFFFFFFFull, 1, 1}, {0, 0, 63}},
      {{0x123456789ABCDEFull, 0xFEDCBA9876543211ull, 1}, {64, 64, 128}},
      {{3, 5, 1}, {1000, 1000, 1003}},
      {{1, 1, 1}, {4095, 4095, 4096}},
  };
  for (int k = 0; k < 4; k++) {
    uint32_t w[2][700];
    for (int c = 0; c < 2; c++) {
      ds_rng *r = open_seed(v, variant, 12, 0);
      skip(r, sum[k].count[2 * c], sum[k].log2_unit[2 * c]);
      if (c == 0) skip(r, sum[k].count[1], sum[k].log2_unit[1]);
      next(r, DS_WORDS, DS_I32, w[c], 700);
      ds_rng_close(r);
    }
    CHECK_MSG(memcmp(w[0], w[1], sizeof w[0]) == 0, "sum %d", k);
  }
}

/* The largest skip: half a period, once and twice. */
static void test_period(const rng_variants *v)
{
  uint32_t w[2][8];
  ds_error err;
  ds_rng *r = open_seed(v, 0, 21, 0);
  next(r, DS_WORDS, DS_I32, w[0], 8);
  CHECK(ds_rng_skip(r, 2, 19936, &err) == DS_ERR_ARGUMENT);
  CHECK(ds_rng_skip(r, 1, 19937, &err) == DS_ERR_ARGUMENT);
  skip(r, 1, 19936);
  skip(r, 1, 19936); /* 2^19937 words: the period and one word */
  next(r, DS_WORDS, DS_I32, w[1], 8);
  ds_rng_close(r);
  r = open_seed(v, 0, 21, 0);
  skip(r, 9, 0);
  next(r, DS_WORDS, DS_I32, w[0], 8);
  CHECK(memcmp(w[0], w[1], sizeof w[0]) == 0);
  ds_rng_close(r);
}

/* ---------------------------------------------------------------------------------------- pieces */

/* Calls of equal and of changing size, in pieces: `total` words in all. */
static void in_calls(const rng_variants *v, int variant, int64_t pieces, const size_t *calls, int n,
                     const uint32_t *expected, size_t total)
{
  ds_rng *r = open_seed(v, variant, 4, pieces);
  uint32_t *got = test_alloc(total * sizeof *got);
  size_t done = 0;
  for (int k = 0; done < total; k++) {
    const size_t here = calls[k % n] < total - done ? calls[k % n] : total - done;
    next(r, DS_WORDS, DS_I32, got + done, here);
    done += here;
  }
  size_t first = 0;
  while (first < total && got[first] == expected[first]) first++;
  CHECK_MSG(first == total, "%d pieces, first call %zu: word %zu differs", (int) pieces, calls[0],
            first);
  free(got);
  ds_rng_close(r);
}

/* The pieces of a call begin where jumps have taken them. */
static void test_pieces(const rng_variants *v, int variant)
{
  static const size_t one[] = {7000000}, equal[] = {30000},
                      two[] = {30000, 30000, 30000, 20001, 20001}, large[] = {1500000},
                      many[] = {9000, 9000, 9999, 9999, 7, 7, 8008, 8008, 1, 9000};
  const size_t total = 7000000, some = 320000;
  ds_rng *r = open_seed(v, variant, 4, 1);
  uint32_t *w = test_alloc(total * sizeof *w);
  next(r, DS_WORDS, DS_I32, w, total);
  ds_rng_close(r);
  in_calls(v, variant, 3, one, 1, w, total);
  in_calls(v, variant, 0, large, 1, w, total);
  in_calls(v, variant, 5, equal, 1, w, some);
  in_calls(v, variant, 6, two, 5, w, some);
  in_calls(v, variant, 3, many, 10, w, some);
  free(w);
}

int main(int argc, char **argv)
{
  rng_variants v;
  const int status = rng_variants_open(&v, argc, argv);
  if (status) return status;
  CHECK_CASE(test_authors_words());
  CHECK_CASE(test_characteristic());
  CHECK_CASE(test_header_jumps());
  for (int k = 0; k < v.n; k++) {
    CHECK_CASE(test_sequence(&v, k));
    CHECK_CASE(test_uniform(&v, k));
    CHECK_CASE(test_numpy_jump(&v, k));
    CHECK_CASE(test_skips(&v, k));
    CHECK_CASE(test_huge_skips(&v, k));
    CHECK_CASE(test_pieces(&v, k));
  }
  CHECK_CASE(test_period(&v));
  CHECK_CASE(rng_conformance(&v, "mt19937", 0, 0, 10006, 1000));
  CHECK_CASE(rng_conformance(&v, "mt19937", 0, 0, 300000, 3));
  return check_result();
}
