/* Many streams of Hybrid Taus; compiled once for each instruction set.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "streams.h"
#include "taus_state.h"

void DS_KERNEL(ds_taus_row)(uint32_t *state, int64_t width, int64_t first, int n, uint32_t *out)
{
  DS_VECTOR_LOOP
  for (int i = 0; i < n; i++) {
    ds_taus g = ds_taus_load(state + first + i, width);
    out[i] = ds_taus_next(&g);
    ds_taus_store(&g, state + first + i, width);
  }
}
