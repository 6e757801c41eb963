/* test_engine_coul.c: the style coul/slater/long: clouds of charge against libm, forces, energies and virials against a plain
   double loop with its erfc and exp, and what is refused.   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_coul cuda" makes the same checks on the GPU. Its bits on different ranks, lists and code paths:
   test_engine_exact.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "dpdsop/device/screening.h"
#include "support/answer.h"
#include "support/errors.h"

static const double origin[3] = {-1.25, 3.5, 0.0}, no_tilt[3] = {0, 0, 0}, tilt[3] = {0.6, -0.9, 1.1};
static const int none_periodic[3] = {0, 0, 0};
static const ds_precision precision[2] = {DS_PRECISION_MIXED, DS_PRECISION_DOUBLE};
static const long double TWO_BY_ROOT_PI = 1.128379167095512573896158903121545172L;

/* ----------------------------------------------------------------------------------- device functions */

/* By a series of positive terms where the closed form is a difference of almost equal numbers. */
static void exact_slater(long double r, long double rate, long double *within, long double *potential)
{
  const long double t = rate * r, e = expl(-t);
  long double sum = 0.0L, term = 1.0L / 6.0L;
  for (int k = 0; k < 60 && t < 6.0L; k++, term *= t / (k + 3)) sum += term;
  *within = t < 6.0L ? e * sum * rate * rate * rate : (1.0L - e * (1.0L + t + 0.5L * t * t)) / (r * r * r);
  *potential = *within * r * r + 0.5L * rate * e * (1.0L + t);
}

static void exact_gauss(long double r, long double g, long double *within, long double *potential)
{
  const long double x = g * r, w = x * x, e = expl(-w);
  long double sum = 0.0L, term = 1.0L;
  for (int k = 1; k < 120 && x < 2.0L; k++) {
    sum += term;
    term *= 2.0L * w / (2 * k + 3);
  }
  *within = x < 2.0L ? g * g * g * e * sum * TWO_BY_ROOT_PI * 2.0L / 3.0L
                     : (erfl(x) - TWO_BY_ROOT_PI * x * e) / (r * r * r);
  *potential = *within * r * r + TWO_BY_ROOT_PI * g * e;
}

static double larger(double a, double b)
{
  return b > a || b != b ? b : a; /* keeps a NaN */
}

static double relative(long double got, long double exact)
{
  return (double) (fabsl(got - exact) / exact);
}

static void test_exponential(void)
{
  double worst = 0.0, worst_f = 0.0;
  uint64_t seed = 11;
  for (int k = 0; k < 200000; k++) {
    const double t = 80.0 * check_uniform(&seed);
    worst = larger(worst, relative(ds_exp_minus(t), expl(-(long double) t)));
    worst_f = larger(worst_f, relative(ds_exp_minusf((float) t), expl(-(long double) (float) t)));
  }
  CHECK_BOUND(worst, 1e-15, "ds_exp_minus, relative");
  CHECK_BOUND(worst_f, 3e-7, "ds_exp_minusf, relative");
  CHECK(ds_exp_minus(0.0) == 1.0 && ds_exp_minusf(0.0f) == 1.0f);
  CHECK(ds_exp_minusf(1e30f) == 0.0f && ds_exp_minus(1e300) < 1e-300);
}

