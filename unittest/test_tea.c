/* test_tea.c: TEA against published answers, its inverse, and its diffusion.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "check.h"
#include "dpdsop/device/tea.h"

/* 32 rounds, big-endian words: the zero vector that is in wide circulation, and three more of the
   test vectors that cryptographic libraries carry for the cipher. */
static const struct {
  uint32_t key[4], plain[2], cipher[2];
} KNOWN[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x41EA3A0Au, 0x94BAA940u}},
    {{0, 0, 0, 0}, {0x01020304u, 0x05060708u}, {0x6A2F9CF3u, 0xFCCF3C55u}},
    {{0x01234567u, 0x12345678u, 0x23456789u, 0x3456789Au}, {0, 0}, {0x34E943B0u, 0x900F5DCBu}},
    {{0x01234567u, 0x12345678u, 0x23456789u, 0x3456789Au},
     {0x01020304u, 0x05060708u},
     {0x773DC179u, 0x878A81C0u}},
};

/* The decoding routine of Wheeler & Needham, for a number of rounds. */
static void decode(int rounds, const uint32_t key[4], uint32_t *v0, uint32_t *v1)
{
  uint32_t sum = DS_TEA_DELTA * (uint32_t) rounds;
  while (rounds--) {
    *v1 -= ((*v0 << 4) + key[2]) ^ (*v0 + sum) ^ ((*v0 >> 5) + key[3]);
    *v0 -= ((*v1 << 4) + key[0]) ^ (*v1 + sum) ^ ((*v1 >> 5) + key[1]);
    sum -= DS_TEA_DELTA;
  }
}

static void test_known_answers(void)
{
  for (size_t k = 0; k < sizeof KNOWN / sizeof KNOWN[0]; k++) {
    uint32_t v0 = KNOWN[k].plain[0], v1 = KNOWN[k].plain[1];
    ds_tea_encrypt(32, KNOWN[k].key, &v0, &v1);
    CHECK_HEX(v0, KNOWN[k].cipher[0]);
    CHECK_HEX(v1, KNOWN[k].cipher[1]);
  }
}

/* The known answers fix 32 rounds; that each round is one, and that few rounds are the first of
   many. */
static void test_rounds(void)
{
  const uint32_t key[4] = DS_TEA_KEY;
  uint64_t seed = 1;
  for (int rounds = 0; rounds <= 32; rounds++)
    for (int k = 0; k < 100; k++) {
      const uint64_t r = check_random(&seed);
      const uint32_t a = (uint32_t) r, b = (uint32_t) (r >> 32);
      uint32_t v0 = a, v1 = b;
      ds_tea_encrypt(rounds, key, &v0, &v1);
      CHECK(rounds > 0 ? v0 != a || v1 != b : v0 == a && v1 == b);
      decode(rounds, key, &v0, &v1);
      CHECK_HEX(v0, a);
      CHECK_HEX(v1, b);
    }
  uint32_t v0 = 0, v1 = 0; /* one round by hand, from Alg. 4 */
  ds_tea_encrypt(1, key, &v0, &v1);
  const uint32_t a = 0xA341316Cu ^ 0x9E3779B9u ^ 0xC8013EA4u;
  const uint32_t b = (((a << 4) + 0xAD90777Du) ^ (a + 0x9E3779B9u) ^ ((a >> 5) + 0x7E95761Eu));
  CHECK_HEX(v0, a);
  CHECK_HEX(v1, b);
}

/* Sixteen rounds, as in the signature: a flipped bit of text or key changes each output bit with
   probability 1/2. Over n samples its frequency has the deviation 1/2 sqrt(1/n); among 192 * 64
   frequencies the largest stays below 6 deviations with probability 1 - 2.4e-5. */
static void test_diffusion(void)
{
  enum { N = 4000 };
  double worst = 0;
  uint64_t seed = 2;
  for (int bit = 0; bit < 192; bit++) {
    int count[64] = {0};
    for (int n = 0; n < N; n++) {
      uint32_t in[6], flipped[6];
      for (int k = 0; k < 6; k++) in[k] = flipped[k] = (uint32_t) check_random(&seed);
      flipped[bit / 32] ^= 1u << (bit % 32);
      ds_tea_encrypt(16, in + 2, in, in + 1);
      ds_tea_encrypt(16, flipped + 2, flipped, flipped + 1);
      for (int k = 0; k < 64; k++)
        count[k] += (int) ((in[k / 32] ^ flipped[k / 32]) >> (k % 32) & 1u);
    }
    for (int k = 0; k < 64; k++) {
      const double away = fabs(count[k] - 0.5 * N) / (0.5 * sqrt((double) N));
      if (away > worst) worst = away;
    }
  }
  CHECK_BOUND(worst, 6, "TEA-16: flips of an output bit, deviations from 1/2");
}

int main(int argc, char **argv)
{
  check_open(argc, argv);
  CHECK_CASE(test_known_answers());
  CHECK_CASE(test_rounds());
  CHECK_CASE(test_diffusion());
  return check_result();
}
