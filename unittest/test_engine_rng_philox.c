/* test_engine_rng_philox.c: Philox4x32-10 against its authors' known answers.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "check.h"
#include "dpdsop/device/rng/philox.h"
#include "support/rng.h"

/* From the file kat_vectors of the authors' library Random123: counter, key, result. */
static const struct {
  uint32_t counter[4], key[2], result[4];
} KNOWN[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627E8D5u, 0xE169C58Du, 0xBC57AC4Cu, 0x9B00DBD8u}},
    {{0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu},
     {0xFFFFFFFFu, 0xFFFFFFFFu},
     {0x408F276Du, 0x41C83B0Eu, 0xA20BC7C6u, 0x6D5451FDu}},
    {{0x243F6A88u, 0x85A308D3u, 0x13198A2Eu, 0x03707344u},
     {0xA4093822u, 0x299F31D0u},
     {0xD16CFE09u, 0x94FDCCEBu, 0x5001E420u, 0x24126EA1u}},
};

static void test_known_answers(void)
{
  for (size_t k = 0; k < sizeof KNOWN / sizeof KNOWN[0]; k++) {
    uint32_t got[4];
    ds_philox_words(KNOWN[k].counter, KNOWN[k].key[0] | (uint64_t) KNOWN[k].key[1] << 32, got);
    for (int c = 0; c < 4; c++) CHECK_HEX(got[c], KNOWN[k].result[c]);
  }
}

/* The sequence of seed 0 begins with the answer for the counter 0, on every backend. */
static void test_sequence(const rng_variants *v)
{
  for (int k = 0; k < v->n; k++) {
    ds_rng_options o = v->options[k];
    o.generator = "philox";
    o.seed = 0;
    uint32_t *w = rng_words(&o, 8), next[4];
    ds_philox_block(0, 1, next);
    for (int c = 0; c < 4; c++) {
      CHECK_HEX(w[c], KNOWN[0].result[c]);
      CHECK_HEX(w[4 + c], next[c]);
    }
    free(w);
    ds_error err;
    uint32_t far[4], expected[4];
    const uint32_t counter[4] = {2, 5, 0, 0};
    ds_rng *r = rng_open(&o);
    CHECK_OK(ds_rng_skip(r, (uint64_t) 5 << 34 | 8, 0, &err), err);
    CHECK_OK(ds_rng_fill(r, DS_WORDS, DS_I32, DS_SPACE_HOST, far, 4, &err), err);
    ds_rng_close(r);
    ds_philox_words(counter, 0, expected);
    for (int c = 0; c < 4; c++) CHECK_HEX(far[c], expected[c]);
  }
}

int main(int argc, char **argv)
{
  rng_variants v;
  const int skip = rng_variants_open(&v, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_known_answers());
  CHECK_CASE(test_sequence(&v));
  CHECK_CASE(rng_conformance(&v, "philox", 0, 0, 10006, 1000));
  CHECK_CASE(rng_conformance(&v, "philox", 0, 0, 300000, 3));
  return check_result();
}
