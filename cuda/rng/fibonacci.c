/* Additive lagged Fibonacci on the host.   SPDX-License-Identifier: GPL-2.0-or-later

   ds_rng.state is the ring. Its position is ds_rng.position modulo ll, which saved states have, too. */
#include "dpdsop/device/rng/fibonacci.h"
#include "method.h"

typedef void run_function(uint32_t *here, const uint32_t *back, int n, uint32_t *out);
run_function ds_fibonacci_run_base, ds_fibonacci_run_avx2, ds_fibonacci_run_avx512;

static size_t state_words(const ds_rng_options *o)
{
  return ds_fibonacci_choose(o->width).ll;
}

static ds_status seed(ds_rng *r, ds_error *err)
{
  const ds_fibonacci_lags lags = ds_fibonacci_choose(r->options.width);
  const int64_t n = (int64_t) r->state_words;
#pragma omp parallel for num_threads(r->options.threads)
  for (int64_t k = 0; k < n; k++) r->state[k] = ds_fibonacci_seed_word(lags, r->options.seed, 0, (uint32_t) k);
  return ds_succeed(err);
}

static int legal(const ds_rng *r, const uint32_t *state)
{
  return (int) (ds_rng_bits(state, r->state_words) & 1u);
}

typedef struct {
  uint32_t *ring;
  ds_fibonacci_lags lags;
  uint32_t place; /* of the next word */
  run_function *run;
} worker;

static ds_status start(const ds_rng *r, void *to, uint64_t offset, ds_error *err)
{
  static run_function *const variant[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_fibonacci_run);
  worker *w = to;
  w->ring = r->state;
  w->lags = ds_fibonacci_choose(r->options.width);
  w->place = (uint32_t) ((r->position + offset) % w->lags.ll);
  w->run = variant[r->isa];
  return ds_succeed(err);
}

static uint32_t least(uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

/* In runs that are safe windows, so that the words read are none of those written, and that end with the ring. */
static void words(void *from, uint32_t *out, int n)
{
  worker *w = from;
  const uint32_t safe = ds_fibonacci_safe(w->lags);
  while (n > 0) {
    const uint32_t back = ds_fibonacci_back(w->lags, w->place);
    const uint32_t to_end = w->lags.ll - (back > w->place ? back : w->place);
    const uint32_t count = least(least((uint32_t) n, safe), to_end);
    w->run(w->ring + w->place, w->ring + back, (int) count, out);
    w->place = ds_fibonacci_place(w->lags, w->place, count);
    out += count;
    n -= (int) count;
  }
}

/* One worker, that moves the ring itself: there is no jumping to a later word. */
static ds_status fill(ds_rng *r, const ds_fill *f, ds_error *err)
{
  static const ds_host_sequence how = {sizeof(worker), 1, start, words, NULL};
  return ds_fill_sequence(r, f, &how, err);
}

DS_RNG_FILL_CUDA(ds_fibonacci_fill_cuda);

const ds_rng_method ds_rng_fibonacci = {
    .info = {.name = "fibonacci",
             .title = "Additive lagged Fibonacci",
             .source = "Zhmurov et al. 2010, Brent 1992",
             .family = DS_RNG_SEQUENCE,
             .state_bytes = 0,
             .log2_period = 0, /* ll + 31 */
             .bits = 32,
             .words_per_double = 2,
             .most_width = (int64_t) 1 << 62,
             .width_name = "numbers at once"},
    .log2_end = 64,
    .state_words = state_words,
    .seed = seed,
    .legal = legal,
    .fill_host = fill,
    .fill_cuda = DS_RNG_CUDA(ds_fibonacci_fill_cuda),
};
