/* rng.c: what every generator has to show.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "support/rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../cuda/rng/pieces.h"
#include "check.h"
#include "dpdsop/device/rng/number.h"
#include "support/skip.h"
#include "support/system.h"

ds_rng_options rng_plain(const char *generator, uint64_t seed, int64_t width)
{
  ds_rng_options o;
  memset(&o, 0, sizeof o);
  o.generator = generator;
  o.seed = seed;
  o.width = width;
  o.rounds = 32;
  o.backend = DS_BACKEND_HOST;
  o.threads = 1;
  o.isa = "base";
  return o;
}

int rng_variants_find(rng_variants *v, int on_gpu, int only_named)
{
  static const char *const isa[3] = {"base", "avx2", NULL};
  ds_rng *r;
  ds_error err;
  ds_rng_options o = rng_plain("philox", 1, 0);
  v->n = 0;
  if (on_gpu) {
    o.backend = DS_BACKEND_CUDA;
    const ds_status s = only_named ? DS_OK : ds_rng_open(&r, &o, &err);
    if (s) return skip_or_fail(s, &err);
    if (!only_named) ds_rng_close(r);
    v->options[v->n++] = o;
    return 0;
  }
  for (int k = 0; k < 3; k++) {
    o.isa = isa[k];
    o.threads = k + 1;
    if (ds_rng_open(&r, &o, &err)) continue; /* the processor is an older one */
    ds_rng_close(r);
    v->options[v->n++] = o;
  }
  return 0;
}

ds_rng *rng_open(const ds_rng_options *options)
{
  ds_rng *r = NULL;
  ds_error err;
  if (ds_rng_open(&r, options, &err) == DS_OK) return r;
  printf("FAILED: %s: %s\n", options->generator, err.text);
  exit(1);
}

ds_rng *rng_open_pieces(const ds_rng_options *options, int64_t pieces)
{
  ds_rng *r = rng_open(options);
  ds_rng_set_pieces(r, pieces);
  return r;
}

uint32_t *rng_words(const ds_rng_options *options, size_t n)
{
  uint32_t *w = test_alloc(n * sizeof *w);
  ds_error err;
  ds_rng *r = rng_open(options);
  if (ds_rng_fill(r, DS_WORDS, DS_I32, DS_SPACE_HOST, w, n, &err)) {
    printf("FAILED: %s: %s\n", options->generator, err.text);
    exit(1);
  }
  ds_rng_close(r);
  return w;
}

uint32_t rng_seed_word(uint64_t seed, uint64_t k)
{
  const uint32_t key[4] = {(uint32_t) seed, 0, (uint32_t) (seed >> 32) ^ 0x5EEDC0DEu, 0x0DD5EED5u};
  uint32_t v[2] = {(uint32_t) (k / 2), (uint32_t) (k / 2 >> 32)};
  ds_tea_encrypt(32, key, v, v + 1);
  return v[k % 2];
}

void *rng_saved(ds_rng *r, size_t *size)
{
  ds_error err;
  *size = ds_rng_state_bytes(r);
  void *bytes = test_alloc(*size);
  if (ds_rng_save(r, bytes, *size, &err) == DS_OK) return bytes;
  printf("FAILED: %s: a state of %zu bytes: %s\n", ds_rng_get_info(r)->name, *size, err.text);
  exit(1);
}

uint32_t *rng_first_state(const ds_rng_options *options, size_t n)
{
  size_t size;
  ds_rng *r = rng_open(options);
  char *bytes = rng_saved(r, &size);
  uint32_t *state = test_alloc(n * sizeof *state);
  if (size < n * sizeof *state) {
    printf("FAILED: %s: a state of %zu bytes\n", options->generator, size);
    exit(1);
  }
  memcpy(state, bytes + size - n * sizeof *state, n * sizeof *state);
  free(bytes);
  ds_rng_close(r);
  return state;
}

/* ---------------------------------------------------------------------------------- every number */

/* Word c of stream or dimension s, of a table in the order of the family. */
static uint32_t word_at(const ds_rng_info *info, const uint32_t *words, uint64_t nwords,
                        int64_t width, uint64_t s, uint64_t c)
{
  switch (info->family) {
  case DS_RNG_STREAMS:
    return words[c * (uint64_t) width + s];
  case DS_RNG_POINTS:
    return words[s * (nwords / (uint64_t) width) + c];
  default:
    return words[c];
  }
}

