/* The Mersenne Twister, a window at a time; compiled once for each instruction set.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "mt19937_state.h"

enum { N = DS_MT19937_WORDS, GAP = DS_MT19937_GAP };

/* n words, of those GAP words before them and of the window. None of a part reads what it writes. */
DS_FUNC void part(const uint32_t *restrict window, const uint32_t *restrict before, uint32_t *restrict next, int n)
{
  DS_VECTOR_LOOP
  for (int k = 0; k < n; k++) next[k] = before[k] ^ ds_mt19937_twist(window[k], window[k + 1]);
}

void DS_KERNEL(ds_mt19937_next_window)(const uint32_t *window, uint32_t *next)
{
  part(window, window + DS_MT19937_MIDDLE, next, GAP);
  part(window + GAP, next, next + GAP, GAP);
  part(window + 2 * GAP, next + GAP, next + 2 * GAP, N - 1 - 2 * GAP);
  next[N - 1] = next[N - 1 - GAP] ^ ds_mt19937_twist(window[N - 1], next[0]);
}

void DS_KERNEL(ds_mt19937_output)(const uint32_t *restrict window, int n, uint32_t *restrict out)
{
  DS_VECTOR_LOOP
  for (int k = 0; k < n; k++) out[k] = ds_mt19937_temper(window[k]);
}

/* sum += the windows at four places */
static void add_four(uint32_t *restrict sum, const uint32_t *a, const uint32_t *b, const uint32_t *c, const uint32_t *d)
{
  DS_VECTOR_LOOP
  for (int k = 0; k < N; k++) sum[k] ^= a[k] ^ b[k] ^ c[k] ^ d[k];
}

static void add_one(uint32_t *restrict sum, const uint32_t *a)
{
  DS_VECTOR_LOOP
  for (int k = 0; k < N; k++) sum[k] ^= a[k];
}

void DS_KERNEL(ds_mt19937_leap)(uint32_t *window, const uint32_t *polynomial, uint32_t *span)
{
  uint32_t sum[N] = {0};
  const uint32_t *at[4];
  int n = 0;
  memcpy(span, window, sizeof sum);
  for (int w = 1; w < DS_MT19937_SPAN; w++) DS_KERNEL(ds_mt19937_next_window)(span + N * (w - 1), span + N * w);
  for (int m = 0; m < DS_MT19937_DEGREE; m++) {
    if (!(polynomial[m >> 5] >> (m & 31) & 1u)) continue;
    at[n++] = span + m;
    if (n == 4) add_four(sum, at[0], at[1], at[2], at[3]);
    n %= 4;
  }
  while (n > 0) add_one(sum, at[--n]);
  memcpy(window, sum, sizeof sum);
}
