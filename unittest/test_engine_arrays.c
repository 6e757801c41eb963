/* test_engine_arrays.c: atoms handed over as LAMMPS, KOKKOS and others hold them.
   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_arrays cuda" makes the same checks on the GPU, with host arrays. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/engine.h"

static test_variants variants;

/* A layout of an array with c components for n atoms: type, strides, and where it starts, in
   elements. */
typedef struct {
  const char *name;
  ds_type type;
  int components_apart; /* SoA: one component after the other, padded; else atom by atom */
  int pad;              /* SoA: elements between two components; else between two atoms */
  int offset;           /* elements before the first, so that nothing is aligned */
} layout;

static const layout layouts[] = {
    {"AoS double", DS_F64, 0, 0, 0},         {"AoS double, padded", DS_F64, 0, 1, 0},
    {"AoS double, odd", DS_F64, 0, 2, 3},    {"AoS single", DS_F32, 0, 0, 1},
    {"SoA double", DS_F64, 1, 0, 0},         {"SoA double, padded", DS_F64, 1, 13, 5},
    {"SoA single", DS_F32, 1, 0, 0},         {"SoA single, padded", DS_F32, 1, 7, 1},
    {"AoS single, padded", DS_F32, 0, 1, 2},
};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

typedef struct {
  ds_array a;
  void *memory;
  size_t elements;
  int n, components;
} strided;

/* Elements that no atom has are set to this and must stay so. */
static const double mark = -777.25;

static size_t size_of(ds_type type)
{
  return type == DS_F64 || type == DS_I64 ? 8 : 4;
}

static void put(const ds_array *a, ptrdiff_t k, double value)
{
  switch (a->type) {
  case DS_F64:
    ((double *) a->data)[k] = value;
    break;
  case DS_F32:
    ((float *) a->data)[k] = (float) value;
    break;
  case DS_I32:
    ((int32_t *) a->data)[k] = (int32_t) value;
    break;
  default:
    ((int64_t *) a->data)[k] = (int64_t) value;
  }
}

static double get(const ds_array *a, ptrdiff_t k)
{
  switch (a->type) {
  case DS_F64:
    return ((const double *) a->data)[k];
  case DS_F32:
    return (double) ((const float *) a->data)[k];
  case DS_I32:
    return ((const int32_t *) a->data)[k];
  default:
    return (double) ((const int64_t *) a->data)[k];
  }
}

static ptrdiff_t place(const strided *s, int i, int c)
{
  return i * s->a.atom_stride + c * s->a.component_stride;
}

static void strided_open(strided *s, const layout *l, ds_type type, int n, int components)
{
  s->n = n;
  s->components = components;
  s->elements = (size_t) ((n + 1) * (components + l->pad) + components * l->pad + l->offset + 16);
  s->memory = test_alloc(s->elements * size_of(type));
  s->a.data = s->memory;
  s->a.type = type;
  s->a.space = DS_SPACE_HOST;
  for (size_t k = 0; k < s->elements; k++) put(&s->a, (ptrdiff_t) k, mark);
  s->a.data = (char *) s->memory + (size_t) l->offset * size_of(type);
  s->a.atom_stride = l->components_apart ? 1 : components + l->pad;
  s->a.component_stride = l->components_apart ? n + l->pad : 1;
}

static void strided_fill(strided *s, const double *from)
{
  for (int i = 0; i < s->n; i++)
    for (int c = 0; c < s->components; c++) put(&s->a, place(s, i, c), from[s->components * i + c]);
}

/* Elements that belong to no atom are as they were. */
static int strided_intact(const strided *s)
{
  ds_array all = s->a;
  int foreign = 0;
  all.data = s->memory;
  for (size_t k = 0; k < s->elements; k++)
    foreign += get(&all, (ptrdiff_t) k) == (double) (float) mark;
  return foreign >= (int) s->elements - s->n * s->components;
}

static void strided_close(strided *s)
{
  free(s->memory);
}

/* Where velocities are read as doubles and positions as floats, what counts is the value of
   each. */
static void round_to_single(double *a, int n)
{
  for (int k = 0; k < n; k++) a[k] = (double) (float) a[k];
}

