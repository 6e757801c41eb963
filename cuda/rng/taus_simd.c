/* Many streams of Hybrid Taus; compiled once for each instruction set.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/rng/taus.h"
#include "method.h"

void DS_KERNEL(ds_taus_row)(uint32_t *state, int64_t width, int64_t first, int n, uint32_t *out)
{
  uint32_t *const z1 = state + first, *const z2 = z1 + width;
  uint32_t *const z3 = z2 + width, *const z4 = z3 + width;
  DS_VECTOR_LOOP
  for (int i = 0; i < n; i++) {
    ds_taus g = {z1[i], z2[i], z3[i], z4[i]};
    out[i] = ds_taus_next(&g);
    z1[i] = g.z1;
    z2[i] = g.z2;
    z3[i] = g.z3;
    z4[i] = g.z4;
  }
}
