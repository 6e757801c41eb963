/* Counter-based generators on the host: any word is made directly.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_RNG_COUNTER_H
#define DPDSOP_RNG_COUNTER_H

#include "method.h"

/* Blocks first .. first + n - 1 of a sequence. */
typedef void ds_block_function(uint64_t seed, int rounds, uint64_t first, int n, uint32_t *out);

ds_block_function ds_philox_blocks_base, ds_philox_blocks_avx2, ds_philox_blocks_avx512;
ds_block_function ds_tea_blocks_base, ds_tea_blocks_avx2, ds_tea_blocks_avx512;

enum { DS_MOST_BLOCK = 4 };

typedef struct ds_counter {
  ds_block_function *blocks[DS_ISA_COUNT];
  int words; /* of a block, a divisor of DS_MOST_BLOCK */
} ds_counter;

/* fill_host of a ds_rng_method that has a counter. */
ds_status ds_counter_fill(ds_rng *rng, const ds_fill *fill, ds_error *err);

#endif
