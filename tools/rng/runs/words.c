/* words.c: words of a generator, of arrays or in place, in the orders in which programs use them.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "runs.h"

#include "dpdsop/device/rng/generators.h"

#include <stdlib.h>
#include <string.h>

enum { EMPTY_BIT = 32 }; /* so many words of 31 bits make one less of 32 */

struct runs_words {
  const ds_rng_info *info;
  runs_order order;
  ds_rng *rng;            /* of arrays */
  ds_generator_kind kind; /* of words in place */
  char *states;           /* of streams: one, or `width` */
  size_t bytes;           /* of a stream */
  uint64_t place;         /* streams, seeds or blocks of four words that are done */
  size_t block, n;        /* words that are made together; words of a call, a multiple of it */
  size_t row;             /* words that belong together, as one of each stream is, or a point */
  uint32_t *w, *turned;
};

typedef struct {
  const char *name;
  ds_generator_kind kind;
  size_t bytes; /* of a stream */
} shape;

static const shape SHAPES[] = {
#define SHAPE(kind, name, generator, ...) {name, kind, sizeof(generator)},
    DS_GENERATORS(SHAPE)
#undef SHAPE
};

static void init_stream(ds_generator_kind kind, void *g, uint64_t seed, uint64_t stream)
{
  switch (kind) {
#define INIT(kind, name, generator, init, ...)                                                                                 \
  case kind: init((generator *) g, seed, stream); break;
    DS_GENERATORS(INIT)
#undef INIT
  default: break;
  }
}

static uint32_t next_word(ds_generator_kind kind, void *g)
{
  switch (kind) {
#define NEXT(kind, name, generator, init, next, ...)                                                                           \
  case kind: return next((generator *) g);
    DS_GENERATORS(NEXT)
#undef NEXT
  default: return 0;
  }
}

static void four_words(ds_generator_kind kind, uint64_t seed, uint64_t step, uint64_t id, uint32_t w[4])
{
  switch (kind) {
#define FOUR(kind, name, generator, init, next, row, at, ...)                                                                  \
  case kind: at(seed, DS_PURPOSE_USER, step, id, w); break;
    DS_COUNTER_GENERATORS(FOUR)
#undef FOUR
  default: break;
  }
}

static ds_status open_in_place(runs_words *p, const char *generator, ds_error *err)
{
  const runs_order *const o = &p->order;
  const shape *s = NULL;
  for (size_t k = 0; k < sizeof SHAPES / sizeof SHAPES[0]; k++)
    if (strcmp(SHAPES[k].name, generator) == 0) s = SHAPES + k;
  if (!s) return ds_fail(err, DS_ERR_ARGUMENT, "-p: the generator has no streams in place");
  if (o->layout >= RUNS_IDS && s->kind != DS_PHILOX && s->kind != DS_TEA)
    return ds_fail(err, DS_ERR_ARGUMENT, "-p ids and -p steps: for philox and tea only");
  p->kind = s->kind;
  p->bytes = s->bytes;
  p->row = o->layout == RUNS_STREAMS ? (size_t) o->width : 1;
  p->block = o->layout == RUNS_STREAMS ? p->row : o->layout >= RUNS_IDS ? 4 : (size_t) o->count;
  const size_t states = o->layout == RUNS_STREAMS ? (size_t) o->width : 1;
  p->states = states <= SIZE_MAX / s->bytes ? malloc(states * s->bytes) : NULL;
  if (!p->states) return ds_fail(err, DS_ERR_MEMORY, "no memory");
  for (size_t k = 0; k < states && o->layout == RUNS_STREAMS; k++)
    init_stream(p->kind, p->states + k * p->bytes, o->seed, o->first + k);
  return ds_succeed(err);
}

