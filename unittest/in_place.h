/* in_place.h: what is done with a generator inside a loop or a kernel, one text for host and GPU.
   SPDX-License-Identifier: GPL-2.0-or-later

   Plain C99 with DS_FUNC: test_rng_in_place.c and test_gpu_in_place.cu run the same functions. */
#ifndef DPDSOP_IN_PLACE_H
#define DPDSOP_IN_PLACE_H

#include "dpdsop/device/rng/generators.h"
#include "dpdsop/device/rng/number.h"

#include "splitmix.h"

/* More words than any state has, so that each is used again after it has been replaced; even. */
enum { IN_PLACE_CASES = 256, IN_PLACE_WORDS = 2600 };

/* Small seeds and streams, as programs have them, and any. Streams of all generators go to 2^31 at least. */
DS_FUNC uint64_t in_place_seed(uint32_t i)
{
  return i < 128 ? i / 16 : ds_splitmix(i);
}

DS_FUNC uint64_t in_place_stream(uint32_t i)
{
  return i < 192 ? i % 16 : ds_splitmix(i) >> 33;
}

/* One number of each law. Without gaps between members, so that they can be compared as bytes. */
typedef struct {
  float x[6];
  double y[6];
} in_place_numbers;

DS_FUNC void in_place_transforms(uint32_t w0, uint32_t w1, in_place_numbers *n)
{
  n->x[0] = ds_uniformf(w0);
  n->x[1] = ds_exponentialf(w0);
  ds_normal_pairf(w0, w1, n->x + 2, n->x + 3);
  n->x[4] = ds_normal_inversef(w0);
  n->y[0] = ds_uniform(w0, w1);
  n->y[1] = ds_exponential(w0);
  ds_normal_pair(w0, w1, n->y + 2, n->y + 3);
  n->y[4] = ds_normal_inverse(w0);
  n->x[5] = ds_uniform_leftf(w0);
  n->y[5] = ds_uniform_left(w0, w1);
}

/* Without a state: words of a purpose, step and id, and the normal numbers of a step in space. */
enum { IN_PLACE_COUNTERS = 4096 };

typedef struct {
  uint32_t philox[4], tea[4];
  float x[4];
  double y[3];
} in_place_counter;

DS_FUNC void in_place_at(uint32_t i, in_place_counter *c)
{
  const uint64_t seed = in_place_seed(i % IN_PLACE_CASES);
  const uint32_t purpose = i % 3 ? i % 3 : (uint32_t) ds_splitmix(i) & (DS_PURPOSE_LIMIT - 1);
  const uint64_t step = i & 8 ? ds_splitmix(i) >> 17 : i / 64;
  const uint64_t id = i & 16 ? ds_splitmix(~(uint64_t) i) >> 17 : i % 64;
  ds_philox_at(seed, purpose, step, id, c->philox);
  ds_tea_at(seed, purpose, step, id, c->tea);
  ds_normal3f(c->philox, c->x);
  ds_normal3(c->tea, c->y);
  c->x[3] = ds_uniformf(c->tea[3]);
}

#endif
