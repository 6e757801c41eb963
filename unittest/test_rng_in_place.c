/* test_rng_in_place.c: the generators' common shape, init(seed, stream) and next: streams are those of the arrays where
   their headers say so, and have nothing in common.   SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "in_place.h"
#include "support/rng.h"
#include "support/system.h"

enum { WORDS = 1500 };

/* n words of a stream. */
static void make_stream(ds_generator_kind kind, uint64_t seed, uint64_t stream, int n,
                        uint32_t *out)
{
  switch (kind) {
#define STREAM(kind, name, generator, init, next, ...)                                             \
  case kind: {                                                                                     \
    generator g;                                                                                   \
    init(&g, seed, stream);                                                                        \
    for (int k = 0; k < n; k++) out[k] = next(&g);                                                 \
    break;                                                                                         \
  }
    DS_GENERATORS(STREAM)
#undef STREAM
  default:
    CHECK_MSG(0, "no generator %d", (int) kind);
  }
}

static const char *const NAMES[] = {
#define NAME(kind, name, ...) name,
    DS_GENERATORS(NAME)
#undef NAME
};

/* Words of an object that has skipped count 2^log2_unit of them. */
static uint32_t *words_after(const ds_rng_options *o, uint64_t count, int log2_unit, size_t n)
{
  uint32_t *w = test_alloc(n * sizeof *w);
  ds_error err;
  ds_rng *r = rng_open(o);
  if (count) CHECK_OK(ds_rng_skip(r, count, log2_unit, &err), err);
  CHECK_OK(ds_rng_fill(r, DS_WORDS, DS_I32, DS_SPACE_HOST, w, n, &err), err);
  ds_rng_close(r);
  return w;
}

static void check_equal(const char *name, uint64_t seed, uint64_t stream, const uint32_t *w,
                        const uint32_t *expected, int stride)
{
  int wrong = 0;
  for (int k = 0; k < WORDS; k++) wrong += w[k] != expected[k * stride];
  CHECK_MSG(wrong == 0, "%s: seed %" PRIu64 ", stream %" PRIu64 ": %d of %d words differ", name,
            seed, stream, wrong, WORDS);
}

static const uint64_t SEEDS[] = {0, 1, 20100611, 0xFFFFFFFFull, 0x100000000ull, UINT64_MAX};

/* One stream per thread: stream s of the array. */
static void test_streams_of_arrays(ds_generator_kind g)
{
  enum { WIDTH = 7 };
  for (int k = 0; k < 6; k++) {
    const ds_rng_options o = rng_plain(NAMES[g], SEEDS[k], WIDTH);
    uint32_t *all = rng_words(&o, WIDTH * WORDS), w[WORDS];
    for (uint64_t s = 0; s < WIDTH; s++) {
      make_stream(g, SEEDS[k], s, WORDS, w);
      check_equal(NAMES[g], SEEDS[k], s, w, all + s, WIDTH);
    }
    free(all);
  }
}

/* One sequence for all threads: stream 0. */
static void test_sequence_of_arrays(ds_generator_kind g)
{
  for (int k = 0; k < 6; k++) {
    ds_rng_options o = rng_plain(NAMES[g], SEEDS[k], 1);
    o.rounds = DS_TEA_ROUNDS;
    uint32_t *all = rng_words(&o, WORDS), w[WORDS];
    make_stream(g, SEEDS[k], 0, WORDS, w);
    check_equal(NAMES[g], SEEDS[k], 0, w, all, 1);
    free(all);
  }
}

/* Streams that are 2^log2_unit words of the sequence apart. */
static void test_distance(ds_generator_kind g, const uint64_t *streams, int log2_unit)
{
  for (int k = 0; k < 6; k++)
    for (int i = 0; i < 6; i++) {
      ds_rng_options o = rng_plain(NAMES[g], SEEDS[k], 0);
      o.rounds = DS_TEA_ROUNDS;
      uint32_t *all = words_after(&o, streams[i], log2_unit, WORDS), w[WORDS];
      make_stream(g, SEEDS[k], streams[i], WORDS, w);
      check_equal(NAMES[g], SEEDS[k], streams[i], w, all, 1);
      free(all);
    }
}

/* Stream s are the blocks of a step s. */
static void test_philox_streams(void)
{
  static const uint64_t streams[] = {0, 1, 2, 12345, 0x80000000ull, 0xFFFFFFFFull};
  for (int i = 0; i < 6; i++) {
    uint32_t w[WORDS], expected[WORDS];
    make_stream(DS_PHILOX, 5, streams[i], WORDS, w);
    for (uint64_t b = 0; b < WORDS / 4; b++)
      ds_philox_at(5, DS_PURPOSE_BULK, streams[i], b, expected + 4 * b);
    check_equal("philox", 5, streams[i], w, expected, 1);
  }
}

