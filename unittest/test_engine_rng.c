/* test_engine_rng.c: every wrong argument of the generators' interface gives its status and a text that
   names what is wrong, and leaves the object as it was.   SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/errors.h"
#include "support/rng.h"

static rng_variants rng_variant;

static ds_rng_options options_of(int variant, const char *generator, int64_t width)
{
  ds_rng_options o = rng_variant.options[variant];
  o.generator = generator;
  o.width = width;
  o.seed = 5;
  return o;
}

/* The table is whole: distinct names that fit a saved state, and facts that can be. */
static void test_table(void)
{
  int count = 0;
  for (const ds_rng_info *a; (a = ds_rng_table(count)) != NULL; count++) {
    CHECK_MSG(strlen(a->name) < 16 && strlen(a->title) > 2 && strlen(a->source) > 4, "%s", a->name);
    CHECK_MSG(a->bits == 31 || a->bits == 32, "%s", a->name);
    CHECK_MSG(a->words_per_double == 1 || a->words_per_double == 2, "%s", a->name);
    CHECK_MSG((a->most_width > 0) == (a->width_name[0] != '\0'), "%s", a->name);
    CHECK(ds_rng_find(a->name) == a);
  }
  CHECK(count >= 2 && ds_rng_table(-1) == NULL && ds_rng_find("none") == NULL &&
        ds_rng_find(NULL) == NULL);
}

static void refuse_open(ds_rng_options o, const char *words)
{
  ds_error err;
  ds_rng *r = (ds_rng *) &o;
  EXPECT(ds_rng_open(&r, &o, &err), err, DS_ERR_ARGUMENT, words);
  CHECK(r == NULL);
}

static void test_open(int variant)
{
  ds_error err;
  ds_rng *r = NULL;
  if (CHECK_OK(ds_rng_open(&r, NULL, &err), err)) { /* all that is zero is the default */
    CHECK(strcmp(ds_rng_get_info(r)->name, "philox") == 0);
    CHECK((strcmp(ds_rng_backend(r), "host") == 0) == (ds_rng_no_gpu(r)[0] != '\0'));
    ds_rng_close(r);
  }
  ds_rng_options o = options_of(variant, "philox", 0);
  EXPECT(ds_rng_open(NULL, &o, &err), err, DS_ERR_ARGUMENT, "null pointer|generator");
  o.generator = "mersenne";
  refuse_open(o, "unknown generator 'mersenne'|philox|tea");
  o.generator = "philox";
  o.threads = -1;
  refuse_open(o, "threads -1|to 4096");
  o.threads = 4097;
  refuse_open(o, "threads 4097|to 4096");
  o.threads = 1;
  o.local_rank = -2;
  refuse_open(o, "local rank -2");
  o.local_rank = 0;
  o.isa = "sse9";
  refuse_open(o, "'sse9'");
  o = options_of(variant, "tea", 0);
  o.rounds = 7;
  refuse_open(o, "tea|rounds 7|8 to 32");
  o.rounds = 33;
  refuse_open(o, "tea|rounds 33");
  for (int k = 0; ds_rng_table(k); k++) {
    const ds_rng_info *info = ds_rng_table(k);
    if (info->most_width == 0) continue;
    refuse_open(options_of(variant, info->name, -1), info->width_name);
    refuse_open(options_of(variant, info->name, info->most_width + 1), "allowed: 1 to");
  }
}

/* 0 is 1 for widths, and for rounds the least number. */
static void test_defaults(int variant)
{
  static const char *const name[] = {"tea", "taus", "sobol"};
  for (int k = 0; k < 3; k++) {
    ds_rng_options given = options_of(variant, name[k], 0), same = given;
    given.rounds = 0;
    same.rounds = ds_rng_find(name[k])->least_rounds;
    same.width = 1;
    uint32_t *const a = rng_words(&given, 64), *const b = rng_words(&same, 64);
    CHECK_MSG(memcmp(a, b, 64 * sizeof *a) == 0, "%s: words of the default are other ones", name[k]);
    free(a);
    free(b);
  }
}

