/* Arrays of random numbers on the host: words are made in batches that stay in the cache and become numbers
   there. Threads share a sequence by pieces. Streams are in streams.c.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "method.h"

#include <stdlib.h>

enum { BATCH = 4096 }; /* words; even */

ds_number_function *ds_number_function_of(const ds_rng *r)
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
  ds_number_function *const convert = ds_number_function_of(r);
  const size_t size = ds_fill_size(f);
  const int words = f->transform.words, numbers = f->transform.numbers;
  char *out = (char *) f->out + first * (uint64_t) numbers * size;
  const uint64_t left = f->n - first * (uint64_t) numbers;
  int whole = units;
  if ((uint64_t) units * (uint64_t) numbers > left) whole--;
  convert(&f->transform, f->type, w, NULL, whole, out, NULL);
  if (whole == units) return;
  union {
    float f32[2];
    double f64[2];
    int32_t i32[2];
  } pair;
  w += (size_t) whole * (size_t) words;
  convert(&f->transform, f->type, w, NULL, 1, &pair, NULL);
  memcpy(out + (size_t) whole * (size_t) numbers * size, &pair, size);
}

static ds_status fill_piece(const ds_rng *r, const ds_fill *f, const ds_host_sequence *how, void *worker, uint64_t from,
                            uint64_t to, ds_error *err)
{
  const int words = f->transform.words;
  uint32_t batch[BATCH];
  const ds_status s = how->start(r, worker, from * (uint64_t) words, err);
  for (uint64_t unit = from; unit < to && !s; unit += BATCH / 2) {
    const int units = to - unit < BATCH / 2 ? (int) (to - unit) : BATCH / 2;
    how->words(worker, batch, units * words);
    deliver(r, f, batch, unit, units);
  }
  return s;
}

ds_status ds_fill_sequence(ds_rng *r, const ds_fill *f, const ds_host_sequence *how, ds_error *err)
{
  int64_t pieces = how->serial ? 1 : r->pieces ? r->pieces : r->options.threads;
  if ((uint64_t) pieces > f->units) pieces = (int64_t) f->units;
  char *workers = malloc((size_t) pieces * how->bytes);
  ds_status status = DS_OK;
  if (!workers) return ds_fail(err, DS_ERR_MEMORY, "no host memory for %lld pieces", (long long) pieces);
#pragma omp parallel for num_threads(r->options.threads) schedule(dynamic) if (pieces > 1)
  for (int64_t p = 0; p < pieces; p++) {
    ds_error mine;
    const uint64_t each = f->units / (uint64_t) pieces, more = f->units % (uint64_t) pieces;
    const uint64_t k = (uint64_t) p;
    const uint64_t from = k * each + (k < more ? k : more);
    const ds_status s = fill_piece(r, f, how, workers + (size_t) p * how->bytes, from, from + each + (k < more), &mine);
    if (s) {
#pragma omp critical
      status = ds_fail(err, s, "%s", mine.text);
    }
  }
  if (!status && how->finish) how->finish(r, workers + (size_t) (pieces - 1) * how->bytes);
  free(workers);
  return status;
}
