/* mrg32k3a.h: L'Ecuyer's combined multiple recursive generator and its skip-ahead.
   SPDX-License-Identifier: GPL-2.0-or-later

   L'Ecuyer, "Good parameter sets for combined multiple recursive random number generators", Operations Research
   47 (1999), Fig. I, and Bradley et al. 2010, section 2:
     x_n = (1403580 x_{n-2} - 810728 x_{n-3}) mod m1,     m1 = 2^32 - 209
     y_n = (527612 y_{n-1} - 1370589 y_{n-3}) mod m2,     m2 = 2^32 - 22853
     z_n = (x_n - y_n) mod m1, and m1 instead of 0
   The word is z in [1, m1], the uniform number z / (m1 + 1), as in the publication of 1999 and its library
   RngStreams. (Eq. 1 of Bradley et al. prints a sum in z, which is another sequence.) The state is
   x_{n-3}, x_{n-2}, x_{n-1}, y_{n-3}, y_{n-2}, y_{n-1}; in neither half may all three be 0. The period is
   (m1^3 - 1) (m2^3 - 1) / 2, almost 2^191.

   Stream s of a seed begins 2^127 s words after the start of the sequence of ds_rng_fill, as the streams of that
   library do; so streams are disjoint. For other distances make the powers once on the host and put them where all
   threads read them fast; then ds_mrg32k3a_skip(&g, powers, words). */
#ifndef DPDSOP_RNG_MRG32K3A_H
#define DPDSOP_RNG_MRG32K3A_H

#include "dpdsop/device/fastmath.h"
#include "dpdsop/device/rng/seed.h"

#define DS_MRG32K3A_M1 4294967087.0
#define DS_MRG32K3A_M2 4294944443.0
#define DS_MRG32K3A_SCALE (1.0 / 4294967088.0) /* of a word: in (0,1) */

enum {
  DS_MRG32K3A_F1 = 209, /* 2^32 - m1 */
  DS_MRG32K3A_F2 = 22853,
  DS_MRG32K3A_MAX_DIGITS = 22 /* octal, of 64 bits */
};

/* ------------------------------------------------------------------------------ the next word */

/* Residues are kept in double precision and centred: x - (m1 - 1)/2, y - (m2 - 1)/2; the oldest first.
   Then every product below is an exact integer under 2^53, and one fused multiply-add gives the quotient. */
typedef struct {
  double x[3], y[3];
} ds_mrg32k3a;

/* a b + c where a b is exact: fused or not is the same. Without such an instruction fma() is slow. */
DS_FUNC double ds_mrg32k3a_exact(double a, double b, double c)
{
#if defined(__CUDA_ARCH__) || defined(FP_FAST_FMA)
  return fma(a, b, c);
#else
  return a * b + c;
#endif
}

/* p mod m, centred; inverse: 1/m rounded. p/m is 1/(2m) away from where rounding turns to the next integer, or more;
   what the rounded inverse does to it is at most 0.71/(2m) with m1 and 0.85/(2m) with m2. So the quotient is
   the right one, and the result not just congruent but in [-(m-1)/2, (m-1)/2]. */
DS_FUNC double ds_mrg32k3a_mod(double p, double inverse, double m)
{
  const double quotient = fma(p, inverse, DS_ROUND) - DS_ROUND;
  return ds_mrg32k3a_exact(-m, quotient, p);
}

/* The centred x_n of x_{n-2} and x_{n-3}. The summand is (1403580 - 810728 - 1) (m1 - 1)/2 mod m1. */
DS_FUNC double ds_mrg32k3a_x(double x2, double x3)
{
  const double p = ds_mrg32k3a_exact(1403580.0, x2, ds_mrg32k3a_exact(-810728.0, x3, 2147187118.0));
  return ds_mrg32k3a_mod(p, 1.0 / DS_MRG32K3A_M1, DS_MRG32K3A_M1);
}

/* The centred y_n of y_{n-1} and y_{n-3}; summand likewise. */
DS_FUNC double ds_mrg32k3a_y(double y1, double y3)
{
  const double p = ds_mrg32k3a_exact(527612.0, y1, ds_mrg32k3a_exact(-1370589.0, y3, 421489.0));
  return ds_mrg32k3a_mod(p, 1.0 / DS_MRG32K3A_M2, DS_MRG32K3A_M2);
}

/* z of the centred x and y, whose centres are 11322 apart. x - y - 1 stands in the low mantissa bits; where it
   is negative the upper word, else 0x43380000, ends in ones, from which 209 is cut: adding m1 is
   subtracting 209 modulo 2^32. */
