/* run.c: oscillators moved by a generator's numbers, and the host's part of it.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "ou.h"

#include "dpdsop/device/rng/number.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------- host */

static void host_close(ou_oscillators *o)
{
  free(o->x);
  free(o->noise);
  o->x = NULL;
  o->noise = NULL;
}

static ds_status host_open(ou_oscillators *o, int64_t most, size_t numbers, ds_error *err)
{
  o->x = malloc((size_t) most * sizeof *o->x);
  o->noise = malloc(numbers * sizeof *o->noise);
  if (o->x && o->noise) return DS_OK;
  host_close(o);
  return ds_fail(err, DS_ERR_MEMORY, "no host memory for %zu numbers", numbers);
}

static ds_status host_shift(ou_oscillators *o, const uint32_t *shift, int64_t dimensions,
                            int64_t points, ds_error *err)
{
  (void) err;
#pragma omp parallel for num_threads(o->threads)
  for (int64_t d = 0; d < dimensions; d++)
    for (int64_t i = 0; i < points; i++) {
      uint32_t w;
      memcpy(&w, o->noise + d * points + i, sizeof w);
      o->noise[d * points + i] = ds_normal_inversef(w ^ shift[d]);
    }
  return DS_OK;
}

static ds_status host_start(ou_oscillators *o, int64_t n, double x, ds_error *err)
{
  (void) err;
  o->n = n;
  for (int64_t i = 0; i < n; i++) o->x[i] = x;
  return DS_OK;
}

static ds_status host_move(ou_oscillators *o, const float *noise, int64_t steps, double a, double s,
                           ds_error *err)
{
  enum { RANGE = 1024 }; /* oscillators of which a thread makes all steps: they stay in its cache */
  const int64_t n = o->n;
  (void) err;
#pragma omp parallel for num_threads(o->threads) schedule(dynamic)
  for (int64_t first = 0; first < n; first += RANGE) {
    double *const x = o->x + first;
    const int64_t count = n - first < RANGE ? n - first : RANGE;
    for (int64_t k = 0; k < steps; k++) {
      const float *const g = noise + k * n + first;
      for (int64_t i = 0; i < count; i++) x[i] = ou_moved(x[i], g[i], a, s);
    }
  }
  return DS_OK;
}

static ds_status host_sample(ou_oscillators *o, float *x, ds_error *err)
{
  (void) err;
  for (int64_t i = 0; i < o->n; i++) x[i] = (float) o->x[i];
  return DS_OK;
}

const ou_backend ou_host = {DS_BACKEND_HOST, DS_SPACE_HOST, 20,          host_open, host_shift,
                            host_start,      host_move,     host_sample, host_close};

/* ------------------------------------------------------------------------------- all backends */

typedef struct {
  const ou_process *p;
  const ou_backend *backend;
  ou_oscillators o;
  ds_rng *rng;
  size_t numbers;  /* room for so many */
  uint32_t *shift; /* by dimension; NULL: none */
} run;

/* Sequences and streams: numbers for some steps of all oscillators at once, as a simulation wants them. */
static ds_status run_stepwise(run *r, float *x, ds_error *err)
{
  const ou_process *const p = r->p;
  const int64_t n = p->oscillators, most = (int64_t) r->numbers / n;
  ds_status s = r->backend->start(&r->o, n, p->R0, err);
  if (!s) s = r->backend->sample(&r->o, x, err);
  for (int64_t k = 1; k <= p->samples && !s; k++) {
    for (int64_t done = 0, steps; done < p->steps && !s; done += steps) {
      steps = p->steps - done < most ? p->steps - done : most;
      s = ds_rng_fill(r->rng, DS_NORMAL, DS_F32, r->backend->space, r->o.noise,
                      (size_t) (steps * n), err);
      if (!s) s = r->backend->move(&r->o, r->o.noise, steps, p->a, p->s, err);
    }
    if (!s) s = r->backend->sample(&r->o, x + k * n, err);
  }
  return s;
}

static ds_status fill_points(run *r, int64_t n, int64_t dimensions, ds_error *err)
{
  const ds_status s =
      ds_rng_fill(r->rng, r->shift ? DS_WORDS : DS_NORMAL, r->shift ? DS_I32 : DS_F32,
                  r->backend->space, r->o.noise, (size_t) (n * dimensions), err);
  return s || !r->shift ? s : r->backend->shift(&r->o, r->shift, dimensions, n, err);
}

/* Points: each is an oscillator's whole path, a dimension a step. So oscillators come in groups. */
static ds_status run_pointwise(run *r, float *x, ds_error *err)
{
  const ou_process *const p = r->p;
  const int64_t dimensions = p->steps * p->samples, most = (int64_t) r->numbers / dimensions;
  ds_status s = DS_OK;
  for (int64_t first = 0, n; first < p->oscillators && !s; first += n) {
    n = p->oscillators - first < most ? p->oscillators - first : most;
    s = fill_points(r, n, dimensions, err);
    if (!s) s = r->backend->start(&r->o, n, p->R0, err);
    if (!s) s = r->backend->sample(&r->o, x + first, err);
    for (int64_t k = 1; k <= p->samples && !s; k++) {
      s = r->backend->move(&r->o, r->o.noise + (k - 1) * p->steps * n, p->steps, p->a, p->s, err);
      if (!s) s = r->backend->sample(&r->o, x + k * p->oscillators + first, err);
    }
  }
  return s;
}

/* Random words for the shifts. */
static ds_status make_shift(run *r, const ou_how *how, int64_t dimensions, ds_error *err)
{
  ds_rng *words;
  ds_rng_options o = how->rng;
  o.generator = "philox";
  o.backend = DS_BACKEND_HOST;
  r->shift = malloc((size_t) dimensions * sizeof *r->shift);
  if (!r->shift)
    return ds_fail(err, DS_ERR_MEMORY, "no host memory for %lld shifts", (long long) dimensions);
  ds_status s = ds_rng_open(&words, &o, err);
  if (s) return s;
  s = ds_rng_fill(words, DS_WORDS, DS_I32, DS_SPACE_HOST, r->shift, (size_t) dimensions, err);
  ds_rng_close(words);
  return s;
}

ds_status ou_run(const ou_process *p, const ou_how *how, float *x, ds_error *err)
{
  run r;
  ds_rng_options o = how->rng;
  const ds_rng_info *info = ds_rng_find(o.generator);
  const int points = info && info->family == DS_RNG_POINTS;
  const int log2_numbers = how->log2_numbers ? how->log2_numbers : how->backend->log2_numbers;
  const int64_t n = p->oscillators, row = points ? p->steps * p->samples : 2 * n;
  const int64_t rows = ((int64_t) 1 << log2_numbers) / row;
  memset(&r, 0, sizeof r);
  r.p = p;
  r.backend = how->backend;
  r.o.threads = o.threads;
  r.numbers = (size_t) ((rows > 0 ? rows : 1) * row);
  ds_status s = r.backend->open(&r.o, n, r.numbers, err);
  if (s) return s;
  o.backend = r.backend->backend;
  o.stream = r.o.stream;
  o.width = points ? row : n;
  s = ds_rng_open(&r.rng, &o, err);
  if (!s && points && !how->unshifted) s = make_shift(&r, how, row, err);
  if (!s) s = points ? run_pointwise(&r, x, err) : run_stepwise(&r, x, err);
  ds_rng_close(r.rng);
  r.backend->close(&r.o);
  free(r.shift);
  return s;
}
