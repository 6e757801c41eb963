/* The linear congruential generator on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "lcg_state.h"
#include "streams.h"

ds_host_row ds_lcg_row_base, ds_lcg_row_avx2, ds_lcg_row_avx512;

static void begin(uint64_t seed, uint64_t stream, uint32_t *state, int64_t width)
{
  ds_lcg g;
  ds_lcg_init(&g, seed, stream);
  ds_lcg_store(&g, state, width);
}

static const ds_streams streams = {DS_KERNEL_TABLE(ds_lcg_row), begin};

/* Counted modulo the period of 2^32. */
static ds_status skip(ds_rng *r, uint64_t count, int log2_unit, ds_error *err)
{
  uint32_t a, c;
  ds_lcg_steps((uint32_t) (count << log2_unit), &a, &c);
  for (int64_t s = 0; s < r->options.width; s++) r->state[s] = a * r->state[s] + c;
  return ds_succeed(err);
}

DS_RNG_FILL_CUDA(ds_lcg_fill_cuda);

const ds_rng_method ds_rng_lcg = {
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
    .streams = &streams,
    .fill_cuda = DS_RNG_CUDA(ds_lcg_fill_cuda),
};
