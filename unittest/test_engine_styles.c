/* test_engine_styles.c: the styles dpd/ext, dpd/tstat and lj/cut: forces, energies and virials against a plain
   double loop, and against style dpd where they are the same.   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_styles cuda" makes the same checks on the GPU. Their bits on different ranks, lists and code
   paths: test_engine_exact.c; the statistics of their noise: test_engine_dpd_ext.c. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/answer.h"
#include "support/errors.h"
#include "support/forces.h"

static const double origin[3] = {-1.25, 3.5, 0.0}, no_tilt[3] = {0, 0, 0},
                    tilt[3] = {1.9, -2.2, 3.1};
static const int none_periodic[3] = {0, 0, 0};
static const ds_precision precision[2] = {DS_PRECISION_MIXED, DS_PRECISION_DOUBLE};

static void random_box(const char *name, test_model *t, int n, double edge, const double skew[3],
                       const int periodic[3], uint64_t seed)
{
  test_system s;
  random_system(&s, t, n, edge, skew, periodic, seed);
  compare_system(name, &variants, t, &s, REF_NOISE_ENGINE, 1e-12);
  system_close(&s);
}

/* n^3 isolated pairs at up to 0.99 of the cutoff, on binary fractions, so that no coordinate is rounded. */
static void isolated_pairs(const char *name, test_model *t, int n, ref_noise noise, double allowed)
{
  static const double zero[3] = {0, 0, 0};
  const double cube[6] = {4.0 * n, 4.0 * n, 4.0 * n, 0, 0, 0};
  uint64_t seed = 1500;
  test_system s;
  system_open(&s, zero, cube, none_periodic, model_range(t), t->m.skin);
  for (int k = 0; k < n * n * n; k++) {
    const double at[3] = {2.0 + 4.0 * (k % n), 2.0 + 4.0 * (k / n % n), 2.0 + 4.0 * (k / (n * n))};
    system_ball(&s, 1, at, 0.0, t->m.ntypes, 1.0, &seed);
    system_ball(&s, 1, at, k % 2 ? 0.99 : 0.05, t->m.ntypes, 1.0, &seed);
  }
  system_snap(&s, 0x1p-43);
  compare_system(name, &variants, t, &s, noise, allowed);
  system_close(&s);
}

/* ----------------------------------------------------------------------------------------- dpd/ext */

static void one_type(test_model *t, double a, double gamma, double power, double across,
                     double power_across)
{
  model_open(t, 1, a, gamma, 1.0, power, 0.3);
  model_style(t, &ds_style_dpd_ext);
  model_across(t, 1, 1, across, power_across);
}

static void three_types(test_model *t, const ds_pair_style *style)
{
  model_open(t, 3, 25, 4.5, 1.0, 1.0, 0.25);
  model_style(t, style);
  model_pair(t, 1, 2, 40, 3, 0.8, 0.5);
  model_pair(t, 2, 2, -7, 0, 1.3, 1.0);
  model_pair(t, 2, 3, 0, 12, 1.1, 0.25);
  model_pair(t, 3, 3, 10, 1, 0.0, 1.0);
  for (int i = 1; i <= 3; i++)
    for (int j = i; j <= 3; j++) model_across(t, i, j, (i * j) % 4 * 2.5, 0.5 * i);
}

static void set_special(test_model *t)
{
  t->m.special[0] = 0.81;
  t->m.special[1] = 0.0;
  t->m.special[2] = 0.3;
  t->m.special[3] = 0.77;
}

