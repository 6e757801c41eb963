/* Words of the counter-based generators, many groups of four at a time; compiled once for each instruction set.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "counter.h"

#define LOOP(kind, name, generator, init, next, row, at, keys, schedule, four)                                                 \
  case kind: {                                                                                                                 \
    const keys shared = schedule(seed, rounds);                                                                                \
    DS_VECTOR_LOOP                                                                                                             \
    for (int i = 0; i < n; i++) {                                                                                              \
      uint32_t w[4];                                                                                                           \
      four(&shared, first + (uint64_t) i, w);                                                                                  \
      out[4 * i] = w[0];                                                                                                       \
      out[4 * i + 1] = w[1];                                                                                                   \
      out[4 * i + 2] = w[2];                                                                                                   \
      out[4 * i + 3] = w[3];                                                                                                   \
    }                                                                                                                          \
    break;                                                                                                                     \
  }

DS_FUNC void groups(ds_generator_kind kind, uint64_t seed, int rounds, uint64_t first, int n, uint32_t *restrict out)
{
  switch (kind) {
    DS_COUNTER_GENERATORS(LOOP)
  default: break;
  }
}

/* The numbers of rounds that are recommended for tea are constants. */
void DS_KERNEL(ds_counter_groups)(ds_generator_kind kind, uint64_t seed, int rounds, uint64_t first, int n,
                                  uint32_t *restrict out)
{
  switch (rounds) {
  case 8: groups(kind, seed, 8, first, n, out); break;
  case 16: groups(kind, seed, 16, first, n, out); break;
  case 32: groups(kind, seed, 32, first, n, out); break;
  default: groups(kind, seed, rounds, first, n, out);
  }
}