/* NumPy 2.4: RandomState([lower s, upper s, lower seed, upper seed]).randint(0, 2**32, 1000, uint32); of stream 0
   RandomState(seed). The words 0 to 3 and 999. */
static void test_numpy_streams(void)
{
  static const struct {
    uint64_t seed, stream;
    uint32_t words[4], last;
  } known[] = {
      {5489, 0, {3499211612u, 581869302u, 3890346734u, 3586334585u}, 1341017984u},
      {5489, 1, {2477588867u, 823974552u, 2020459522u, 974387172u}, 827811557u},
      {5489, 2, {2883834228u, 3302818626u, 607303415u, 1531443221u}, 3016251729u},
      {0x0123456789ABCDEFull,
       0x300000007ull,
       {2095665463u, 160720980u, 3617290594u, 1218557035u},
       2622934215u},
  };
  for (int k = 0; k < 4; k++) {
    uint32_t w[WORDS];
    make_stream(DS_MT19937, known[k].seed, known[k].stream, WORDS, w);
    for (int c = 0; c < 4; c++) CHECK_INT(w[c], known[k].words[c]);
    CHECK_INT(w[999], known[k].last);
  }
}

/* ------------------------------------------------------------------------------- nothing in common */

enum { STREAMS = 2000, OWN = 64 };

static int compare(const void *a, const void *b)
{
  return memcmp(a, b, 2 * sizeof(uint32_t));
}

/* Two words of any two streams and places agree by chance once in 2^64; there are 3e10 pairs of places. (Words of ran2
   have 31 bits: 2^62. Of lcg a word determines all that follow, and pairs of places agree once in 2^32: here seven of
   the 3e10 would. So only first places are compared of it.) */
static void check_all_different(const char *name, uint32_t (*w)[OWN], int places)
{
  uint32_t(*pair)[2] = test_alloc((size_t) STREAMS * OWN * sizeof *pair);
  int n = 0, same = 0;
  for (int s = 0; s < STREAMS; s++)
    for (int k = 0; k + 1 < places; k++) {
      pair[n][0] = w[s][k];
      pair[n++][1] = w[s][k + 1];
    }
  qsort(pair, (size_t) n, sizeof *pair, compare);
  for (int k = 1; k < n; k++) same += compare(pair[k - 1], pair[k]) == 0;
  CHECK_MSG(same == 0, "%s: %d of %d pairs of words are there twice", name, same, n);
  free(pair);
}

/* The bits of neighboring streams agree in half of all places. */
static void check_agreement(const char *name, uint32_t (*w)[OWN], int bits)
{
  long differ = 0, n = (long) (STREAMS - 1) * OWN * bits;
  for (int s = 1; s < STREAMS; s++)
    for (int k = 0; k < OWN; k++)
      for (int b = 32 - bits; b < 32; b++) differ += (w[s - 1][k] ^ w[s][k]) >> b & 1u;
  char what[64];
  snprintf(what, sizeof what, "%s: bits of neighbors that differ, in sigma", name);
  CHECK_BOUND(fabs((double) differ - 0.5 * (double) n) / (0.5 * sqrt((double) n)), 4.5, what);
}

/* Streams 0, 1, 2 ... of a seed, and stream 0 of the seeds 0, 1, 2 ... The bound of 4.5 standard errors is passed by
   chance in one of 9,000 comparisons with n/2; here are 14. */
static void test_different(ds_generator_kind g)
{
  const ds_rng_info *info = ds_rng_find(NAMES[g]);
  uint32_t(*w)[OWN] = test_alloc(STREAMS * sizeof *w);
  for (int by_seed = 0; by_seed < 2; by_seed++) {
    for (uint64_t s = 0; s < STREAMS; s++)
      make_stream(g, by_seed ? s : 77, by_seed ? 0 : s, OWN, w[s]);
    check_all_different(NAMES[g], w, info->unfit ? 2 : OWN);
    if (!info->unfit) check_agreement(NAMES[g], w, info->bits);
  }
  free(w);
}

int main(int argc, char **argv)
{
  check_open(argc, argv);
  static const uint64_t of_mrg32k3a[] = {0, 1, 2, 12345, 0x123456789ABCDEFull, (uint64_t) 1 << 62};
  static const uint64_t of_tea[] = {0, 1, 2, 12345, 0x12345678, 0x7FFFFFFEull};
  for (ds_generator_kind g = 0; g < DS_GENERATOR_KINDS; g++) {
    if (ds_rng_find(NAMES[g])->family == DS_RNG_STREAMS)
      CHECK_CASE(test_streams_of_arrays(g));
    else
      CHECK_CASE(test_sequence_of_arrays(g));
    CHECK_CASE(test_different(g));
  }
  CHECK_CASE(test_distance(DS_MRG32K3A, of_mrg32k3a, 127));
  CHECK_CASE(test_distance(DS_TEA, of_tea, 33));
  CHECK_CASE(test_philox_streams());
  CHECK_CASE(test_numpy_streams());
  return check_result();
}
