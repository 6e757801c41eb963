/* test_engine_fluid.c: a running fluid has the temperature that the thermostat asks for, and its momentum stays.
   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_fluid cuda" makes the same checks on the GPU. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/fluid.h"

static test_variants variants;
static const char *const precision_name[] = {"mixed", "single", "double"};

enum { ATOMS = 3000, EQUILIBRATION = 1000, BLOCKS = 20, BLOCK = 250 };

/* Every addition to a velocity rounds it by at most 2^-53 of its size, here below 8, and there are two a step. The
   errors are independent and uniform, of deviation 8 2^-53 / sqrt(3) at most; six deviations of their sum. */
static double momentum_bound(int steps)
{
  return 6.0 * 8.0 * 0x1p-53 / sqrt(3.0) * sqrt(2.0 * ATOMS * steps);
}

/* Mean and standard error of block averages: blocks are longer than velocities are correlated (the friction alone
   turns them over in 1/(gamma rho 4 pi/3 <w_D> / 3) = 0.7 for s = 1, less for smaller s; a block is 1). */
static double mean_of_blocks(const double *block, double *error)
{
  double mean = 0.0, square = 0.0;
  for (int b = 0; b < BLOCKS; b++) mean += block[b] / BLOCKS;
  for (int b = 0; b < BLOCKS; b++) square += (block[b] - mean) * (block[b] - mean);
  *error = sqrt(square / (BLOCKS * (BLOCKS - 1.0)));
  return mean;
}

/* rho = 3, a = 25, gamma = 4.5 (Groot & Warren 1997), kT = 1. The exact forces' sum is zero in every step. */
static void test_temperature(const ds_dpd_options *options, ds_precision precision, double power)
{
  static test_model t;
  test_fluid fl;
  double block[BLOCKS] = {0}, p[3], error;
  int64_t unbalanced = 0;
  char text[80];
  model_open(&t, 1, 25, 4.5, 1.0, power, 0.3);
  t.m.dt = 0.004;
  if (CHECK_OK(fluid_open(&fl, &t, options, precision, ATOMS, 10.0, 600), fl.engine.err)) {
    for (int step = 0; step < EQUILIBRATION + BLOCKS * BLOCK; step++) {
      if (!CHECK_OK(fluid_advance(&fl), fl.engine.err)) break;
      if (!CHECK_OK(fluid_finish(&fl, step % 50 == 0), fl.engine.err)) break;
      if (step % 50 == 0)
        for (int c = 0; c < 3; c++) unbalanced |= fl.engine.result.force_sum[c];
      if (step >= EQUILIBRATION) block[(step - EQUILIBRATION) / BLOCK] += fluid_temperature(&fl) / BLOCK;
    }
    const double mean = mean_of_blocks(block, &error);
    CHECK(fl.rebuilds > 100 && fl.rebuilds < fl.step / 2);
    /* kinetic energies of N atoms: the error cannot be much below that of independent blocks, nor far above */
    CHECK(error > 0.2 * sqrt(2.0 / (3.0 * ATOMS * BLOCKS)) && error < 3.0 * sqrt(2.0 / (3.0 * ATOMS * BLOCKS)));
    snprintf(text, sizeof text, "kT, %s, s = %g: %.4f, deviations from 1", precision_name[precision], power, mean);
    CHECK_BOUND(fabs(mean - 1.0) / error, 4.5, text);
    fluid_momentum(&fl, p);
    const double largest = fmax(fabs(p[0]), fmax(fabs(p[1]), fabs(p[2])));
    if (precision != DS_PRECISION_SINGLE) {
      CHECK(unbalanced == 0);
      CHECK_BOUND(largest, momentum_bound((int) fl.step), "  total momentum");
    } else { /* floating-point sums: errors of 2^-24 of forces of some 100, for each atom and step */
      CHECK_BOUND(largest, 6.0 * 0x1p-24 * 100.0 * t.m.dt * sqrt((double) ATOMS * (double) fl.step), "  total momentum");
    }
  }
  if (fl.engine.dpd) fluid_close(&fl);
}

/* A run, stopped and taken up by another engine from the same doubles, goes on with the same bits: nothing is kept
   between steps. Another code path too. */
static void test_restart(ds_precision precision)
{
  enum { FEW = 60 };
  static test_model t;
  test_fluid fl[2];
  model_open(&t, 2, 25, 4.5, 1.0, 0.25, 0.3);
  model_pair(&t, 1, 2, 60, 4.5, 1.0, 0.5);
  const ds_dpd_options *const last = &variants.options[variants.n - 1];
  if (CHECK_OK(fluid_open(&fl[0], &t, &variants.options[0], precision, ATOMS, 10.0, 610), fl[0].engine.err) &&
      CHECK_OK(fluid_open(&fl[1], &t, last, precision, ATOMS, 10.0, 611), fl[1].engine.err)) {
    const size_t bytes = 24 * ATOMS;
    for (int step = 0; step < 2 * FEW; step++) {
      if (step == FEW) { /* the second takes over the state of the first, and builds its list at once */
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
        if (!CHECK_OK(fluid_advance(&fl[k]), fl[k].engine.err) || !CHECK_OK(fluid_finish(&fl[k], 0), fl[k].engine.err))
          step = 2 * FEW;
    }
    CHECK(memcmp(fl[0].system.x, fl[1].system.x, bytes) == 0);
    CHECK(memcmp(fl[0].system.v, fl[1].system.v, bytes) == 0);
  }
  for (int k = 0; k < 2; k++) fluid_close(&fl[k]);
}

int main(int argc, char **argv)
{
  static const double power[3] = {1.0, 0.5, 0.25};
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  ds_dpd_options best = variants.options[variants.n - 1];
  best.threads = 2;
  for (int p = DS_PRECISION_MIXED; p <= DS_PRECISION_DOUBLE; p++)
    for (int k = 0; k < 3; k++) test_temperature(&best, (ds_precision) p, power[k]);
  test_restart(DS_PRECISION_MIXED);
  test_restart(DS_PRECISION_DOUBLE);
  return check_result();
}