/* What f, eatom, vatom hold before: forces are added. */
static double before(int i, int c)
{
  return 0.5 * i - 3.0 * c;
}

static void check_added(const strided *s, const double *value, const char *what, const char *name)
{
  int wrong = 0;
  for (int i = 0; i < s->n; i++)
    for (int c = 0; c < s->components; c++) {
      const double sum = before(i, c) + value[s->components * i + c];
      wrong += get(&s->a, place(s, i, c)) != (s->a.type == DS_F64 ? sum : (double) (float) sum);
    }
  CHECK_MSG(wrong == 0 && strided_intact(s),
            "%s in %s: %d values are wrong, or others were written", what, name, wrong);
}

static void fill_before(strided *s)
{
  for (int i = 0; i < s->n; i++)
    for (int c = 0; c < s->components; c++) put(&s->a, place(s, i, c), before(i, c));
}

/* One evaluation with every array in a layout of its own; expected: from dense double arrays. */
static void check_layouts(const ds_pair_options *options, ds_precision precision,
                          const test_model *t, const test_system *s, const test_engine *expected,
                          int round)
{
  const layout *const lx = &layouts[round % LAYOUTS],
                      *const lv = &layouts[(round + round / LAYOUTS * 2) % LAYOUTS];
  const layout *const lf = &layouts[(3 * round + 1) % LAYOUTS], *const li =
                                                                    &layouts[(round + 4) % LAYOUTS];
  const ds_type small = round % 2 ? DS_I32 : DS_I64;
  const int nall = s->nlocal + s->nghost;
  strided x, v, f, eatom, vatom, tag, type, nspecial, special;
  test_engine e;
  ds_atoms atoms;
  ds_pair_request r;
  ds_pair_totals totals;
  char name[160];
  snprintf(name, sizeof name, "%s (x), %s (v), %s (f)", lx->name, lv->name, lf->name);
  strided_open(&x, lx, lx->type, s->nlocal, 3);
  strided_open(&v, lv, lv->type, s->nlocal, 3);
  strided_open(&f, lf, lf->type, s->nlocal, 3);
  strided_open(&eatom, lf, lf->type, s->nlocal, 1);
  strided_open(&vatom, lf, lf->type, s->nlocal, 6);
  strided_open(&tag, li, small, nall, 1);
  strided_open(&type, li, DS_I32, nall, 1);
  strided_open(&nspecial, li, DS_I32, s->nlocal, 3);
  strided_open(&special, li, small, s->nlocal, s->max_special);
  strided_fill(&x, s->x);
  strided_fill(&v, s->v);
  fill_before(&f);
  fill_before(&eatom);
  fill_before(&vatom);
  for (int i = 0; i < nall; i++) {
    put(&tag.a, place(&tag, i, 0), (double) s->tag[i]);
    put(&type.a, place(&type, i, 0), s->type[i]);
  }
  for (int i = 0; i < s->nlocal; i++) {
    for (int c = 0; c < 3; c++) put(&nspecial.a, place(&nspecial, i, c), s->nspecial[3 * i + c]);
    for (int c = 0; c < s->nspecial[3 * i + 2]; c++) /* those beyond the count are not looked at */
      put(&special.a, place(&special, i, c), (double) s->special[s->max_special * i + c]);
  }
  memset(&atoms, 0, sizeof atoms);
  atoms.nlocal = s->nlocal;
  atoms.nghost = s->nghost;
  atoms.tag = tag.a;
  atoms.type = type.a;
  atoms.nspecial = nspecial.a;
  atoms.special = special.a;
  memset(&r, 0, sizeof r);
  r.want_energy = r.want_virial = 1;
  r.f = f.a;
  r.eatom = eatom.a;
  r.vatom = vatom.a;
  if (CHECK_OK(engine_open(&e, options, precision), e.err) &&
      CHECK_OK(ds_pair_set_model(e.dpd, &t->m, &e.err), e.err) &&
      CHECK_OK(ds_pair_set_box(e.dpd, &s->box, &e.err), e.err) &&
      CHECK_OK(ds_pair_set_atoms(e.dpd, &atoms, &e.err), e.err) &&
      CHECK_OK(ds_pair_load(e.dpd, &x.a, &v.a, 11, &e.err),
               e.err) && /* owners after positions for once */
      CHECK_OK(
          ds_pair_set_ghost_owners(e.dpd, s->origin + s->nlocal, s->image + 3 * s->nlocal, &e.err),
          e.err) &&
      CHECK_OK(ds_pair_build_list(e.dpd, &e.err), e.err) &&
      CHECK_OK(ds_pair_compute(e.dpd, &r, &totals, &e.err), e.err)) {
    check_added(&f, expected->f, "forces", name);
    check_added(&eatom, expected->eatom, "energies", name);
    check_added(&vatom, expected->vatom, "virials", name);
    CHECK(totals.energy == expected->totals.energy && totals.virial[3] == expected->totals.virial[3]);
    CHECK(strided_intact(&x) && strided_intact(&v));
  }
  if (e.dpd) engine_close(&e);
  strided_close(&x);
  strided_close(&v);
  strided_close(&f);
  strided_close(&eatom);
  strided_close(&vatom);
  strided_close(&tag);
  strided_close(&type);
  strided_close(&nspecial);
  strided_close(&special);
}

