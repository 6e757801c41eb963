/* fibonacci.h: additive lagged Fibonacci, one generator for all threads or one for each.
   SPDX-License-Identifier: GPL-2.0-or-later

   PRNG eq. 3, section III.3 and Algorithm 3: x_n = x_(n-sl) + x_(n-ll) modulo 2^32. The state is a ring of the last ll
   words. A window of N numbers is made by N threads at once, each of which replaces the word x_(n-ll) by x_n, and
   nobody waits for anybody; then the ring's position goes on by N.

   What the paper leaves open or prints wrong:
   - Algorithm 3 reads the place (shift + sl - ll) mod ll, which is the word n - (ll - sl): the lag of the reciprocal
     polynomial. Here eq. 3 holds, with the place of n - sl. The periods are the same.
   - Windows are safe in any order of the threads for N <= sl, as the words n - sl must be there before, and for
     N <= ll - sl, as nobody may have replaced them yet: section III.3, with "<". The head of Table I, "N < sl", would
     let 1251 threads share lags that are good for 1029. The choice here is by what is safe.
   - Table I prints 12470 for 23209, with which the polynomial is reducible. The published lag is 13470 (23209 - 9739;
     Brent 1992). This pair is good for windows of 9739, less than the smaller 19937 (9842): it is left out.
   The period is 2^31 (2^ll - 1) if one of the words is odd. */
#ifndef DPDSOP_RNG_FIBONACCI_H
#define DPDSOP_RNG_FIBONACCI_H

#include "dpdsop/device/rng/seed.h"

typedef struct {
  uint32_t ll, sl;
} ds_fibonacci_lags;

enum { DS_FIBONACCI_ROWS = 9 };

/* Table I. */
DS_FUNC ds_fibonacci_lags ds_fibonacci_row(int k)
{
  const ds_fibonacci_lags rows[DS_FIBONACCI_ROWS] = {{2281, 1252},     {4423, 3004},     {9689, 5502},
                                                     {19937, 10095},   {44497, 23463},   {132049, 54454},
                                                     {756839, 279695}, {859433, 288477}, {3021377, 1010202}};
  return rows[k];
}

/* Numbers that can be made at once. */
DS_FUNC uint32_t ds_fibonacci_safe(ds_fibonacci_lags lags)
{
  return lags.sl < lags.ll - lags.sl ? lags.sl : lags.ll - lags.sl;
}

/* The shortest lags for windows of so many numbers; the longest, where there are none. Then more than one window makes
   the numbers. */
DS_FUNC ds_fibonacci_lags ds_fibonacci_choose(int64_t numbers)
{
  int k = 0;
  while (k < DS_FIBONACCI_ROWS - 1 && numbers > (int64_t) ds_fibonacci_safe(ds_fibonacci_row(k))) k++;
  return ds_fibonacci_row(k);
}

/* Place of number i of the window at a position; i <= ll. Also: the position after i numbers. */
DS_FUNC uint32_t ds_fibonacci_place(ds_fibonacci_lags lags, uint32_t position, uint32_t i)
{
  const uint32_t place = position + i;
  return place < lags.ll ? place : place - lags.ll;
}

/* Place of the word that was sl before the one that comes to this place. */
DS_FUNC uint32_t ds_fibonacci_back(ds_fibonacci_lags lags, uint32_t place)
{
  return place < lags.sl ? place + (lags.ll - lags.sl) : place - lags.sl;
}

/* Number i of a window, by the thread it belongs to. */
DS_FUNC uint32_t ds_fibonacci_word(uint32_t *ring, ds_fibonacci_lags lags, uint32_t position, uint32_t i)
{
  const uint32_t place = ds_fibonacci_place(lags, position, i);
  const uint32_t x = ring[place] + ring[ds_fibonacci_back(lags, place)];
  ring[place] = x;
  return x;
}

/* Number i of a window from number i - sl of the same one, by the thread that has just made it. So the windows
   may have up to min(ll - sl, 2 sl) numbers. */
DS_FUNC uint32_t ds_fibonacci_second(uint32_t *ring, ds_fibonacci_lags lags, uint32_t position, uint32_t i, uint32_t first)
{
  const uint32_t place = ds_fibonacci_place(lags, position, i);
  const uint32_t x = ring[place] + first;
  ring[place] = x;
  return x;
}

/* Word k of the first ring of a stream. One of a ring must be odd: of even words only the upper bits would ever
   change. */
DS_FUNC uint32_t ds_fibonacci_seed_word(ds_fibonacci_lags lags, uint64_t seed, uint64_t stream, uint32_t k)
{
  const uint32_t word = ds_seed_word(seed, stream * lags.ll + k);
  return k == 0 ? word | 1u : word;
}

/* A generator of one's own, with the shortest lags: 9 kB. Stream 0 is the sequence of ds_rng_fill of a width of up to
   1029. */
enum { DS_FIBONACCI_RING = 2281 };

typedef struct {
  uint32_t position, ring[DS_FIBONACCI_RING];
} ds_fibonacci;

DS_FUNC void ds_fibonacci_init(ds_fibonacci *g, uint64_t seed, uint64_t stream)
{
  const ds_fibonacci_lags lags = ds_fibonacci_row(0);
  g->position = 0;
  for (uint32_t k = 0; k < DS_FIBONACCI_RING; k++) g->ring[k] = ds_fibonacci_seed_word(lags, seed, stream, k);
}

DS_FUNC uint32_t ds_fibonacci_next(ds_fibonacci *g)
{
  const ds_fibonacci_lags lags = ds_fibonacci_row(0);
  const uint32_t word = ds_fibonacci_word(g->ring, lags, g->position, 0);
  g->position = ds_fibonacci_place(lags, g->position, 1);
  return word;
}

#endif
