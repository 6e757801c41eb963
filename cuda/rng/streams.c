/* Streams on the host: threads share them by ranges, and words become numbers while they are in the cache.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "streams.h"

#define BEGIN(kind, name, generator, init, next, row)                                                                          \
  case kind: {                                                                                                                 \
    generator g;                                                                                                               \
    init(&g, seed, stream);                                                                                                    \
    ds_stream_store(&g, DS_STREAM_WORDS(g), state, width);                                                                     \
    break;                                                                                                                     \
  }

static void begin(ds_generator_kind kind, uint64_t seed, uint64_t stream, uint32_t *state, int64_t width)
{
  switch (kind) {
    DS_STREAM_GENERATORS(BEGIN)
  default: break;
  }
}

ds_status ds_streams_seed(ds_rng *r, ds_error *err)
{
  const int64_t width = r->options.width;
#pragma omp parallel for num_threads(r->options.threads)
  for (int64_t s = 0; s < width; s++) begin(r->method->kind, r->options.seed, (uint64_t) s, r->state + s, width);
  return ds_succeed(err);
}

enum { STREAMS = 1024 }; /* streams of which a thread makes rows: their states stay in its cache */

/* Numbers of a row of units: number c of the unit lies c * width further on. */
static void deliver_row(const ds_rng *r, const ds_fill *f, const uint32_t *w0, const uint32_t *w1, uint64_t unit, int64_t first,
                        int n)
{
  const size_t size = ds_fill_size(f);
  const uint64_t width = (uint64_t) r->options.width;
  union {
    float f32[STREAMS];
    double f64[STREAMS];
    int32_t i32[STREAMS];
  } kept[2];
  const int numbers = f->transform.numbers;
  void *x[2] = {NULL, NULL};
  for (int c = 0; c < numbers; c++) x[c] = &kept[c];
  ds_number_function_of(r)(&f->transform, f->type, w0, w1, n, x[0], x[1]);
  for (int c = 0; c < numbers; c++) {
    const uint64_t at = (unit * (uint64_t) numbers + (uint64_t) c) * width + (uint64_t) first;
    if (at >= f->n) break;
    const uint64_t room = f->n - at;
    memcpy((char *) f->out + at * size, &kept[c], size * (size_t) (room < (uint64_t) n ? room : (uint64_t) n));
  }
}

ds_status ds_streams_fill(ds_rng *r, const ds_fill *f, ds_error *err)
{
  static ds_streams_function *const variant[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_streams_row);
  const int64_t width = r->options.width;
#pragma omp parallel for num_threads(r->options.threads) schedule(dynamic)
  for (int64_t first = 0; first < width; first += STREAMS) {
    const int n = width - first < STREAMS ? (int) (width - first) : STREAMS;
    uint32_t w[2][STREAMS];
    for (uint64_t unit = 0; unit < f->units; unit++) {
      for (int c = 0; c < f->transform.words; c++) variant[r->isa](r->method->kind, r->state, width, first, n, w[c]);
      deliver_row(r, f, w[0], w[1], unit, first, n);
    }
  }
  return ds_succeed(err);
}