static void block_in_place(runs_words *p, uint32_t *w)
{
  const runs_order *const o = &p->order;
  const uint64_t place = p->place++, width = (uint64_t) o->width;
  const int of_seeds = o->layout == RUNS_SEEDS, of_ids = o->layout == RUNS_IDS;
  if (o->layout >= RUNS_IDS) {
    const uint64_t slow = place / width, fast = place % width;
    four_words(p->kind, o->seed, of_ids ? slow : fast, of_ids ? fast : slow, w);
    return;
  }
  if (o->layout != RUNS_STREAMS)
    init_stream(p->kind, p->states, o->seed + (of_seeds ? place : 0), o->first + (of_seeds ? 0 : place));
  const size_t next = o->layout == RUNS_STREAMS ? p->bytes : 0; /* stream */
  for (size_t k = 0; k < p->block; k++) w[k] = next_word(p->kind, p->states + k * next);
}

static ds_status open_array(runs_words *p, const runs_options *o, ds_error *err)
{
  ds_rng_options g;
  runs_describe(o, p->order.width, NULL, &g);
  ds_status s = ds_rng_open(&p->rng, &g, err);
  if (!s && p->order.skip) s = ds_rng_skip(p->rng, p->order.skip, p->order.log2_unit, err);
  p->row = p->block = p->info->family == DS_RNG_SEQUENCE ? 1 : (size_t) p->order.width;
  return s;
}

/* Points as a simulation takes them: all coordinates of one, then the next. */
static void transpose(const uint32_t *w, size_t points, size_t width, uint32_t *out)
{
  for (size_t i = 0; i < points; i++)
    for (size_t d = 0; d < width; d++) out[i * width + d] = w[d * points + i];
}

/* Words of 31 bits, as those of ran2, have an empty lowest bit; test suites want 32. The bits of every 32nd word go to the 31
   words before it, so that all others stay in their places. */
static size_t fill_empty_bits(uint32_t *w, size_t n, size_t row)
{
  size_t to = 0;
  for (size_t k = 0; k + EMPTY_BIT * row <= n; k += EMPTY_BIT * row)
    for (size_t j = 0; j < EMPTY_BIT - 1; j++)
      for (size_t s = 0; s < row; s++) w[to++] = w[k + j * row + s] | (w[k + (EMPTY_BIT - 1) * row + s] >> (j + 1) & 1u);
  return to;
}

void runs_close_words(runs_words *p)
{
  if (!p) return;
  ds_rng_close(p->rng);
  free(p->states);
  free(p->w);
  free(p->turned);
  free(p);
}

runs_words *runs_open_words(const runs_options *o, const runs_order *order, ds_error *err)
{
  runs_words *const p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->order = *order;
  p->order.seed = o->seed;
  p->info = ds_rng_find(o->generator);
  ds_status s = order->layout == RUNS_ARRAY ? open_array(p, o, err) : open_in_place(p, o->generator, err);
  if (!s) { /* a group makes `kept` words of 32 bits */
    const size_t group = p->info->bits < 32 ? EMPTY_BIT * p->block : p->block;
    const size_t kept = p->info->bits < 32 ? group - p->block : group;
    p->n = ((size_t) order->ask + kept - 1) / kept * group;
    p->w = malloc(p->n * sizeof *p->w);
    p->turned = malloc(p->n * sizeof *p->turned);
    if (!p->w || !p->turned) s = ds_fail(err, DS_ERR_MEMORY, "no memory");
  }
  if (!s) return p;
  runs_close_words(p);
  return NULL;
}

ds_status runs_next_words(runs_words *p, const uint32_t **words, int64_t *made, ds_error *err)
{
  ds_status s = ds_succeed(err);
  if (p->rng)
    s = ds_rng_fill(p->rng, DS_WORDS, DS_I32, DS_SPACE_HOST, p->w, p->n, err);
  else
    for (size_t k = 0; k < p->n; k += p->block) block_in_place(p, p->w + k);
  *words = p->w;
  *made = (int64_t) p->n;
  if (p->info->family == DS_RNG_POINTS) {
    transpose(p->w, p->n / p->row, p->row, p->turned);
    *words = p->turned;
  }
  if (p->info->bits < 32) *made = (int64_t) fill_empty_bits(p->w, p->n, p->row);
  return s;
}
