/* Words of generators in place.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "in_place.h"

#include "dpdsop/device/rng/generators.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *name;
  ds_generator_kind kind;
  size_t bytes; /* of a stream */
  int counter;  /* has words by purpose, step and ID */
} shape;

static const shape SHAPES[] = {
#define COUNTER(kind, name, generator, ...) {name, kind, sizeof(generator), 1},
#define STATEFUL(kind, name, generator, ...) {name, kind, sizeof(generator), 0},
    DS_COUNTER_GENERATORS(COUNTER) /* without a state */
    DS_STATEFUL_GENERATORS(STATEFUL) /* with one */
#undef COUNTER
#undef STATEFUL
};

static void init_stream(ds_generator_kind kind, void *g, uint64_t seed, uint64_t stream)
{
  switch (kind) {
#define INIT(kind, name, generator, init, ...)                                                     \
  case kind:                                                                                       \
    init((generator *) g, seed, stream);                                                           \
    break;
    DS_GENERATORS(INIT)
#undef INIT
  default:
    break;
  }
}

static uint32_t next_word(ds_generator_kind kind, void *g)
{
  switch (kind) {
#define NEXT(kind, name, generator, init, next, ...)                                               \
  case kind:                                                                                       \
    return next((generator *) g);
    DS_GENERATORS(NEXT)
#undef NEXT
  default:
    return 0;
  }
}

static void four_words(ds_generator_kind kind, uint64_t seed, uint64_t step, uint64_t id,
                       uint32_t w[4])
{
  switch (kind) {
#define FOUR(kind, name, generator, init, next, row, at, ...)                                      \
  case kind:                                                                                       \
    at(seed, DS_PURPOSE_USER, step, id, w);                                                        \
    break;
    DS_COUNTER_GENERATORS(FOUR)
#undef FOUR
  default:
    break;
  }
}

struct in_place {
  const shape *shape;
  in_place_options options;
  uint64_t place, next; /* of streams, seeds or blocks of four words; and of words of this one */
  char *states;         /* one, or `width` for STREAMS */
  uint32_t four[4];
};

in_place_layout in_place_layout_of(const char *name)
{
  static const char *const names[] = {"streams", "starts", "seeds", "ids", "steps"};
  int k = 0;
  while (k < LAYOUTS && strcmp(names[k], name)) k++;
  return (in_place_layout) k;
}

static const shape *shape_of(const char *generator)
{
  for (size_t k = 0; k < sizeof SHAPES / sizeof SHAPES[0]; k++)
    if (strcmp(SHAPES[k].name, generator) == 0) return SHAPES + k;
  return NULL;
}

in_place *in_place_open(const char *generator, const in_place_options *o, const char **why)
{
  const shape *s = shape_of(generator);
  *why = "-p: the generator has no streams in place";
  if (!s) return NULL;
  *why = "-p ids and -p steps: for philox and tea only";
  if (!s->counter && o->layout >= IDS) return NULL;
  *why = "no memory";
  const uint64_t states = o->layout == STREAMS ? o->width : 1;
  in_place *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->shape = s;
  p->options = *o;
  if (states <= SIZE_MAX / s->bytes) p->states = malloc(s->bytes * (size_t) states);
  if (!p->states) {
    free(p);
    return NULL;
  }
  for (uint64_t k = 0; k < o->width && o->layout == STREAMS; k++)
    init_stream(s->kind, p->states + k * s->bytes, o->seed, o->first + k);
  return p;
}

/* The next word of stream `place`. */
static uint32_t of_streams(in_place *p)
{
  const uint32_t w = next_word(p->shape->kind, p->states + p->place * p->shape->bytes);
  if (++p->place == p->options.width) p->place = 0;
  return w;
}

static uint32_t of_beginnings(in_place *p)
{
  const in_place_options *o = &p->options;
  if (p->next == 0) {
    const int seeds = o->layout == SEEDS;
    init_stream(p->shape->kind, p->states, seeds ? o->seed + p->place : o->seed,
                seeds ? o->first : o->first + p->place);
    p->place++;
  }
  if (++p->next == (uint64_t) o->count) p->next = 0;
  return next_word(p->shape->kind, p->states);
}

static uint32_t of_counters(in_place *p)
{
  const in_place_options *o = &p->options;
  if (p->next == 0) {
    const uint64_t slow = p->place / o->width, fast = p->place % o->width;
    four_words(p->shape->kind, o->seed, o->layout == IDS ? slow : fast,
               o->layout == IDS ? fast : slow, p->four);
    p->place++;
  }
  const uint32_t w = p->four[p->next];
  p->next = (p->next + 1) % 4;
  return w;
}

void in_place_words(in_place *p, uint32_t *out, size_t n)
{
  uint32_t (*const next)(in_place *) = p->options.layout == STREAMS ? of_streams
                                       : p->options.layout >= IDS   ? of_counters
                                                                    : of_beginnings;
  for (size_t k = 0; k < n; k++) out[k] = next(p);
}

void in_place_close(in_place *p)
{
  free(p->states);
  free(p);
}
