/* Polynomials of the Mersenne Twister's jumps.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/device/rng/mt19937_jump.h"

enum {
  WORDS = DS_MT19937_WORDS / 2, /* of 64 bits */
  TOP = DS_MT19937_DEGREE / 64, /* the word and the bit of x^19937 */
  TOP_BIT = DS_MT19937_DEGREE % 64,
  TAPS = 134, /* coefficients that are 1 below the highest */
  AT_ONCE = 8 /* words folded at a time: the next coefficient is 623 places below the highest */
};

/* ------------------------------------------------------------------- the characteristic polynomial */

/* p += q x^n; what would leave the array is zero. */
static void add_shifted(uint64_t p[WORDS], const uint64_t q[WORDS], int n)
{
  const int words = n / 64, bits = n % 64;
  for (int k = words; k < WORDS; k++) {
    p[k] ^= q[k - words] << bits;
    if (bits && k > words) p[k] ^= q[k - words - 1] >> (64 - bits);
  }
}

/* p = p (x^n + x^m) + constant */
static void times_binomial(uint64_t p[WORDS], int n, int m, unsigned constant)
{
  uint64_t product[WORDS] = {constant};
  add_shifted(product, p, n);
  add_shifted(product, p, m);
  memcpy(p, product, sizeof product);
}

/* Matsumoto & Nishimura 1998, appendix A: with the bits a_0 (lowest) ... a_31 of 0x9908B0DF,
   u = x^624 + x^397 and v = x^623 + x^396 it is u (v^31 + a_0 v^30 + ... + a_30) + a_31. */
static void characteristic(uint64_t p[WORDS])
{
  const uint32_t a = 0x9908B0DFu;
  memset(p, 0, WORDS * sizeof *p);
  p[0] = 1;
  for (int k = 0; k < 31; k++) times_binomial(p, 623, 396, a >> k & 1u);
  times_binomial(p, 624, 397, a >> 31);
}

/* How a word folds: x^(64 k + 19937) for its coefficients becomes the sum over the taps of x^(64 k + tap). */
typedef struct {
  uint64_t phi[WORDS];
  int tap[TAPS];
} modulus;

static void make_modulus(modulus *m)
{
  int n = 0;
  characteristic(m->phi);
  for (int k = 0; k < DS_MT19937_DEGREE; k++)
    if (m->phi[k / 64] >> (k % 64) & 1) m->tap[n++] = k;
}

/* ------------------------------------------------------------------------------------- arithmetic */

/* Adds the AT_ONCE words from `high` on, times x^bits, to the words from `low` on. */
static void fold(uint64_t *low, const uint64_t high[AT_ONCE + 2], int bits)
{
  for (int k = 0; k <= AT_ONCE; k++) /* 64 - bits may be 64: in two steps */
    low[k] ^= high[k + 1] << bits | high[k] >> 1 >> (63 - bits);
}

/* p mod phi, for p of 2 WORDS words, into its lower half. */
static void reduce(const modulus *m, uint64_t *p)
{
  uint64_t high[AT_ONCE + 2] = {0}; /* a zero below and above */
  for (int first = 2 * WORDS - AT_ONCE; first > TOP; first -= AT_ONCE) {
    memcpy(high + 1, p + first, AT_ONCE * sizeof *p);
    memset(p + first, 0, AT_ONCE * sizeof *p);
    for (int t = 0; t < TAPS; t++) {
      const int at = 64 * first - DS_MT19937_DEGREE + m->tap[t];
      fold(p + at / 64, high, at % 64);
    }
  }
  const uint64_t rest = p[TOP] >> TOP_BIT; /* of the highest word only these bits are left */
  p[TOP] &= ((uint64_t) 1 << TOP_BIT) - 1;
  for (int t = 0; t < TAPS; t++) {
    const int at = m->tap[t] / 64, bits = m->tap[t] % 64;
    p[at] ^= rest << bits;
    if (bits) p[at + 1] ^= rest >> (64 - bits);
  }
}

/* The bits of v, each followed by a zero: the square of a polynomial has no mixed terms. */
static uint64_t spread(uint32_t v)
{
  uint64_t s = v;
  s = (s | s << 16) & 0x0000FFFF0000FFFFull;
  s = (s | s << 8) & 0x00FF00FF00FF00FFull;
  s = (s | s << 4) & 0x0F0F0F0F0F0F0F0Full;
  s = (s | s << 2) & 0x3333333333333333ull;
  return (s | s << 1) & 0x5555555555555555ull;
}

static void square(const modulus *m, uint64_t p[WORDS])
{
  uint64_t product[2 * WORDS];
  for (int k = 0; k < WORDS; k++) {
    product[2 * k] = spread((uint32_t) p[k]);
    product[2 * k + 1] = spread((uint32_t) (p[k] >> 32));
  }
  reduce(m, product);
  memcpy(p, product, WORDS * sizeof *p);
}

static void times_x(const modulus *m, uint64_t p[WORDS])
{
  for (int k = WORDS - 1; k > 0; k--) p[k] = p[k] << 1 | p[k - 1] >> 63;
  p[0] <<= 1;
  if (p[TOP] >> TOP_BIT & 1)
    for (int k = 0; k < WORDS; k++) p[k] ^= m->phi[k];
}

/* ----------------------------------------------------------------------------------- the interface */

static void pack(const uint64_t p[WORDS], uint32_t *to)
{
  for (int k = 0; k < WORDS; k++) {
    to[2 * k] = (uint32_t) p[k];
    to[2 * k + 1] = (uint32_t) (p[k] >> 32);
  }
}

void ds_mt19937_characteristic(uint32_t polynomial[DS_MT19937_WORDS])
{
  uint64_t p[WORDS];
  characteristic(p);
  pack(p, polynomial);
}

void ds_mt19937_square(uint32_t polynomial[DS_MT19937_WORDS])
{
  modulus m;
  uint64_t p[WORDS];
  make_modulus(&m);
  for (int k = 0; k < WORDS; k++) p[k] = polynomial[2 * k] | (uint64_t) polynomial[2 * k + 1] << 32;
  square(&m, p);
  pack(p, polynomial);
}

/* From the highest digits of count downwards: square, and times x where the digit is 1. */
void ds_mt19937_power(uint64_t count, int log2_unit, uint32_t polynomial[DS_MT19937_WORDS])
{
  modulus m;
  uint64_t p[WORDS] = {0};
  int left = 0; /* digits that are still to come */
  make_modulus(&m);
  while (count >> left >= DS_MT19937_DEGREE) left++;
  const uint64_t start = count >> left;
  p[start / 64] = (uint64_t) 1 << (start % 64);
  for (; left > 0; left--) {
    square(&m, p);
    if (count >> (left - 1) & 1) times_x(&m, p);
  }
  for (int k = 0; k < log2_unit; k++) square(&m, p);
  pack(p, polynomial);
}
