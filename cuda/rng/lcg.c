/* The linear congruential generator on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "streams.h"

/* Counted modulo the period of 2^32. */
static ds_status skip(ds_rng *r, uint64_t count, int log2_unit, ds_error *err)
{
  uint32_t a, c;
  ds_lcg_steps((uint32_t) (count << log2_unit), &a, &c);
  for (int64_t s = 0; s < r->options.width; s++) r->state[s] = a * r->state[s] + c;
  return ds_succeed(err);
}

const ds_rng_method ds_rng_lcg = {
    .kind = DS_LCG,
    .info = {.name = "lcg",
             .title = "Linear congruential, quick and dirty",
             .source = "Press et al. 1992",
             .family = DS_RNG_STREAMS,
             .state_bytes = 4,
             .log2_period = 32,
             .bits = 32,
             .words_per_double = 2,
             .can_skip = 1,
             .unfit = 1,
             .most_width = (int64_t) 1 << 27,
             .width_name = "streams"},
    .seed = ds_streams_seed,
    .skip = skip,
    .fill_host = ds_streams_fill,
    .fill_cuda = DS_RNG_CUDA(ds_streams_fill_cuda),
};
