/* TEA as a generator on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/device/rng/tea_stream.h"
#include "counter.h"

static const ds_counter counter = {DS_KERNEL_TABLE(ds_tea_blocks), 2};

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
             .least_rounds = DS_TEA_ROUNDS, /* its authors' advice: with fewer, words are related */
             .most_rounds = 32,
             .width_name = ""},
    .log2_end = 64,
    .fill_host = ds_counter_fill,
    .counter = &counter,
    .fill_cuda = DS_RNG_CUDA(ds_tea_fill_cuda),
};
