/* A DPD fluid on the engine alone: 3,000 particles in a periodic box of 10 x 10 x 10, velocity Verlet.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/dpd.h"

#include <stdio.h>
#include <stdlib.h>

enum { N = 3000, IMAGES_MAX = 26 * N, STEPS = 200, REBUILD = 5 };
static const double edge = 10.0, cutoff = 1.0, skin = 0.4, dt = 0.01;

static double x[3 * N], v[3 * N], f[3 * N];
static int32_t type[N + IMAGES_MAX], tag[N + IMAGES_MAX];
static int owner[IMAGES_MAX], image[3 * IMAGES_MAX];

static void must(ds_status status, const ds_error *err)
{
  if (status == DS_OK) return;
  fprintf(stderr, "%s\n", err->text);
  exit(1);
}

/* Particle i, `shift` boxes away: is it within reach of the box? */
static int reaches(int i, const int shift[3])
{
  for (int d = 0; d < 3; d++) {
    const double at = x[3 * i + d] + shift[d] * edge;
    if (at < -cutoff - skin || at > edge + cutoff + skin) return 0;
  }
  return 1;
}

/* Back into the box, and images of what is near its faces as ghosts. Returns how many. */
static int renumber(void)
{
  int n = 0;
  for (int k = 0; k < 3 * N; k++) x[k] += x[k] < 0.0 ? edge : x[k] >= edge ? -edge : 0.0;
  for (int code = 0; code < 27; code++) {
    const int shift[3] = {code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1};
    for (int i = 0; i < N && code != 13; i++) { /* 13 is no shift */
      if (!reaches(i, shift)) continue;
      owner[n] = i;
      for (int d = 0; d < 3; d++) image[3 * n + d] = shift[d];
      tag[N + n] = tag[i];
      type[N + n] = type[i];
      n++;
    }
  }
  return n;
}

static void forces(ds_dpd *dpd, int64_t step, int rebuild, ds_dpd_result *result, ds_error *err)
{
  const ds_array none = {NULL, DS_F64, DS_SPACE_HOST, 0, 0};
  const ds_array position = {x, DS_F64, DS_SPACE_HOST, 3, 1},
                 velocity = {v, DS_F64, DS_SPACE_HOST, 3, 1};
  ds_atoms atoms = {
      N, 0, {tag, DS_I32, DS_SPACE_HOST, 1, 1}, {type, DS_I32, DS_SPACE_HOST, 1, 1}, none, none};
  if (rebuild) {
    atoms.nghost = renumber();
    must(ds_dpd_set_atoms(dpd, &atoms, err), err);
    must(ds_dpd_set_ghost_owners(dpd, owner, image, err), err);
  }
  must(ds_dpd_load(dpd, &position, &velocity, step, err), err);
  if (rebuild) must(ds_dpd_build_list(dpd, err), err);
  for (int k = 0; k < 3 * N; k++) f[k] = 0.0;
  *result = (ds_dpd_result){.want_energy = 1,
                            .want_virial = 1,
                            .f = {f, DS_F64, DS_SPACE_HOST, 3, 1},
                            .eatom = none,
                            .vatom = none};
  must(ds_dpd_compute(dpd, result, err), err);
}

int main(void)
{
  const double a = 25.0, gamma = 4.5, power = 1.0;
  const double reach = (cutoff + skin) / edge;
  const ds_dpd_options options = {DS_BACKEND_AUTO, DS_PRECISION_MIXED, 0, 1, NULL, NULL};
  const ds_dpd_model model = {1, &a, &gamma, &cutoff, &power, 1.0, dt, skin, {1, 1, 1, 1}, 4711};
  const ds_box box = {{0, 0, 0}, {edge, edge, edge, 0, 0, 0}, {1, 1, 1}, {0, 0, 0},
                      {1, 1, 1}, {reach, reach, reach},       skin};
  ds_dpd_result result;
  ds_error err;
  ds_dpd *dpd;
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

  must(ds_dpd_open(&dpd, &options, &err), &err);
  must(ds_dpd_set_model(dpd, &model, &err), &err);
  must(ds_dpd_set_box(dpd, &box, &err), &err);
  forces(dpd, 0, 1, &result, &err);
  for (int step = 1; step <= STEPS; step++) {
    for (int k = 0; k < 3 * N; k++) {
      v[k] += 0.5 * dt * f[k];
      x[k] += dt * v[k];
    }
    forces(dpd, step, step % REBUILD == 0, &result, &err);
    for (int k = 0; k < 3 * N; k++) v[k] += 0.5 * dt * f[k];
  }
  for (int k = 0; k < 3 * N; k++) kinetic += v[k] * v[k];

  printf("backend %s, energy %.6f a particle, temperature %.3f\n", ds_dpd_get_info(dpd).backend,
         result.energy / N, kinetic / (3 * N));
  printf("sum of all forces: %lld %lld %lld\n", (long long) result.force_sum[0],
         (long long) result.force_sum[1], (long long) result.force_sum[2]);
  ds_dpd_close(dpd);
  return result.force_sum[0] || result.force_sum[1] || result.force_sum[2];
}
