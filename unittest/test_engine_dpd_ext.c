/* test_engine_dpd_ext.c: the noise of style dpd/ext across the line of centers: mean, variance, the same in
   every direction, and independent of the noise along the line, of other pairs and of other steps.
   SPDX-License-Identifier: GPL-2.0-or-later

   Isolated pairs at rest without repulsion: what is left of a force is noise. It is taken apart into its
   three components, along e and along two directions across, each divided by its amplitude.
   "test_engine_dpd_ext cuda" takes the forces from the GPU. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "dpdsop/device/gaussian.h"
#include "dpdsop/device/signature.h"
#include "support/engine.h"

#if defined(__SANITIZE_ADDRESS__)
enum { STEPS = 100 };
#else
enum { STEPS = 1500 };
#endif
enum { SIDE = 16, PAIRS = SIDE * SIDE * SIDE, ATOMS = 2 * PAIRS };

static const double gamma_along = 4.5, gamma_across = 3.0, power_across = 0.5;

/* Sums over draws: powers of one deviate. */
typedef struct {
  double n, x, x2, x3, x4;
} moments;

static void add(moments *m, double x)
{
  m->n += 1.0;
  m->x += x;
  m->x2 += x * x;
  m->x3 += x * x * x;
  m->x4 += x * x * x * x;
}

/* A sum of terms of mean zero, and what its variance should be. */
typedef struct {
  double sum, variance;
} balance;

static void weigh(balance *b, double term, double variance)
{
  b->sum += term;
  b->variance += variance;
}

static void check_balance(const balance *b, const char *what)
{
  CHECK_BOUND(fabs(b->sum) / sqrt(b->variance), 4.5, what);
}

/* Standard errors of n independent normal numbers: mean 1/sqrt(n), variance sqrt(2/n), skewness sqrt(6/n), kurtosis
   sqrt(24/n). */
static void check_moments(const moments *m, const char *name)
{
  const double mean = m->x / m->n, m2 = m->x2 / m->n, m3 = m->x3 / m->n, m4 = m->x4 / m->n;
  const double variance = m2 - mean * mean, third = m3 - 3 * mean * m2 + 2 * mean * mean * mean,
               fourth = m4 - 4 * mean * m3 + 6 * mean * mean * m2 - 3 * mean * mean * mean * mean;
  char text[80];
  printf("  %s: %.4g draws, mean %.3g, variance %.7g\n", name, m->n, mean, variance);
  snprintf(text, sizeof text, "%s: mean, deviations", name);
  CHECK_BOUND(fabs(mean) * sqrt(m->n), 4.5, text);
  snprintf(text, sizeof text, "%s: variance, deviations", name);
  CHECK_BOUND(fabs(variance - 1.0) / sqrt(2.0 / m->n), 4.5, text);
  snprintf(text, sizeof text, "%s: skewness, deviations", name);
  CHECK_BOUND(fabs(third / pow(variance, 1.5)) / sqrt(6.0 / m->n), 4.5, text);
  snprintf(text, sizeof text, "%s: kurtosis, deviations", name);
  CHECK_BOUND(fabs(fourth / (variance * variance) - 3.0) / sqrt(24.0 / m->n), 4.5, text);
}

/* ------------------------------------------------------------------------------------ from forces */

/* Directions of a pair, and the amplitudes of its noise. */
typedef struct {
  double e[3], p[3], q[3], along, across;
} frame;

static void cross(const double a[3], const double b[3], double c[3])
{
  double length = 0.0;
  for (int k = 0; k < 3; k++) {
    c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    length += c[k] * c[k];
  }
  for (int k = 0; k < 3; k++) c[k] /= sqrt(length);
}

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void make_frames(frame *f, const test_system *s, const test_model *t)
{
  for (int k = 0; k < PAIRS; k++) {
    double d[3], axis[3] = {0, 0, 0};
    system_separation(s, 2 * k, 2 * k + 1, d);
    const double length = sqrt(dot(d, d)), w = 1.0 - length;
    for (int c = 0; c < 3; c++) f[k].e[c] = d[c] / length;
    axis[fabs(f[k].e[0]) < 0.5 ? 0 : 1] = 1.0;
    cross(f[k].e, axis, f[k].p);
    cross(f[k].e, f[k].p, f[k].q);
    f[k].along = sqrt(2.0 * gamma_along * t->m.kT / t->m.dt) * w;
    f[k].across = sqrt(2.0 * gamma_across * t->m.kT / t->m.dt) * pow(w, power_across);
  }
}

