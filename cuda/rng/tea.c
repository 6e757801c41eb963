/* TEA as a generator on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/rng/tea_stream.h"
#include "method.h"

typedef struct {
  uint64_t seed, next; /* word */
  int rounds;
} worker;

static ds_status start(const ds_rng *r, void *to, uint64_t offset, ds_error *err)
{
  worker *w = to;
  w->seed = r->options.seed;
  w->rounds = r->options.rounds;
  w->next = r->position + offset;
  return ds_succeed(err);
}

static void words(void *from, uint32_t *out, int n)
{
  worker *w = from;
  uint32_t block[2];
  int k = 0;
  while (k < n) {
    ds_tea_block(w->seed, w->rounds, w->next / 2, block);
    for (int c = (int) (w->next % 2); c < 2 && k < n; c++, w->next++) out[k++] = block[c];
  }
}

static ds_status fill(ds_rng *r, const ds_fill *f, ds_error *err)
{
  static const ds_host_sequence how = {sizeof(worker), 0, start, words, NULL};
  return ds_fill_sequence(r, f, &how, err);
}

#ifdef DS_HAVE_CUDA
ds_status ds_tea_fill_cuda(ds_rng *rng, const ds_fill *fill, ds_error *err);
#else
#define ds_tea_fill_cuda NULL
#endif

const ds_rng_method ds_rng_tea = {
    .info = {.name = "tea",
             .title = "Tiny Encryption Algorithm, n rounds",
             .source = "Zafar, Olano & Curtis 2010",
             .family = DS_RNG_SEQUENCE,
             .state_bytes = 16,
             .log2_period = 65,
             .bits = 32,
             .words_per_double = 2,
             .can_skip = 1,
             .width_name = ""},
    .log2_end = 64,
    .fill_host = fill,
    .fill_cuda = ds_tea_fill_cuda,
};
