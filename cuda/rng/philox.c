/* Philox4x32-10 on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "counter.h"

const ds_rng_method ds_rng_philox = {
    .kind = DS_PHILOX,
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
    .fill_cuda = DS_RNG_CUDA(ds_counter_fill_cuda),
};
