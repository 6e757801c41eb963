/* TEA as a generator on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "counter.h"

static ds_status start(const ds_rng *r, void *worker, uint64_t offset, ds_error *err)
{
  static ds_block_function *const blocks[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_tea_blocks);
  return ds_counter_start(r, blocks, 2, worker, offset, err);
}

static ds_status fill(ds_rng *r, const ds_fill *f, ds_error *err)
{
  static const ds_host_sequence how = {sizeof(ds_counter_worker), 0, start, ds_counter_words, NULL};
  return ds_fill_sequence(r, f, &how, err);
}

DS_RNG_FILL_CUDA(ds_tea_fill_cuda);

const ds_rng_method ds_rng_tea = {
    .info = {.name = "tea",
             .title = "Tiny Encryption Algorithm, n rounds",
             .source = "Zafar, Olano & Curtis 2010",
             .family = DS_RNG_SEQUENCE,
             .state_bytes = 16,
             .log2_period = 65,
             .bits = 32,
             .words_per_double = 2,
             .can_skip = 1,
             .width_name = ""},
    .log2_end = 64,
    .fill_host = fill,
    .fill_cuda = DS_RNG_CUDA(ds_tea_fill_cuda),
};
