/* test_engine_mdpd.c: many-body DPD, whose forces depend on densities: against a plain double loop, and the same bits on all
   code paths, with ghosts or without, on one process or several.   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_mdpd cuda" makes the same checks on the GPU. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/answer.h"
#include "support/errors.h"
#include "support/ranks.h"

static const double no_tilt[3] = {0, 0, 0}, tilt[3] = {0.9, -0.6, 1.1};
static const int none_periodic[3] = {0, 0, 0};
static const ds_precision precision[2] = {DS_PRECISION_MIXED, DS_PRECISION_DOUBLE};
static const double PI = 3.14159265358979323846;

/* ---------------------------------------------------------------------------------------- reference */

/* Values by own atom; size: sums of magnitudes over pairs, which errors are measured by. */
typedef struct {
  int n;
  double *rho, *f, *size, *energy;
} reference;

static void reference_open(reference *r, int n)
{
  r->n = n;
  r->rho = test_alloc(8 * (size_t) n);
  r->f = test_alloc(24 * (size_t) n);
  r->size = test_alloc(8 * (size_t) n);
  r->energy = test_alloc(8 * (size_t) n);
}

static void reference_close(reference *r)
{
  free(r->rho);
  free(r->f);
  free(r->size);
  free(r->energy);
}

static int pair_of_types(const test_model *t, const test_system *s, int i, int k)
{
  return (s->type[i] - 1) * t->m.ntypes + s->type[k] - 1;
}

/* Weight of Lucy, whose integral over space is 1. */
static double lucy(double r, double h)
{
  return r < h ? 105.0 / (16.0 * PI * h * h * h) * (1.0 + 3.0 * r / h) * pow(1.0 - r / h, 3.0) : 0.0;
}

