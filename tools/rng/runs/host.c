/* host.c: numbers used by the threads of the host.   SPDX-License-Identifier: GPL-2.0-or-later */
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

const runs_backend runs_host = {DS_BACKEND_HOST, DS_SPACE_HOST, 20,         22,         1024,      host_open,
                                host_copy,       host_copy,     host_count, host_shift, host_move, host_close};