/* n^3 pairs 4 apart, separated in a direction of chance by 0.1 to 0.7 of the cutoff. */
static void lattice(test_system *s, const test_model *t)
{
  static const double zero[3] = {0, 0, 0};
  static const int periodic[3] = {1, 1, 1};
  const double cube[6] = {4.0 * SIDE, 4.0 * SIDE, 4.0 * SIDE, 0, 0, 0};
  uint64_t seed = 1600;
  system_open(s, zero, cube, periodic, model_range(t), t->m.skin);
  for (int k = 0; k < PAIRS; k++) {
    const double at[3] = {2.0 + 4.0 * (k % SIDE), 2.0 + 4.0 * (k / SIDE % SIDE),
                          2.0 + 4.0 * (k / (SIDE * SIDE))};
    const double r = 0.1 + 0.6 * check_uniform(&seed);
    double d[3], x[3];
    for (int c = 0; c < 3; c++) d[c] = random_normal(&seed);
    for (int c = 0; c < 3; c++) x[c] = at[c] + d[c] * r / sqrt(dot(d, d));
    system_add(s, at, zero, 1);
    system_add(s, x, zero, 1);
  }
  s->box.undecomposed[0] = s->box.undecomposed[1] = s->box.undecomposed[2] = 1;
}

typedef struct {
  moments along, across;
  balance p_q, along_p, along_q;                /* products of two of them */
  balance squares_p_q, squares_p, squares_q;    /* and of their squares, less 1 */
  balance lag_p, lag_q, lag_along_p, lag_along; /* with those of the step before */
  balance lab[3], lab_cross;                    /* along the axes of the box */
} sums;

static void add_pair(sums *s, const frame *f, const double force[3], double last[3])
{
  double v[3], x[3], radial = dot(force, f->e);
  for (int c = 0; c < 3; c++) x[c] = (force[c] - radial * f->e[c]) / f->across;
  v[0] = radial / f->along;
  v[1] = dot(x, f->p);
  v[2] = dot(x, f->q);
  add(&s->along, v[0]);
  add(&s->across, v[1]);
  add(&s->across, v[2]);
  weigh(&s->p_q, v[1] * v[2], 1.0);
  weigh(&s->along_p, v[0] * v[1], 1.0);
  weigh(&s->along_q, v[0] * v[2], 1.0);
  weigh(&s->squares_p_q, (v[1] * v[1] - 1.0) * (v[2] * v[2] - 1.0), 4.0);
  weigh(&s->squares_p, (v[0] * v[0] - 1.0) * (v[1] * v[1] - 1.0), 4.0);
  weigh(&s->squares_q, (v[0] * v[0] - 1.0) * (v[2] * v[2] - 1.0), 4.0);
  if (last[0] != 0.0) {
    weigh(&s->lag_along, v[0] * last[0], 1.0);
    weigh(&s->lag_p, v[1] * last[1], 1.0);
    weigh(&s->lag_q, v[2] * last[2], 1.0);
    weigh(&s->lag_along_p, v[1] * last[0], 1.0);
  }
  memcpy(last, v, sizeof v);
  /* a projected vector of unit deviates has the covariance 1 - e e */
  for (int c = 0; c < 3; c++) {
    const double expected = 1.0 - f->e[c] * f->e[c];
    weigh(&s->lab[c], x[c] * x[c] - expected, 2.0 * expected * expected);
  }
  const double xx = 1.0 - f->e[0] * f->e[0], yy = 1.0 - f->e[1] * f->e[1], xy = -f->e[0] * f->e[1];
  weigh(&s->lab_cross, x[0] * x[1] - xy, xx * yy + xy * xy);
}

