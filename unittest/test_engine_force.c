/* test_engine_force.c: forces, energies and virials against a plain double loop.
   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_force cuda" makes the same checks on the GPU. What is measured: support/forces.h. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/forces.h"

static test_variants variants;
static const double no_tilt[3] = {0, 0, 0}, tilt[3] = {1.9, -2.2, 3.1};
static const int all_periodic[3] = {1, 1, 1}, none_periodic[3] = {0, 0, 0};

static void check_system(const char *name, const test_model *t, test_system *s, ref_noise noise,
                         double allowed)
{
  compare_system(name, &variants, t, s, noise, allowed);
}

static void open_box(test_system *s, const test_model *t, double x, double y, double z,
                     const double skew[3], const int periodic[3])
{
  static const double lo[3] = {-1.25, 3.5, 0.0};
  const double h[6] = {x, y, z, skew[0], skew[1], skew[2]};
  system_open(s, lo, h, periodic, model_range(t), t->m.skin);
}

static void random_box(const char *name, test_model *t, int n, double edge, const double skew[3],
                       const int periodic[3], uint64_t seed)
{
  test_system s;
  random_system(&s, t, n, edge, skew, periodic, seed);
  check_system(name, t, &s, REF_NOISE_ENGINE, 1e-12);
  system_close(&s);
}

static void test_exponents(void)
{
  static const double s[] = {1.0, 0.5, 0.25, 2.0};
  static const char *const name[] = {"s = 1", "s = 0.5", "s = 0.25", "s = 2"};
  for (int k = 0; k < 4; k++) {
    test_model t;
    model_open(&t, 1, 25, 4.5, 1.0, s[k], 0.3);
    random_box(name[k], &t, 600, 6, no_tilt, all_periodic, 101 + (uint64_t) k);
  }
}

static void set_special(test_model *t, double f12, double f13, double f14)
{
  t->m.special[1] = f12;
  t->m.special[2] = f13;
  t->m.special[3] = f14;
}

static void three_types(test_model *t, double s12)
{
  model_open(t, 3, 25, 4.5, 1.0, 1.0, 0.25);
  model_pair(t, 1, 2, 40, 3, 0.8, s12);
  model_pair(t, 2, 2, -7, 0, 1.3, 1.0);
  model_pair(t, 2, 3, 0, 12, 1.1, s12);
  model_pair(t, 3, 3, 10, 1, 0.0, 1.0);
}

static void test_boxes(void)
{
  test_model t;
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
  random_box("not periodic", &t, 500, 5, no_tilt, none_periodic, 110);
  random_box("tilted", &t, 600, 6, tilt, all_periodic, 111);
  random_box("smaller than two cutoffs", &t, 10, 1.4, no_tilt, all_periodic, 112);
  random_box("smaller than one cutoff", &t, 2, 0.7, no_tilt, all_periodic, 113);
  random_box("half a cutoff wide, tilted", &t, 4, 0.5, (const double[3]){0.1, -0.2, 0.15}, all_periodic, 181);
  random_box("one atom and its images", &t, 1, 0.9, no_tilt, all_periodic, 182);
  random_box("dilute: most rows empty", &t, 600, 22, no_tilt, all_periodic, 119);
  t.m.kT = 0.0;
  random_box("kT = 0", &t, 500, 6, no_tilt, all_periodic, 114);
  model_open(&t, 1, 25, 0.0, 1.0, 1.0, 0.3);
  random_box("gamma = 0", &t, 500, 6, no_tilt, all_periodic, 115);
  model_open(&t, 1, 0.0, 4.5, 1.0, 0.5, 0.3);
  random_box("A = 0, s = 0.5", &t, 500, 6, no_tilt, all_periodic, 116);
  three_types(&t, 1.0);
  random_box("three types", &t, 600, 6, no_tilt, all_periodic, 117);
  three_types(&t, 0.25);
  random_box("three types, s = 1 and 0.25", &t, 600, 6, tilt, all_periodic, 118);
}

/* Images move with the box, as where it is sheared: along one axis, along all, with types and exponents, across the line
   of centers. Not along an axis that is not periodic. */
