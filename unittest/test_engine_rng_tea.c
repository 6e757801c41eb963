/* test_engine_rng_tea.c: TEA as a generator. The cipher's known answers are in test_tea.c.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "check.h"
#include "dpdsop/device/rng/tea_stream.h"
#include "support/rng.h"

/* Words 2 k and 2 k + 1 are the cipher of k under a key that the seed has changed, for any number of rounds that is
   allowed. */
static void test_sequence(const rng_variants *v)
{
  const uint64_t seed = 0x123456789ABCDEF0ull;
  const uint32_t key[4] = {0xA341316Cu ^ 0x9ABCDEF0u, 0xC8013EA4u, 0xAD90777Du ^ 0x12345678u,
                           0x7E95761Eu};
  for (int k = 0; k < v->n; k++)
    for (int rounds = 8; rounds <= 32; rounds += 6) {
      ds_rng_options o = v->options[k];
      o.generator = "tea";
      o.seed = seed;
      o.rounds = rounds;
      uint32_t *w = rng_words(&o, 200);
      for (uint32_t block = 0; block < 100; block++) {
        uint32_t a = block, b = 0;
        ds_tea_encrypt(rounds, key, &a, &b);
        CHECK_HEX(w[2 * block], a);
        CHECK_HEX(w[2 * block + 1], b);
      }
      free(w);
      ds_error err;
      uint32_t far[2], a = 2, b = 5; /* a counter of two words */
      ds_rng *r = rng_open(&o);
      CHECK_OK(ds_rng_skip(r, (uint64_t) 5 << 33 | 4, 0, &err), err);
      CHECK_OK(ds_rng_fill(r, DS_WORDS, DS_I32, DS_SPACE_HOST, far, 2, &err), err);
      ds_rng_close(r);
      ds_tea_encrypt(rounds, key, &a, &b);
      CHECK_HEX(far[0], a);
      CHECK_HEX(far[1], b);
    }
}

int main(int argc, char **argv)
{
  rng_variants v;
  const int skip = rng_variants_open(&v, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_sequence(&v));
  CHECK_CASE(rng_conformance(&v, "tea", 0, 8, 10006, 1000));
  CHECK_CASE(rng_conformance(&v, "tea", 0, 32, 100001, 3));
  return check_result();
}
