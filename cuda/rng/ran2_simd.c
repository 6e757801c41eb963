/* Many streams of Ran2; compiled once for each instruction set.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "ran2_state.h"
#include "streams.h"

enum { PART = 256 };

/* ds_ran2_core_next in three loops, of which the one in the middle cannot be vector code: each stream has
   its own place in its table. */
static void part(uint32_t *restrict state, int64_t width, int n, uint32_t *restrict out)
{
  uint32_t *const x1 = state, *const x2 = x1 + width, *const y = x2 + width;
  uint32_t *const table = y + width;
  uint32_t where[PART], shuffled[PART];
  DS_VECTOR_LOOP
  for (int i = 0; i < n; i++) {
    ds_ran2_core g = {x1[i], x2[i], y[i]};
    where[i] = ds_ran2_where(g.y);
    ds_ran2_advance(&g);
    x1[i] = g.x1;
    x2[i] = g.x2;
  }
  for (int i = 0; i < n; i++) {
    uint32_t *const place = table + (int64_t) where[i] * width + i;
    shuffled[i] = *place;
    *place = x1[i];
  }
  DS_VECTOR_LOOP
  for (int i = 0; i < n; i++) {
    y[i] = ds_ran2_combine(shuffled[i], x2[i]);
    out[i] = y[i] << 1;
  }
}

void DS_KERNEL(ds_ran2_row)(uint32_t *state, int64_t width, int64_t first, int n, uint32_t *out)
{
  for (int i = 0; i < n; i += PART)
    part(state + first + i, width, n - i < PART ? n - i : PART, out + i);
}