static void test_ext(void)
{
  static test_model t;
  one_type(&t, 25, 4.5, 1.0, 3.0, 1.0);
  random_box("ext, s = 1 and 1", &t, 600, 6, no_tilt, all_periodic, 1501);
  random_box("ext, tilted", &t, 600, 6, tilt, all_periodic, 1502);
  random_box("ext, smaller than two cutoffs", &t, 10, 1.4, no_tilt, all_periodic, 1503);
  random_box("ext, not periodic", &t, 500, 5, no_tilt, none_periodic, 1504);
  one_type(&t, 25, 4.5, 0.25, 9.0, 2.0);
  random_box("ext, s = 0.25 and 2", &t, 600, 6, no_tilt, all_periodic, 1505);
  one_type(&t, 25, 4.5, 1.0, 3.0, 0.5);
  random_box("ext, s = 1 and 0.5", &t, 600, 6, no_tilt, all_periodic, 1506);
  one_type(&t, 0, 0, 1.0, 3.0, 1.0);
  random_box("ext, nothing but across", &t, 600, 6, no_tilt, all_periodic, 1507);
  t.m.kT = 0.0;
  random_box("ext, nothing but friction across", &t, 600, 6, no_tilt, all_periodic, 1508);
  one_type(&t, 25, 4.5, 1.0, 0.0, 1.0);
  random_box("ext, nothing across", &t, 600, 6, no_tilt, all_periodic, 1509);
  three_types(&t, &ds_style_dpd_ext);
  random_box("ext, three types", &t, 600, 6, tilt, all_periodic, 1510);
  set_special(&t);
  random_box("ext, three types, special", &t, 600, 6, no_tilt, all_periodic, 1511);
  one_type(&t, 25, 4.5, 1.0, 3.0, 1.0);
  set_special(&t);
  random_box("ext, special", &t, 600, 6, no_tilt, all_periodic, 1512);
  one_type(&t, 25, 4.5, 1.0, 3.0, 1.0);
  isolated_pairs("ext, isolated pairs", &t, 12, REF_NOISE_ENGINE, 1e-12);
  isolated_pairs("ext, isolated pairs, libm", &t, 12, REF_NOISE_LIBM, 1.2e-10);
  one_type(&t, 25, 4.5, 0.5, 30.0, 100.0);
  isolated_pairs("ext, isolated pairs, s = 0.5 and 100", &t, 12, REF_NOISE_LIBM, 1.2e-10);
}

/* --------------------------------------------------------------------------------------- dpd/tstat */

static void test_tstat(void)
{
  static test_model t;
  static const double power[3] = {1.0, 0.5, 2.0};
  for (int k = 0; k < 3; k++) {
    char text[80];
    model_open(&t, 1, 0, 4.5, 1.0, power[k], 0.3);
    model_style(&t, &ds_style_dpd_tstat);
    snprintf(text, sizeof text, "tstat, s = %g", power[k]);
    random_box(text, &t, 600, 6, k ? no_tilt : tilt, all_periodic, 1520 + (uint64_t) k);
    snprintf(text, sizeof text, "tstat, isolated pairs, s = %g, libm", power[k]);
    isolated_pairs(text, &t, 12, REF_NOISE_LIBM, 1.2e-10);
  }
  three_types(&t, &ds_style_dpd_tstat);
  set_special(&t);
  random_box("tstat, three types, special", &t, 600, 6, no_tilt, all_periodic, 1523);
}

/* ------------------------------------------------------------------------------------------ lj/cut */

enum { LJ_CELLS = 7 };

/* Atoms near the points of a grid, none closer than 0.7 of its spacing: a Lennard-Jones fluid has no others. */
static void lj_box(const char *name, test_model *t, double spacing, const double skew[3], const int periodic[3],
                   uint64_t seed)
{
  const double edge = LJ_CELLS * spacing, edges[6] = {edge, 1.1 * edge, 0.9 * edge, skew[0], skew[1], skew[2]};
  test_system s;
  system_open(&s, origin, edges, periodic, model_range(t), t->m.skin);
  system_fill(&s, LJ_CELLS * LJ_CELLS * LJ_CELLS, t->m.ntypes, 1.0, &seed);
  for (int k = 0; k < s.nlocal; k++) {
    const int at[3] = {k % LJ_CELLS, k / LJ_CELLS % LJ_CELLS, k / (LJ_CELLS * LJ_CELLS)};
    double l[3];
    for (int d = 0; d < 3; d++) l[d] = (at[d] + 0.5 + 0.2 * (check_uniform(&seed) - 0.5)) / LJ_CELLS;
    s.x[3 * k] = origin[0] + edges[0] * l[0] + edges[5] * l[1] + edges[4] * l[2];
    s.x[3 * k + 1] = origin[1] + edges[1] * l[1] + edges[3] * l[2];
    s.x[3 * k + 2] = origin[2] + edges[2] * l[2];
  }
  if (t->m.special[1] != 1.0) system_chains(&s, 6);
  compare_system(name, &variants, t, &s, REF_NOISE_ENGINE, 1e-12);
  system_close(&s);
}

