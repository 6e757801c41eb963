/* Philox4x32-10 on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/rng/philox.h"
#include "method.h"

typedef struct {
  uint64_t seed, next; /* word */
} worker;

static ds_status start(const ds_rng *r, void *to, uint64_t offset, ds_error *err)
{
  worker *w = to;
  w->seed = r->options.seed;
  w->next = r->position + offset;
  return ds_succeed(err);
}

static void words(void *from, uint32_t *out, int n)
{
  worker *w = from;
  uint32_t block[DS_PHILOX_WORDS];
  int k = 0;
  while (k < n) {
    ds_philox_block(w->seed, w->next / DS_PHILOX_WORDS, block);
    for (int c = (int) (w->next % DS_PHILOX_WORDS); c < DS_PHILOX_WORDS && k < n; c++, w->next++)
      out[k++] = block[c];
  }
}

static ds_status fill(ds_rng *r, const ds_fill *f, ds_error *err)
{
  static const ds_host_sequence how = {sizeof(worker), 0, start, words, NULL};
  return ds_fill_sequence(r, f, &how, err);
}

#ifdef DS_HAVE_CUDA
ds_status ds_philox_fill_cuda(ds_rng *rng, const ds_fill *fill, ds_error *err);
#else
#define ds_philox_fill_cuda NULL
#endif

const ds_rng_method ds_rng_philox = {
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
    .fill_host = fill,
    .fill_cuda = ds_philox_fill_cuda,
};