/* Coordinates are floats from the start, so every layout means the same. */
static void test_layouts(void)
{
  static const double lo[3] = {0.5, -1, 2}, h[6] = {5, 6, 5, 1, 0.5, -1};
  static const int periodic[3] = {1, 1, 0};
  test_model t;
  test_system s;
  uint64_t seed = 300;
  model_open(&t, 2, 25, 4.5, 1.0, 1.0, 0.3);
  model_pair(&t, 1, 2, 40, 8, 0.8, 0.5);
  t.m.special[1] = 0.0;
  t.m.special[3] = 0.5;
  system_open(&s, lo, h, periodic, model_range(&t), t.m.skin);
  system_fill(&s, 301, 2, 1.0, &seed);
  system_chains(&s, 5);
  round_to_single(s.x, 3 * s.nlocal);
  round_to_single(s.v, 3 * s.nlocal);
  system_images(&s);
  for (int k = 0; k < variants.n; k++)
    for (int p = 0; p < DS_PRECISIONS; p++) {
      test_engine expected;
      if (!CHECK_OK(engine_open(&expected, &variants.options[k], (ds_precision) p), expected.err))
        continue;
      if (CHECK_OK(engine_setup(&expected, &t, &s, 11), expected.err) &&
          CHECK_OK(engine_forces(&expected, 1), expected.err))
        for (int round = 0; round < 2 * LAYOUTS; round++)
          check_layouts(&variants.options[k], (ds_precision) p, &t, &s, &expected, round);
      engine_close(&expected);
    }
  system_close(&s);
}

/* IDs of 64 bits count with all their bits: without the upper ones the noise would be another. */
static void test_wide_tags(void)
{
  static const double lo[3] = {0, 0, 0}, h[6] = {5, 5, 5, 0, 0, 0};
  static const int periodic[3] = {1, 1, 1};
  test_model t;
  model_open(&t, 1, 0.0, 4.5, 1.0, 1.0, 0.3);
  for (int k = 0; k < variants.n; k++) {
    double first[3] = {0, 0, 0};
    for (int round = 0; round < 2; round++) {
      test_system s;
      test_engine e;
      uint64_t seed = 310;
      system_open(&s, lo, h, periodic, model_range(&t), t.m.skin);
      system_fill(&s, 300, 1, 1.0, &seed);
      if (round) system_shift_tags(&s, (int64_t) 1 << 40);
      system_images(&s);
      if (CHECK_OK(engine_open(&e, &variants.options[k], DS_PRECISION_MIXED), e.err) &&
          CHECK_OK(engine_setup(&e, &t, &s, 1), e.err) && CHECK_OK(engine_forces(&e, 0), e.err)) {
        if (round) CHECK(memcmp(first, e.f, 24) != 0);
        memcpy(first, e.f, 24);
      }
      if (e.dpd) engine_close(&e);
      system_close(&s);
    }
  }
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_layouts());
  CHECK_CASE(test_wide_tags());
  return check_result();
}