static void lj_open(test_model *t, int ntypes, double epsilon, double sigma, double cutoff, int shift)
{
  model_open(t, ntypes, 0, 0, cutoff, 1.0, 0.3);
  model_style(t, &ds_style_lj_cut);
  for (int i = 1; i <= ntypes; i++)
    for (int j = i; j <= ntypes; j++) model_lj(t, i, j, epsilon, sigma, cutoff, shift);
}

static void test_lj(void)
{
  static const double shear[3] = {0.6, -0.9, 1.1};
  static test_model t;
  lj_open(&t, 1, 1.0, 1.0, 2.5, 0);
  lj_box("lj/cut 2.5", &t, 1.12, no_tilt, all_periodic, 1540);
  lj_box("lj/cut 2.5, tilted", &t, 1.12, shear, all_periodic, 1541);
  lj_box("lj/cut 2.5, not periodic", &t, 1.12, no_tilt, none_periodic, 1542);
  lj_open(&t, 1, 0.7, 1.0, pow(2.0, 1.0 / 6.0), 1);
  lj_box("lj/cut, repulsive, shifted", &t, 1.05, no_tilt, all_periodic, 1543);
  lj_open(&t, 1, 0.238, 3.405, 8.5, 1);
  lj_box("lj/cut, of another size", &t, 3.8, no_tilt, all_periodic, 1544);
  lj_open(&t, 3, 1.0, 1.0, 2.5, 0);
  model_lj(&t, 1, 2, 1.4, 0.8, 1.9, 1);
  model_lj(&t, 2, 2, 0.0, 1.0, 1.2, 0);
  model_lj(&t, 2, 3, -0.3, 0.9, 2.2, 1);
  model_lj(&t, 3, 3, 1.0, 0.0, 2.5, 0);
  model_lj(&t, 1, 3, 1.0, 1.0, 0.0, 0);
  lj_box("lj/cut, three types", &t, 1.12, shear, all_periodic, 1545);
  set_special(&t);
  lj_box("lj/cut, three types, special", &t, 1.12, no_tilt, all_periodic, 1546);
}

/* Of two atoms: values down to where the range of forces ends, and an error where they are closer. */
static void lj_pair(const test_model *t, const ds_pair_options *options, ds_precision p, double apart, int is_in_range)
{
  static const double zero[3] = {0, 0, 0}, cube[6] = {16, 16, 16, 0, 0, 0}, at[3] = {8, 8, 8};
  const double other[3] = {8 + apart, 8, 8}, s6 = pow(apart, -6.0), force = 24.0 * s6 * (2.0 * s6 - 1.0) / apart;
  test_system s;
  test_engine e;
  ds_pair_options o = *options;
  o.style = t->style;
  system_open(&s, zero, cube, all_periodic, model_range(t), t->m.skin);
  system_add(&s, at, zero, 1);
  system_add(&s, other, zero, 1);
  system_images(&s);
  if (CHECK_OK(engine_open(&e, &o, p), e.err) && CHECK_OK(engine_setup(&e, t, &s, 3), e.err)) {
    if (is_in_range) {
      CHECK_OK(engine_forces(&e, 1), e.err);
      CHECK_NEAR(e.f[3], force, 3e-6 * force);
      CHECK_NEAR(e.totals.energy, 4.0 * s6 * (s6 - 1.0), 3e-6 * 4.0 * s6 * s6);
      CHECK(e.f[0] == -e.f[3] && e.f[4] == 0.0);
    } else {
      EXPECT(engine_forces(&e, 1), e.err, DS_ERR_FORCE_RANGE, "between atoms 1 and 2");
    }
  }
  if (e.dpd) engine_close(&e);
  system_close(&s);
}

