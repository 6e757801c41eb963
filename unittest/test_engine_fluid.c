/* test_engine_fluid.c: a running fluid has the temperature that the thermostat asks for, and its
   momentum stays.
   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_fluid cuda" makes the same checks on the GPU. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/fluid.h"

static test_variants variants;

/* Under a sanitizer it is the code that is looked at: few and short runs. */
#if defined(__SANITIZE_ADDRESS__)
enum { FIRST_CASE = 1, EACH = 3, SHORTER = 4, EQUILIBRATION = 500 };
#else
enum { FIRST_CASE = 0, EACH = 1, SHORTER = 1, EQUILIBRATION = 1000 };
#endif
enum { ATOMS = 3000 };

/* Every addition to a velocity rounds it by at most 2^-53 of its size, here below 8, and there are
   two a step. The errors are independent and uniform, of deviation 8 2^-53 / sqrt(3) at most; six
   deviations of their sum. */
static double momentum_bound(int steps)
{
  return 6.0 * 8.0 * 0x1p-53 / sqrt(3.0) * sqrt(2.0 * ATOMS * steps);
}

/* A style and its parameters; kT = 1 and rho = 3 in all. */
typedef struct {
  const char *name;
  const ds_pair_style *style;
  double a, gamma, power, across, power_across;
  double dt, integrator; /* what the integrator adds to kT at this time step, at most */
  int steps;
} fluid_case;

/* Standard error of the mean temperature over `time`. N atoms have 3 N kinetic degrees of freedom,
   each of relative variance 2. The friction with its neighbors, taken as uncorrelated, takes a
   velocity's correlation down by Gamma = rho (4 pi / 3) int r^2 (gamma (1 - r)^(2 s) + 2 gamma' (1 - r)^(2 s')) dr
   per time, as there are two directions across; the square's by 2 Gamma; the average over a long time has
   2 / (2 Gamma time) of the variance. */
static double standard_error(const fluid_case *c, double rho, double time)
{
  const double gamma[2] = {c->gamma, 2.0 * c->across}, power[2] = {c->power, c->power_across};
  double friction = 0.0;
  for (int k = 0; k < 2; k++)
    friction += gamma[k] * rho * 4.18879 * 2.0 /
                ((2 * power[k] + 1) * (2 * power[k] + 2) * (2 * power[k] + 3));
  /* without a repulsion to mix them long waves decay more slowly: parts of long runs differ 1.25 times as much */
  return (c->a == 0.0 ? 1.25 : 1.0) * sqrt(2.0 / (3.0 * ATOMS) / (friction * time));
}

/* The exact forces' sum is zero in every step. */
static void test_temperature(const ds_pair_options *options, ds_precision precision,
                             const fluid_case *c, int shorter)
{
  static test_model t;
  test_fluid fl;
  double sum = 0.0, p[3];
  int64_t unbalanced = 0;
  char text[80];
  const int steps = c->steps / shorter;
  model_open(&t, 1, c->a, c->gamma, 1.0, c->power, 0.4);
  model_style(&t, c->style);
  model_across(&t, 1, 1, c->across, c->power_across);
  t.m.dt = c->dt;
  if (CHECK_OK(fluid_open(&fl, &t, options, precision, ATOMS, 10.0, 600), fl.engine.err)) {
    for (int step = -EQUILIBRATION; step < steps; step++) {
      if (!CHECK_OK(fluid_advance(&fl), fl.engine.err)) break;
      if (!CHECK_OK(fluid_finish(&fl, step % 50 == 0), fl.engine.err)) break;
      if (step % 50 == 0)
        for (int k = 0; k < 3; k++) unbalanced |= fl.engine.totals.force_sum[k];
      if (step >= 0) sum += fluid_temperature(&fl) / steps;
    }
    const double error = standard_error(c, 3.0, steps * t.m.dt);
    CHECK(fl.rebuilds > fl.step / 50 && fl.rebuilds < fl.step / 3);
    snprintf(text, sizeof text, "kT, %s, %s: %.4f, off by", precision_name[precision], c->name,
             sum);
    CHECK_BOUND(fabs(sum - 1.0), 4.5 * error + c->integrator, text);
    fluid_momentum(&fl, p);
    const double largest = fmax(fabs(p[0]), fmax(fabs(p[1]), fabs(p[2])));
    CHECK(unbalanced == 0);
    CHECK_BOUND(largest, momentum_bound((int) fl.step), "  total momentum");
  }
  if (fl.engine.dpd) fluid_close(&fl);
}