static void test_clouds(void)
{
  double worst[4] = {0.0}, worst_f[4] = {0.0};
  uint64_t seed = 12;
  for (int k = 0; k < 200000; k++) {
    const double x = (k % 2 ? 12.0 : 2.5) * check_uniform(&seed), scale = 0.3 + 3.0 * check_uniform(&seed);
    const double r = x / scale + 1e-9;
    const float rf = (float) r, scale_f = (float) scale;
    long double exact[4], exact_f[4];
    exact_slater(r, scale, &exact[0], &exact[1]);
    exact_gauss(r, scale, &exact[2], &exact[3]);
    exact_slater(rf, scale_f, &exact_f[0], &exact_f[1]);
    exact_gauss(rf, scale_f, &exact_f[2], &exact_f[3]);
    const ds_cloud a = ds_slater_cloud(r, 1.0 / r, scale), b = ds_gauss_cloud(r, 1.0 / r, scale);
    const ds_cloudf af = ds_slater_cloudf(rf, 1.0f / rf, scale_f), bf = ds_gauss_cloudf(rf, 1.0f / rf, scale_f);
    const double got[4] = {a.within, a.potential, b.within, b.potential};
    const float got_f[4] = {af.within, af.potential, bf.within, bf.potential};
    for (int c = 0; c < 4; c++) {
      worst[c] = larger(worst[c], relative(got[c], exact[c]));
      worst_f[c] = larger(worst_f[c], relative(got_f[c], exact_f[c]));
    }
  }
  CHECK_BOUND(larger(worst[0], worst[1]), 1e-14, "Slater cloud, relative");
  CHECK_BOUND(larger(worst[2], worst[3]), 1e-13, "Gauss cloud, relative");
  CHECK_BOUND(larger(worst_f[0], worst_f[1]), 1e-6, "Slater cloud, relative, single precision");
  CHECK_BOUND(larger(worst_f[2], worst_f[3]), 1e-6, "Gauss cloud, relative, single precision");
}

/* What set_scales goes by: the largest forces, which are at a distance of their own. */
static void test_largest(void)
{
  double slater = 0.0, gauss = 0.0, bound[2];
  static test_model t;
  for (double r = 1e-3; r < 20.0; r += 1e-3) {
    slater = fmax(slater, ds_slater_cloud(r, 1.0 / r, 2.0).within * r);
    gauss = fmax(gauss, ds_gauss_cloud(r, 1.0 / r, 1.0).within * r);
  }
  model_coul(&t, 1, 1.0, 1.0, 1e-6, 3.0, 0.3);
  for (int way = 0; way < 2; way++) {
    double largest = 0.0, force;
    if (way) model_coul(&t, 1, 1.0, 1e6, 1.0, 3.0, 0.3);
    for (double r = 1e-3; r < 3.0; r += 1e-3) {
      ds_pair_single(&ds_style_coul_slater, &t.m, 1, 1, r * r, TEST_LARGEST_CHARGE * TEST_LARGEST_CHARGE, 1.0, &force);
      largest = fmax(largest, fabs(force) * r);
    }
    bound[way] = largest / (TEST_LARGEST_CHARGE * TEST_LARGEST_CHARGE);
  }
  CHECK_NEAR(bound[0], slater, 1e-5);
  CHECK_NEAR(bound[1], gauss, 1e-5);
  CHECK(slater < 0.3405 && slater > 0.339 && gauss < 0.4285 && gauss > 0.427);
}

/* ------------------------------------------------------------------------------------- a plain double loop */

typedef struct {
  double *f, *eatom, *vatom, *size; /* size: sum of |forces| of the clouds of an atom's pairs, before they cancel */
  double energy, energy_size;
} plain_sums;

/* Force by distance and energy of one pair, by erfc() and exp() of libm. size: of the force, before its parts cancel. */
static double pair_by_libm(const test_model *t, int k, double r, double qq, double special, double *energy, double *size)
{
  const double g = t->ewald[k], u = r / t->lamda[k], strength = t->a[k] * t->strength[k] * qq;
  const double gauss = 2.0 / sqrt(acos(-1.0)) * g * r * exp(-g * g * r * r);
  const double slater = exp(-2.0 * u) * (1.0 + 2.0 * u * (1.0 + u)), e_slater = (1.0 + u) * exp(-2.0 * u);
  *energy = strength / r * (erfc(g * r) - e_slater - (1.0 - special) * (1.0 - e_slater));
  *size = fabs(strength) / (r * r);
  return strength / (r * r * r) * (erfc(g * r) + gauss - slater - (1.0 - special) * (1.0 - slater));
}