static void test_lj_close(void)
{
  static const double apart[5] = {1.0, 0.8, 0.66, 0.6, 1e-3};
  static test_model t;
  lj_open(&t, 1, 1.0, 1.0, 2.5, 0);
  for (int v = 0; v < variants.n; v++)
    for (int p = 0; p < 2; p++)
      for (int k = 0; k < 5; k++) lj_pair(&t, &variants.options[v], precision[p], apart[k], k < 3);
}

/* ----------------------------------------------------------------------------- what they have in common */

static void fill_box(test_system *s, const test_model *t, uint64_t seed)
{
  static const double edges[6] = {6, 6.6, 5.4, 0.9, -1.3, 0.7};
  system_open(s, origin, edges, all_periodic, model_range(t), t->m.skin);
  system_fill(s, 500, t->m.ntypes, 1.0, &seed);
  system_chains(s, 5);
  system_images(s);
}

/* To the bit, where the formulas are the same: dpd/tstat is dpd without repulsion, and dpd/ext without friction across
   is dpd. */
static void test_same_as_dpd(void)
{
  static test_model dpd, other;
  for (int way = 0; way < 2; way++) {
    const ds_pair_style *const style = way ? &ds_style_dpd_ext : &ds_style_dpd_tstat;
    test_system s;
    answer a, b;
    three_types(&dpd, &ds_style_dpd);
    three_types(&other, style);
    set_special(&dpd);
    set_special(&other);
    for (int i = 1; i <= 3; i++)
      for (int j = i; j <= 3; j++) model_across(&other, i, j, 0.0, 1.0);
    if (!way) memset(dpd.a, 0, sizeof dpd.a);
    fill_box(&s, &dpd, 1530);
    answer_open(&a, s.nlocal);
    answer_open(&b, s.nlocal);
    for (int p = 0; p < 2; p++)
      for (int k = 0; k < variants.n; k++)
        if (evaluate(&a, plain(), precision[p], &dpd, &s, NULL) &&
            evaluate(&b, &variants.options[k], precision[p], &other, &s, NULL))
          check_answer(&b, &a, way ? "dpd/ext, nothing across" : "dpd/tstat", precision_name[p]);
    answer_close(&a);
    answer_close(&b);
    system_close(&s);
  }
}

/* Energies are those of the repulsion alone, the same bits as of dpd; what acts across does no more to them than it does
   to the force along the line of centers: nothing. */
static void test_energy(void)
{
  static test_model dpd, ext;
  test_system s;
  answer a, b;
  three_types(&dpd, &ds_style_dpd);
  three_types(&ext, &ds_style_dpd_ext);
  set_special(&dpd);
  set_special(&ext);
  fill_box(&s, &dpd, 1531);
  answer_open(&a, s.nlocal);
  answer_open(&b, s.nlocal);
  for (int p = 0; p < 2; p++)
    if (evaluate(&a, plain(), precision[p], &dpd, &s, NULL) &&
        evaluate(&b, plain(), precision[p], &ext, &s, NULL)) {
      CHECK_MSG(memcmp(a.eatom, b.eatom, 8 * (size_t) a.n) == 0,
                "%s: energies of dpd and dpd/ext differ", precision_name[p]);
      CHECK(a.energy == b.energy && a.energy != 0.0);
      CHECK(memcmp(a.f, b.f, 24 * (size_t) a.n) != 0);
    }
  three_types(&ext, &ds_style_dpd_tstat);
  for (int p = 0; p < 2; p++)
    if (evaluate(&b, plain(), precision[p], &ext, &s, NULL)) {
      int some = b.energy != 0.0;
      for (int i = 0; i < b.n; i++) some += b.eatom[i] != 0.0;
      CHECK_INT(some, 0);
    }
  answer_close(&a);
  answer_close(&b);
  system_close(&s);
}