static double separation(const test_system *s, int i, int k, double d[3])
{
  system_separation(s, i, k, d);
  return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static void find_densities(reference *r, const test_system *s, const test_model *t)
{
  for (int i = 0; i < s->nlocal; i++) {
    r->rho[i] = 0.0;
    for (int k = 0; k < s->nlocal + s->nghost; k++) {
      double d[3];
      const int pair = pair_of_types(t, s, i, k);
      const double special = t->m.special[system_special_code(s, i, k)];
      if (k == i || special == 0.0 || system_excluded(s, i, k) || !(t->cutoff[pair] > 0.0)) continue;
      r->rho[i] += t->mass[pair] * lucy(separation(s, i, k, d), t->rho_cutoff[pair]);
    }
  }
}

/* Without noise. */
static void add_pair(reference *r, const test_system *s, const test_model *t, int i, int k)
{
  double d[3], w[3], ev = 0.0;
  const int pair = pair_of_types(t, s, i, k);
  const double distance = separation(s, i, k, d), cutoff = t->cutoff[pair];
  if (!(distance < cutoff) || distance == 0.0) return;
  const double special = t->m.special[system_special_code(s, i, k)], rho = r->rho[i] + r->rho[s->origin[k]];
  const double wc = 1.0 - distance / cutoff, wd = fmax(1.0 - distance / t->cutoff_d[pair], 0.0);
  system_image_velocity(s, i, k, w);
  for (int c = 0; c < 3; c++) ev += (s->v[3 * i + c] - s->v[3 * k + c] - w[c]) * d[c] / distance;
  const double drag = t->gamma[pair] * wc * wc * ev;
  const double force = special * (t->a[pair] * wc + t->b[pair] * rho * wd - drag);
  for (int c = 0; c < 3; c++) r->f[3 * i + c] += force * d[c] / distance;
  r->size[i] += special * (fabs(t->a[pair]) * wc + fabs(t->b[pair]) * rho * wd + fabs(drag));
  r->energy[i] += 0.25 * special * (t->a[pair] * cutoff * wc * wc + t->b[pair] * t->cutoff_d[pair] * rho * wd * wd);
}

static void find_forces(reference *r, const test_system *s, const test_model *t)
{
  find_densities(r, s, t);
  memset(r->f, 0, 24 * (size_t) r->n);
  memset(r->size, 0, 8 * (size_t) r->n);
  memset(r->energy, 0, 8 * (size_t) r->n);
  for (int i = 0; i < s->nlocal; i++)
    for (int k = 0; k < s->nlocal + s->nghost; k++)
      if (k != i && !system_excluded(s, i, k)) add_pair(r, s, t, i, k);
}

/* ------------------------------------------------------------------------------------------ systems */

static void open_model(test_model *t, int ntypes)
{
  model_open(t, ntypes, -40, 18, 1.0, 1.0, 0.3);
  model_style(t, &ds_style_mdpd);
  for (int i = 1; i <= ntypes; i++)
    for (int j = i; j <= ntypes; j++) model_mdpd(t, i, j, -40, 25, 18, 1.0, 0.75, 0.75);
}

static void open_system(test_system *s, const test_model *t, const double skew[3], const int periodic[3], int n, uint64_t seed)
{
  const double edges[6] = {4.1, 4.5, 3.9, skew[0], skew[1], skew[2]};
  system_open(s, lo, edges, periodic, model_range(t), 0.3);
  system_fill(s, n, t->m.ntypes, 1.0, &seed);
  system_images(s);
}

/* ----------------------------------------------------------------------------------- against the loop */

/* A unit of a sum of some hundred pairs, in float arithmetic and in double; positions are rounded to 2^-30 of an edge. */
static const double allowed[2] = {2e-5, 2e-12}, allowed_energy[2] = {2e-5, 1e-11}; /* of double: in units of 2^-32 */

static double worst(const double *got, const double *expected, const double *size, int n, int components)
{
  double most = 0.0;
  for (int i = 0; i < n; i++)
    for (int c = 0; c < components; c++) {
      const double error = fabs(got[components * i + c] - expected[components * i + c]);
      most = fmax(most, error / (size[i] + 100.0)); /* a pair in contact has some 100 */
    }
  return most;
}

static void check_engine(test_engine *e, const reference *r, const char *name)
{
  double *const rho = test_alloc(8 * (size_t) r->n), largest = 0.0, error = 0.0;
  const ds_array to = array_of_doubles(rho, 1);
  const int wide = strstr(name, "double") != NULL;
  char text[160];
  CHECK_OK(ds_pair_get_densities(e->dpd, &to, &e->err), e->err);
  for (int i = 0; i < r->n; i++) {
    largest = fmax(largest, r->rho[i]);
    error = fmax(error, fabs(rho[i] - r->rho[i]));
  }
  CHECK(largest > 1.0);
  snprintf(text, sizeof text, "%s: densities", name);
  CHECK_BOUND(error / largest, wide ? 1e-13 : 1e-6, text);
  snprintf(text, sizeof text, "%s: forces", name);
  CHECK_BOUND(worst(e->f, r->f, r->size, r->n, 3), allowed[wide], text);
  snprintf(text, sizeof text, "%s: energies", name);
  CHECK_BOUND(worst(e->eatom, r->energy, r->size, r->n, 1), allowed_energy[wide], text);
  for (int c = 0; c < 3; c++) CHECK_INT(e->totals.force_sum[c], 0);
  free(rho);
}

/* The same bits everywhere, of noise, too; and the loop's forces where there is none. */
static void box(const char *what, test_model *t, test_system *s)
{
  test_system alone = system_alone(s);
  reference r;
  answer first, other;
  reference_open(&r, s->nlocal);
  answer_open(&first, s->nlocal);
  answer_open(&other, s->nlocal);
  find_forces(&r, s, t);
  for (int p = 0; p < 2; p++) {
    char name[120];
    snprintf(name, sizeof name, "%s, %s", what, precision_name[p]);
    t->m.kT = 0.0;
    for (int v = 0; v < variants.n; v++) {
      ds_pair_options o = variants.options[v];
      test_engine e;
      o.style = t->style;
      if (CHECK_OK(engine_open(&e, &o, precision[p]), e.err) && CHECK_OK(engine_setup(&e, t, s, 9), e.err) &&
          CHECK_OK(engine_forces(&e, 1), e.err)) {
        if (v == 0) check_engine(&e, &r, name);
        answer_take(&other, &e, NULL);
        if (evaluate(&first, plain(), precision[p], t, s, NULL)) check_answer(&other, &first, what, variant_name(&o));
      }
      if (e.dpd) engine_close(&e);
    }
    t->m.kT = 1.0;
    if (!evaluate(&first, plain(), precision[p], t, s, NULL)) continue;
    for (int v = 0; v < variants.n; v++) {
      if (evaluate(&other, &variants.options[v], precision[p], t, s, NULL)) check_answer(&other, &first, name, "with noise");
      if (engine_alone(t, &s->box) && evaluate(&other, &variants.options[v], precision[p], t, &alone, NULL))
        check_answer(&other, &first, name, "without ghosts");
    }
  }
  answer_close(&first);
  answer_close(&other);
  reference_close(&r);
}

static void test_boxes(void)
{
  static test_model t;
  uint64_t seed = 3005;
  test_system s;
  open_model(&t, 1);
  open_system(&s, &t, no_tilt, all_periodic, 430, 3001);
  box("one type", &t, &s);
  system_close(&s);
  open_system(&s, &t, tilt, all_periodic, 430, 3002);
  box("tilted", &t, &s);
  system_close(&s);
  open_system(&s, &t, no_tilt, none_periodic, 430, 3003);
  box("not periodic", &t, &s);
  system_close(&s);

  /* ranges and masses by type; a pair of types that does not interact, and one without the density's part */
  open_model(&t, 3);
  model_mdpd(&t, 1, 2, -20, 30, 4, 1.2, 0.6, 0.9);
  model_mdpd(&t, 2, 2, 10, 15, 9, 0.9, 0.9, 0.0);
  model_mdpd(&t, 1, 3, 0, 0, 0, 0.0, 0.0, 0.0);
  model_mdpd(&t, 3, 3, 15, 10, 3, 1.1, 0.0, 1.1);
  model_mass(&t, 1, 2.0);
  model_mass(&t, 2, 0.5);
  open_system(&s, &t, tilt, all_periodic, 430, 3004);
  box("three types", &t, &s);
  for (int k = 0; k < 3 * s.nlocal; k++) /* partners are neighbors */
    if (k / 3 % 5) s.x[k] = s.x[k - 3] + 0.5 * (check_uniform(&seed) - 0.5);
  system_wrap(&s);
  system_images(&s);
  system_chains(&s, 5);
  for (int code = 1; code < 4; code++) t.m.special[code] = 0.5 * (code - 1);
  box("three types, special factors", &t, &s);
  system_close(&s);
}

/* A box so small that an atom has several images of another one near it, and of itself. */
static void test_small_box(void)
{
  static test_model t;
  static const double edges[6] = {1.6, 1.7, 1.8, 0, 0, 0};
  uint64_t seed = 3010;
  test_system s;
  open_model(&t, 1);
  system_open(&s, lo, edges, all_periodic, model_range(&t), 0.3);
  system_fill(&s, 24, 1, 1.0, &seed);
  system_images(&s);
  box("small box", &t, &s);
  system_close(&s);
}

/* The noise is that of style dpd with a weight of exponent 1. */
static void test_noise(void)
{
  static test_model t, plain_dpd;
  test_system s;
  answer with, without, dpd_with, dpd_without;
  double most = 0.0, size = 0.0;
  open_model(&t, 1);
  open_system(&s, &t, no_tilt, all_periodic, 430, 3020);
  model_open(&plain_dpd, 1, 0, 18, 1.0, 1.0, 0.3);
  answer_open(&with, s.nlocal);
  answer_open(&without, s.nlocal);
  answer_open(&dpd_with, s.nlocal);
  answer_open(&dpd_without, s.nlocal);
  const int good = evaluate(&with, plain(), DS_PRECISION_DOUBLE, &t, &s, NULL) &&
                   evaluate(&dpd_with, plain(), DS_PRECISION_DOUBLE, &plain_dpd, &s, NULL);
  t.m.kT = plain_dpd.m.kT = 0.0;
  if (good && evaluate(&without, plain(), DS_PRECISION_DOUBLE, &t, &s, NULL) &&
      evaluate(&dpd_without, plain(), DS_PRECISION_DOUBLE, &plain_dpd, &s, NULL))
    for (int k = 0; k < 3 * s.nlocal; k++) {
      const double noise = with.f[k] - without.f[k], expected = dpd_with.f[k] - dpd_without.f[k];
      most = fmax(most, fabs(noise - expected));
      size = fmax(size, fabs(expected));
    }
  CHECK(size > 10.0);
  CHECK_BOUND(most / size, 1e-12, "noise of mdpd and of dpd");
  answer_close(&with);
  answer_close(&without);
  answer_close(&dpd_with);
  answer_close(&dpd_without);
  system_close(&s);
}

/* Where B is 0 the energy is the potential of the force. */
static void test_potential(void)
{
  static test_model t;
  static const double still[3] = {0, 0, 0}, step = 1e-5;
  const double at[3] = {2.0, 2.0, 2.0};
  open_model(&t, 1);
  model_mdpd(&t, 1, 1, -40, 0, 0, 1.0, 0.75, 0.75);
  t.m.kT = 0.0;
  for (double r = 0.1; r < 1.0; r += 0.2) {
    double energy[3], force = 0.0;
    for (int k = 0; k < 3; k++) {
      const double other[3] = {2.0 + r + (k - 1) * step, 2.0, 2.0};
      test_system s;
      answer a;
      system_open(&s, lo, h, all_periodic, 1.3, 0.3);
      system_add(&s, at, still, 1);
      system_add(&s, other, still, 1);
      system_images(&s);
      answer_open(&a, 2);
      if (evaluate(&a, &variants.options[0], DS_PRECISION_DOUBLE, &t, &s, NULL)) {
        energy[k] = a.energy;
        if (k == 1) force = a.f[3];
      }
      answer_close(&a);
      system_close(&s);
    }
    CHECK_NEAR(-(energy[2] - energy[0]) / (2.0 * step), force, 1e-5);
    CHECK_NEAR(force, -40.0 * (1.0 - r), 1e-10);
  }
}

/* --------------------------------------------------------------------------------------- several ranks */

static void test_ranks_agree(void)
{
  static const double cuts[3] = {0.27, 0.5, 0.8};
  static test_model t;
  test_system s;
  answer one;
  open_model(&t, 2);
  model_mdpd(&t, 1, 2, -20, 30, 4, 1.2, 0.6, 0.9);
  model_mass(&t, 2, 0.5);
  open_system(&s, &t, tilt, all_periodic, 430, 3030);
  const size_t n = (size_t) s.nlocal;
  answer got;
  answer_open(&one, s.nlocal);
  answer_open(&got, s.nlocal);
  for (int p = 0; p < 2; p++)
    for (int v = 0; v < variants.n; v++)
      for (int ranks = 1; ranks <= TEST_MAX_RANKS; ranks++) {
        ds_pair_options o = variants.options[v];
        test_ranks r;
        o.style = t.style;
        if (!evaluate(&one, plain(), precision[p], &t, &s, NULL)) continue;
        memset(got.f, 0, 24 * n);
        if (CHECK_OK(ranks_open(&r, &s, ranks, cuts, &o, precision[p]), r.rank[0].engine.err)) {
          CHECK_MSG(!ranks_setup(&r, &t, 9) && !ranks_send_densities(&r) && !ranks_forces(&r, got.f, got.eatom, got.vatom),
                    "%s", ranks_error(&r));
          check_atoms(&got, &one, "ranks", variant_name(&o));
        }
        ranks_close(&r);
      }
  answer_close(&one);
  answer_close(&got);
  system_close(&s);
}

/* Positions that move while the list stays; a model that changes. */
static void test_steps_follow(void)
{
  static test_model t;
  test_system s;
  open_model(&t, 1);
  open_system(&s, &t, no_tilt, all_periodic, 430, 3040);
  for (int v = 0; v < variants.n; v++) {
    ds_pair_options o = variants.options[v];
    uint64_t seed = 5;
    test_engine e;
    o.style = t.style;
    model_mdpd(&t, 1, 1, -40, 25, 18, 1.0, 0.75, 0.75);
    if (CHECK_OK(engine_open(&e, &o, DS_PRECISION_MIXED), e.err) && CHECK_OK(engine_setup(&e, &t, &s, 9), e.err)) {
      check_fresh("first", &e, DS_PRECISION_MIXED, &t, &s);
      for (int k = 0; k < 3 * s.nlocal; k++) s.x[k] += 0.05 * (check_uniform(&seed) - 0.5);
      system_wrap(&s);
      system_images(&s);
      CHECK_OK(engine_setup(&e, &t, &s, 9), e.err);
      check_fresh("moved", &e, DS_PRECISION_MIXED, &t, &s);
      model_mdpd(&t, 1, 1, -40, 25, 18, 1.0, 0.75, 0.6);
      CHECK_OK(ds_pair_set_model(e.dpd, &t.m, &e.err), e.err);
      check_fresh("another range of densities", &e, DS_PRECISION_MIXED, &t, &s);
    }
    if (e.dpd) engine_close(&e);
  }
  system_close(&s);
}

/* ---------------------------------------------------------------------------------------------- misuse */

static void expect_model(ds_pair *pair, const test_model *t, const char *text)
{
  ds_error err;
  EXPECT(ds_pair_set_model(pair, &t->m, &err), err, DS_ERR_ARGUMENT, text);
}

static void test_misuse(void)
{
  static test_model t;
  static const double cuts[1] = {0.5};
  ds_error err;
  ds_pair *pair;
  ds_pair_options o = variants.options[0];
  double one = 0.0;
  int none = 0;
  const ds_array to = array_of_doubles(&one, 1);
  open_model(&t, 1);
  o.style = t.style;
  if (!CHECK_OK(ds_pair_open(&pair, &o, &err), err)) return;
  CHECK_INT(ds_pair_has_densities(pair), 1);
  EXPECT(ds_pair_get_densities(pair, &to, &err), err, DS_ERR_ARGUMENT, "densities read before they are made");
  EXPECT(ds_pair_make_densities(pair, &err), err, DS_ERR_ARGUMENT, "densities wanted before positions and list");
  model_mdpd(&t, 1, 1, -40, 25, 18, 1.0, 1.25, 0.75);
  expect_model(pair, &t, "cutoff_d = 1.25 of types 1 1 must be 0 to the cutoff 1");
  model_mdpd(&t, 1, 1, -40, 25, 18, 1.0, 0.75, 1.5);
  expect_model(pair, &t, "rho_cutoff = 1.5 of types 1 1 must be 0 to the cutoff 1");
  model_mdpd(&t, 1, 1, -40, 25, 18, 1.0, -0.75, 0.75);
  expect_model(pair, &t, "cutoff_d = -0.75 of types 1 1 must be 0 to the cutoff 1");
  model_mdpd(&t, 1, 1, -40, 25, 18, 1.0, 0.75, 0.75);
  model_mass(&t, 1, 0.0);
  expect_model(pair, &t, "mass = 0 of types 1 1 must be > 0");
  ds_pair_close(pair);

  o.style = &ds_style_dpd;
  if (!CHECK_OK(ds_pair_open(&pair, &o, &err), err)) return;
  CHECK_INT(ds_pair_has_densities(pair), 0);
  EXPECT(ds_pair_make_densities(pair, &err), err, DS_ERR_ARGUMENT, "densities wanted of styles that have none");
  ds_pair_close(pair);

  /* ghosts by messages, whose densities nobody has sent */
  test_system s;
  test_ranks r;
  model_mass(&t, 1, 1.0);
  o.style = t.style;
  open_system(&s, &t, no_tilt, all_periodic, 430, 3050);
  if (CHECK_OK(ranks_open(&r, &s, 2, cuts, &o, DS_PRECISION_MIXED), r.rank[0].engine.err) &&
      CHECK_OK(ranks_setup(&r, &t, 9), r.rank[0].engine.err)) {
    test_engine *const e = &r.rank[0].engine;
    EXPECT(engine_forces(e, 0), e->err, DS_ERR_ARGUMENT, "forces wanted before densities of ghosts: 0 of");
    CHECK_OK(ds_pair_make_densities(e->dpd, &e->err), e->err);
    EXPECT(ds_pair_pack_densities(e->dpd, 1, &none, NULL, &e->err), e->err, DS_ERR_ARGUMENT, "buffer of densities");
    EXPECT(ds_pair_pack_densities(e->dpd, 1, NULL, &one, &e->err), e->err, DS_ERR_ARGUMENT, "list of densities");
    EXPECT(ds_pair_unpack_densities(e->dpd, 0, 1, &one, &e->err), e->err, DS_ERR_ARGUMENT,
           "densities of ghosts 0 to 0 are not among");
  }
  ranks_close(&r);
  system_close(&s);
}

/* A crowd: densities far above those of a fluid are in range, those that are not are found. */
static void test_crowd(void)
{
  static test_model t;
  static const double still[3] = {0, 0, 0};
  open_model(&t, 1);
  t.m.kT = 0.0;
  for (int v = 0; v < variants.n; v++)
    for (int n = 20; n <= 600; n *= 30) {
      uint64_t seed = 7;
      test_system s;
      test_engine e;
      ds_pair_options o = variants.options[v];
      o.style = t.style;
      system_open(&s, lo, h, all_periodic, 1.3, 0.3);
      for (int k = 0; k < n; k++) {
        double at[3];
        for (int d = 0; d < 3; d++) at[d] = 2.5 + 0.05 * check_uniform(&seed);
        system_add(&s, at, still, 1);
      }
      system_images(&s);
      if (CHECK_OK(engine_open(&e, &o, DS_PRECISION_MIXED), e.err) && CHECK_OK(engine_setup(&e, &t, &s, 9), e.err)) {
        if (n < 100)
          check_fresh("crowd", &e, DS_PRECISION_MIXED, &t, &s);
        else
          EXPECT(engine_forces(&e, 0), e.err, DS_ERR_FORCE_RANGE, "exceeds the fixed-point range");
      }
      if (e.dpd) engine_close(&e);
      system_close(&s);
    }
}

int main(int argc, char **argv)
{
  const int skipped = variants_open(&variants, argc, argv);
  if (skipped) return skipped;
  CHECK_CASE(test_boxes());
  CHECK_CASE(test_small_box());
  CHECK_CASE(test_noise());
  CHECK_CASE(test_potential());
  CHECK_CASE(test_ranks_agree());
  CHECK_CASE(test_steps_follow());
  CHECK_CASE(test_misuse());
  CHECK_CASE(test_crowd());
  return check_result();
}