static double made_of(const ds_rng_info *info, ds_distribution d, int single, uint32_t a,
                      uint32_t b, int second)
{
  float xf = 0.0f, yf = 0.0f;
  double x = 0.0, y = 0.0;
  const int one = info->words_per_double == 1 && !single;
  switch (d) {
  case DS_UNIFORM:
    if (one) return ds_uniform_scaled(a, info->double_scale, 0.0);
    return single ? ds_uniformf(a) : ds_uniform(a, b);
  case DS_UNIFORM_LEFT:
    if (one) return ds_uniform_scaled(a, info->double_scale, info->double_left);
    return single ? ds_uniform_leftf(a) : ds_uniform_left(a, b);
  case DS_EXPONENTIAL:
    return single ? ds_exponentialf(a) : ds_exponential(a);
  case DS_NORMAL:
    if (info->inverse_normal) return single ? ds_normal_inversef(a) : ds_normal_inverse(a);
    ds_normal_pairf(a, b, &xf, &yf);
    ds_normal_pair(a, b, &x, &y);
    if (single) return second ? yf : xf;
    return second ? y : x;
  default:
    return a;
  }
}

/* Whether a distribution takes pairs of words for pairs of numbers, and two words for a number. */
static int in_pairs(const ds_rng_info *info, ds_distribution d)
{
  return d == DS_NORMAL && !info->inverse_normal;
}

static int of_two_words(const ds_rng_info *info, ds_distribution d, ds_type type)
{
  return (d == DS_UNIFORM || d == DS_UNIFORM_LEFT) && type == DS_F64 && info->words_per_double == 2;
}

double rng_expected(const ds_rng_info *info, ds_distribution d, ds_type type, const uint32_t *words,
                    uint64_t nwords, int64_t width, uint64_t n, uint64_t k)
{
  const int single = type == DS_F32;
  const int pair = in_pairs(info, d), two = pair || of_two_words(info, d, type);
  const uint64_t across = info->family == DS_RNG_SEQUENCE ? 1 : (uint64_t) width;
  uint64_t s = 0, c = k; /* number c of stream or dimension s */
  if (info->family == DS_RNG_STREAMS) s = k % across, c = k / across;
  if (info->family == DS_RNG_POINTS) s = k / (n / across), c = k % (n / across);
  const uint64_t first = pair ? c & ~(uint64_t) 1 : two ? 2 * c : c;
  const uint32_t a = word_at(info, words, nwords, width, s, first);
  const uint32_t b = two ? word_at(info, words, nwords, width, s, first + 1) : 0;
  return made_of(info, d, single, a, b, (int) (c & 1));
}

/* ------------------------------------------------------------------------------------ the checks */

typedef struct {
  const ds_rng_info *info;
  const uint32_t *words; /* the sequential ones */
  uint64_t nwords;       /* in all */
  uint64_t across;       /* streams or dimensions, or 1 */
  ds_rng_options o;
  int64_t pieces;
  char name[160];
} subject;

static void name_it(subject *t)
{
  snprintf(t->name, sizeof t->name, "%s, width %lld, %lld pieces, %s %s, %d threads", t->info->name,
           (long long) t->o.width, (long long) t->pieces,
           t->o.backend == DS_BACKEND_CUDA ? "cuda" : "host", t->o.isa ? t->o.isa : "best",
           t->o.threads);
}

/* Numbers that are in the words: rows * across of them for a distribution. */
static uint64_t numbers_in(const subject *t, ds_distribution d, ds_type type)
{
  const uint64_t each = t->nwords / t->across;
  return (of_two_words(t->info, d, type) ? each / 2 : each) * t->across;
}

static int number_equal(const subject *t, const void *out, ds_distribution d, ds_type type,
                        uint64_t n, uint64_t k)
{
  const double expected = rng_expected(t->info, d, type, t->words, t->nwords, t->o.width, n, k);
  if (type == DS_F64) return ((const double *) out)[k] == expected;
  if (type == DS_F32) return ((const float *) out)[k] == (float) expected;
  return ((const uint32_t *) out)[k] == (uint32_t) expected;
}

static void check_numbers(const subject *t, const void *out, ds_distribution d, ds_type type,
                          uint64_t n, const char *what)
{
  uint64_t wrong = 0, where = 0;
  for (uint64_t k = 0; k < n; k++)
    if (!number_equal(t, out, d, type, n, k)) {
      if (!wrong) where = k;
      wrong++;
    }
  CHECK_MSG(wrong == 0, "%s: %s, distribution %d, type %d: %llu of %llu differ, first %llu",
            t->name, what, (int) d, (int) type, (unsigned long long) wrong, (unsigned long long) n,
            (unsigned long long) where);
}