static void test_fill(int variant)
{
  const ds_rng_options o = options_of(variant, "philox", 0);
  uint32_t *expected = rng_words(&o, 8), got[8];
  ds_rng *r = rng_open(&o);
  ds_error err;
  double x[8];
  EXPECT(ds_rng_fill(r, DS_UNIFORM, DS_F64, DS_SPACE_HOST, NULL, 8, &err), err, DS_ERR_ARGUMENT,
         "philox|null array for 8");
  EXPECT(ds_rng_fill(r, DS_WORDS, DS_F64, DS_SPACE_HOST, x, 8, &err), err, DS_ERR_ARGUMENT,
         "type|I32 for words");
  EXPECT(ds_rng_fill(r, DS_NORMAL, DS_I32, DS_SPACE_HOST, x, 8, &err), err, DS_ERR_ARGUMENT,
         "type|F32 and F64");
  EXPECT(ds_rng_fill(r, (ds_distribution) 77, DS_F32, DS_SPACE_HOST, x, 8, &err), err,
         DS_ERR_ARGUMENT, "distribution 77|0 to 4");
  if (o.backend == DS_BACKEND_HOST)
    EXPECT(ds_rng_fill(r, DS_NORMAL, DS_F32, DS_SPACE_DEVICE, x, 8, &err), err, DS_ERR_ARGUMENT,
           "device memory|host backend");
  EXPECT(ds_rng_fill(r, DS_NORMAL, DS_F32, (ds_space) 9, x, 8, &err), err, DS_ERR_ARGUMENT,
         "memory space 9");
  /* counts whose words are more than 64 bits can count */
  EXPECT(ds_rng_fill(r, DS_UNIFORM, DS_F64, DS_SPACE_HOST, x, SIZE_MAX / 2 + 1, &err), err,
         DS_ERR_ARGUMENT, "2^1 more words|left of 2^64");
  EXPECT(ds_rng_fill(r, DS_NORMAL, DS_F64, DS_SPACE_HOST, x, SIZE_MAX, &err), err, DS_ERR_ARGUMENT,
         "2^1 more words|left of 2^64");
  CHECK_OK(ds_rng_fill(r, DS_NORMAL, DS_F32, DS_SPACE_HOST, NULL, 0, &err), err);
  CHECK_OK(ds_rng_fill(r, DS_WORDS, DS_I32, DS_SPACE_HOST, got, 8, &err), err);
  CHECK(memcmp(got, expected, sizeof got) == 0); /* nothing was taken by all that */
  ds_rng_close(r);
  free(expected);
}

static void test_end(int variant)
{
  const ds_rng_options o = options_of(variant, "philox", 0);
  ds_rng *r = rng_open(&o);
  ds_error err;
  uint32_t w[8];
  EXPECT(ds_rng_skip(r, 2, 63, &err), err, DS_ERR_ARGUMENT, "philox|2 * 2^63|2^64");
  EXPECT(ds_rng_skip(r, 1, 64, &err), err, DS_ERR_ARGUMENT, "2^64|2^0 to 2^63");
  EXPECT(ds_rng_skip(r, 1, -1, &err), err, DS_ERR_ARGUMENT, "2^-1");
  CHECK_OK(ds_rng_skip(r, UINT64_MAX - 4, 0, &err), err); /* 4 words are left */
  EXPECT(ds_rng_fill(r, DS_WORDS, DS_I32, DS_SPACE_HOST, w, 5, &err), err, DS_ERR_ARGUMENT,
         "5 more words|4 left");
  EXPECT(ds_rng_skip(r, 5, 0, &err), err, DS_ERR_ARGUMENT, "5 more words|4 left");
  CHECK_OK(ds_rng_fill(r, DS_WORDS, DS_I32, DS_SPACE_HOST, w, 3, &err), err);
  EXPECT(ds_rng_skip(r, UINT64_MAX, 0, &err), err, DS_ERR_ARGUMENT, "1 left");
  ds_rng_close(r);
}