static void add_pair(plain_sums *sum, const test_model *t, const test_system *s, int i, int j)
{
  const int k = (s->type[i] - 1) * t->m.ntypes + s->type[j] - 1;
  double d[3], energy, size;
  system_separation(s, i, j, d);
  const double r = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  if (!(r < t->cutoff[k]) || r == 0.0) return;
  const double qq = system_charge(s->tag[i]) * system_charge(s->tag[j]);
  const double f = pair_by_libm(t, k, r, qq, t->m.special[system_special_code(s, i, j)], &energy, &size);
  for (int c = 0; c < 3; c++) sum->f[3 * i + c] += f * d[c];
  for (int c = 0; c < 3; c++) sum->vatom[6 * i + c] += 0.5 * f * d[c] * d[c];
  sum->eatom[i] += 0.5 * energy;
  sum->size[i] += size;
  sum->energy += 0.5 * energy;
  sum->energy_size += 0.5 * size * r;
}

static void double_loop(plain_sums *sum, const test_model *t, const test_system *s)
{
  const size_t n = (size_t) s->nlocal;
  memset(sum, 0, sizeof *sum);
  sum->f = calloc(3 * n, 8);
  sum->eatom = calloc(n, 8);
  sum->vatom = calloc(6 * n, 8);
  sum->size = calloc(n, 8);
  for (int i = 0; i < s->nlocal; i++)
    for (int j = 0; j < s->nlocal + s->nghost; j++)
      if (j != i) add_pair(sum, t, s, i, j);
}

static void free_sums(plain_sums *sum)
{
  free(sum->f);
  free(sum->eatom);
  free(sum->vatom);
  free(sum->size);
}

/* allowed: a part of the size of an atom's forces. In mixed precision coordinates are rounded, too. */
static void compare(const char *name, const ds_pair_options *o, ds_precision p, const test_model *t, const test_system *s,
                    const plain_sums *sum, double allowed)
{
  answer a;
  double worst[3] = {0.0}, most = 0.0;
  answer_open(&a, s->nlocal);
  if (evaluate(&a, o, p, t, s, NULL)) {
    for (int i = 0; i < s->nlocal; i++) most = fmax(most, sum->size[i]);
    for (int i = 0; i < s->nlocal; i++) {
      for (int c = 0; c < 3; c++) worst[0] = larger(worst[0], fabs(a.f[3 * i + c] - sum->f[3 * i + c]) / most);
      for (int c = 0; c < 3; c++) worst[1] = larger(worst[1], fabs(a.vatom[6 * i + c] - sum->vatom[6 * i + c]) / most);
      worst[2] = larger(worst[2], fabs(a.eatom[i] - sum->eatom[i]) / most);
    }
    CHECK_BOUND(worst[0], allowed, name);
    CHECK_BOUND(worst[1], allowed, "  virials of atoms");
    CHECK_BOUND(worst[2], allowed, "  energies of atoms");
    CHECK_NEAR(a.energy, sum->energy, allowed * sum->energy_size);
    CHECK(a.sum[0] == 0 && a.sum[1] == 0 && a.sum[2] == 0);
    CHECK(most > 1.0 && fabs(a.energy) > 0.1);
  }
  answer_close(&a);
}

static void box(const char *name, const test_model *t, int n, double edge, const double skew[3], const int periodic[3],
                uint64_t seed)
{
  const double edges[6] = {edge, 1.1 * edge, 0.9 * edge, skew[0], skew[1], skew[2]};
  test_system s;
  plain_sums sum;
  system_open(&s, origin, edges, periodic, model_range(t), t->m.skin);
  system_fill(&s, n, t->m.ntypes, 1.0, &seed);
  if (t->m.special[1] != 1.0) system_chains(&s, 6);
  system_images(&s);
  double_loop(&sum, t, &s);
  for (int v = 0; v < variants.n; v++)
    for (int p = 0; p < 2; p++) compare(name, &variants.options[v], precision[p], t, &s, &sum, p ? 1e-12 : 1e-6);
  free_sums(&sum);
  system_close(&s);
}

