/* Hybrid Taus on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "taus_state.h"
#include "streams.h"

ds_host_row ds_taus_row_base, ds_taus_row_avx2, ds_taus_row_avx512;

static void begin(uint64_t seed, uint64_t stream, uint32_t *state, int64_t width)
{
  ds_taus g;
  ds_taus_init(&g, seed, stream);
  ds_taus_store(&g, state, width);
}

static const ds_streams streams = {DS_KERNEL_TABLE(ds_taus_row), begin};

/* The lower bits of the first three words are cut off by the first step, and what is left must not be 0. */
static int legal(const ds_rng *r, const uint32_t *state)
{
  const int64_t width = r->options.width;
  int good = 1;
  for (int64_t s = 0; s < width; s++)
    good &= state[s] > 1u && state[width + s] > 7u && state[2 * width + s] > 15u;
  return good;
}

DS_RNG_FILL_CUDA(ds_taus_fill_cuda);

const ds_rng_method ds_rng_taus = {
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
    .streams = &streams,
    .fill_cuda = DS_RNG_CUDA(ds_taus_fill_cuda),
};