static void test_state(int variant)
{
  ds_rng *a = NULL, *b = NULL;
  ds_rng_options o = options_of(variant, "philox", 0);
  ds_error err;
  char bytes[4096];
  a = rng_open(&o);
  o.generator = "tea";
  o.rounds = 8;
  b = rng_open(&o);
  const size_t size = ds_rng_state_bytes(a);
  CHECK(size <= sizeof bytes);
  EXPECT(ds_rng_save(a, bytes, size - 1, &err), err, DS_ERR_ARGUMENT, "philox|bytes|room for");
  EXPECT(ds_rng_save(a, NULL, size, &err), err, DS_ERR_ARGUMENT, "philox|room for 0");
  CHECK_OK(ds_rng_save(a, bytes, size, &err), err);
  EXPECT(ds_rng_load(b, bytes, size, &err), err, DS_ERR_ARGUMENT, "tea|state of philox");
  EXPECT(ds_rng_load(a, bytes, 7, &err), err, DS_ERR_ARGUMENT, "7 bytes are no state");
  EXPECT(ds_rng_load(a, NULL, size, &err), err, DS_ERR_ARGUMENT, "0 bytes are no state");
  bytes[size - 20] ^= 4;
  EXPECT(ds_rng_load(a, bytes, size, &err), err, DS_ERR_ARGUMENT, "philox|cut or changed");
  bytes[0] = 'x';
  EXPECT(ds_rng_load(a, bytes, size, &err), err, DS_ERR_ARGUMENT, "not a state");
  ds_rng_close(a);
  ds_rng_close(b);
}

/* The next words of two objects. */
static void check_same_words(ds_rng *a, ds_rng *b)
{
  ds_error err;
  uint32_t x[50], y[50];
  CHECK_OK(ds_rng_fill(a, DS_WORDS, DS_I32, DS_SPACE_HOST, x, 50, &err), err);
  CHECK_OK(ds_rng_fill(b, DS_WORDS, DS_I32, DS_SPACE_HOST, y, 50, &err), err);
  CHECK(memcmp(x, y, sizeof x) == 0);
}

/* As many threads as OpenMP would take. */
static void test_threads(int variant)
{
  ds_rng_options o = options_of(variant, "mrg32k3a", 0);
  ds_rng *a = rng_open(&o);
  o.threads = 0;
  ds_rng *b = rng_open(&o);
  check_same_words(a, b);
  ds_rng_close(a);
  ds_rng_close(b);
}

/* A state saved by one object, taken by another: 0 refused, 1 taken. */
static int takes(const ds_rng_options *from, const ds_rng_options *to, const char *words)
{
  ds_error err;
  ds_rng *a = rng_open(from), *b = rng_open(to);
  size_t size;
  unsigned char *bytes = rng_saved(a, &size);
  const int taken = ds_rng_load(b, bytes, size, &err) == DS_OK;
  if (taken)
    check_same_words(a, b);
  else
    EXPECT(ds_rng_load(b, bytes, size, &err), err, DS_ERR_ARGUMENT, words);
  free(bytes);
  ds_rng_close(a);
  ds_rng_close(b);
  return taken;
}

/* A state wants the width and rounds that it was made with, where these mean something. */
static void test_state_of_others(int variant)
{
  ds_rng_options a = options_of(variant, "sobol", 3), b = options_of(variant, "sobol", 4);
  CHECK(!takes(&a, &b, "sobol of width 4|state of sobol of width 3"));
  a = options_of(variant, "fibonacci", 1000), b = options_of(variant, "fibonacci", 1001);
  CHECK(takes(&a, &b, "")); /* the same lags, so the same sequence */
  a = options_of(variant, "fibonacci", 1029), b = options_of(variant, "fibonacci", 1030);
  CHECK(!takes(&a, &b, "fibonacci of width 1030|state of fibonacci of width 1029"));
  a = b = options_of(variant, "tea", 0);
  a.rounds = 8, b.rounds = 32;
  CHECK(!takes(&a, &b, "rounds 32|rounds 8"));
  a = options_of(variant, "philox", 0), b = options_of(variant, "philox", 5);
  a.rounds = 8, b.rounds = 99;
  CHECK(takes(&a, &b, ""));
}

