/* test_engine_rng_fibonacci.c: the additive lagged Fibonacci generator: its lags, its windows in any order of
   the threads, and its sequence.   SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "dpdsop/device/rng/fibonacci.h"
#include "support/rng.h"
#include "support/system.h"

/* ------------------------------------------------------------------------------------- the lags */

/* p, of less than 2 r bits, modulo x^r + x^s + 1 over GF(2), for s < r - 64: a word at a time from the top. */
static void reduce(uint64_t *p, uint32_t r, uint32_t s)
{
  for (uint32_t w = (2 * r - 1) / 64; w > r / 64; w--) {
    const uint64_t high = p[w];
    const uint32_t at[2] = {64 * w - r, 64 * w - r + s};
    p[w] = 0;
    for (int k = 0; k < 2; k++) {
      p[at[k] / 64] ^= high << at[k] % 64;
      if (at[k] % 64) p[at[k] / 64 + 1] ^= high >> (64 - at[k] % 64);
    }
  }
  const uint64_t high = p[r / 64] >> r % 64; /* r is odd */
  p[r / 64] ^= high << r % 64;
  p[0] ^= high;
  p[s / 64] ^= high << s % 64;
  if (s % 64) p[s / 64 + 1] ^= high >> (64 - s % 64);
}

/* The bits of the lower half of v, each with a 0 above it. */
static uint64_t spread(uint64_t v)
{
  v = (v | v << 16) & 0x0000FFFF0000FFFFull;
  v = (v | v << 8) & 0x00FF00FF00FF00FFull;
  v = (v | v << 4) & 0x0F0F0F0F0F0F0F0Full;
  v = (v | v << 2) & 0x3333333333333333ull;
  return (v | v << 1) & 0x5555555555555555ull;
}

/* x^ll + x^sl + 1 is primitive if 2^ll - 1 is a prime, as for all ll here, and x^(2^ll) = x modulo it. */
static int primitive(uint32_t ll, uint32_t sl)
{
  const uint32_t s = 2 * sl < ll ? sl : ll - sl; /* the reciprocal one is as good */
  const uint32_t words = ll / 64 + 1;
  uint64_t *p = test_alloc((2 * words + 2) * sizeof *p),
           *q = test_alloc((2 * words + 2) * sizeof *q);
  p[0] = 2;
  for (uint32_t k = 0; k < ll; k++) {
    for (uint32_t w = 0; w < words; w++) {
      q[2 * w] = spread(p[w] & 0xFFFFFFFFu);
      q[2 * w + 1] = spread(p[w] >> 32);
    }
    reduce(q, ll, s);
    memcpy(p, q, words * sizeof *p);
  }
  int ok = p[0] == 2;
  for (uint32_t w = 1; w < words; w++) ok = ok && p[w] == 0;
  free(p);
  free(q);
  return ok;
}

/* The rows of Table I, and for every number of threads the shortest lags that are safe. */
static void test_lags(void)
{
  static const uint32_t ll[] = {2281, 4423, 9689, 19937, 44497, 132049, 756839, 859433, 3021377};
  static const uint32_t sl[] = {1252, 3004, 5502, 10095, 23463, 54454, 279695, 288477, 1010202};
  static const uint32_t safe[] = {1029, 1419, 4187, 9842, 21034, 54454, 279695, 288477, 1010202};
  for (int k = 0; k < DS_FIBONACCI_ROWS; k++) {
    const ds_fibonacci_lags lags = ds_fibonacci_row(k);
    CHECK(lags.ll == ll[k] && lags.sl == sl[k]);
    CHECK_INT(ds_fibonacci_safe(lags), safe[k]);
    CHECK_INT(ds_fibonacci_choose(safe[k]).ll, ll[k]);
    CHECK_INT(ds_fibonacci_choose(safe[k] + 1).ll, ll[k + 1 < DS_FIBONACCI_ROWS ? k + 1 : k]);
    /* longer ones were checked by the same algorithm, which takes ten seconds to minutes */
    if (ll[k] < (check_brief() ? 20000u : 50000u))
      CHECK_MSG(primitive(ll[k], sl[k]), "lags %u, %u", ll[k], sl[k]);
  }
  CHECK_INT(ds_fibonacci_choose(1).ll, 2281);
  /* the row that is left out, as printed and as published */
  CHECK(!primitive(23209, 12470) && primitive(23209, 13470));
}

/* ---------------------------------------------------------------------------------- the windows */