DS_FUNC uint32_t ds_mrg32k3a_word(double x, double y)
{
  const uint64_t bits = ds_double_as_ulong((x - y) + (DS_ROUND + 11321.0));
  return (uint32_t) bits - ((uint32_t) (bits >> 32) & DS_MRG32K3A_F1) + 1u;
}

DS_FUNC uint32_t ds_mrg32k3a_next(ds_mrg32k3a *g)
{
  const double x = ds_mrg32k3a_x(g->x[1], g->x[0]), y = ds_mrg32k3a_y(g->y[2], g->y[0]);
  g->x[0] = g->x[1];
  g->x[1] = g->x[2];
  g->x[2] = x;
  g->y[0] = g->y[1];
  g->y[1] = g->y[2];
  g->y[2] = y;
  return ds_mrg32k3a_word(x, y);
}

/* An integer below 2^32 in the mantissa of 2^52, and back. */
DS_FUNC double ds_mrg32k3a_centre(uint32_t s, double half)
{
  return ds_ulong_as_double(0x4330000000000000ull | s) - (4503599627370496.0 + half);
}

DS_FUNC uint32_t ds_mrg32k3a_residue(double c, double half)
{
  return (uint32_t) ds_double_as_ulong(c + (4503599627370496.0 + half));
}

#define DS_MRG32K3A_HALF1 2147483543.0 /* (m1 - 1)/2 */
#define DS_MRG32K3A_HALF2 2147472221.0

/* The generator from the six residues of its state, and back: also the six seeds of the publication. */
DS_FUNC void ds_mrg32k3a_set(ds_mrg32k3a *g, const uint32_t seed[6])
{
  for (int k = 0; k < 3; k++) {
    g->x[k] = ds_mrg32k3a_centre(seed[k], DS_MRG32K3A_HALF1);
    g->y[k] = ds_mrg32k3a_centre(seed[3 + k], DS_MRG32K3A_HALF2);
  }
}

DS_FUNC void ds_mrg32k3a_get(const ds_mrg32k3a *g, uint32_t seed[6])
{
  for (int k = 0; k < 3; k++) {
    seed[k] = ds_mrg32k3a_residue(g->x[k], DS_MRG32K3A_HALF1);
    seed[3 + k] = ds_mrg32k3a_residue(g->y[k], DS_MRG32K3A_HALF2);
  }
}

/* --------------------------------------------------------------------------------- skip-ahead */

/* Powers of the matrices that move the state by a word (Bradley eq. 2), rows first. */
typedef struct {
  uint32_t x[9], y[9];
} ds_mrg32k3a_matrix;

/* Bradley section 2.3, b = 8: A^d for the octal digit d = 1 ... 7 at place k is power[7 k + d - 1]; the last one is
   A^(8^21). 10,656 bytes. */
typedef struct {
  ds_mrg32k3a_matrix power[7 * (DS_MRG32K3A_MAX_DIGITS - 1) + 1];
} ds_mrg32k3a_powers;

/* v mod m, not wholly: 2^32 is f modulo m = 2^32 - f. */
DS_FUNC uint64_t ds_mrg32k3a_fold(uint64_t v, uint32_t f)
{
  return (v >> 32) * f + (uint32_t) v;
}

/* (a0 v0 + a1 v1 + a2 v2) mod 2^32 - f for residues. No sum overflows: a product is at most
   2^64 - 2 (f + 1) 2^32 + (f + 1)^2, a fold less than (f + 1) 2^32. */
DS_FUNC uint32_t ds_mrg32k3a_dot(uint32_t a0, uint32_t a1, uint32_t a2, uint32_t v0, uint32_t v1, uint32_t v2, uint32_t f)
{
  uint64_t s = ds_mrg32k3a_fold((uint64_t) a0 * v0, f);
  s = ds_mrg32k3a_fold((uint64_t) a1 * v1 + s, f);
  s = ds_mrg32k3a_fold((uint64_t) a2 * v2 + s, f);
  s = ds_mrg32k3a_fold(s, f); /* less than 2 m */
  const uint64_t m = 0x100000000ull - f;
  return (uint32_t) (s >= m ? s - m : s);
}

