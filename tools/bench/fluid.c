/* fluid.c: a DPD fluid in a periodic cube, for the benchmarks.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "fluid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double uniform(uint64_t *state)
{
  uint64_t z = (*state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return (double) ((z ^ (z >> 31)) >> 11) * (1.0 / 9007199254740992.0);
}

/* Variance 1 from twelve uniform numbers; the thermostat makes it normal. */
static double roughly_normal(uint64_t *state)
{
  double sum = -6.0;
  for (int k = 0; k < 12; k++) sum += uniform(state);
  return sum;
}

static void place_atoms(bench_fluid *fl, uint64_t seed)
{
  const int side = (int) ceil(cbrt((double) fl->n));
  const double cell = fl->edge / side;
  for (int i = 0; i < fl->n; i++) {
    /* the lattice may have more places than atoms: spread the gaps */
    const int64_t at = (int64_t) i * side * side * side / fl->n;
    const int64_t at3[3] = {at % side, at / side % side, at / side / side};
    for (int c = 0; c < 3; c++) {
      fl->x[3 * (size_t) i + (size_t) c] = ((double) at3[c] + 0.25 + 0.5 * uniform(&seed)) * cell;
      fl->v[3 * (size_t) i + (size_t) c] = roughly_normal(&seed);
    }
  }
}

int fluid_open(bench_fluid *fl, int n, double rho, int threads, uint64_t seed)
{
  memset(fl, 0, sizeof *fl);
  fl->n = n;
  fl->threads = threads;
  fl->edge = cbrt(n / rho);
  fl->x = malloc(3 * (size_t) n * sizeof *fl->x);
  fl->v = malloc(3 * (size_t) n * sizeof *fl->v);
  fl->f = calloc(3 * (size_t) n, sizeof *fl->f);
  fl->tag = malloc((size_t) n * sizeof *fl->tag);
  fl->type = malloc((size_t) n * sizeof *fl->type);
  if (!fl->x || !fl->v || !fl->f || !fl->tag || !fl->type) return 0;
  place_atoms(fl, seed);
  for (int i = 0; i < n; i++) {
    fl->tag[i] = i + 1;
    fl->type[i] = 1;
  }
  return 1;
}

void fluid_close(bench_fluid *fl)
{
  free(fl->x);
  free(fl->v);
  free(fl->f);
  free(fl->tag);
  free(fl->type);
}

void fluid_first_half(bench_fluid *fl, double dt, int wrap)
{
#pragma omp parallel for num_threads(fl->threads)
  for (int i = 0; i < fl->n; i++)
    for (size_t k = 3 * (size_t) i; k < 3 * (size_t) i + 3; k++) {
      fl->v[k] += 0.5 * dt * fl->f[k];
      fl->x[k] += dt * fl->v[k];
      if (wrap) fl->x[k] -= fl->edge * floor(fl->x[k] / fl->edge);
      fl->f[k] = 0.0;
    }
}

void fluid_second_half(bench_fluid *fl, double dt)
{
#pragma omp parallel for num_threads(fl->threads)
  for (int i = 0; i < fl->n; i++)
    for (size_t k = 3 * (size_t) i; k < 3 * (size_t) i + 3; k++) fl->v[k] += 0.5 * dt * fl->f[k];
}

double fluid_temperature(const bench_fluid *fl)
{
  double sum = 0.0;
  for (size_t k = 0; k < 3 * (size_t) fl->n; k++) sum += fl->v[k] * fl->v[k];
  return sum / (3.0 * fl->n);
}

ds_box fluid_box(const bench_fluid *fl, double skin)
{
  ds_box box;
  memset(&box, 0, sizeof box);
  for (int d = 0; d < 3; d++) {
    box.h[d] = fl->edge;
    box.periodic[d] = 1;
    box.subhi[d] = 1.0;
  }
  box.slack = skin;
  box.undecomposed[0] = box.undecomposed[1] = box.undecomposed[2] = 1;
  return box;
}