/* Every distribution and type in one call, for a count that is even and, in an array shifted by an element, for
   one that leaves something over. */
static void check_distributions(const subject *t)
{
  static const ds_type types[] = {DS_F32, DS_F64};
  char *room = test_alloc((t->nwords + 1) * 8);
  ds_error err;
  for (int d = DS_WORDS; d < DS_DISTRIBUTIONS; d++)
    for (int k = 0; k < 2; k++) {
      const ds_type type = d == DS_WORDS ? DS_I32 : types[k];
      const size_t size = type == DS_F64 ? 8 : 4;
      for (int odd = 0; odd < 2; odd++) {
        uint64_t n = numbers_in(t, (ds_distribution) d, type);
        if (odd && t->info->family == DS_RNG_POINTS) continue; /* points are never cut */
        if (odd) n--;
        void *out = room + (odd ? size : 0);
        ds_rng *r = rng_open_pieces(&t->o, t->pieces);
        memset(room, 0xA5, (t->nwords + 1) * 8);
        CHECK_OK(ds_rng_fill(r, (ds_distribution) d, type, DS_SPACE_HOST, out, n, &err), err);
        check_numbers(t, out, (ds_distribution) d, type, n, odd ? "odd" : "even");
        const unsigned char *after = (unsigned char *) out + n * size;
        CHECK_MSG(after[0] == 0xA5 && after[size - 1] == 0xA5, "%s: written past the end", t->name);
        ds_rng_close(r);
      }
    }
  free(room);
}

/* The words from row `first` on, from an object that stands there. */
static void check_rest(const subject *t, ds_rng *r, uint64_t first, const char *what)
{
  const uint64_t rows = t->nwords / t->across, left = rows - first;
  uint32_t *out = test_alloc(left * t->across * sizeof *out);
  ds_error err;
  uint64_t wrong = 0;
  if (CHECK_OK(ds_rng_fill(r, DS_WORDS, DS_I32, DS_SPACE_HOST, out, left * t->across, &err), err))
    for (uint64_t i = 0; i < left * t->across; i++) {
      uint64_t from = first * t->across + i;
      if (t->info->family == DS_RNG_POINTS) from = i / left * rows + first + i % left;
      wrong += out[i] != t->words[from];
    }
  CHECK_MSG(wrong == 0, "%s: %s %llu: %llu words differ", t->name, what, (unsigned long long) first,
            (unsigned long long) wrong);
  free(out);
}

/* What a call of any distribution takes: whole units, also where the last one is cut. The next call goes on behind
   them, and so does an object that takes over the state. */
static void check_positions(const subject *t)
{
  static const ds_type types[] = {DS_F32, DS_F64};
  const uint64_t third = t->nwords / t->across / 3;
  char *room = test_alloc((third + 2) * t->across * 8);
  ds_error err;
  for (int d = DS_UNIFORM; d < DS_DISTRIBUTIONS; d++)
    for (int k = 0; k < 2; k++)
      for (uint64_t odd = 0; odd < 2; odd++) {
        const int pair = in_pairs(t->info, (ds_distribution) d);
        const int two = of_two_words(t->info, (ds_distribution) d, types[k]);
        const uint64_t each = (two ? third / 2 : third) - odd; /* numbers of a stream */
        const uint64_t words = pair ? (each + 1) / 2 * 2 : two ? 2 * each : each;
        ds_rng *r = rng_open_pieces(&t->o, t->pieces), *other = rng_open_pieces(&t->o, t->pieces);
        size_t size;
        CHECK_OK(ds_rng_fill(r, (ds_distribution) d, types[k], DS_SPACE_HOST, room,
                             each * t->across, &err),
                 err);
        void *state = rng_saved(r, &size);
        CHECK_OK(ds_rng_load(other, state, size, &err), err);
        check_rest(t, r, words, "numbers, then words from");
        check_rest(t, other, words, "a state behind numbers, at");
        free(state);
        ds_rng_close(other);
        ds_rng_close(r);
      }
  free(room);
}

