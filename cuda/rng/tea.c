/* TEA as a generator on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "counter.h"

const ds_rng_method ds_rng_tea = {
    .kind = DS_TEA,
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
    .fill_cuda = DS_RNG_CUDA(ds_counter_fill_cuda),
};
