/* runs.c: a generator's numbers, made call by call and used by a backend, of which that of the host is here.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "runs.h"

#include "dpdsop/device/rng/number.h"

#include <stdlib.h>
#include <string.h>

static void host_close(runs_place *p)
{
  free(p->numbers);
  free(p->x);
  free(p->tally);
  free(p->shift);
}

static ds_status host_open(runs_place *p, const runs_room *room, ds_error *err)
{
  p->tallies = p->threads;
  p->numbers = malloc(room->numbers);
  p->x = malloc((size_t) (room->oscillators + 1) * sizeof *p->x);
  p->tally = calloc((size_t) p->tallies, sizeof *p->tally);
  p->shift = malloc((size_t) (room->dimensions + 1) * sizeof *p->shift);
  if (p->numbers && p->x && p->tally && p->shift) return DS_OK;
  return ds_fail(err, DS_ERR_MEMORY, "no host memory for %zu bytes of numbers", room->numbers);
}

static ds_status host_copy(runs_place *p, void *to, const void *from, size_t bytes, ds_error *err)
{
  (void) p;
  (void) err;
  memcpy(to, from, bytes);
  return DS_OK;
}

static runs_tally count_range(const void *numbers, int single, int64_t first, int64_t end)
{
  runs_tally t;
  memset(&t, 0, sizeof t);
  if (single)
    for (int64_t i = first; i < end; i++) runs_add(&t, (double) ((const float *) numbers)[i]);
  else
    for (int64_t i = first; i < end; i++) runs_add(&t, ((const double *) numbers)[i]);
  return t;
}

static ds_status host_count(runs_place *p, int single, int64_t n, ds_error *err)
{
  const int64_t parts = p->tallies;
  (void) err;
#pragma omp parallel for num_threads(p->threads)
  for (int64_t k = 0; k < parts; k++) {
    const runs_tally t = count_range(p->numbers, single, n * k / parts, n * (k + 1) / parts);
    runs_join(p->tally + k, &t);
  }
  return DS_OK;
}

static ds_status host_shift(runs_place *p, int64_t dimensions, int64_t points, ds_error *err)
{
  float *const numbers = p->numbers;
  (void) err;
#pragma omp parallel for num_threads(p->threads)
  for (int64_t d = 0; d < dimensions; d++)
    for (int64_t i = d * points; i < (d + 1) * points; i++)
      numbers[i] = ds_normal_inversef(ds_float_as_uint(numbers[i]) ^ p->shift[d]);
  return DS_OK;
}

static ds_status host_move(runs_place *p, const float *numbers, int64_t steps, double a, double s, ds_error *err)
{
  enum { RANGE = 1024 }; /* oscillators of which a thread makes all steps: they stay in its cache */
  const int64_t n = p->n;
  (void) err;
#pragma omp parallel for num_threads(p->threads) schedule(dynamic)
  for (int64_t first = 0; first < n; first += RANGE) {
    double *const x = p->x + first;
    const int64_t count = n - first < RANGE ? n - first : RANGE;
    for (int64_t k = 0; k < steps; k++) {
      const float *const g = numbers + k * n + first;
      for (int64_t i = 0; i < count; i++) x[i] = runs_moved(x[i], g[i], a, s);
    }
  }
  return DS_OK;
}

static const runs_backend runs_host = {DS_BACKEND_HOST, DS_SPACE_HOST, 20,         22,        1024,      host_open,
                                       host_copy,       host_count,    host_shift, host_move, host_close};

const ds_rng_info *runs_generator(int k)
{
  return ds_rng_table(k);
}

typedef struct {
  const runs_backend *backend;
  runs_place place;
  ds_rng *rng;
  double *copy; /* of positions */
  int shifted;
} run;

static ds_status choose(run *r, const runs_options *o, ds_error *err)
{
  const int cuda = o->backend == DS_BACKEND_CUDA;
  memset(r, 0, sizeof *r);
  r->backend = &runs_host;
  r->place.threads = o->threads;
#ifdef DS_HAVE_CUDA
  if (cuda) r->backend = &runs_cuda;
#else
  if (cuda) return ds_fail(err, DS_ERR_NO_GPU, "compiled without CUDA");
#endif
  return ds_succeed(err);
}

