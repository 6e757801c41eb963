/* Hybrid Taus on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/rng/taus.h"
#include "method.h"

enum { WORDS = 4 };

ds_host_row ds_taus_row_base, ds_taus_row_avx2, ds_taus_row_avx512;

static size_t state_words(const ds_rng_options *o)
{
  return WORDS * (size_t) o->width;
}

static ds_status seed(ds_rng *r, ds_error *err)
{
  const int64_t width = r->options.width;
#pragma omp parallel for num_threads(r->options.threads)
  for (int64_t s = 0; s < width; s++) {
    ds_taus g;
    ds_taus_init(&g, r->options.seed, (uint64_t) s);
    r->state[s] = g.z1;
    r->state[width + s] = g.z2;
    r->state[2 * width + s] = g.z3;
    r->state[3 * width + s] = g.z4;
  }
  return ds_succeed(err);
}

/* The lower bits of the first three words are cut off by the first step, and what is left must not be 0. */
static int legal(const ds_rng *r, const uint32_t *state)
{
  const int64_t width = r->options.width;
  int good = 1;
  for (int64_t s = 0; s < width; s++)
    good &= state[s] > 1u && state[width + s] > 7u && state[2 * width + s] > 15u;
  return good;
}

static ds_status fill(ds_rng *r, const ds_fill *f, ds_error *err)
{
  static ds_host_row *const row[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_taus_row);
  return ds_fill_streams(r, f, row[r->isa], err);
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
    .state_words = state_words,
    .seed = seed,
    .legal = legal,
    .fill_host = fill,
    .fill_cuda = DS_RNG_CUDA(ds_taus_fill_cuda),
};