/* No byte of a state can be changed, and none left out. */
static void test_damage(int variant)
{
  ds_error err;
  const ds_rng_options o = options_of(variant, "taus", 3);
  ds_rng *r = rng_open(&o);
  size_t size;
  unsigned char *bytes = rng_saved(r, &size);
  for (size_t k = 0; k < size; k++)
    for (int bit = 0; bit < 8; bit++) {
      bytes[k] ^= (unsigned char) (1 << bit);
      CHECK_MSG(ds_rng_load(r, bytes, size, &err) == DS_ERR_ARGUMENT, "byte %zu, bit %d", k, bit);
      bytes[k] ^= (unsigned char) (1 << bit);
    }
  for (size_t k = 0; k < size; k++) {
    unsigned char *part = test_alloc(k); /* so that memory checkers see what is read behind it */
    memcpy(part, bytes, k);
    CHECK_MSG(ds_rng_load(r, part, k, &err) == DS_ERR_ARGUMENT, "%zu of %zu bytes", k, size);
    free(part);
  }
  bytes[24] = 2; /* the version, which the text names */
  EXPECT(ds_rng_load(r, bytes, size, &err), err, DS_ERR_ARGUMENT, "version 1");
  bytes[24] = 1;
  CHECK_OK(ds_rng_load(r, bytes, size, &err), err);
  free(bytes);
  ds_rng_close(r);
}

/* The checksum of a state, FNV-1a of 64 bits, made again after a change: bytes 64 to 71 are of all others. */
static void sign(unsigned char *bytes, size_t size)
{
  uint64_t h = 0xCBF29CE484222325ull;
  for (size_t k = 0; k < size; k++)
    if (k < 64 || k >= 72) h = (h ^ bytes[k]) * 0x100000001B3ull;
  memcpy(bytes + 64, &h, sizeof h);
}

/* States that no generator comes to, with a checksum that is right: the first word of all, or one, is changed. */
static void test_illegal_states(int variant)
{
  static const struct {
    const char *generator;
    size_t first, count; /* words to be changed */
    uint32_t to;
    int legal;
  } change[] = {{"lcg", 0, 2, 0, 1},
                {"taus", 0, 1, 1, 0},
                {"taus", 0, 1, 2, 1},
                {"taus", 3, 1, 7, 0},
                {"taus", 5, 1, 15, 0},
                {"taus", 6, 2, 0, 1},
                {"ran2", 0, 1, 0, 0},
                {"ran2", 3, 1, 2147483399, 0},
                {"ran2", 4, 1, 0x80000000u, 0},
                {"ran2", 69, 1, 2147483563, 0},
                {"ran2", 69, 1, 5, 1},
                {"fibonacci", 0, 2281, 4, 0},
                {"fibonacci", 1, 2280, 0, 1},
                {"mrg32k3a", 0, 3, 0, 0},
                {"mrg32k3a", 3, 3, 0, 0},
                {"mrg32k3a", 1, 2, 0, 1},
                {"mrg32k3a", 5, 1, 4294944443u, 0},
                {"mrg32k3a", 2, 1, 4294967087u, 0},
                {"mt19937", 0, 624, 0, 0},
                {"mt19937", 1, 623, 0, 1}};
  for (size_t k = 0; k < sizeof change / sizeof change[0]; k++) {
    ds_error err;
    const ds_rng_options o = options_of(variant, change[k].generator, 2);
    ds_rng *r = rng_open(&o);
    size_t size;
    unsigned char *bytes = rng_saved(r, &size);
    for (size_t w = 0; w < change[k].count; w++)
      memcpy(bytes + 72 + 4 * (change[k].first + w), &change[k].to, 4);
    sign(bytes, size);
    const ds_status s = ds_rng_load(r, bytes, size, &err);
    CHECK_MSG(s == (change[k].legal ? DS_OK : DS_ERR_ARGUMENT), "change %zu of %s: status %d", k,
              change[k].generator, (int) s);
    if (!change[k].legal) CHECK(strstr(err.text, "no state of it") != NULL);
    free(bytes);
    ds_rng_close(r);
  }
}