static void moving_box(const char *name, test_model *t, const double skew[3], const double rate[6],
                       const int periodic[3], double edge, uint64_t seed)
{
  test_system s;
  open_box(&s, t, edge, 1.1 * edge, 0.9 * edge, skew, periodic);
  memcpy(s.box.image_rate, rate, sizeof s.box.image_rate);
  system_fill(&s, (int) (3.0 * edge * edge * edge), t->m.ntypes, 1.0, &seed);
  check_system(name, t, &s, REF_NOISE_ENGINE, 1e-12);
  system_close(&s);
}

static void test_moving_images(void)
{
  static const double shear[6] = {0, 0, 0, 0, 0, 3.7}, all[6] = {-1.1, 0.7, 2.3, 0.31, -1.9, 2.9};
  static const int not_in_x[3] = {0, 1, 1};
  test_model t;
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
  moving_box("sheared", &t, tilt, shear, all_periodic, 6, 190);
  moving_box("all edges change", &t, tilt, all, all_periodic, 6, 191);
  moving_box("all edges change, smaller than two cutoffs", &t, no_tilt, all, all_periodic, 1.4,
             192);
  moving_box("all edges change, x not periodic", &t, no_tilt, all, not_in_x, 6, 193);
  three_types(&t, 0.25);
  moving_box("all edges change, three types, s = 1 and 0.25", &t, tilt, all, all_periodic, 6, 194);
}

static void test_special(void)
{
  test_model t;
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
  set_special(&t, 0.0, 0.3, 0.77);
  random_box("special 0, 0.3, 0.77", &t, 600, 6, no_tilt, all_periodic, 120);
  random_box("special, smaller than two cutoffs", &t, 15, 1.7, no_tilt, all_periodic, 121);
  model_open(&t, 1, 25, 4.5, 1.0, 0.5, 0.3);
  set_special(&t, 0.5, 1.0, 0.25);
  random_box("special, s = 0.5", &t, 600, 6, no_tilt, all_periodic, 122);
  three_types(&t, 0.25);
  set_special(&t, 0.0, 0.3, 0.77);
  random_box("special, three types, s = 1 and 0.25", &t, 600, 6, tilt, all_periodic, 123);
  /* the factor of plain pairs counts too, with and without partners */
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
  t.m.special[0] = 0.36;
  random_box("factor of plain pairs", &t, 600, 6, no_tilt, all_periodic, 124);
  three_types(&t, 0.25);
  t.m.special[0] = 0.36;
  random_box("factor of plain pairs, three types", &t, 600, 6, no_tilt, all_periodic, 125);
}

/* Units in which single precision would over- or underflow were lengths not scaled by the cutoff:
   as in SI. */
static void test_units(void)
{
  test_model t;
  test_system s;
  uint64_t seed = 130;
  model_open(&t, 1, 2.5e-11, 4e-12, 7e-10, 0.5, 2e-10);
  t.m.kT = 4e-21;
  t.m.dt = 1e-14;
  open_box(&s, &t, 4e-9, 5e-9, 4e-9, no_tilt, all_periodic);
  s.box.lo[0] = s.box.lo[1] = s.box.lo[2] = 0.0;
  system_fill(&s, 500, 1, 300.0, &seed);
  check_system("SI-like units", &t, &s, REF_NOISE_ENGINE, 1e-12);
  system_close(&s);
}

/* Rows longer than the batches that the host works in (1,024 pairs), with types, special codes and
   exponents; the energy of an atom is that of hundreds of pairs at full overlap. Among so many
   pairs some are very close to the cutoff, where a rounded coordinate would show more than 1e-12:
   none is rounded. */
