/* Many streams of the linear congruential generator; compiled once for each instruction set.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/rng/lcg.h"
#include "method.h"

void DS_KERNEL(ds_lcg_row)(uint32_t *state, int64_t width, int64_t first, int n, uint32_t *out)
{
  uint32_t *const x = state + first;
  (void) width;
  DS_VECTOR_LOOP
  for (int i = 0; i < n; i++) {
    ds_lcg g = {x[i]};
    out[i] = ds_lcg_next(&g);
    x[i] = g.x;
  }
}
