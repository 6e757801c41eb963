/* Words of the lagged Fibonacci generator, many at a time; compiled once for each instruction set.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "method.h"

/* The pieces of the ring do not overlap: see the caller. */
void DS_KERNEL(ds_fibonacci_run)(uint32_t *restrict here, const uint32_t *restrict back, int n, uint32_t *restrict out)
{
  DS_VECTOR_LOOP
  for (int i = 0; i < n; i++) {
    const uint32_t x = here[i] + back[i];
    here[i] = x;
    out[i] = x;
  }
}