static void test_long_rows(void)
{
  static const double h[6] = {8, 8, 8, 0, 0, 0}, lo[3] = {0, 0, 0}, center[3] = {2.0, 6.0, 3.0};
  static const char *const name[] = {"rows of 1300", "rows of 1300, types, special",
                                     "rows of 700, all close"};
  for (int form = 0; form < 3; form++) {
    if (check_brief() && form != 1) continue; /* types and special codes: the most code */
    test_model t;
    test_system s;
    uint64_t seed = 140 + (uint64_t) form;
    if (form == 1) {
      three_types(&t, 0.25);
      set_special(&t, 0.0, 0.3, 0.77);
    } else {
      model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
    }
    system_open(&s, lo, h, none_periodic, model_range(&t), t.m.skin);
    system_ball(&s, form == 2 ? 700 : 1300, center, form == 2 ? 0.05 : 0.6, t.m.ntypes, 1.0, &seed);
    system_ball(&s, 5, center, 0.0, t.m.ntypes, 1.0,
                &seed); /* on each other: no force, no energy */
    system_fill(&s, 200, t.m.ntypes, 1.0, &seed);
    system_snap(&s, 0x1p-45);
    if (form == 1) system_chains(&s, 50);
    check_system(name[form], &t, &s, REF_NOISE_ENGINE, 1e-12);
    system_close(&s);
  }
}

/* Rows of just as many entries as a batch holds, and one more or less: 960 with the room that a
   tile needs; and rows that fill a batch together, 60 of 16. */
static void test_batch_limits(void)
{
  static const int rows[] = {959, 960, 961, 1023, 1024, 16};
  static const double h[6] = {8, 8, 8, 0, 0, 0}, lo[3] = {0, 0, 0};
  for (int form = 0; form < 6; form++) {
    if (check_brief() && rows[form] != 961 && rows[form] != 1024)
      continue; /* the first ones over a limit */
    test_model t;
    test_system s;
    uint64_t seed = 170 + (uint64_t) form;
    char text[40];
    model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.3);
    system_open(&s, lo, h, none_periodic, model_range(&t), t.m.skin);
    for (int ball = 0; ball < (form == 5 ? 64 : 1); ball++) {
      const double center[3] = {0.5 + 2 * (ball % 4), 0.5 + 2 * (ball / 4 % 4),
                                0.5 + 2 * (ball / 16)};
      system_ball(&s, rows[form] + 1, center, 0.3, 1, 1.0, &seed);
    }
    system_snap(&s, 0x1p-45);
    snprintf(text, sizeof text, "rows of %d", rows[form]);
    check_system(text, &t, &s, REF_NOISE_ENGINE, 1e-12);
    system_close(&s);
  }
}

/* n^3 isolated pairs, separated by r in a direction of chance, on binary fractions of a box of 4 n
   (a power of two), so that no coordinate is rounded: each pair alone must be right. */
static void lattice_of_pairs(test_system *s, const test_model *t, int n,
                             double (*separation)(int, uint64_t *), uint64_t seed)
{
  static const double lo[3] = {0, 0, 0};
  const double h[6] = {4.0 * n, 4.0 * n, 4.0 * n, 0, 0, 0};
  system_open(s, lo, h, none_periodic, model_range(t), t->m.skin);
  for (int k = 0; k < n * n * n; k++) {
    const double at[3] = {2.0 + 4.0 * (k % n), 2.0 + 4.0 * (k / n % n), 2.0 + 4.0 * (k / (n * n))};
    const double r = separation(k, &seed);
    double d[3], v[2][3], x[3], length = 0.0;
    for (int c = 0; c < 3; c++) {
      d[c] = random_normal(&seed);
      length += d[c] * d[c];
      v[0][c] = random_normal(&seed);
      v[1][c] = random_normal(&seed);
    }
    for (int c = 0; c < 3; c++) x[c] = at[c] + d[c] / sqrt(length) * r;
    system_add(s, at, v[0], 1);
    system_add(s, x, v[1], 1);
  }
  system_snap(s, 0x1p-43);
}

static double anywhere(int k, uint64_t *seed)
{
  return k % 2 ? 0.99 * (1e-3 + 0.999 * check_uniform(seed))
               : 0.99 * pow(10.0, -3.0 * check_uniform(seed));
}

/* Distances up to 0.99 of the cutoff: beyond, a single pair's force is no longer large against the
   fixed-point unit. `noise`: libm in place of the engine's functions. The engine's cosine and
   logarithm err by up to 1.1e-10 and 4.21e-12 (fastmath.h), and so does its noise. */
