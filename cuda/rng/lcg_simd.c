/* Many streams of the linear congruential generator; compiled once for each instruction set.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "lcg_state.h"
#include "streams.h"

void DS_KERNEL(ds_lcg_row)(uint32_t *state, int64_t width, int64_t first, int n, uint32_t *out)
{
  DS_VECTOR_LOOP
  for (int i = 0; i < n; i++) {
    ds_lcg g = ds_lcg_load(state + first + i, width);
    out[i] = ds_lcg_next(&g);
    ds_lcg_store(&g, state + first + i, width);
  }
}
