/* Ran2 on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/rng/ran2.h"
#include "method.h"

enum { WORDS = 3 + DS_RAN2_TABLE };

ds_host_row ds_ran2_row_base, ds_ran2_row_avx2, ds_ran2_row_avx512;

static size_t state_words(const ds_rng_options *o)
{
  return WORDS * (size_t) o->width;
}

static ds_status seed(ds_rng *r, ds_error *err)
{
  const int64_t width = r->options.width;
#pragma omp parallel for num_threads(r->options.threads)
  for (int64_t s = 0; s < width; s++) {
    ds_ran2_core g;
    ds_ran2_core_init(&g, r->state + 3 * width + s, width, r->options.seed, (uint64_t) s);
    r->state[s] = g.x1;
    r->state[width + s] = g.x2;
    r->state[2 * width + s] = g.y;
  }
  return ds_succeed(err);
}

/* Residues that are not 0; those of the second generator are its own. */
static int legal(const ds_rng *r, const uint32_t *state)
{
  const int64_t width = r->options.width;
  int good = 1;
  for (int64_t k = 0; k < WORDS * width; k++)
    good &= state[k] > 0 && state[k] < (k / width == 1 ? DS_RAN2_M2 : DS_RAN2_M1);
  return good;
}

static ds_status fill(ds_rng *r, const ds_fill *f, ds_error *err)
{
  static ds_host_row *const row[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_ran2_row);
  return ds_fill_streams(r, f, row[r->isa], err);
}

DS_RNG_FILL_CUDA(ds_ran2_fill_cuda);

const ds_rng_method ds_rng_ran2 = {
    .info = {.name = "ran2",
             .title = "Ran2, two combined and shuffled",
             .source = "Press et al. 1992, L'Ecuyer 1988",
             .family = DS_RNG_STREAMS,
             .state_bytes = 4 * WORDS,
             .log2_period = 61, /* (M1 - 1) (M2 - 1) / 2 */
             .bits = 31,
             .words_per_double = 1,
             .double_scale = 0.5 / DS_RAN2_M1, /* the published y / M1, which is neither 0 nor 1 */
             .most_width = (int64_t) 1 << 27,
             .width_name = "streams"},
    .state_words = state_words,
    .seed = seed,
    .legal = legal,
    .fill_host = fill,
    .fill_cuda = DS_RNG_CUDA(ds_ran2_fill_cuda),
};
