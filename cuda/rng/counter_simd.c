/* Words of the counter-based generators, many counters at a time; compiled once for each instruction set.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "counter.h"

#include "dpdsop/device/rng/philox.h"
#include "dpdsop/device/rng/tea_stream.h"

void DS_KERNEL(ds_philox_blocks)(uint64_t seed, int rounds, uint64_t first, int n,
                                 uint32_t *restrict out)
{
  (void) rounds;
  DS_VECTOR_LOOP
  for (int i = 0; i < n; i++) {
    uint32_t w[4];
    ds_philox_block(seed, first + (uint64_t) i, w);
    out[4 * i] = w[0];
    out[4 * i + 1] = w[1];
    out[4 * i + 2] = w[2];
    out[4 * i + 3] = w[3];
  }
}

/* The numbers of rounds that are recommended are constants. */
DS_FUNC void tea_loop(uint64_t seed, int rounds, uint64_t first, int n, uint32_t *restrict out)
{
  DS_VECTOR_LOOP
  for (int i = 0; i < n; i++) {
    uint32_t w[2];
    ds_tea_block(seed, rounds, first + (uint64_t) i, w);
    out[2 * i] = w[0];
    out[2 * i + 1] = w[1];
  }
}

void DS_KERNEL(ds_tea_blocks)(uint64_t seed, int rounds, uint64_t first, int n,
                              uint32_t *restrict out)
{
  switch (rounds) {
  case 8:
    tea_loop(seed, 8, first, n, out);
    break;
  case 16:
    tea_loop(seed, 16, first, n, out);
    break;
  case 32:
    tea_loop(seed, 32, first, n, out);
    break;
  default:
    tea_loop(seed, rounds, first, n, out);
  }
}
