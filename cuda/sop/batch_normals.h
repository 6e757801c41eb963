/* Normal numbers of the beads of a batch, for code that is compiled once for each instruction set.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOP_BATCH_NORMALS_H
#define DPDSOP_SOP_BATCH_NORMALS_H

#include "host.h"

#include "dpdsop/device/rng/number.h"

/* Three numbers for each of n beads, of their four words. */
static inline void ds_sop_batch_normals(const uint32_t *const words[4], int n, float g[3][DS_SOP_BATCH])
{
  const uint32_t *restrict const w0 = words[0], *restrict const w1 = words[1], *restrict const w2 = words[2],
                                 *restrict const w3 = words[3];
  float *restrict const gx = g[0], *restrict const gy = g[1], *restrict const gz = g[2];
  DS_VECTOR_LOOP
  for (int k = 0; k < n; k++) {
    const uint32_t w[4] = {w0[k], w1[k], w2[k], w3[k]};
    float normal[3];
    ds_normal3f(w, normal);
    gx[k] = normal[0];
    gy[k] = normal[1];
    gz[k] = normal[2];
  }
}

#endif