/* Two atoms: what acts across has no part along the line of centers, within ten roundings of a force whose size is
   sigma / sqrt(dt) = 24.5 times a deviate's norm, and half a fixed-point unit for each component. */
static void test_across_is_across(void)
{
  static const double at[3] = {2, 6, 3}, cube[6] = {8, 8, 8, 0, 0, 0}, zero[3] = {0, 0, 0};
  static test_model t;
  one_type(&t, 0, 0, 1.0, 3.0, 0.5);
  for (int p = 0; p < 2; p++) {
    const double u = p ? 0x1p-53 : 0x1p-24;
    ds_pair_options o = *plain();
    double worst = 0.0;
    uint64_t seed = 1540;
    o.style = t.style;
    for (int k = 0; k < 300; k++) {
      test_system s;
      test_engine e;
      double d[3], length = 0.0, dot = 0.0, size = 0.0;
      system_open(&s, zero, cube, none_periodic, model_range(&t), t.m.skin);
      system_ball(&s, 1, at, 0.0, 1, 1.0, &seed);
      system_ball(&s, 1, at, 0.9, 1, 1.0, &seed);
      system_snap(&s, 0x1p-27); /* exact in either precision */
      if (CHECK_OK(engine_open(&e, &o, precision[p]), e.err) &&
          CHECK_OK(engine_setup(&e, &t, &s, k), e.err) && CHECK_OK(engine_forces(&e, 1), e.err)) {
        system_separation(&s, 0, 1, d);
        for (int c = 0; c < 3; c++) {
          length += d[c] * d[c];
          dot += d[c] * e.f[c];
          size += e.f[c] * e.f[c];
          CHECK(e.f[c] == -e.f[3 + c]);
        }
        CHECK(size > 0.0);
        worst = fmax(worst, fabs(dot) / sqrt(length) /
                                (10.0 * u * 24.5 * 6.0 + sqrt(0.75) * e.totals.force_unit));
      }
      if (e.dpd) engine_close(&e);
      system_close(&s);
    }
    CHECK_BOUND(worst, 1.0,
                p ? "force along the line / bound, double" : "force along the line / bound, mixed");
  }
}

static void test_single(void)
{
  static test_model dpd, ext, tstat;
  uint64_t seed = 1550;
  three_types(&dpd, &ds_style_dpd);
  three_types(&ext, &ds_style_dpd_ext);
  three_types(&tstat, &ds_style_dpd_tstat);
  for (int k = 0; k < 3000; k++) {
    const int i = 1 + k % 3, j = 1 + k / 3 % 3;
    const double r = 1.4 * check_uniform(&seed), special = k % 2 ? 1.0 : 0.36;
    double f[3] = {7, 7, 7};
    const double e[3] = {
        ds_pair_single(&ds_style_dpd, &dpd.m, i, j, r * r, 0.0, special, &f[0]),
        ds_pair_single(&ds_style_dpd_ext, &ext.m, i, j, r * r, 0.0, special, &f[1]),
        ds_pair_single(&ds_style_dpd_tstat, &tstat.m, i, j, r * r, 0.0, special, &f[2])};
    const ref_pair p = ref_pair_force(&dpd, i, j, r, 0.0, 0.0, special);
    for (int way = 0; way < 2; way++) {
      CHECK_NEAR(e[way], p.energy, 1e-13 * (fabs(p.energy) + 1e-3));
      CHECK_NEAR(f[way] * r, p.conservative, 1e-13 * (fabs(p.conservative) + 1.0));
    }
    CHECK(e[2] == 0.0 && f[2] == 0.0);
  }
}

