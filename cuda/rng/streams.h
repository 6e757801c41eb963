/* Generators with a stream per thread.   SPDX-License-Identifier: GPL-2.0-or-later

   Word j of the structure of stream s lies at state[j * width + s] of an object, so that neighbors are read and written
   together. */
#ifndef DPDSOP_RNG_STREAMS_H
#define DPDSOP_RNG_STREAMS_H

#include "method.h"

/* A structure of `words` words, or its first ones; `state` points to the stream's first word. */
DS_FUNC void ds_stream_load(void *generator, int words, const uint32_t *state, int64_t width)
{
  uint32_t *const word = (uint32_t *) generator;
  DS_UNROLL(8)
  for (int j = 0; j < words; j++) word[j] = state[j * width];
}

DS_FUNC void ds_stream_store(const void *generator, int words, uint32_t *state, int64_t width)
{
  const uint32_t *const word = (const uint32_t *) generator;
  DS_UNROLL(8)
  for (int j = 0; j < words; j++) state[j * width] = word[j];
}

#define DS_STREAM_WORDS(generator) ((int) (sizeof(generator) / sizeof(uint32_t)))

#ifdef __cplusplus
extern "C" {
#endif

/* The next word of streams first .. first + n - 1. */
typedef void ds_streams_function(ds_generator_kind kind, uint32_t *state, int64_t width, int64_t first, int n, uint32_t *out);
ds_streams_function ds_streams_row_base, ds_streams_row_avx2, ds_streams_row_avx512;

/* seed, fill_host and fill_cuda of a ds_rng_method. */
ds_status ds_streams_seed(ds_rng *rng, ds_error *err);
ds_status ds_streams_fill(ds_rng *rng, const ds_fill *fill, ds_error *err);
DS_RNG_FILL_CUDA(ds_streams_fill_cuda);

#ifdef __cplusplus
}
#endif
#endif
