/* test_engine_velocities.c: velocities that the engine gives back are those that its forces were made of.
   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_velocities cuda" makes the same checks on the GPU, with host arrays. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/engine.h"

enum { STEP = 12, COLUMNS = 6, ATOMS = 700 };

static test_variants variants;

/* Velocities are wanted as the first three of six columns; the others must stay as they are. */
static const double mark = -777.25;

static ds_array columns(double *data)
{
  const ds_array a = {data, DS_F64, DS_SPACE_HOST, COLUMNS, 1};
  return a;
}

static void mark_all(double *data)
{
  for (int k = 0; k < COLUMNS * ATOMS; k++) data[k] = mark;
}

static void check_values(const char *name, const double *got, const double *v, int wide)
{
  int wrong = 0, touched = 0;
  for (int i = 0; i < ATOMS; i++) {
    for (int c = 0; c < 3; c++)
      wrong += got[COLUMNS * i + c] != (wide ? v[3 * i + c] : (double) (float) v[3 * i + c]);
    for (int c = 3; c < COLUMNS; c++) touched += got[COLUMNS * i + c] != mark;
  }
  CHECK_MSG(wrong == 0 && touched == 0, "%s: %d velocities are wrong, %d others were written", name,
            wrong, touched);
}

/* Loaded again in the place of the originals, they give every bit of the forces. */
static void check_forces_again(const char *name, test_engine *e, const test_system *s, double *kept)
{
  double *const forces = test_alloc(3 * ATOMS * sizeof *forces);
  const ds_array x = array_of_doubles(s->x, 3), v = columns(kept);
  CHECK_OK(engine_forces(e, 0), e->err);
  memcpy(forces, e->f, 3 * ATOMS * sizeof *forces);
  CHECK_OK(engine_load(e, STEP + 1), e->err);
  CHECK_OK(engine_forces(e, 0), e->err);
  CHECK_MSG(memcmp(forces, e->f, 3 * ATOMS * sizeof *forces) != 0,
            "%s: two steps have the same forces", name);
  CHECK_OK(ds_pair_load(e->dpd, &x, &v, STEP, &e->err), e->err);
  CHECK_OK(engine_forces(e, 0), e->err);
  CHECK_MSG(memcmp(forces, e->f, 3 * ATOMS * sizeof *forces) == 0, "%s: the forces differ", name);
  free(forces);
}

/* Of the last load, not of the first; and whatever was computed since. */
static void check_variant(const ds_pair_options *options, ds_precision precision,
                          const test_model *t, test_system *s)
{
  double *const kept = test_alloc(COLUMNS * ATOMS * sizeof *kept);
  const ds_array v = columns(kept);
  ds_pair_options o = *options;
  test_engine e;
  o.precision = precision;
  const char *const name = variant_name(&o);
  if (CHECK_OK(engine_open(&e, options, precision), e.err)) {
    if (CHECK_OK(engine_setup(&e, t, s, STEP - 1), e.err)) {
      for (int k = 0; k < 3 * ATOMS; k++) s->v[k] *= 1.0 + 1e-3;
      CHECK_OK(engine_load(&e, STEP), e.err);
      mark_all(kept);
      CHECK_OK(ds_pair_get_velocities(e.dpd, &v, &e.err), e.err);
      check_values(name, kept, s->v, precision == DS_PRECISION_DOUBLE);
      check_forces_again(name, &e, s, kept);
      mark_all(kept);
      CHECK_OK(ds_pair_get_velocities(e.dpd, &v, &e.err), e.err);
      check_values(name, kept, s->v, precision == DS_PRECISION_DOUBLE);
    }
    engine_close(&e);
  }
  free(kept);
}

static void check_refusals(const test_model *t, test_system *s)
{
  double *const kept = test_alloc(COLUMNS * ATOMS * sizeof *kept);
  ds_array v = columns(kept);
  test_engine e;
  if (CHECK_OK(engine_open(&e, &variants.options[0], DS_PRECISION_MIXED), e.err)) {
    CHECK_OK(engine_atoms(&e, t, s), e.err);
    CHECK_INT(ds_pair_get_velocities(e.dpd, &v, &e.err), DS_ERR_ARGUMENT);
    CHECK_MSG(strstr(e.err.text, "before they were loaded"), "%s", e.err.text);
    CHECK_OK(engine_setup(&e, t, s, STEP), e.err);
    v.type = DS_F32;
    CHECK_INT(ds_pair_get_velocities(e.dpd, &v, &e.err), DS_ERR_ARGUMENT);
    v = columns(kept);
    v.space = DS_SPACE_DEVICE;
    CHECK_INT(ds_pair_get_velocities(e.dpd, &v, &e.err), DS_ERR_ARGUMENT);
    CHECK_MSG(strstr(e.err.text, "not F64 in host memory"), "%s", e.err.text);
    v.space = DS_SPACE_HOST;
    CHECK_OK(ds_pair_get_velocities(e.dpd, &v, &e.err), e.err);
    engine_close(&e);
  }
  free(kept);
}

int main(int argc, char **argv)
{
  static const double origin[3] = {-3.7, 0.0, 12.5}, edges[6] = {6, 6.5, 6, 0, 0, 0};
  static const int periodic[3] = {1, 1, 1};
  const int skip = variants_open(&variants, argc, argv);
  test_model t;
  test_system s;
  uint64_t seed = 31;
  if (skip) return skip;
  model_open(&t, 2, 25, 4.5, 1.0, 1.0, 0.3);
  system_open(&s, origin, edges, periodic, model_range(&t), t.m.skin);
  system_fill(&s, ATOMS, 2, 1.0, &seed);
  system_images(&s);
  for (int k = 0; k < variants.n; k++)
    for (int p = 0; p < DS_PRECISIONS; p++) CHECK_CASE(check_variant(&variants.options[k], (ds_precision) p, &t, &s));
  CHECK_CASE(check_refusals(&t, &s));
  system_close(&s);
  return check_result();
}
