/* Hybrid Taus on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "streams.h"

/* The lower bits of the first three words are cut off by the first step, and what is left must not be 0. */
static int legal(const ds_rng *r, const uint32_t *state)
{
  const int64_t width = r->options.width;
  int good = 1;
  for (int64_t s = 0; s < width; s++) good &= state[s] > 1u && state[width + s] > 7u && state[2 * width + s] > 15u;
  return good;
}

const ds_rng_method ds_rng_taus = {
    .kind = DS_TAUS,
    .info = {.name = "taus",
             .title = "Hybrid Taus",
             .source = "Howes & Thomas 2007, L'Ecuyer 1996",
             .family = DS_RNG_STREAMS,
             .state_bytes = 16,
             .log2_period = 120,
             .bits = 32,
             .words_per_double = 2,
             .most_width = (int64_t) 1 << 27,
             .width_name = "streams"},
    .seed = ds_streams_seed,
    .legal = legal,
    .fill_host = ds_streams_fill,
    .fill_cuda = DS_RNG_CUDA(ds_streams_fill_cuda),
};
