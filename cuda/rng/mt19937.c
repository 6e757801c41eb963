/* The Mersenne Twister on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "mt19937_state.h"

#include <stdlib.h>

/* STEPS: words over which stepping is faster than a jump, which takes about a millisecond. */
enum { N = DS_MT19937_WORDS, STEPS = 1 << 21 };

static ds_mt19937_object *object_of(const ds_rng *r)
{
  return (ds_mt19937_object *) r->state;
}

static void next_window(ds_isa isa, const uint32_t *window, uint32_t *next)
{
  static ds_mt19937_next_window_function *const variant[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_mt19937_next_window);
  variant[isa](window, next);
}

static void output(ds_isa isa, const uint32_t *window, int n, uint32_t *out)
{
  static ds_mt19937_output_function *const variant[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_mt19937_output);
  variant[isa](window, n, out);
}

static void leap(ds_isa isa, uint32_t *window, const uint32_t *polynomial)
{
  static ds_mt19937_leap_function *const variant[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_mt19937_leap);
  uint32_t span[DS_MT19937_SPAN * N];
  variant[isa](window, polynomial, span);
}

/* Moves the window on by n < N words. */
static void slide(ds_isa isa, uint32_t *window, int n)
{
  uint32_t next[N];
  if (n == 0) return;
  next_window(isa, window, next);
  memmove(window, window + n, (size_t) (N - n) * sizeof *window);
  memcpy(window + N - n, next, (size_t) n * sizeof *window);
}

static void move(ds_isa isa, uint32_t *window, uint64_t count, int log2_unit)
{
  uint32_t other[N];
  if (log2_unit > 0 || count > STEPS) {
    ds_mt19937_power(count, log2_unit, other);
    leap(isa, window, other);
    return;
  }
  for (; count >= N; count -= N) {
    next_window(isa, window, other);
    memcpy(window, other, sizeof other);
  }
  slide(isa, window, (int) count);
}

/* ------------------------------------------------------------------------------ seeds and skips */

static size_t state_words(const ds_rng_options *options)
{
  (void) options;
  return N;
}

static ds_status seed(ds_rng *r, ds_error *err)
{
  ds_mt19937 g;
  uint32_t *larger = realloc(r->state, sizeof(ds_mt19937_object));
  if (!larger) return ds_fail(err, DS_ERR_MEMORY, "no host memory for a Mersenne Twister");
  r->state = larger;
  ds_mt19937_object *o = object_of(r);
  memset(o, 0, sizeof *o);
  o->ready = -1;
  ds_mt19937_set(&g, r->options.seed);
  memcpy(o->window, g.x, sizeof o->window);
  return ds_succeed(err);
}

static int legal(const ds_rng *r, const uint32_t *state)
{
  return ds_rng_bits(state, r->state_words) != 0;
}

static ds_status skip(ds_rng *r, uint64_t count, int log2_unit, ds_error *err)
{
  move(r->isa, object_of(r)->window, count, log2_unit);
  return ds_succeed(err);
}

/* --------------------------------------------------------------------------------------- filling */

typedef struct {
  uint32_t window[N], next[N];
  int at; /* the word of the window that comes next; N: the next window's first */
  ds_isa isa;
} worker;

static ds_status start(const ds_rng *r, void *to, uint64_t offset, ds_error *err)
{
  worker *w = to;
  memcpy(w->window, object_of(r)->window, sizeof w->window);
  w->at = 0;
  w->isa = r->isa;
  move(r->isa, w->window, offset, 0);
  return ds_succeed(err);
}

static void words(void *from, uint32_t *out, int n)
{
  worker *w = from;
  while (n > 0) {
    if (w->at == N) {
      next_window(w->isa, w->window, w->next);
      memcpy(w->window, w->next, sizeof w->window);
      w->at = 0;
    }
    const int here = n < N - w->at ? n : N - w->at;
    output(w->isa, w->window + w->at, here, out);
    w->at += here;
    out += here;
    n -= here;
  }
}

static void finish(ds_rng *r, const void *from)
{
  const worker *w = from;
  uint32_t *window = object_of(r)->window;
  if (w->at == N) {
    next_window(r->isa, w->window, window);
    return;
  }
  memcpy(window, w->window, sizeof w->window);
  slide(r->isa, window, w->at);
}

/* Threads share a call only where each has so many words that its jump does not count. */
static ds_status fill(ds_rng *r, const ds_fill *f, ds_error *err)
{
  static const ds_host_sequence shared = {sizeof(worker), 0, start, words, finish};
  static const ds_host_sequence serial = {sizeof(worker), 1, start, words, finish};
  const int small = f->words / (uint64_t) r->options.threads < STEPS / 8;
  return ds_fill_sequence(r, f, small && r->pieces == 0 ? &serial : &shared, err);
}

DS_RNG_FILL_CUDA(ds_mt19937_fill_cuda);

const ds_rng_method ds_rng_mt19937 = {
    .info = {.name = "mt19937",
             .title = "Mersenne Twister MT19937",
             .source = "Matsumoto & Nishimura 1998",
             .family = DS_RNG_SEQUENCE,
             .state_bytes = 4 * N,
             .log2_period = DS_MT19937_DEGREE,
             .bits = 32,
             .words_per_double = 2,
             .can_skip = 1,
             .inverse_normal = 1,
             .width_name = ""},
    .state_words = state_words,
    .seed = seed,
    .legal = legal,
    .skip = skip,
    .fill_host = fill,
    .fill_cuda = DS_RNG_CUDA(ds_mt19937_fill_cuda),
};
