/* Generators with a stream per thread on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_RNG_STREAMS_H
#define DPDSOP_RNG_STREAMS_H

#include "method.h"

/* The next word of streams first .. first + n - 1. Word j of the state of stream s is state[j * width + s]. */
typedef void ds_host_row(uint32_t *state, int64_t width, int64_t first, int n, uint32_t *out);

typedef struct ds_streams {
  ds_host_row *row[DS_ISA_COUNT];
  /* The first state of a stream, whose words are `width` apart. */
  void (*begin)(uint64_t seed, uint64_t stream, uint32_t *state, int64_t width);
} ds_streams;

/* seed and fill_host of a ds_rng_method that has streams. */
ds_status ds_streams_seed(ds_rng *rng, ds_error *err);
ds_status ds_streams_fill(ds_rng *rng, const ds_fill *fill, ds_error *err);

#endif