/* state = a state */
DS_FUNC void ds_mrg32k3a_apply(const ds_mrg32k3a_matrix *a, uint32_t s[6])
{
  const uint32_t x0 = s[0], x1 = s[1], x2 = s[2], y0 = s[3], y1 = s[4], y2 = s[5];
  DS_UNROLL(3)
  for (int r = 0; r < 3; r++) {
    const uint32_t *ax = a->x + 3 * r, *ay = a->y + 3 * r;
    s[r] = ds_mrg32k3a_dot(ax[0], ax[1], ax[2], x0, x1, x2, DS_MRG32K3A_F1);
    s[3 + r] = ds_mrg32k3a_dot(ay[0], ay[1], ay[2], y0, y1, y2, DS_MRG32K3A_F2);
  }
}

/* ab = a b; another object than a and b. */
DS_FUNC void ds_mrg32k3a_multiply(const ds_mrg32k3a_matrix *a, const ds_mrg32k3a_matrix *b, ds_mrg32k3a_matrix *ab)
{
  for (int c = 0; c < 3; c++) {
    uint32_t column[6] = {b->x[c], b->x[3 + c], b->x[6 + c], b->y[c], b->y[3 + c], b->y[6 + c]};
    ds_mrg32k3a_apply(a, column);
    for (int r = 0; r < 3; r++) {
      ab->x[3 * r + c] = column[r];
      ab->y[3 * r + c] = column[3 + r];
    }
  }
}

DS_FUNC void ds_mrg32k3a_square(ds_mrg32k3a_matrix *a)
{
  const ds_mrg32k3a_matrix root = *a;
  ds_mrg32k3a_multiply(&root, &root, a);
}

DS_FUNC void ds_mrg32k3a_make_powers(ds_mrg32k3a_powers *p)
{
  const ds_mrg32k3a_matrix a = {{0, 1, 0, 0, 0, 1, 4294156359u, 1403580, 0}, /* m1 - 810728 */
                                {0, 1, 0, 0, 0, 1, 4293573854u, 0, 527612}}; /* m2 - 1370589 */
  p->power[0] = a;
  for (int k = 0; k < DS_MRG32K3A_MAX_DIGITS - 1; k++)
    for (int d = 1; d <= 7; d++) /* the eighth is the next place's first */
      ds_mrg32k3a_multiply(&p->power[7 * k], &p->power[7 * k + d - 1], &p->power[7 * k + d]);
}

/* A state n words further on: a matrix for each octal digit of n that is not 0. */
DS_FUNC void ds_mrg32k3a_skip_state(uint32_t s[6], const ds_mrg32k3a_powers *p, uint64_t n)
{
  for (int k = 0; n; k++, n >>= 3)
    if (n & 7) ds_mrg32k3a_apply(&p->power[7 * k + (int) (n & 7) - 1], s);
}

DS_FUNC void ds_mrg32k3a_skip(ds_mrg32k3a *g, const ds_mrg32k3a_powers *p, uint64_t n)
{
  uint32_t s[6];
  ds_mrg32k3a_get(g, s);
  ds_mrg32k3a_skip_state(s, p, n);
  ds_mrg32k3a_set(g, s);
}

/* ------------------------------------------------------------------------------------ streams */

/* The state that a seed begins with: residues, and in neither half all 0, which would stay so. */
DS_FUNC void ds_mrg32k3a_seed_state(uint64_t seed, uint32_t s[6])
{
  for (uint32_t k = 0; k < 6; k++) s[k] = ds_seed_word(seed, k) % (0u - (k < 3 ? DS_MRG32K3A_F1 : DS_MRG32K3A_F2));
  s[0] += !(s[0] | s[1] | s[2]);
  s[3] += !(s[3] | s[4] | s[5]);
}

/* The matrix of 2^127 words, made in advance, as in the source of RngStreams. It is squared for each binary digit of
   the stream's number. */
DS_FUNC void ds_mrg32k3a_init(ds_mrg32k3a *g, uint64_t seed, uint64_t stream)
{
  ds_mrg32k3a_matrix a = {
      {2427906178u, 3580155704u, 949770784u, 226153695u, 1230515664u, 3580155704u, 1988835001u, 986791581u, 1230515664u},
      {1464411153u, 277697599u, 1610723613u, 32183930u, 1464411153u, 1022607788u, 2824425944u, 32183930u, 2093834863u}};
  uint32_t s[6];
  ds_mrg32k3a_seed_state(seed, s);
  for (; stream; stream >>= 1, ds_mrg32k3a_square(&a))
    if (stream & 1u) ds_mrg32k3a_apply(&a, s);
  ds_mrg32k3a_set(g, s);
}

#endif