static void test_pairs(double power, ref_noise noise, double allowed)
{
  test_model t;
  test_system s;
  char text[80];
  model_open(&t, 1, 25, 4.5, 1.0, power, 0.25);
  lattice_of_pairs(&s, &t, check_brief() ? 6 : 16, anywhere, 150);
  snprintf(text, sizeof text, "isolated pairs, s = %g%s", power,
           noise == REF_NOISE_LIBM ? ", libm" : "");
  check_system(text, &t, &s, noise, allowed);
  system_close(&s);
}

/* Pairs that are just inside the cutoff, by 1e-5 to 1e-9 of it, in a large box and without a skin:
   the list, which is built from single-precision distances, must not lose them in double
   precision. */
static double just_inside(int k, uint64_t *seed)
{
  (void) k;
  return 1.0 - pow(10.0, -5.0 - 4.0 * check_uniform(seed));
}

static void test_edge_of_cutoff(void)
{
  test_model t;
  test_system s;
  ref_forces r;
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.0);
  lattice_of_pairs(&s, &t, check_brief() ? 6 : 16, just_inside, 160);
  for (int k = 0; k < 3; k++) s.box.h[k] = 1024.0;
  system_images(&s);
  ref_compute(&r, &s, &t, STEP, REF_NOISE_ENGINE, 1e-6);
  CHECK_INT(r.pairs, s.nlocal);
  for (int k = 0; k < variants.n; k++) {
    test_engine e;
    int lost = 0;
    if (!CHECK_OK(engine_open(&e, &variants.options[k], DS_PRECISION_DOUBLE), e.err)) continue;
    if (CHECK_OK(engine_setup(&e, &t, &s, STEP), e.err) && CHECK_OK(engine_forces(&e, 1), e.err))
      for (int i = 0; i < s.nlocal; i++)
        lost += e.f[3 * i] == 0.0 && e.f[3 * i + 1] == 0.0 && e.f[3 * i + 2] == 0.0;
    CHECK_INT(lost, 0);
    engine_close(&e);
  }
  ref_free(&r);
  system_close(&s);
}

/* Of a weight that is small, or next to nothing, to the largest power: no more of the noise is left than
   there should be, down to where the result is far below any number. No repulsion hides it. */
static double towards_the_cutoff(int k, uint64_t *seed)
{
  (void) k;
  return 1.0 - pow(10.0, -9.0 * check_uniform(seed));
}

static void test_largest_exponent(void)
{
  static const double power[3] = {100.0, 99.0, 12.5};
  for (int k = 0; k < 3; k++) {
    static test_model t;
    test_system s;
    char text[80];
    model_open(&t, 1, 0.0, 4.5, 1.0, power[k], 0.25);
    lattice_of_pairs(&s, &t, check_brief() ? 6 : 16, towards_the_cutoff, 180);
    snprintf(text, sizeof text, "towards the cutoff, s = %g, libm", power[k]);
    check_system(text, &t, &s, REF_NOISE_LIBM, 1.2e-10);
    system_close(&s);
    lattice_of_pairs(&s, &t, check_brief() ? 6 : 16, anywhere, 181);
    snprintf(text, sizeof text, "isolated pairs, s = %g, A = 0", power[k]);
    check_system(text, &t, &s, REF_NOISE_ENGINE, 1e-12);
    system_close(&s);
  }
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_exponents());
  CHECK_CASE(test_boxes());
  CHECK_CASE(test_moving_images());
  CHECK_CASE(test_special());
  CHECK_CASE(test_units());
  CHECK_CASE(test_long_rows());
  CHECK_CASE(test_batch_limits());
  CHECK_CASE(test_edge_of_cutoff());
  CHECK_CASE(test_pairs(1.0, REF_NOISE_ENGINE, 1e-12));
  CHECK_CASE(test_pairs(0.25, REF_NOISE_ENGINE, 1e-12));
  CHECK_CASE(test_pairs(1.0, REF_NOISE_LIBM, 1.2e-10));
  CHECK_CASE(test_pairs(2.0, REF_NOISE_LIBM, 1.2e-10));
  CHECK_CASE(test_pairs(100.0, REF_NOISE_ENGINE, 1e-12));
  CHECK_CASE(test_largest_exponent());
  return check_result();
}
