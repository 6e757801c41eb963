/* test_engine_rng_taus.c: Hybrid Taus, its parts against the recurrences that define them and against the
   GNU Scientific Library.   SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "dpdsop/device/rng/taus.h"
#include "support/rng.h"

enum { STREAMS = 500, ROWS = 100, STEPS = 200 };

/* The generators of L'Ecuyer 1996, table 1: the bits b of a component obey b(n+k) = b(n+q) + b(n) modulo 2, and s of them
   go by at a step. primes: those of the period 2^k - 1. */
typedef struct {
  int k, q, s;
  uint32_t primes[6];
} component;

static const component COMPONENTS[3] = {{31, 13, 12, {2147483647u}},
                                        {29, 2, 4, {233, 1103, 2089}},
                                        {28, 3, 17, {3, 5, 29, 43, 113, 127}}};

/* One step of component j by the device function, with LCG and the other two left to themselves. */
static uint32_t step(int j, uint32_t z)
{
  ds_taus g = {2, 8, 16, 0};
  uint32_t *const part = j == 0 ? &g.z1 : j == 1 ? &g.z2 : &g.z3;
  *part = z;
  ds_taus_next(&g);
  return *part;
}

/* The words are the bits of the recurrence, taken 32 at a time and s further on at each step. */
static void test_recurrence(int j, uint32_t z)
{
  const component *const c = &COMPONENTS[j];
  unsigned char *const b = malloc((size_t) (STEPS * c->s + 64));
  if (!CHECK(b != NULL)) return;
  for (int n = 0; n < c->k; n++) b[n] = z >> (31 - n) & 1;
  for (int n = c->k; n < STEPS * c->s + 64; n++) b[n] = b[n - c->k + c->q] ^ b[n - c->k];
  for (int i = 1; i <= STEPS; i++) {
    uint32_t expected = 0;
    for (int n = 0; n < 32; n++) expected = expected << 1 | b[i * c->s + n];
    z = step(j, z);
    CHECK_HEX(z, expected);
  }
  free(b);
}

/* `count` steps by the squares of the matrix of one step: column i is what becomes of bit i. */
static uint32_t after(int j, uint32_t z, uint32_t count)
{
  uint32_t m[32], square[32];
  for (int i = 0; i < 32; i++) m[i] = step(j, 1u << i) ^ step(j, 0);
  for (; count; count >>= 1) {
    uint32_t y = 0;
    for (int i = 0; i < 32; i++)
      if (count & 1 && z >> i & 1) y ^= m[i];
    if (count & 1) z = y;
    for (int i = 0; i < 32; i++) {
      square[i] = 0;
      for (int n = 0; n < 32; n++)
        if (m[i] >> n & 1) square[i] ^= m[n];
    }
    memcpy(m, square, sizeof m);
  }
  return z;
}

/* From a state of the cycle it takes 2^k - 1 steps back to it, and no part of them. */
static void test_period(int j)
{
  const component *const c = &COMPONENTS[j];
  const uint32_t period = (uint32_t) ((1ull << c->k) - 1), z = step(j, 0x9E3779B9u);
  uint32_t divided = period;
  CHECK_HEX(after(j, z, 1), step(j, z));
  CHECK_HEX(after(j, z, period), z);
  for (int p = 0; p < 6 && c->primes[p]; p++) {
    CHECK(period % c->primes[p] == 0 && after(j, z, period / c->primes[p]) != z);
    divided /= c->primes[p];
  }
  CHECK_INT(divided, 1); /* that were all primes */
}

/* taus88 as the GNU Scientific Library 2.7 makes it: gsl_rng_taus, seeds 1 and 123456789, numbers 1 to 4 and 10000.
   Its seeds are a congruential sequence, and it throws six numbers away. */
static void test_library(void)
{
  static const struct {
    uint32_t seed, first[4], last;
  } known[] = {{1, {802792108u, 4084684829u, 2342628799u, 320516809u}, 2733957125u},
               {123456789u, {3426689362u, 1754403223u, 1270643474u, 312181056u}, 1365697098u}};
  for (int k = 0; k < 2; k++) {
    const uint32_t s1 = 69069u * known[k].seed, s2 = 69069u * s1, s3 = 69069u * s2;
    const uint32_t seed[4] = {s1, s2, s3, 0};
    ds_taus g;
    ds_taus_set(&g, seed);
    for (int n = -5; n <= 10000; n++) {
      const uint32_t w = ds_taus_next(&g) ^ g.z4; /* without the congruential part */
      if (n >= 1 && n <= 4) CHECK_HEX(w, known[k].first[n - 1]);
      if (n == 10000) CHECK_HEX(w, known[k].last);
    }
  }
}