/* Position 2^32 + 1 of points is past their end. */
static void test_illegal_position(int variant)
{
  ds_error err;
  const ds_rng_options o = options_of(variant, "sobol", 2);
  ds_rng *r = rng_open(&o);
  size_t size;
  unsigned char *bytes = rng_saved(r, &size);
  uint64_t position = (uint64_t) 1 << 32;
  memcpy(bytes + 40, &position, sizeof position);
  sign(bytes, size);
  CHECK_OK(ds_rng_load(r, bytes, size, &err), err);
  position++;
  memcpy(bytes + 40, &position, sizeof position);
  sign(bytes, size);
  EXPECT(ds_rng_load(r, bytes, size, &err), err, DS_ERR_ARGUMENT, "sobol|4294967297|past its end");
  free(bytes);
  ds_rng_close(r);
}

static int by_size(const void *a, const void *b)
{
  const uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  return (x > y) - (x < y);
}

/* Every bit of a seed counts, and so do any two of them together: the first words of 2081 seeds are all different.
   (TEA has keys that are the same in pairs.) By chance two of the 62 bits or more that are compared agree with a
   probability of 5e-13; those of lcg are of two streams. */
static void test_seeds(int variant)
{
  for (int g = 0; ds_rng_table(g); g++) {
    const ds_rng_info *info = ds_rng_table(g);
    static uint64_t first[1 + 64 + 64 * 63 / 2];
    int n = 0, same = 0;
    if (info->family == DS_RNG_POINTS) continue;
    for (int a = 0; a <= 64; a++)
      for (int b = a; b <= 64 && (a < 64 || b == 64); b++) {
        if (a == b && a < 64) continue;
        ds_rng_options o = options_of(variant, info->name, 2);
        o.rounds = 8;
        o.seed = 12345 ^ (a < 64 ? (uint64_t) 1 << a : 0) ^ (b < 64 ? (uint64_t) 1 << b : 0);
        uint32_t *w = rng_words(&o, 2);
        first[n++] = (uint64_t) w[0] << 32 | w[1];
        free(w);
      }
    qsort(first, (size_t) n, sizeof first[0], by_size);
    for (int k = 1; k < n; k++) same += first[k] == first[k - 1];
    CHECK_INT(n, 1 + 64 + 64 * 63 / 2);
    CHECK_MSG(same == 0, "%s: %d pairs of %d seeds have the same words", info->name, same, n);
  }
}

int main(int argc, char **argv)
{
  const int skip = rng_variants_open(&rng_variant, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_table());
  for (int k = 0; k < rng_variant.n; k++) {
    CHECK_CASE(test_open(k));
    CHECK_CASE(test_threads(k));
    CHECK_CASE(test_defaults(k));
    CHECK_CASE(test_fill(k));
    CHECK_CASE(test_end(k));
    CHECK_CASE(test_state(k));
    CHECK_CASE(test_state_of_others(k));
    CHECK_CASE(test_damage(k));
    CHECK_CASE(test_illegal_states(k));
    CHECK_CASE(test_illegal_position(k));
  }
  if (rng_variant.options[0].backend == DS_BACKEND_HOST) CHECK_CASE(test_seeds(0)); /* seeding is the host's */
  return check_result();
}
