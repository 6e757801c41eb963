/* test_engine_rng_lcg.c: the linear congruential generator against its authors' known answers.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "dpdsop/device/rng/lcg.h"
#include "support/rng.h"

enum { STREAMS = 1000, ROWS = 60 };

/* Press et al., "Numerical Recipes in C" (1992), section 7.1: what starts from idum = 0. */
static const uint32_t KNOWN[] = {0x3C6EF35Fu, 0x47502932u, 0xD1CCF6E9u, 0xAAF95334u,
                                 0x6252E503u, 0x9F2EC686u, 0x57FE6C2Du, 0xA3D95FA8u,
                                 0x81FDBEE7u, 0x94F0AF1Au, 0xCBF633B1u};

enum { COUNT = (int) (sizeof KNOWN / sizeof KNOWN[0]) };

static void test_known_answers(void)
{
  ds_lcg g, from;
  ds_lcg_set(&g, 0);
  for (int k = 0; k < COUNT; k++) {
    const uint32_t w = ds_lcg_next(&g);
    CHECK_HEX(w, KNOWN[k]);
  }
  for (uint32_t k = 0; k < COUNT; k++) {
    ds_lcg_set(&from, 0);
    ds_lcg_skip(&from, k);
    ds_lcg_next(&from);
    CHECK_HEX(from.x, KNOWN[k]);
    ds_lcg_skip(&from, UINT32_MAX - k); /* once around the period, 2^32 */
    CHECK_HEX(from.x, 0);
  }
}

/* The words of every stream are those of its saved first state. */
static void test_streams(const rng_variants *v)
{
  for (int k = 0; k < v->n; k++) {
    ds_rng_options o = v->options[k];
    o.generator = "lcg";
    o.seed = 0xB00000007ull;
    o.width = STREAMS;
    uint32_t *w = rng_words(&o, (size_t) STREAMS * ROWS), *seeds = rng_first_state(&o, STREAMS);
    for (int s = 0; s < STREAMS; s++) {
      ds_lcg g;
      CHECK_HEX(seeds[s], rng_seed_word(o.seed, (uint64_t) s));
      ds_lcg_set(&g, seeds[s]);
      for (int i = 0; i < ROWS; i++) {
        const uint32_t expected = ds_lcg_next(&g);
        CHECK_HEX(w[i * STREAMS + s], expected);
      }
    }
    free(seeds);
    free(w);
  }
}

/* Streams make a skip of the period no skip at all. */
static void test_around(const rng_variants *v)
{
  for (int k = 0; k < v->n; k++) {
    ds_rng_options o = v->options[k];
    ds_error err;
    uint32_t got[3] = {0, 0, 0};
    o.generator = "lcg";
    o.seed = 12;
    o.width = 3;
    uint32_t *w = rng_words(&o, 3);
    ds_rng *r = rng_open(&o);
    CHECK(ds_rng_skip(r, 1, 31, &err) == DS_OK);
    CHECK(ds_rng_skip(r, (1u << 31) - 5, 0, &err) == DS_OK);
    CHECK(ds_rng_skip(r, 5, 0, &err) == DS_OK);
    CHECK(ds_rng_fill(r, DS_WORDS, DS_I32, DS_SPACE_HOST, got, 3, &err) == DS_OK);
    CHECK(memcmp(got, w, sizeof got) == 0);
    CHECK(ds_rng_skip(r, (uint64_t) 1 << 32, 0, &err) == DS_ERR_ARGUMENT);
    CHECK(ds_rng_skip(r, 4, 30, &err) == DS_ERR_ARGUMENT);
    ds_rng_close(r);
    free(w);
  }
}

int main(int argc, char **argv)
{
  rng_variants v;
  const int skip = rng_variants_open(&v, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_known_answers());
  CHECK_CASE(test_streams(&v));
  CHECK_CASE(test_around(&v));
  CHECK_CASE(rng_conformance(&v, "lcg", 1, 0, 3000, 1));
  CHECK_CASE(rng_conformance(&v, "lcg", 1003, 0, 70, 1));
  CHECK_CASE(rng_conformance(&v, "lcg", 2100, 0, 66, 1));
  return check_result();
}
