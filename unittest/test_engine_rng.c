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
  ds_rng_options o = options_of(variant, "philox", 0);
  o.generator = "mersenne";
  refuse_open(o, "unknown generator 'mersenne'|philox|tea");
  o.generator = NULL;
  refuse_open(o, "(null)|philox");
  o.generator = "philox";
  o.threads = 0;
  refuse_open(o, "threads 0|>= 1");
  o.threads = 1;
  o.pieces = -1;
  refuse_open(o, "pieces -1|0 to");
  o.pieces = 0;
  o.local_rank = -2;
  refuse_open(o, "local rank -2");
  o.local_rank = 0;
  o.isa = "sse9";
  refuse_open(o, "'sse9'");
  o = options_of(variant, "tea", 0);
  o.rounds = 0;
  refuse_open(o, "tea|rounds 0|1 to 32");
  o.rounds = 33;
  refuse_open(o, "tea|rounds 33");
  for (int k = 0; ds_rng_table(k); k++) {
    const ds_rng_info *info = ds_rng_table(k);
    if (info->most_width == 0) continue;
    refuse_open(options_of(variant, info->name, 0), info->name);
    refuse_open(options_of(variant, info->name, -1), info->width_name);
    refuse_open(options_of(variant, info->name, info->most_width + 1), "allowed: 1 to");
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

int main(int argc, char **argv)
{
  const int skip = rng_variants_open(&rng_variant, argc, argv);
  if (skip) return skip;
  test_table();
  for (int k = 0; k < rng_variant.n; k++) {
    test_open(k);
    test_fill(k);
    test_end(k);
    test_state(k);
  }
  return check_result();
}