/* The fourth part is the generator of Numerical Recipes: its third number from 0. */
static void test_congruential(void)
{
  ds_taus g = {2, 8, 16, 0};
  for (int k = 0; k < 3; k++) {
    const uint32_t w = ds_taus_next(&g);
    CHECK_HEX(w ^ g.z1 ^ g.z2 ^ g.z3, g.z4);
  }
  CHECK_HEX(g.z4, 0xD1CCF6E9u);
}

/* The length of the shortest linear recurrence of n bits (Berlekamp & Massey 1969). */
static int linear_complexity(const unsigned char *bits, int n)
{
  unsigned char *c = calloc((size_t) n, 1), *b = calloc((size_t) n, 1), *kept = malloc((size_t) n);
  int length = 0, last = -1;
  if (!c || !b || !kept) exit(1);
  c[0] = b[0] = 1;
  for (int i = 0; i < n; i++) {
    int wrong = bits[i];
    for (int j = 1; j <= length; j++) wrong ^= c[j] & bits[i - j];
    if (!wrong) continue;
    memcpy(kept, c, (size_t) n);
    for (int j = 0; j + i - last < n; j++) c[j + i - last] ^= b[j];
    if (2 * length > i) continue;
    length = i + 1 - length;
    last = i;
    memcpy(b, kept, (size_t) n);
  }
  free(c);
  free(b);
  free(kept);
  return length;
}

/* What the manual says of the lower bits; upper ones are as complex as random bits, half of their number. */
static void test_linear_bits(void)
{
  enum { N = 3000 };
  static unsigned char bits[N];
  for (int k = 0; k < 32; k++) {
    ds_taus g;
    ds_taus_init(&g, 1, 0);
    for (int i = 0; i < N; i++) bits[i] = ds_taus_next(&g) >> k & 1;
    const int complexity = linear_complexity(bits, N);
    if (k <= 10)
      CHECK_INT(complexity, 89 + (1 << k));
    else /* 20 off has a probability of 2^-40 */
      CHECK(abs(complexity - N / 2) < 20);
  }
}

static int legal(const uint32_t z[4])
{
  return z[0] > 1 && z[1] > 7 && z[2] > 15;
}

static void test_seeds(void)
{
  for (uint32_t k = 0; k < 40; k++) {
    const uint32_t words[4] = {k, k, k, k};
    ds_taus g;
    ds_taus_set(&g, words);
    const uint32_t z[4] = {g.z1, g.z2, g.z3, g.z4};
    CHECK(legal(z));
    for (int j = 0; j < 4; j++) CHECK(k <= 15 || z[j] == k);
    for (int j = 0; j < 3; j++) CHECK(step(j, z[j]) != 0);
  }
}

/* The words of every stream are those of its saved first state. */
static void test_streams(const rng_variants *v)
{
  for (int k = 0; k < v->n; k++) {
    ds_rng_options o = v->options[k];
    o.generator = "taus";
    o.seed = 0xB00000007ull;
    o.width = STREAMS;
    uint32_t *w = rng_words(&o, (size_t) STREAMS * ROWS), *z = rng_first_state(&o, 4 * STREAMS);
    for (int s = 0; s < STREAMS; s++) {
      const uint32_t first[4] = {z[s], z[STREAMS + s], z[2 * STREAMS + s], z[3 * STREAMS + s]};
      uint32_t words[4];
      ds_taus g;
      for (uint64_t j = 0; j < 4; j++) words[j] = rng_seed_word(o.seed, 4 * (uint64_t) s + j);
      ds_taus_set(&g, words);
      CHECK(legal(first) && first[0] == g.z1 && first[1] == g.z2 && first[2] == g.z3 &&
            first[3] == g.z4);
      for (int i = 0; i < ROWS; i++) {
        const uint32_t expected = ds_taus_next(&g);
        CHECK_HEX(w[i * STREAMS + s], expected);
      }
    }
    free(z);
    free(w);
  }
}

int main(int argc, char **argv)
{
  rng_variants v;
  const int skip = rng_variants_open(&v, argc, argv);
  if (skip) return skip;
  for (int j = 0; j < 3; j++) {
    CHECK_CASE(test_recurrence(j, 0x12345678u));
    CHECK_CASE(test_recurrence(j, 0xFFFFFFFFu));
    CHECK_CASE(test_recurrence(j, 1u << (32 - COMPONENTS[j].k))); /* the smallest legal one */
    CHECK_CASE(test_period(j));
  }
  CHECK_CASE(test_library());
  CHECK_CASE(test_congruential());
  CHECK_CASE(test_linear_bits());
  CHECK_CASE(test_seeds());
  CHECK_CASE(test_streams(&v));
  CHECK_CASE(rng_conformance(&v, "taus", 1, 0, 3000, 1));
  CHECK_CASE(rng_conformance(&v, "taus", 1003, 0, 20, 1));
  CHECK_CASE(rng_conformance(&v, "taus", 6000, 0, 6, 1));
  return check_result();
}
