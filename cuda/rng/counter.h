/* Counter-based generators on the host: any word is made directly.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_RNG_COUNTER_H
#define DPDSOP_RNG_COUNTER_H

#include "method.h"

/* Blocks first .. first + n - 1 of a sequence. */
typedef void ds_block_function(uint64_t seed, int rounds, uint64_t first, int n, uint32_t *out);

ds_block_function ds_philox_blocks_base, ds_philox_blocks_avx2, ds_philox_blocks_avx512;
ds_block_function ds_tea_blocks_base, ds_tea_blocks_avx2, ds_tea_blocks_avx512;

enum { DS_MOST_BLOCK = 4 };

typedef struct {
  ds_block_function *blocks;
  int words; /* of a block, a divisor of DS_MOST_BLOCK */
  uint64_t seed, next;
  int rounds;
} ds_counter_worker;

/* For the start function of a ds_host_sequence, whose words function is ds_counter_words. */
ds_status ds_counter_start(const ds_rng *rng, ds_block_function *const variant[DS_ISA_COUNT],
                           int words, ds_counter_worker *worker, uint64_t offset, ds_error *err);
void ds_counter_words(void *worker, uint32_t *out, int n);

#endif