static void test_forces(void)
{
  static test_model t;
  model_coul(&t, 1, 13.87, 0.25, 0.9, 3.0, 0.3);
  box("coul/slater", &t, 500, 7, no_tilt, all_periodic, 3001);
  box("coul/slater, tilted", &t, 400, 7, tilt, all_periodic, 3002);
  box("coul/slater, not periodic", &t, 300, 5, no_tilt, none_periodic, 3003);
  box("coul/slater, smaller than two cutoffs", &t, 60, 4, no_tilt, all_periodic, 3004);
  model_coul(&t, 1, 332.06371, 0.9, 0.3, 9.0, 1.0);
  box("coul/slater, in other units", &t, 400, 21, no_tilt, all_periodic, 3005);
  model_coul(&t, 3, 13.87, 0.25, 0.9, 3.0, 0.3);
  model_pair(&t, 1, 2, 0.5, 0.0, 2.0, 1.0);
  model_pair(&t, 2, 2, 1.0, 0.0, 0.0, 1.0);
  model_pair(&t, 2, 3, -1.5, 0.0, 3.0, 1.0);
  box("coul/slater, three types", &t, 400, 7, no_tilt, all_periodic, 3006);
  t.m.special[1] = 0.0;
  t.m.special[2] = 0.3;
  t.m.special[3] = 0.77;
  box("coul/slater, three types, special", &t, 400, 7, tilt, all_periodic, 3007);
}

/* Of one pair outside the sweep, down to contact. */
static void test_single(void)
{
  static test_model t;
  model_coul(&t, 1, 13.87, 0.25, 0.9, 3.0, 0.3);
  for (int k = 1; k < 400; k++) {
    const double r = 3.1 * k / 400.0, special = k % 2 ? 1.0 : 0.3;
    double force, energy, size;
    const double got = ds_pair_single(&ds_style_coul_slater, &t.m, 1, 1, r * r, -0.74, special, &force);
    const double expected = pair_by_libm(&t, 0, r, -0.74, special, &energy, &size);
    if (r < 3.0) {
      CHECK_NEAR(force * r, expected * r, 1e-13 * (size + 100.0));
      CHECK_NEAR(got, energy, 1e-13 * (size * r + 100.0));
    } else
      CHECK(force == 0.0 && got == 0.0);
  }
}

/* ------------------------------------------------------------------------------------------- charges */

/* Charges that change between two loads, and back again. */
static void test_changed(const ds_pair_options *options, ds_precision p)
{
  static const double edges[6] = {7, 7, 7, 0, 0, 0};
  static test_model t;
  test_system s;
  test_engine e;
  answer first, now;
  uint64_t seed = 3010;
  ds_pair_options o = *options;
  model_coul(&t, 1, 13.87, 0.25, 0.9, 3.0, 0.3);
  o.style = t.style;
  system_open(&s, origin, edges, all_periodic, model_range(&t), t.m.skin);
  system_fill(&s, 200, 1, 1.0, &seed);
  system_images(&s);
  answer_open(&first, s.nlocal);
  answer_open(&now, s.nlocal);
  if (CHECK_OK(engine_open(&e, &o, p), e.err) && CHECK_OK(engine_setup(&e, &t, &s, 3), e.err) &&
      CHECK_OK(engine_forces(&e, 1), e.err)) {
    const ds_array charges = array_of_doubles(e.charge, 1);
    answer_take(&first, &e, NULL);
    for (int k = 0; k < s.nlocal + s.nghost; k++) e.charge[k] *= 0.5;
    CHECK_OK(ds_pair_set_charges(e.dpd, &charges, &e.err), e.err);
    if (CHECK_OK(engine_load(&e, 4), e.err) && CHECK_OK(engine_forces(&e, 1), e.err)) answer_take(&now, &e, NULL);
    CHECK_NEAR(now.energy, 0.25 * first.energy, 1e-6 * fabs(first.energy));
    for (int k = 0; k < s.nlocal + s.nghost; k++) e.charge[k] *= 2.0;
    CHECK_OK(ds_pair_set_charges(e.dpd, &charges, &e.err), e.err);
    if (CHECK_OK(engine_load(&e, 5), e.err) && CHECK_OK(engine_forces(&e, 1), e.err)) answer_take(&now, &e, NULL);
    check_answer(&now, &first, "charges changed and back", precision_name[p]);
    e.charge[7] = NAN;
    CHECK_OK(ds_pair_set_charges(e.dpd, &charges, &e.err), e.err);
    CHECK_OK(engine_load(&e, 6), e.err);
    EXPECT(engine_forces(&e, 0), e.err, DS_ERR_FORCE_RANGE, "atoms|at step 6");
  }
  if (e.dpd) engine_close(&e);
  answer_close(&first);
  answer_close(&now);
  system_close(&s);
}

