/* fluid.c: a DPD fluid in a periodic box.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "support/fluid.h"

#include <stdlib.h>
#include <string.h>

ds_status fluid_rebuild(test_fluid *fl)
{
  test_system *const s = &fl->system;
  system_wrap(s);
  system_images(s);
  memcpy(fl->x_built, s->x, 24 * (size_t) s->nlocal);
  fl->rebuilds++;
  fl->rebuilt = 1;
  return engine_setup(&fl->engine, fl->model, s, fl->step);
}

static int moved(const test_fluid *fl)
{
  const double most = 0.5 * fl->model->m.skin;
  for (int i = 0; i < fl->system.nlocal; i++) {
    double d2 = 0.0;
    for (int c = 3 * i; c < 3 * i + 3; c++) {
      const double d = fl->system.x[c] - fl->x_built[c];
      d2 += d * d;
    }
    if (d2 > most * most) return 1;
  }
  return 0;
}

void fluid_momentum(const test_fluid *fl, double p[3])
{
  p[0] = p[1] = p[2] = 0.0;
  for (int k = 0; k < 3 * fl->system.nlocal; k++) p[k % 3] += fl->system.v[k];
}

ds_status fluid_open(test_fluid *fl, const test_model *t, const ds_pair_options *options,
                     ds_precision precision, int n, double edge, uint64_t seed)
{
  static const double lo[3] = {0, 0, 0};
  static const int periodic[3] = {1, 1, 1};
  const double h[6] = {edge, edge, edge, 0, 0, 0};
  double p[3];
  ds_pair_options o = *options;
  memset(fl, 0, sizeof *fl);
  fl->model = t;
  system_open(&fl->system, lo, h, periodic, model_range(t), t->m.skin);
  system_fill(&fl->system, n, t->m.ntypes, 1.0, &seed);
  fluid_momentum(fl, p);
  for (int k = 0; k < 3 * n; k++) fl->system.v[k] -= p[k % 3] / n;
  fl->x_built = test_alloc(24 * (size_t) n);
  o.style = t->style;
  ds_status status = engine_open(&fl->engine, &o, precision);
  if (!status) status = fluid_rebuild(fl);
  if (!status) status = engine_forces(&fl->engine, 0);
  return status;
}

void fluid_close(test_fluid *fl)
{
  engine_close(&fl->engine);
  system_close(&fl->system);
  free(fl->x_built);
  memset(fl, 0, sizeof *fl);
}

static void kick(test_fluid *fl)
{
  const double half = 0.5 * fl->model->m.dt;
  for (int k = 0; k < 3 * fl->system.nlocal; k++) fl->system.v[k] += half * fl->engine.f[k];
}

ds_status fluid_advance(test_fluid *fl)
{
  test_system *const s = &fl->system;
  kick(fl);
  for (int k = 0; k < 3 * s->nlocal; k++) s->x[k] += fl->model->m.dt * s->v[k];
  fl->step++;
  fl->rebuilt = 0;
  return moved(fl) ? fluid_rebuild(fl) : engine_load(&fl->engine, fl->step);
}

ds_status fluid_finish(test_fluid *fl, int tally)
{
  const ds_status status = engine_forces(&fl->engine, tally);
  kick(fl);
  return status;
}

double fluid_temperature(const test_fluid *fl)
{
  double sum = 0.0;
  for (int k = 0; k < 3 * fl->system.nlocal; k++) sum += fl->system.v[k] * fl->system.v[k];
  return sum / (3.0 * fl->system.nlocal - 3.0);
}
