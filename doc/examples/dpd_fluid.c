/* A DPD fluid on the engine alone: 3,000 particles in a periodic box of 10 x 10 x 10, velocity Verlet.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/dpd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 3000, STEPS = 200, REBUILD = 5 };
static const double edge = 10.0, cutoff = 1.0, skin = 0.4, dt = 0.01;

static double x[3 * N], v[3 * N], f[3 * N];
static int32_t type[N], tag[N];

static void must(ds_status status, const ds_error *err)
{
  if (status == DS_OK) return;
  fprintf(stderr, "%s\n", err->text);
  exit(1);
}

static ds_array reals(double *data, int components)
{
  return (ds_array){data, DS_F64, DS_SPACE_HOST, components, 1};
}

static ds_array integers(int32_t *data)
{
  return (ds_array){data, DS_I32, DS_SPACE_HOST, 1, 1};
}

/* One process has all particles of a wide box: no ghosts. */
static void set_up(ds_pair *pair, ds_error *err)
{
  const double a = 25.0, gamma = 4.5, power = 1.0;
  ds_pair_model model;
  ds_box box;
  ds_atoms atoms;
  memset(&model, 0, sizeof model);
  model.ntypes = 1;
  model.coeff[DS_DPD_A] = &a;
  model.coeff[DS_DPD_GAMMA] = &gamma;
  model.coeff[DS_DPD_POWER] = &power;
  model.cutoff = &cutoff;
  model.kT = 1.0;
  model.dt = dt;
  model.skin = skin;
  for (int k = 0; k < 4; k++) model.special[k] = 1.0;
  model.seed = 4711;
  memset(&box, 0, sizeof box);
  for (int d = 0; d < 3; d++) {
    box.h[d] = edge;
    box.periodic[d] = 1;
    box.subhi[d] = 1.0;
  }
  box.slack = skin;
  box.undecomposed[0] = box.undecomposed[1] = box.undecomposed[2] = 1;
  memset(&atoms, 0, sizeof atoms);
  atoms.nlocal = N;
  atoms.tag = integers(tag);
  atoms.type = integers(type);
  must(ds_pair_set_model(pair, &model, err), err);
  must(ds_pair_set_box(pair, &box, err), err);
  must(ds_pair_set_atoms(pair, &atoms, err), err);
}

static void forces(ds_pair *pair, int64_t step, ds_pair_totals *totals, ds_error *err)
{
  const int rebuild = step % REBUILD == 0;
  const ds_array position = reals(x, 3), velocity = reals(v, 3);
  ds_pair_request request;
  for (int k = 0; k < 3 * N && rebuild; k++) /* back into the box */
    x[k] += x[k] < 0.0 ? edge : x[k] >= edge ? -edge : 0.0;
  must(ds_pair_load(pair, &position, &velocity, step, err), err);
  if (rebuild) must(ds_pair_build_list(pair, err), err);
  memset(f, 0, sizeof f); /* forces are added */
  memset(&request, 0, sizeof request);
  request.want_energy = 1;
  request.f = reals(f, 3);
  must(ds_pair_compute(pair, &request, totals, err), err);
}

int main(void)
{
  ds_pair_options options;
  ds_pair_totals totals;
  ds_error err;
  ds_pair *pair;
  uint32_t random = 1;
  double kinetic = 0.0;

  for (int k = 0; k < 3 * N; k++) {
    random = 1664525u * random + 1013904223u;
    x[k] = edge * (random / 4294967296.0);
  }
  for (int i = 0; i < N; i++) {
    tag[i] = i + 1;
    type[i] = 1;
  }

  memset(&options, 0, sizeof options);
  options.backend = DS_BACKEND_AUTO;
  options.precision = DS_PRECISION_MIXED;
  options.threads = 1;
  must(ds_pair_open(&pair, &options, &err), &err);
  set_up(pair, &err);
  forces(pair, 0, &totals, &err);
  for (int step = 1; step <= STEPS; step++) {
    for (int k = 0; k < 3 * N; k++) {
      v[k] += 0.5 * dt * f[k];
      x[k] += dt * v[k];
    }
    forces(pair, step, &totals, &err);
    for (int k = 0; k < 3 * N; k++) v[k] += 0.5 * dt * f[k];
  }
  for (int k = 0; k < 3 * N; k++) kinetic += v[k] * v[k];

  printf("backend %s, energy %.6f per particle, temperature %.3f\n", ds_pair_get_info(pair).backend,
         totals.energy / N, kinetic / (3 * N));
  printf("sum of all forces: %lld %lld %lld\n", (long long) totals.force_sum[0],
         (long long) totals.force_sum[1], (long long) totals.force_sum[2]);
  ds_pair_close(pair);
  return totals.force_sum[0] || totals.force_sum[1] || totals.force_sum[2];
}