/* ----------------------------------------------------------------------------------------- refusals */

static void check_value(const ds_pair_style *style, double *value, double bad, test_model *t,
                        const char *words, int line)
{
  ds_pair_options o = variants.options[0];
  const double good = *value;
  ds_pair *pair;
  ds_error err;
  o.style = style;
  if (!CHECK_OK(ds_pair_open(&pair, &o, &err), err)) return;
  *value = bad;
  check_error(ds_pair_set_model(pair, &t->m, &err), &err, DS_ERR_ARGUMENT, words, __FILE__, line);
  *value = good;
  ds_pair_close(pair);
}

static void test_values(void)
{
  static test_model t;
  three_types(&t, &ds_style_dpd_ext);
#define BAD(value, bad, words) check_value(t.style, &(value), (bad), &t, (words), __LINE__)
  BAD(t.a[4], NAN, "A = |types 2 2|finite");
  BAD(t.gamma[4], -1.0, "gamma = -1|types 2 2|>= 0");
  BAD(t.across[4], -1.0, "gamma_across = -1|types 2 2|>= 0");
  BAD(t.across[0], NAN, "gamma_across = |types 1 1|>= 0");
  BAD(t.across[0], 1e40, "gamma_across = 1e+40|types 1 1|at most");
  BAD(t.power[4], 0.0, "s = 0|types 2 2|> 0 and <= 100");
  BAD(t.power_across[8], 0.0, "s_across = 0|types 3 3|> 0 and <= 100");
  BAD(t.power_across[8], 101.0, "s_across = 101|types 3 3|> 0 and <= 100");
  BAD(t.across[1], 3.0, "types 1 2 and 2 1 differ");
  three_types(&t, &ds_style_dpd_tstat);
  BAD(t.gamma[4], -1.0, "gamma = -1|types 2 2|>= 0");
  BAD(t.power[0], 101.0, "power = 101|types 1 1|> 0 and <= 100");
#undef BAD
}

/* Atoms that fly past each other too fast for the friction across. */
static void test_force_range(void)
{
  static const double x[2][3] = {{1, 1, 1}, {1, 1, 1.5}};
  static test_model t;
  one_type(&t, 25, 4.5, 1.0, 3.0, 1.0);
  for (int k = 0; k < variants.n; k++)
    for (int p = 0; p < DS_PRECISIONS; p++)
      for (int fast = 0; fast < 2; fast++) {
        const double speed = fast ? 1e7 : 10.0;
        const double v[2][3] = {{speed, 0, 0}, {-speed, 0, 0}};
        test_system s;
        test_engine e;
        ds_pair_options o = variants.options[k];
        o.style = t.style;
        system_open(&s, lo, h, all_periodic, 1.3, 0.3);
        for (int i = 0; i < 2; i++) system_add(&s, x[i], v[i], 1);
        system_images(&s);
        if (CHECK_OK(engine_open(&e, &o, (ds_precision) p), e.err) &&
            CHECK_OK(engine_setup(&e, &t, &s, 5), e.err)) {
          const ds_status status = engine_forces(&e, 0);
          if (fast)
            EXPECT(status, e.err, DS_ERR_FORCE_RANGE, "force|atoms|at step 5|at most");
          else
            CHECK_OK(status, e.err);
        }
        if (e.dpd) engine_close(&e);
        system_close(&s);
      }
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_ext());
  CHECK_CASE(test_tstat());
  CHECK_CASE(test_lj());
  CHECK_CASE(test_lj_close());
  CHECK_CASE(test_same_as_dpd());
  CHECK_CASE(test_energy());
  CHECK_CASE(test_across_is_across());
  CHECK_CASE(test_single());
  CHECK_CASE(test_values());
  CHECK_CASE(test_force_range());
  return check_result();
}
