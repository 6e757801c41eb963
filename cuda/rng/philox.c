/* Philox4x32-10 on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/device/rng/philox.h"
#include "counter.h"

static const ds_counter counter = {DS_KERNEL_TABLE(ds_philox_blocks), DS_PHILOX_WORDS};

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
    .fill_host = ds_counter_fill,
    .counter = &counter,
    .fill_cuda = DS_RNG_CUDA(ds_philox_fill_cuda),
};