/* eq. 3 as it stands: x has ll first words and n more. */
static void plain(ds_fibonacci_lags lags, uint32_t *x, size_t n)
{
  for (size_t k = lags.ll; k < lags.ll + n; k++) x[k] = x[k - lags.sl] + x[k - lags.ll];
}

typedef enum { ASCENDING = 0, DESCENDING, SHUFFLED } order;

/* `windows` windows of n numbers by n threads that come in some order; by chains of two numbers where n is more
   than sl. The words that differ from eq. 3. */
static size_t wrong_words(ds_fibonacci_lags lags, uint32_t n, int windows, order how)
{
  const uint32_t threads = n < lags.sl ? n : lags.sl;
  uint32_t *x = test_alloc((lags.ll + (size_t) n * windows) * sizeof *x);
  uint32_t *ring = test_alloc(lags.ll * sizeof *ring), *turn = test_alloc(lags.sl * sizeof *turn);
  uint32_t position = 0;
  uint64_t random = n;
  size_t wrong = 0;
  for (uint32_t k = 0; k < lags.ll; k++) ring[k] = x[k] = (uint32_t) check_random(&random);
  plain(lags, x, (size_t) n * windows);
  for (uint32_t k = 0; k < threads; k++) turn[k] = how == DESCENDING ? threads - 1 - k : k;
  for (int window = 0; window < windows; window++) {
    const uint32_t *const expected = x + lags.ll + (size_t) n * window;
    for (uint32_t k = threads - 1; k > 0 && how == SHUFFLED; k--) {
      const uint32_t other = (uint32_t) (check_random(&random) % (k + 1)), kept = turn[k];
      turn[k] = turn[other];
      turn[other] = kept;
    }
    for (uint32_t k = 0; k < threads; k++) {
      const uint32_t i = turn[k], first = ds_fibonacci_word(ring, lags, position, i);
      wrong += first != expected[i];
      if (i + lags.sl >= n) continue;
      wrong +=
          ds_fibonacci_second(ring, lags, position, i + lags.sl, first) != expected[i + lags.sl];
    }
    position = ds_fibonacci_place(lags, position, n);
  }
  free(turn);
  free(ring);
  free(x);
  return wrong;
}

/* Safe windows do not depend on the order, and with one number more there is an order in which they are wrong: the
   bound of ll - sl, and for 132049 the one of sl. */
static void test_windows(void)
{
  for (int k = 0; k < 6; k++) {
    const ds_fibonacci_lags lags = ds_fibonacci_row(k);
    const uint32_t safe = ds_fibonacci_safe(lags), rest = lags.ll - lags.sl;
    const uint32_t chains = rest < 2 * lags.sl ? rest : 2 * lags.sl;
    for (int how = ASCENDING; how <= SHUFFLED; how++) {
      CHECK_INT(wrong_words(lags, safe, 7, (order) how), 0);
      CHECK_INT(wrong_words(lags, 1, 3000, (order) how), 0);
      CHECK_INT(wrong_words(lags, chains, 7, (order) how), 0);
    }
    CHECK(wrong_words(lags, rest + 1, 1, ASCENDING) + wrong_words(lags, rest + 1, 1, DESCENDING) >
          0);
  }
}

/* Of the lags 132049 and 54454, that a window of more than sl numbers needs what it makes itself. */
static void test_short_lag(void)
{
  const ds_fibonacci_lags lags = ds_fibonacci_row(5);
  uint32_t *ring = test_alloc(lags.ll * sizeof *ring);
  ring[0] = 5;
  ring[lags.ll - lags.sl] = 2; /* the word sl before that which comes to place 0 */
  ring[lags.sl] = 1;
  const uint32_t early = ds_fibonacci_word(ring, lags, 0, lags.sl);
  CHECK_INT(early, 6); /* with the 5 that is to be replaced */
  ring[lags.sl] = 1;
  const uint32_t first = ds_fibonacci_word(ring, lags, 0, 0);
  const uint32_t second = ds_fibonacci_second(ring, lags, 0, lags.sl, first);
  CHECK_INT(first, 7);
  CHECK_INT(second, 8);
  free(ring);
}

/* --------------------------------------------------------------------------------- the sequence */