void runs_describe(const runs_options *o, int64_t width, void *stream, ds_rng_options *g)
{
  memset(g, 0, sizeof *g);
  g->generator = o->generator;
  g->seed = o->seed;
  g->rounds = o->rounds;
  g->threads = o->threads;
  g->backend = (ds_backend) o->backend;
  g->width = width;
  g->stream = stream;
}

static ds_status open_generator(run *r, const runs_options *o, int64_t width, ds_error *err)
{
  ds_rng_options g;
  runs_describe(o, width, r->place.stream, &g);
  return ds_rng_open(&r->rng, &g, err);
}

static void close_run(run *r)
{
  ds_rng_close(r->rng);
  r->backend->close(&r->place);
  free(r->copy);
}

static ds_status add_up(run *r, runs_tally *total, ds_error *err)
{
  const size_t bytes = (size_t) r->place.tallies * sizeof *total;
  runs_tally *const t = malloc(bytes);
  if (!t) return ds_fail(err, DS_ERR_MEMORY, "no host memory for tallies");
  const ds_status s = r->backend->copy(&r->place, t, r->place.tally, bytes, err);
  for (int k = 0; k < r->place.tallies && !s; k++) runs_join(total, t + k);
  free(t);
  return s;
}

ds_status runs_count(const runs_options *o, int single, double numbers, runs_tally *total, int64_t *made, ds_error *err)
{
  run r;
  ds_status s = choose(&r, o, err);
  const runs_room room = {(size_t) 1 << r.backend->log2_bytes, 0, 0};
  const int64_t n = (int64_t) (room.numbers / (single ? sizeof(float) : sizeof(double)));
  *made = 0;
  memset(total, 0, sizeof *total);
  if (!s) s = r.backend->open(&r.place, &room, err);
  if (!s) s = open_generator(&r, o, r.backend->width, err);
  for (; !s && (double) *made < numbers; *made += n) {
    s = ds_rng_fill(r.rng, DS_NORMAL, single ? DS_F32 : DS_F64, r.backend->space, r.place.numbers, (size_t) n, err);
    if (!s) s = r.backend->count(&r.place, single, n, err);
  }
  if (!s) s = add_up(&r, total, err);
  close_run(&r);
  return s;
}

static ds_status start(run *r, int64_t n, double x, ds_error *err)
{
  r->place.n = n;
  for (int64_t i = 0; i < n; i++) r->copy[i] = x;
  return r->backend->copy(&r->place, r->place.x, r->copy, (size_t) n * sizeof *r->copy, err);
}

static ds_status sample(run *r, float *x, ds_error *err)
{
  const int64_t n = r->place.n;
  const ds_status s = r->backend->copy(&r->place, r->copy, r->place.x, (size_t) n * sizeof *r->copy, err);
  for (int64_t i = 0; i < n && !s; i++) x[i] = (float) r->copy[i];
  return s;
}

/* Sequences and streams: numbers for some steps of all oscillators at once, as a simulation wants them. */
static ds_status move_stepwise(run *r, const runs_process *p, int64_t numbers, float *x, ds_error *err)
{
  const int64_t n = p->oscillators, most = numbers / n;
  ds_status s = start(r, n, p->start, err);
  if (!s) s = sample(r, x, err);
  for (int64_t k = 1; k <= p->samples && !s; k++) {
    for (int64_t done = 0, steps; done < p->steps && !s; done += steps) {
      steps = p->steps - done < most ? p->steps - done : most;
      s = ds_rng_fill(r->rng, DS_NORMAL, DS_F32, r->backend->space, r->place.numbers, (size_t) (steps * n), err);
      if (!s) s = r->backend->move(&r->place, r->place.numbers, steps, p->a, p->s, err);
    }
    if (!s) s = sample(r, x + k * n, err);
  }
  return s;
}

