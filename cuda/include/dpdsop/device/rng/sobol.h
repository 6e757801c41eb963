/* sobol.h: Sobol's quasi-random points, in Gray code order.   SPDX-License-Identifier: GPL-2.0-or-later

   Sobol', USSR Comput. Math. Math. Phys. 7 (1967) 86; in the order of Antonov & Saleev (1979); with the direction
   numbers of Joe & Kuo, SIAM J. Sci. Comput. 30 (2008) 2635, for 21201 dimensions. Bradley et al. 2010, section 3:
   in a dimension with direction numbers m_1 ... m_32, words of 32 bits, point n has the word
     y_n = g_1 m_1 ^ g_2 m_2 ^ ...,  g = n ^ n / 2                  (eq. 3: from nothing)
     y_{n+1} = y_n ^ m_f(n)                                         (eq. 3: from the point before)
     y_{n+2^p} = y_n ^ m_p ^ m_q,  q = f(n | 2^p - 1),  p >= 1       (eq. 4: from 2^p points before)
   where f is the place of the rightmost zero bit, counted from 1. The coordinate is y / 2^32. Point 0 is the origin,
   there are 2^32 points, and after the last one comes the first again. No seed: points are always the same.

   Alone, inside a kernel: make the direction numbers of a dimension on the host with ds_sobol_directions and put
   them where all threads read them fast; then
     ds_sobol_set(&g, m, first point of this thread); ds_sobol_stride(&g, p) with 2^p threads ... */
#ifndef DPDSOP_RNG_SOBOL_H
#define DPDSOP_RNG_SOBOL_H

#include "dpdsop/device/base.h"
#include "dpdsop/status.h"

enum { DS_SOBOL_DIMENSIONS = 21201, DS_SOBOL_BITS = 32 };

#define DS_SOBOL_SCALE 2.3283064365386963e-10 /* 2^-32 */
#define DS_SOBOL_FIRST 0x80000000u            /* m_1 of every dimension, an odd number below 2 */

/* f(n), counted from 0 as an index of m. The upmost bit counts as a zero where no other is: stepping from
   the last point to the first takes m_32 off. */
DS_FUNC int ds_sobol_zero(uint32_t n)
{
  const uint32_t zeros = ~n | 0x80000000u;
  return 31 - ds_clz32(zeros & (0u - zeros));
}

/* y_n */
DS_FUNC uint32_t ds_sobol_word(const uint32_t m[DS_SOBOL_BITS], uint32_t n)
{
  uint32_t y = 0, gray = n ^ (n >> 1);
  for (int k = 0; gray; k++, gray >>= 1)
    if (gray & 1u) y ^= m[k];
  return y;
}

/* One dimension: y is the word of point n. */
typedef struct {
  const uint32_t *m;
  uint32_t n, y;
} ds_sobol;

DS_FUNC void ds_sobol_set(ds_sobol *g, const uint32_t m[DS_SOBOL_BITS], uint32_t n)
{
  g->m = m;
  g->n = n;
  g->y = ds_sobol_word(m, n);
}

DS_FUNC uint32_t ds_sobol_next(ds_sobol *g)
{
  const uint32_t y = g->y;
  g->y ^= g->m[ds_sobol_zero(g->n)];
  g->n++;
  return y;
}

/* As next, but what follows is 2^p points further on; p is 1 to 31. */
DS_FUNC uint32_t ds_sobol_stride(ds_sobol *g, int p)
{
  const uint32_t y = g->y, step = (uint32_t) 1 << p;
  g->y ^= g->m[p - 1] ^ g->m[ds_sobol_zero(g->n | (step - 1u))];
  g->n += step;
  return y;
}

DS_FUNC void ds_sobol_skip(ds_sobol *g, uint32_t points)
{
  ds_sobol_set(g, g->m, g->n + points);
}

#ifdef __cplusplus
extern "C" {
#endif

/* m_1 ... m_32 of a dimension, 0 to 21200, as words: m_i has its lowest 1 at bit 32 - i. In the library, which has the
   table. DS_ERR_ARGUMENT for another dimension. */
ds_status ds_sobol_directions(int64_t dimension, uint32_t m[DS_SOBOL_BITS], ds_error *err);

#ifdef __cplusplus
}
#endif
#endif