/* Calls of many sizes one after the other: rows (streams), points or words. */
static void check_calls(const subject *t)
{
  static const uint64_t sizes[] = {1, 2, 3, 5, 4, 31, 1, 64, 257, 1000, 4097, 7};
  const uint64_t rows = t->nwords / t->across;
  uint32_t *out = test_alloc(t->nwords * sizeof *out), *part = test_alloc(t->nwords * sizeof *part);
  ds_error err;
  ds_rng *r = rng_open_pieces(&t->o, t->pieces);
  uint64_t done = 0;
  for (int k = 0; done < rows; k++) {
    uint64_t n = sizes[k % 12];
    if (n > rows - done) n = rows - done;
    if (!CHECK_OK(ds_rng_fill(r, DS_WORDS, DS_I32, DS_SPACE_HOST, part, n * t->across, &err), err))
      break;
    for (uint64_t i = 0; i < n * t->across; i++) {
      uint64_t to = done * t->across + i;
      if (t->info->family == DS_RNG_POINTS) to = i / n * rows + done + i % n;
      out[to] = part[i];
    }
    done += n;
  }
  if (done == rows) check_numbers(t, out, DS_WORDS, DS_I32, t->nwords, "in several calls");
  ds_rng_close(r);
  free(out);
  free(part);
}

static void check_saved(const subject *t)
{
  const uint64_t rows = t->nwords / t->across, middle = rows / 3;
  uint32_t *out = test_alloc(middle * t->across * sizeof *out);
  ds_error err;
  ds_rng_options other = t->o;
  other.seed = t->o.seed + 99;
  ds_rng *r = rng_open_pieces(&t->o, t->pieces), *into = rng_open_pieces(&other, t->pieces);
  size_t size;
  CHECK_OK(ds_rng_fill(r, DS_WORDS, DS_I32, DS_SPACE_HOST, out, middle * t->across, &err), err);
  char *bytes = rng_saved(r, &size);
  CHECK_OK(ds_rng_load(into, bytes, size, &err), err);
  check_rest(t, into, middle, "loaded state at");
  check_rest(t, r, middle, "saved state at"); /* saving has changed nothing */
  bytes[size - 1] ^= 1;
  CHECK(ds_rng_load(into, bytes, size, &err) == DS_ERR_ARGUMENT);
  free(bytes);
  ds_rng_close(r);
  ds_rng_close(into);
  free(out);
}

static void check_skips(const subject *t)
{
  const uint64_t rows = t->nwords / t->across;
  const uint64_t distance[] = {0, 1, 2, 7, 8, 63, rows / 2, rows - 1};
  ds_error err;
  for (int k = 0; k < 8 && t->info->can_skip; k++) {
    if (distance[k] >= rows) continue;
    ds_rng *r = rng_open_pieces(&t->o, t->pieces);
    CHECK_OK(ds_rng_skip(r, distance[k], 0, &err), err);
    check_rest(t, r, distance[k], "skipped");
    ds_rng_close(r);
  }
}

static void check_seeds(const subject *t)
{
  ds_rng_options other = t->o;
  other.seed++;
  uint32_t *w = rng_words(&other, t->nwords);
  uint64_t same = 0;
  for (uint64_t k = 0; k < t->nwords; k++) same += w[k] == t->words[k];
  if (t->info->family == DS_RNG_POINTS) {
    CHECK_MSG(same == t->nwords, "%s: points depend on the seed", t->name);
  } else {
    /* of n words n / 2^32 are expected to agree by chance */
    CHECK_MSG(same <= 3 + t->nwords / 100000000, "%s: %llu words of two seeds agree", t->name,
              (unsigned long long) same);
  }
  free(w);
}

long rng_conformance_failures(const rng_variants *v, const char *generator, int64_t width,
                              int rounds, size_t n, int64_t most_pieces, long *checks)
{
  static const int64_t pieces[] = {0, 1, 2, 3, 7, 64, 1000};
  subject t;
  ds_rng_options plain = rng_plain(generator, 20100611, width);
  plain.rounds = rounds;
  t.info = ds_rng_find(generator);
  if (check_brief() && width == 0 && n > 10006) n = 10006;
  const long failed_before = check_failed, done_before = check_done;
  if (!CHECK_MSG(t.info != NULL, "no generator %s", generator)) return 1;
  t.across = t.info->family == DS_RNG_SEQUENCE ? 1 : (uint64_t) width;
  t.nwords = n / 2 * 2 * t.across;
  uint32_t *words = rng_words(&plain, t.nwords);
  t.words = words;
  for (int k = 0; k < v->n; k++)
    for (int p = 0; p < 7 && pieces[p] <= most_pieces; p++) {
      t.o = v->options[k];
      t.o.generator = generator;
      t.o.seed = plain.seed;
      t.o.width = width;
      t.o.rounds = rounds;
      t.pieces = pieces[p];
      name_it(&t);
      check_distributions(&t);
      if (p > 2) continue;
      check_calls(&t);
      check_positions(&t);
      check_saved(&t);
      check_skips(&t);
      check_seeds(&t);
    }
  free(words);
  *checks = check_done - done_before;
  return check_failed - failed_before;
}
