/* Arrays of random numbers on the host: words are made in chunks that stay in the cache and become numbers
   there. Threads share a sequence by pieces, streams by ranges.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "method.h"

#include <stdlib.h>

enum { CHUNK = 4096 }; /* words; even */

static size_t size_of(const ds_fill *f)
{
  return f->type == DS_F64 ? 8 : 4;
}

static ds_number_function *number_function(const ds_rng *r)
{
  static ds_number_function *const variant[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_numbers);
  return variant[r->isa];
}

uint32_t ds_rng_bits(const uint32_t *words, size_t n)
{
  uint32_t bits = 0;
  for (size_t k = 0; k < n; k++) bits |= words[k];
  return bits;
}

/* ----------------------------------------------------------------------------------- a sequence */

/* Words become the numbers from unit `first` on; the last unit of the call may be cut. */
static void deliver(const ds_rng *r, const ds_fill *f, const uint32_t *w, uint64_t first, int units)
{
  ds_number_function *const convert = number_function(r);
  const size_t size = size_of(f);
  const int words = f->law.words, numbers = f->law.numbers;
  char *out = (char *) f->out + first * (uint64_t) numbers * size;
  const uint64_t left = f->n - first * (uint64_t) numbers;
  int whole = units;
  if ((uint64_t) units * (uint64_t) numbers > left) whole--;
  convert(&f->law, f->type, w, NULL, whole, out, NULL);
  if (whole == units) return;
  double pair[2]; /* of either type */
  w += (size_t) whole * (size_t) words;
  convert(&f->law, f->type, w, NULL, 1, pair, NULL);
  memcpy(out + (size_t) whole * (size_t) numbers * size, pair, size);
}

static ds_status fill_piece(const ds_rng *r, const ds_fill *f, const ds_host_sequence *how,
                            void *worker, uint64_t from, uint64_t to, ds_error *err)
{
  const int words = f->law.words;
  uint32_t chunk[CHUNK];
  const ds_status s = how->start(r, worker, from * (uint64_t) words, err);
  for (uint64_t unit = from; unit < to && !s; unit += CHUNK / 2) {
    const int units = to - unit < CHUNK / 2 ? (int) (to - unit) : CHUNK / 2;
    how->words(worker, chunk, units * words);
    deliver(r, f, chunk, unit, units);
  }
  return s;
}

ds_status ds_fill_sequence(ds_rng *r, const ds_fill *f, const ds_host_sequence *how, ds_error *err)
{
  int64_t pieces = how->alone ? 1 : r->pieces ? r->pieces : r->options.threads;
  if ((uint64_t) pieces > f->units) pieces = (int64_t) f->units;
  char *workers = malloc((size_t) pieces * how->bytes);
  ds_status status = DS_OK;
  if (!workers)
    return ds_fail(err, DS_ERR_MEMORY, "no host memory for %lld pieces", (long long) pieces);
#pragma omp parallel for num_threads(r->options.threads) schedule(dynamic) if (pieces > 1)
  for (int64_t p = 0; p < pieces; p++) {
    ds_error mine;
    const uint64_t each = f->units / (uint64_t) pieces, more = f->units % (uint64_t) pieces;
    const uint64_t k = (uint64_t) p;
    const uint64_t from = k * each + (k < more ? k : more);
    const ds_status s = fill_piece(r, f, how, workers + (size_t) p * how->bytes, from,
                                   from + each + (k < more), &mine);
    if (s) {
#pragma omp critical
      status = ds_fail(err, s, "%s", mine.text);
    }
  }
  if (!status && how->finish) how->finish(r, workers + (size_t) (pieces - 1) * how->bytes);
  free(workers);
  return status;
}

/* -------------------------------------------------------------------------------------- streams */

enum { STREAMS = 1024 }; /* streams of which a thread makes rows: their states stay in its cache */

/* Numbers of a row of units: number c of the unit lies c * width further on. */
static void deliver_row(const ds_rng *r, const ds_fill *f, const uint32_t *w0, const uint32_t *w1,
                        uint64_t unit, int64_t first, int n)
{
  const size_t size = size_of(f);
  const uint64_t width = (uint64_t) r->options.width;
  double kept[2][STREAMS]; /* of either type */
  const int numbers = f->law.numbers;
  void *x[2] = {NULL, NULL};
  for (int c = 0; c < numbers; c++) x[c] = kept[c];
  number_function(r)(&f->law, f->type, w0, w1, n, x[0], x[1]);
  for (int c = 0; c < numbers; c++) {
    const uint64_t at = (unit * (uint64_t) numbers + (uint64_t) c) * width + (uint64_t) first;
    if (at >= f->n) break;
    const uint64_t room = f->n - at;
    memcpy((char *) f->out + at * size, kept[c],
           size * (size_t) (room < (uint64_t) n ? room : (uint64_t) n));
  }
}

ds_status ds_fill_streams(ds_rng *r, const ds_fill *f, ds_host_row *row, ds_error *err)
{
  const int64_t width = r->options.width;
#pragma omp parallel for num_threads(r->options.threads) schedule(dynamic)
  for (int64_t first = 0; first < width; first += STREAMS) {
    const int n = width - first < STREAMS ? (int) (width - first) : STREAMS;
    uint32_t w[2][STREAMS];
    for (uint64_t unit = 0; unit < f->units; unit++) {
      for (int c = 0; c < f->law.words; c++) row(r->state, width, first, n, w[c]);
      deliver_row(r, f, w[0], w[1], unit, first, n);
    }
  }
  return ds_succeed(err);
}