static void test_refusals(const ds_pair_options *options)
{
  static const double edges[6] = {7, 7, 7, 0, 0, 0}, at[3] = {1, 4, 1};
  static test_model t;
  test_system s;
  test_engine e;
  ds_pair_options o = *options;
  double charge[2] = {1.0, -1.0};
  model_coul(&t, 1, 13.87, 0.25, 0.9, 3.0, 0.3);
  o.style = t.style;
  system_open(&s, origin, edges, none_periodic, model_range(&t), t.m.skin);
  system_add(&s, at, at, 1);
  system_images(&s);
  const ds_array charges = array_of_doubles(charge, 1), numbers = array_of_ints(s.type, 1);
  if (CHECK_OK(engine_open(&e, &o, DS_PRECISION_MIXED), e.err)) {
    EXPECT(ds_pair_set_charges(e.dpd, &charges, &e.err), e.err, DS_ERR_ARGUMENT, "charges set before atoms");
    const ds_atoms atoms = atoms_of(&s);
    CHECK_OK(engine_atoms(&e, &t, &s), e.err);
    CHECK_OK(ds_pair_set_atoms(e.dpd, &atoms, &e.err), e.err); /* without charges */
    EXPECT(engine_load(&e, 1), e.err, DS_ERR_ARGUMENT, "before charges|coul/slater/long");
    EXPECT(ds_pair_set_charges(e.dpd, NULL, &e.err), e.err, DS_ERR_ARGUMENT, "no array of charges");
    EXPECT(ds_pair_set_charges(e.dpd, &numbers, &e.err), e.err, DS_ERR_ARGUMENT, "charges|I32|F64 and F32");
    CHECK_OK(ds_pair_set_charges(e.dpd, &charges, &e.err), e.err);
    CHECK_OK(engine_load(&e, 1), e.err);
    t.lamda[0] = 0.0;
    EXPECT(ds_pair_set_model(e.dpd, &t.m, &e.err), e.err, DS_ERR_ARGUMENT, "lamda = 0|types 1 1|> 0");
    t.lamda[0] = 0.25;
    t.ewald[0] = -1.0;
    EXPECT(ds_pair_set_model(e.dpd, &t.m, &e.err), e.err, DS_ERR_ARGUMENT, "g_ewald = -1|> 0");
    t.ewald[0] = 0.9;
    t.largest[0] = NAN;
    EXPECT(ds_pair_set_model(e.dpd, &t.m, &e.err), e.err, DS_ERR_ARGUMENT, "largest charge");
    t.largest[0] = 2.0;
    CHECK_OK(ds_pair_set_model(e.dpd, &t.m, &e.err), e.err);
  }
  if (e.dpd) engine_close(&e);
  system_close(&s);
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_exponential());
  CHECK_CASE(test_clouds());
  CHECK_CASE(test_largest());
  CHECK_CASE(test_forces());
  CHECK_CASE(test_single());
  for (int v = 0; v < variants.n; v++) {
    for (int p = 0; p < 2; p++) CHECK_CASE(test_changed(&variants.options[v], precision[p]));
    CHECK_CASE(test_refusals(&variants.options[v]));
  }
  return check_result();
}
