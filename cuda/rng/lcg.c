/* The linear congruential generator on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/rng/lcg.h"
#include "method.h"

ds_host_row ds_lcg_row_base, ds_lcg_row_avx2, ds_lcg_row_avx512;

static size_t state_words(const ds_rng_options *o)
{
  return (size_t) o->width;
}

static ds_status seed(ds_rng *r, ds_error *err)
{
  const int64_t width = r->options.width;
#pragma omp parallel for num_threads(r->options.threads)
  for (int64_t s = 0; s < width; s++) {
    ds_lcg g;
    ds_lcg_init(&g, r->options.seed, (uint64_t) s);
    r->state[s] = g.x;
  }
  return ds_succeed(err);
}

/* Counted modulo the period of 2^32. */
static ds_status skip(ds_rng *r, uint64_t count, int log2_unit, ds_error *err)
{
  uint32_t a, c;
  ds_lcg_steps((uint32_t) (count << log2_unit), &a, &c);
  for (int64_t s = 0; s < r->options.width; s++) r->state[s] = a * r->state[s] + c;
  return ds_succeed(err);
}

static ds_status fill(ds_rng *r, const ds_fill *f, ds_error *err)
{
  static ds_host_row *const row[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_lcg_row);
  return ds_fill_streams(r, f, row[r->isa], err);
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
    .state_words = state_words,
    .seed = seed,
    .skip = skip,
    .fill_host = fill,
    .fill_cuda = DS_RNG_CUDA(ds_lcg_fill_cuda),
};