/* The words of an object are eq. 3 from its saved first state on, which has an odd word. */
static void test_sequence(const rng_variants *v, int64_t width, int64_t pieces, size_t n)
{
  for (int k = 0; k < v->n; k++) {
    ds_rng_options o = v->options[k];
    o.generator = "fibonacci";
    o.seed = 11 + (uint64_t) width + (uint64_t) pieces;
    o.width = width;
    const ds_fibonacci_lags lags = ds_fibonacci_choose(width);
    uint32_t *w = test_alloc(n * sizeof *w), *first = rng_first_state(&o, lags.ll);
    ds_error err;
    ds_rng *r = rng_open_pieces(&o, pieces);
    CHECK_OK(ds_rng_fill(r, DS_WORDS, DS_I32, DS_SPACE_HOST, w, n, &err), err);
    ds_rng_close(r);
    uint32_t *x = test_alloc((lags.ll + n) * sizeof *x);
    int odd = 0;
    memcpy(x, first, lags.ll * sizeof *x);
    for (uint32_t i = 0; i < lags.ll; i++) odd += x[i] & 1;
    CHECK(x[0] & 1); /* made so */
    CHECK_MSG(odd > (int) lags.ll / 4, "%d of %u words are odd", odd, lags.ll);
    plain(lags, x, n);
    CHECK_MSG(memcmp(x + lags.ll, w, n * sizeof *w) == 0, "width %lld, %lld pieces, variant %d",
              (long long) width, (long long) pieces, k);
    free(x);
    free(first);
    free(w);
  }
}

/* Numbers of a long call are those of the words, of which uniform doubles take two. */
static void test_numbers(const rng_variants *v, int64_t width, ds_type type, size_t n)
{
  const size_t nwords = type == DS_F64 ? 2 * n : n;
  for (int k = 0; k < v->n; k++) {
    ds_rng_options o = v->options[k];
    ds_error err;
    o.generator = "fibonacci";
    o.seed = 12;
    o.width = width;
    uint32_t *w = rng_words(&o, nwords);
    double *x = test_alloc(n * sizeof *x); /* of either type */
    ds_rng *r = rng_open(&o);
    size_t wrong = 0;
    CHECK(ds_rng_fill(r, DS_UNIFORM, type, DS_SPACE_HOST, x, n, &err) == DS_OK);
    for (size_t i = 0; i < n; i++)
      wrong += (type == DS_F64 ? x[i] : (double) ((float *) x)[i]) !=
               rng_expected(ds_rng_get_info(r), DS_UNIFORM, type, w, nwords, width, n, i);
    CHECK_INT(wrong, 0);
    ds_rng_close(r);
    free(x);
    free(w);
  }
}

int main(int argc, char **argv)
{
  rng_variants v;
  const int skip = rng_variants_open(&v, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_lags());
  CHECK_CASE(test_windows());
  CHECK_CASE(test_short_lag());
  for (int k = 0; k < DS_FIBONACCI_ROWS; k++) {
    const ds_fibonacci_lags lags = ds_fibonacci_row(k);
    const int64_t safe = ds_fibonacci_safe(lags);
    CHECK_CASE(test_sequence(&v, safe, 0, 2 * (size_t) lags.ll + 1));
    if (k < 6) CHECK_CASE(test_sequence(&v, safe, 3, 3 * (size_t) lags.ll + 1));
  }
  CHECK_CASE(test_sequence(&v, 1 << 21, 0, 2 * (size_t) 3021377 + 1)); /* more at once than any window has */
  /* on the GPU more than are converted at once, and windows of pairs with an odd sl less than ll - sl */
  CHECK_CASE(test_numbers(&v, 1, DS_F32, 4300001));
  CHECK_CASE(test_numbers(&v, 279695, DS_F64, 300000));
  CHECK_CASE(rng_conformance(&v, "fibonacci", 1, 0, 10006, 1000));
  CHECK_CASE(rng_conformance(&v, "fibonacci", 1029, 0, 60000, 3));
  CHECK_CASE(rng_conformance(&v, "fibonacci", 1419, 0, 20000, 1));
  if (!check_brief()) {
    CHECK_CASE(rng_conformance(&v, "fibonacci", 4187, 0, 40000, 1));
    CHECK_CASE(rng_conformance(&v, "fibonacci", 9842, 0, 90000, 1));
    CHECK_CASE(rng_conformance(&v, "fibonacci", 21034, 0, 140000, 1));
  }
  CHECK_CASE(rng_conformance(&v, "fibonacci", 54454, 0, 170000, 1)); /* windows, of an even sl, with chains */
  return check_result();
}
