/* Philox4x32-10 on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/rng/philox.h"
#include "counter.h"

static ds_status start(const ds_rng *r, void *worker, uint64_t offset, ds_error *err)
{
  static ds_block_function *const blocks[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_philox_blocks);
  return ds_counter_start(r, blocks, DS_PHILOX_WORDS, worker, offset, err);
}

static ds_status fill(ds_rng *r, const ds_fill *f, ds_error *err)
{
  static const ds_host_sequence how = {sizeof(ds_counter_worker), 0, start, ds_counter_words, NULL};
  return ds_fill_sequence(r, f, &how, err);
}

DS_RNG_FILL_CUDA(ds_philox_fill_cuda);

const ds_rng_method ds_rng_philox = {
    .info = {.name = "philox",
             .title = "Philox4x32-10",
             .source = "Salmon et al. 2011",
             .family = DS_RNG_SEQUENCE,
             .state_bytes = 16,
             .log2_period = 130,
             .bits = 32,
             .words_per_double = 2,
             .can_skip = 1,
             .width_name = ""},
    .log2_end = 64,
    .fill_host = fill,
    .fill_cuda = DS_RNG_CUDA(ds_philox_fill_cuda),
};