/* A run, stopped and taken up by another engine from the same doubles, goes on with the same bits:
   nothing is kept between steps. Another code path too. */
static void test_restart(ds_precision precision)
{
  enum { FEW = 60 };
  static test_model t;
  test_fluid fl[2];
  model_open(&t, 2, 25, 4.5, 1.0, 0.25, 0.3);
  model_pair(&t, 1, 2, 60, 4.5, 1.0, 0.5);
  const ds_pair_options *const last = &variants.options[variants.n - 1];
  if (CHECK_OK(fluid_open(&fl[0], &t, &variants.options[0], precision, ATOMS, 10.0, 610),
               fl[0].engine.err) &&
      CHECK_OK(fluid_open(&fl[1], &t, last, precision, ATOMS, 10.0, 611), fl[1].engine.err)) {
    const size_t bytes = 24 * ATOMS;
    for (int step = 0; step < 2 * FEW; step++) {
      if (step ==
          FEW) { /* the second takes over the state of the first, and builds its list at once */
        test_system *const s = &fl[1].system;
        memcpy(s->x, fl[0].system.x, bytes);
        memcpy(s->v, fl[0].system.v, bytes);
        memcpy(s->type, fl[0].system.type, 4 * ATOMS);
        memcpy(fl[1].engine.f, fl[0].engine.f, bytes);
        fl[1].step = fl[0].step;
        system_wrap(&fl[0].system); /* both, as wrapping rounds */
        CHECK_OK(fluid_rebuild(&fl[0]), fl[0].engine.err);
        system_wrap(s);
        CHECK_OK(fluid_rebuild(&fl[1]), fl[1].engine.err);
      }
      for (int k = 0; k < 1 + (step >= FEW); k++)
        if (!CHECK_OK(fluid_advance(&fl[k]), fl[k].engine.err) ||
            !CHECK_OK(fluid_finish(&fl[k], 0), fl[k].engine.err))
          step = 2 * FEW;
    }
    CHECK(memcmp(fl[0].system.x, fl[1].system.x, bytes) == 0);
    CHECK(memcmp(fl[0].system.v, fl[1].system.v, bytes) == 0);
  }
  for (int k = 0; k < 2; k++) fluid_close(&fl[k]);
}

/* a = 25, gamma = 4.5 (Groot & Warren 1997). What the integrator adds at this time step, with some room: in runs of
   60,000 steps the styles with a repulsion were 0.0 to 0.2 % too warm, and the thermostat alone 0.37(8) % with s = 1
   and 0.27(5) % with s = 0.25. */
static const fluid_case cases[] = {
    {"dpd, s = 1", &ds_style_dpd, 25, 4.5, 1.0, 0, 1.0, 0.004, 0.003, 4500},
    {"dpd, s = 0.5", &ds_style_dpd, 25, 4.5, 0.5, 0, 1.0, 0.004, 0.003, 3000},
    {"dpd, s = 0.25", &ds_style_dpd, 25, 4.5, 0.25, 0, 1.0, 0.004, 0.003, 2000},
    {"dpd/ext, s = 1 and 1", &ds_style_dpd_ext, 25, 4.5, 1.0, 4.5, 1.0, 0.004, 0.003, 3000},
    {"dpd/ext, s = 1 and 0.5", &ds_style_dpd_ext, 25, 4.5, 1.0, 4.5, 0.5, 0.004, 0.003, 2000},
    {"dpd/ext, across alone", &ds_style_dpd_ext, 25, 0.0, 1.0, 4.5, 0.5, 0.004, 0.003, 2000},
    {"dpd/tstat, s = 1", &ds_style_dpd_tstat, 0, 4.5, 1.0, 0, 1.0, 0.004, 0.005, 3000},
    {"dpd/tstat, s = 0.25", &ds_style_dpd_tstat, 0, 4.5, 0.25, 0, 1.0, 0.004, 0.005, 2000},
};
enum { CASES = sizeof cases / sizeof *cases };

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  ds_pair_options best = variants.options[variants.n - 1];
  best.threads = 2;
  for (int k = FIRST_CASE; k < CASES; k += EACH)
    CHECK_CASE(test_temperature(&best, DS_PRECISION_MIXED, &cases[k], SHORTER));
  for (int k = FIRST_CASE; k < CASES; k += 3) /* one of each style */
    CHECK_CASE(test_temperature(&best, DS_PRECISION_DOUBLE, &cases[k], 3 * SHORTER));
  CHECK_CASE(test_restart(DS_PRECISION_MIXED));
  CHECK_CASE(test_restart(DS_PRECISION_DOUBLE));
  return check_result();
}