static void test_forces(const ds_pair_options *options, ds_precision precision, int steps)
{
  static test_model t;
  ds_pair_options o = *options;
  test_system s;
  test_engine e;
  sums total;
  frame *const f = test_alloc(PAIRS * sizeof *f);
  double(*const last)[3] = test_alloc(PAIRS * sizeof *last);
  int unbalanced = 0;
  memset(&total, 0, sizeof total);
  model_open(&t, 1, 0.0, gamma_along, 1.0, 1.0, 0.3);
  model_style(&t, &ds_style_dpd_ext);
  model_across(&t, 1, 1, gamma_across, power_across);
  o.style = t.style;
  lattice(&s, &t);
  make_frames(f, &s, &t);
  int good = CHECK_OK(engine_open(&e, &o, precision), e.err) &&
             CHECK_OK(engine_setup(&e, &t, &s, 0), e.err);
  for (int step = 0; step < steps && good; step++) {
    good = CHECK_OK(engine_load(&e, step), e.err) && CHECK_OK(engine_forces(&e, 0), e.err);
    for (int k = 0; k < PAIRS && good; k++) {
      for (int c = 0; c < 3; c++) unbalanced += e.f[6 * k + c] != -e.f[6 * k + 3 + c];
      add_pair(&total, &f[k], e.f + 6 * k, last[k]);
    }
  }
  if (e.dpd) engine_close(&e);
  printf("  %s\n", precision == DS_PRECISION_DOUBLE ? "double" : "mixed");
  CHECK_INT(unbalanced, 0);
  check_moments(&total.along, "along");
  check_moments(&total.across, "across");
  check_balance(&total.p_q, "two directions across, deviations");
  check_balance(&total.along_p, "along and across, deviations");
  check_balance(&total.along_q, "along and the other across, deviations");
  check_balance(&total.squares_p_q, "squares of two across, deviations");
  check_balance(&total.squares_p, "squares of along and across, deviations");
  check_balance(&total.squares_q, "squares of along and the other, deviations");
  check_balance(&total.lag_along, "along at t and t + 1, deviations");
  check_balance(&total.lag_p, "across at t and t + 1, deviations");
  check_balance(&total.lag_q, "the other at t and t + 1, deviations");
  check_balance(&total.lag_along_p, "along at t, across at t + 1, deviations");
  for (int c = 0; c < 3; c++) {
    static const char *const axis[3] = {"x x, deviations", "y y, deviations", "z z, deviations"};
    check_balance(&total.lab[c], axis[c]);
  }
  check_balance(&total.lab_cross, "x y, deviations");
  free(f);
  free(last);
  system_close(&s);
}

/* ------------------------------------------------------------------------------------ pairs that share an atom */

/* The vectors that one atom draws with all others, as it sees them: the sum of all products of two is the square of
   their sum less the sum of their squares. */
static void test_shared_atoms(void)
{
  enum { MANY = 2000 };
  static uint32_t signature[MANY];
  balance shared[3], odd;
  memset(shared, 0, sizeof shared);
  memset(&odd, 0, sizeof odd);
  for (int i = 0; i < MANY; i++) signature[i] = ds_signature((uint64_t) i + 1, 0, 0, 0, 12345, 7);
  for (int i = 0; i < MANY; i++) {
    double sum[3] = {0, 0, 0}, squares[3] = {0, 0, 0};
    for (int j = 0; j < MANY; j++) {
      float xi, v[3];
      if (j == i) continue;
      ds_pair_normalsf(signature[i], signature[j], 0, &xi, &v[0]);
      ds_pair_normalsf(signature[i], signature[j], 1, &v[1], &v[2]);
      const double sign = signature[i] < signature[j] ? 1.0 : -1.0;
      for (int c = 0; c < 3; c++) {
        sum[c] += sign * (double) v[c];
        squares[c] += (double) v[c] * (double) v[c];
      }
    }
    for (int c = 0; c < 3; c++)
      weigh(&shared[c], 0.5 * (sum[c] * sum[c] - squares[c]), 0.5 * (MANY - 1.0) * (MANY - 2.0));
    for (int c = 0; c < 3; c++) weigh(&odd, sum[c], 0.0); /* all pairs from both sides: nothing */
  }
  for (int c = 0; c < 3; c++) {
    static const char *const name[3] = {"x with two others, deviations",
                                        "y with two others, deviations",
                                        "z with two others, deviations"};
    check_balance(&shared[c], name[c]);
  }
  CHECK_NEAR(odd.sum, 0.0, 1e-6);
}

int main(int argc, char **argv)
{
  static test_variants variants;
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  ds_pair_options options = variants.options[variants.n - 1];
  options.threads = 2;
  CHECK_CASE(test_forces(&options, DS_PRECISION_MIXED, STEPS));
  CHECK_CASE(test_forces(&options, DS_PRECISION_DOUBLE, STEPS / 5));
  CHECK_CASE(test_shared_atoms());
  return check_result();
}
