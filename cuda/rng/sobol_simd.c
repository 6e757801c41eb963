/* Sobol points on the host, a run of them at a time; compiled once for each instruction set.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/device/rng/sobol.h"
#include "method.h"

enum { LOG_RUN = 6, RUN = 1 << LOG_RUN };

/* y_0 ... y_{RUN-1}. Setting bit k of n sets bits k and k - 1 of its Gray code, or flips the lower one. */
static void first_run(const uint32_t *restrict m, uint32_t *restrict y)
{
  y[0] = 0;
  for (int k = 0; k < LOG_RUN; k++) {
    const uint32_t flip = k ? m[k] ^ m[k - 1] : m[0];
    for (int j = 0; j < 1 << k; j++) y[(1 << k) + j] = y[j] ^ flip;
  }
}

/* Words of points first to first + n - 1. A run that begins at a multiple of RUN is the first run with the word of
   its beginning added, and that moves on by Bradley eq. 4. */
void DS_KERNEL(ds_sobol_words)(const uint32_t *m, uint32_t first, int n, uint32_t *restrict out)
{
  uint32_t run[RUN];
  ds_sobol g;
  int k = 0;
  ds_sobol_set(&g, m, first);
  for (; k < n && g.n % RUN; k++) out[k] = ds_sobol_next(&g);
  if (n - k >= RUN) first_run(m, run);
  for (; n - k >= RUN; k += RUN) {
    const uint32_t y = ds_sobol_stride(&g, LOG_RUN);
    DS_VECTOR_LOOP
    for (int j = 0; j < RUN; j++) out[k + j] = y ^ run[j];
  }
  for (; k < n; k++) out[k] = ds_sobol_next(&g);
}