/* Points: each is an oscillator's whole path, a dimension a step. So oscillators come in groups. */
static ds_status move_pointwise(run *r, const runs_process *p, int64_t numbers, float *x, ds_error *err)
{
  const int64_t dimensions = p->steps * p->samples, most = numbers / dimensions;
  const ds_distribution what = r->shifted ? DS_WORDS : DS_NORMAL;
  float *const all = r->place.numbers;
  ds_status s = DS_OK;
  for (int64_t first = 0, n; first < p->oscillators && !s; first += n) {
    n = p->oscillators - first < most ? p->oscillators - first : most;
    s = ds_rng_fill(r->rng, what, r->shifted ? DS_I32 : DS_F32, r->backend->space, all, (size_t) (n * dimensions), err);
    if (!s && r->shifted) s = r->backend->shift(&r->place, dimensions, n, err);
    if (!s) s = start(r, n, p->start, err);
    if (!s) s = sample(r, x + first, err);
    for (int64_t k = 1; k <= p->samples && !s; k++) {
      s = r->backend->move(&r->place, all + (k - 1) * p->steps * n, p->steps, p->a, p->s, err);
      if (!s) s = sample(r, x + k * p->oscillators + first, err);
    }
  }
  return s;
}

/* Random words for the shifts. */
static ds_status make_shift(run *r, const runs_options *o, int64_t dimensions, ds_error *err)
{
  const size_t bytes = (size_t) dimensions * sizeof(uint32_t);
  uint32_t *const shift = malloc(bytes);
  ds_rng *words = NULL;
  ds_rng_options w;
  runs_describe(o, 0, NULL, &w);
  w.generator = "philox";
  w.backend = DS_BACKEND_HOST;
  ds_status s = shift ? ds_rng_open(&words, &w, err) : ds_fail(err, DS_ERR_MEMORY, "no host memory for %zu bytes", bytes);
  if (!s) s = ds_rng_fill(words, DS_WORDS, DS_I32, DS_SPACE_HOST, shift, (size_t) dimensions, err);
  if (!s) s = r->backend->copy(&r->place, r->place.shift, shift, bytes, err);
  ds_rng_close(words);
  free(shift);
  return s;
}

ds_status runs_move(const runs_options *o, const runs_process *p, float *x, ds_error *err)
{
  run r;
  ds_status s = choose(&r, o, err);
  const ds_rng_info *const info = ds_rng_find(o->generator);
  const int points = info && info->family == DS_RNG_POINTS;
  const int64_t n = p->oscillators, row = points ? p->steps * p->samples : 2 * n;
  const int64_t rows = ((int64_t) 1 << (p->log2_numbers ? p->log2_numbers : r.backend->log2_numbers)) / row;
  const int64_t numbers = (rows > 0 ? rows : 1) * row;
  const runs_room room = {(size_t) numbers * sizeof(float), n, points ? row : 0};
  r.copy = malloc((size_t) n * sizeof *r.copy);
  r.shifted = points && !p->unshifted;
  if (!s && !r.copy) s = ds_fail(err, DS_ERR_MEMORY, "no host memory for positions");
  if (!s) s = r.backend->open(&r.place, &room, err);
  if (!s && r.shifted) s = make_shift(&r, o, row, err);
  if (!s) s = open_generator(&r, o, points ? row : n, err);
  if (!s) s = points ? move_pointwise(&r, p, numbers, x, err) : move_stepwise(&r, p, numbers, x, err);
  close_run(&r);
  return s;
}

int64_t runs_words_above(double level, int single)
{
  uint32_t low = 0, high = 0x80000000u; /* of words from the upper end the first `low` do; from `high` on none does */
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if ((single ? (double) ds_normal_inversef(~middle) : ds_normal_inverse(~middle)) > level)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

double runs_largest(const char *generator, int single)
{
  const ds_rng_info *const info = ds_rng_find(generator);
  if (info->inverse_normal) return single ? (double) ds_normal_inversef(~0u) : ds_normal_inverse(~0u);
  /* of those that have one word per double, the published number is never 0 */
  const uint32_t least = info->words_per_double == 2 ? 0u : 1u << (32 - info->bits);
  float x, y;
  double z, u;
  ds_normal_pairf(least, 0u, &x, &y);
  ds_normal_pair(least, 0u, &z, &u);
  return single ? (double) x : z;
}
