/* run.c: normal numbers of a generator, made and counted call by call; and the host's part of it.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "tails.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------- host */

static void host_close(tails_place *p)
{
  free(p->numbers);
  free(p->tally);
  p->numbers = NULL;
  p->tally = NULL;
}

static ds_status host_open(tails_place *p, size_t bytes, ds_error *err)
{
  p->tallies = p->threads;
  p->numbers = malloc(bytes);
  p->tally = malloc((size_t) p->tallies * sizeof *p->tally);
  if (!p->numbers || !p->tally) {
    host_close(p);
    return ds_fail(err, DS_ERR_MEMORY, "no host memory for %zu bytes of numbers", bytes);
  }
  for (int k = 0; k < p->tallies; k++) tails_clear(p->tally + k);
  return DS_OK;
}

static tails_tally count_range(const void *numbers, ds_type type, int64_t first, int64_t end)
{
  tails_tally t;
  tails_clear(&t);
  if (type == DS_F32)
    for (int64_t i = first; i < end; i++) tails_add(&t, (double) ((const float *) numbers)[i]);
  else
    for (int64_t i = first; i < end; i++) tails_add(&t, ((const double *) numbers)[i]);
  return t;
}

static ds_status host_count(tails_place *p, ds_type type, int64_t n, ds_error *err)
{
  const int64_t parts = p->tallies;
  (void) err;
#pragma omp parallel for num_threads(p->threads)
  for (int64_t k = 0; k < parts; k++) {
    const tails_tally t = count_range(p->numbers, type, n * k / parts, n * (k + 1) / parts);
    tails_join(p->tally + k, &t);
  }
  return DS_OK;
}

static ds_status host_total(tails_place *p, tails_tally *t, ds_error *err)
{
  (void) err;
  tails_clear(t);
  for (int k = 0; k < p->tallies; k++) tails_join(t, p->tally + k);
  return DS_OK;
}

const tails_backend tails_host = {DS_BACKEND_HOST, DS_SPACE_HOST, 22,         1024,
                                  host_open,       host_count,    host_total, host_close};

/* ------------------------------------------------------------------------------- all backends */

ds_status tails_run(const tails_backend *backend, const ds_rng_options *rng, ds_type type,
                    double numbers, tails_tally *total, int64_t *made, ds_error *err)
{
  const size_t bytes = (size_t) 1 << backend->log2_bytes;
  const int64_t n = (int64_t) (bytes / (type == DS_F32 ? sizeof(float) : sizeof(double)));
  ds_rng_options o = *rng;
  ds_rng *r = NULL;
  tails_place p;
  memset(&p, 0, sizeof p);
  p.threads = o.threads;
  ds_status s = backend->open(&p, bytes, err);
  if (s) return s;
  o.backend = backend->backend;
  o.stream = p.stream;
  o.width = backend->width;
  s = ds_rng_open(&r, &o, err);
  for (*made = 0; !s && (double) *made < numbers; *made += n) {
    s = ds_rng_fill(r, DS_NORMAL, type, backend->space, p.numbers, (size_t) n, err);
    if (!s) s = backend->count(&p, type, n, err);
  }
  if (!s) s = backend->total(&p, total, err);
  ds_rng_close(r);
  backend->close(&p);
  return s;
}
