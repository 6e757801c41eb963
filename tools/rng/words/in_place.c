/* Words of generators in place.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "in_place.h"

#include "dpdsop/device/rng/fibonacci.h"
#include "dpdsop/device/rng/lcg.h"
#include "dpdsop/device/rng/mrg32k3a.h"
#include "dpdsop/device/rng/mt19937.h"
#include "dpdsop/device/rng/philox.h"
#include "dpdsop/device/rng/ran2.h"
#include "dpdsop/device/rng/taus.h"
#include "dpdsop/device/rng/tea_stream.h"

#include <stdlib.h>
#include <string.h>

typedef void init_function(void *g, uint64_t seed, uint64_t stream);
typedef uint32_t next_function(void *g);
typedef void at_function(uint64_t seed, uint32_t purpose, uint64_t step, uint64_t id,
                         uint32_t w[4]);

typedef struct {
  const char *name;
  size_t bytes;
  init_function *init;
  next_function *next;
  at_function *at; /* NULL: not a counter-based one */
} shape;

#define DS_SHAPE(name)                                                                             \
  static void name##_init(void *g, uint64_t seed, uint64_t stream)                                 \
  {                                                                                                \
    ds_##name##_init(g, seed, stream);                                                             \
  }                                                                                                \
  static uint32_t name##_next(void *g)                                                             \
  {                                                                                                \
    return ds_##name##_next(g);                                                                    \
  }
DS_SHAPE(philox)
DS_SHAPE(tea)
DS_SHAPE(lcg)
DS_SHAPE(taus)
DS_SHAPE(ran2)
DS_SHAPE(fibonacci)
DS_SHAPE(mrg32k3a)
DS_SHAPE(mt19937)

static void philox_at(uint64_t seed, uint32_t purpose, uint64_t step, uint64_t id, uint32_t w[4])
{
  ds_philox_at(seed, purpose, step, id, w);
}

static void tea_at(uint64_t seed, uint32_t purpose, uint64_t step, uint64_t id, uint32_t w[4])
{
  ds_tea_at(seed, purpose, step, id, w);
}

#define DS_ROW(name, at)                                                                           \
  {                                                                                                \
#name, sizeof(ds_##name), name##_init, name##_next, at                                         \
  }
static const shape SHAPES[] = {DS_ROW(philox, philox_at), DS_ROW(tea, tea_at),
                               DS_ROW(lcg, NULL),         DS_ROW(taus, NULL),
                               DS_ROW(ran2, NULL),        DS_ROW(fibonacci, NULL),
                               DS_ROW(mrg32k3a, NULL),    DS_ROW(mt19937, NULL)};

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
  if (!s->at && o->layout >= IDS) return NULL;
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
    s->init(p->states + k * s->bytes, o->seed, o->first + k);
  return p;
}

/* The next word of stream `place`. */
static uint32_t of_streams(in_place *p)
{
  const uint32_t w = p->shape->next(p->states + p->place * p->shape->bytes);
  if (++p->place == p->options.width) p->place = 0;
  return w;
}

static uint32_t of_beginnings(in_place *p)
{
  const in_place_options *o = &p->options;
  if (p->next == 0) {
    const int seeds = o->layout == SEEDS;
    p->shape->init(p->states, seeds ? o->seed + p->place : o->seed,
                   seeds ? o->first : o->first + p->place);
    p->place++;
  }
  if (++p->next == (uint64_t) o->count) p->next = 0;
  return p->shape->next(p->states);
}

static uint32_t of_counters(in_place *p)
{
  const in_place_options *o = &p->options;
  if (p->next == 0) {
    const uint64_t slow = p->place / o->width, fast = p->place % o->width;
    p->shape->at(o->seed, DS_PURPOSE_USER, o->layout == IDS ? slow : fast,
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
