/* The next words of many streams; compiled once for each instruction set.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "streams.h"

/* ds_ran2_next in three loops, of which the one in the middle cannot be vector code: each stream has its own place in
   its table. */
enum { RAN2_PART = 256 };

static void ran2_part(uint32_t *restrict state, int64_t width, int n, uint32_t *restrict out)
{
  uint32_t *const x1 = state, *const x2 = x1 + width, *const y = x2 + width;
  uint32_t *const table = y + width;
  uint32_t where[RAN2_PART], shuffled[RAN2_PART];
  DS_VECTOR_LOOP
  for (int i = 0; i < n; i++) {
    ds_ran2_core g = {x1[i], x2[i], y[i]};
    where[i] = ds_ran2_where(g.y);
    ds_ran2_advance(&g);
    x1[i] = g.x1;
    x2[i] = g.x2;
  }
  for (int i = 0; i < n; i++) {
    uint32_t *const place = table + (int64_t) where[i] * width + i;
    shuffled[i] = *place;
    *place = x1[i];
  }
  DS_VECTOR_LOOP
  for (int i = 0; i < n; i++) {
    y[i] = ds_ran2_combine(shuffled[i], x2[i]);
    out[i] = y[i] << 1;
  }
}

static void ran2_row(uint32_t *state, int64_t width, int n, uint32_t *out)
{
  for (int i = 0; i < n; i += RAN2_PART) ran2_part(state + i, width, n - i < RAN2_PART ? n - i : RAN2_PART, out + i);
}

#define LOOP(kind, name, generator, init, next, row)                                                                           \
  case kind:                                                                                                                   \
    DS_VECTOR_LOOP                                                                                                             \
    for (int i = 0; i < n; i++) {                                                                                              \
      generator g;                                                                                                             \
      ds_stream_load(&g, DS_STREAM_WORDS(g), state + i, width);                                                                \
      out[i] = next(&g);                                                                                                       \
      ds_stream_store(&g, DS_STREAM_WORDS(g), state + i, width);                                                               \
    }                                                                                                                          \
    break;

void DS_KERNEL(ds_streams_row)(ds_generator_kind kind, uint32_t *state, int64_t width, int64_t first, int n, uint32_t *out)
{
  state += first;
  switch (kind) {
    DS_REGISTER_GENERATORS(LOOP)
  default: ran2_row(state, width, n, out);
  }
}
