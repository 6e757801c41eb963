/* test_engine_sop_pull.c: held and pulled beads: which way, how far, when, and what is reported.
   SPDX-License-Identifier: GPL-2.0-or-later

   Without noise, with beads that do not see each other, everything follows by hand. Positions are rounded to units in each
   step, so that n steps are right to n / 2 units and what single arithmetic has of them, 2^-22. */
#include "check.h"
#include "support/sop.h"
#include "support/expect.h"
#include "support/system.h"

static sop_variants variants;
static test_molecule molecule; /* four beads 20 angstrom apart along x */

enum { BEADS = 4, COPIES = 18 };

static const double h = 2000.0;

static double tolerance(int steps, double length)
{
  return 0.5 * steps * sop_units_of(&molecule.topology).position + 0x1p-22 * fabs(length) + 1e-12;
}

static ds_sop *start(const ds_sop_options *o, const ds_sop_pull *pull, double **from)
{
  ds_error err;
  double *const x = sop_copies(&molecule, COPIES, 3, 30.0);
  for (int m = 0; m < COPIES; m++) x[3 * (BEADS * m + 3) + 1] += m; /* so that directions differ */
  ds_sop *const sop = sop_start(o, &molecule, COPIES, 3, 1, x);
  free(x);
  *from = sop_positions(sop, BEADS * COPIES + 3);
  if (pull) CHECK_OK(ds_sop_set_pull(sop, pull, &err), err);
  return sop;
}

/* The unit vector from bead 0 to the mean of beads 2 and 3 of a copy, and its length. */
static double end_to_end(const double *x, int copy, double n[3])
{
  const double *const b = x + 3 * BEADS * copy;
  double square = 0.0;
  for (int c = 0; c < 3; c++) {
    n[c] = 0.5 * (b[6 + c] + b[9 + c]) - b[c];
    square += n[c] * n[c];
  }
  for (int c = 0; c < 3; c++) n[c] /= sqrt(square);
  return sqrt(square);
}

/* ---------------------------------------------------------------------------------- a constant force */

/* Shared equally by beads 2 and 3; bead 0 is held, 1 and the free ones are left alone. */
static void check_force(const ds_sop_options *o)
{
  enum { STEPS = 40 };
  const int32_t fixed = 0, pulled[2] = {2, 3};
  const ds_sop_pull pull = {DS_SOP_PULL_FORCE, 1, 2, &fixed, pulled, 0, 0, 3.0, {0, 0, 0}};
  double *x, force[COPIES], extension[COPIES], n[3], m[3], direction[3 * COPIES], projection[COPIES];
  ds_error err;
  ds_sop *const sop = start(o, &pull, &x);
  CHECK_OK(ds_sop_pulling(sop, force, extension, &err), err);
  for (int k = 0; k < COPIES; k++) /* not begun: as if it began here */
    CHECK(force[k] == 3.0 && fabs(extension[k] - end_to_end(x, k, n)) < 1e-7);
  for (int begun = 0; begun < 2; begun++) {
    CHECK_OK(ds_sop_pull_direction(sop, direction, projection, &err), err);
    for (int k = 0; k < COPIES; k++) {
      CHECK_NEAR(projection[k], end_to_end(x, k, n) + (begun ? 1.5 * h / SOP_ZETA : 0.0), 1e-7);
      for (int c = 0; c < 3; c++) CHECK_NEAR(direction[3 * k + c], n[c], 1e-12);
    }
    if (!begun) sop_advance(sop, 2, 1, h, 0.0);
  }
  sop_advance(sop, 3, STEPS, h, 0.0);
  double *const y = sop_positions(sop, BEADS * COPIES + 3);
  CHECK_OK(ds_sop_pulling(sop, force, extension, &err), err);
  for (int k = 0; k < COPIES; k++) {
    const double way = (STEPS + 1) * h * 1.5 / SOP_ZETA;
    end_to_end(x, k, n);
    for (int b = 0; b < BEADS; b++)
      for (int c = 0; c < 3; c++) {
        const int at = 3 * (BEADS * k + b) + c;
        CHECK_NEAR(y[at] - x[at], b >= 2 ? way * n[c] : 0.0, b >= 2 ? tolerance(STEPS + 1, way) : 0.0);
      }
    CHECK_NEAR(force[k], 3.0, 0.0);
    CHECK_NEAR(extension[k], end_to_end(y, k, m), 1e-8);
  }
  for (int c = 0; c < 9; c++) CHECK_NEAR(y[3 * BEADS * COPIES + c], x[3 * BEADS * COPIES + c], 0.0);
  ds_sop_close(sop);
  free(x);
  free(y);
}

/* ------------------------------------------------------------------------------------------- a spring */

/* How far the mean of two beads comes in steps of eqs. 4 and 5, each of which has half of the force; the spring's other end has
   come to `end`. */
static double by_spring(double s, double k, double end, double step, int order)
{
  const double rate = 0.5 * k * (end - s) / SOP_ZETA;
  const double ahead = 0.5 * k * (end - s - rate * step) / SOP_ZETA;
  return s + step * (order == 1 ? rate : 0.5 * (rate + ahead));
}

/* t is 0 in the first step after set_pull, and goes on when the length of steps changes; set anew, the spring begins from
   where the beads are. The direction given is not a unit vector. */
static void check_spring(const ds_sop_options *o)
{
  const double k = 5.0, v = 4e-5, direction[3] = {0.0, 3.0, -4.0};
  const double length[4] = {h, h, 0.5 * h, 1.5 * h};
  const int32_t pulled[2] = {2, 3};
  const ds_sop_pull pull = {DS_SOP_PULL_SPRING, 0, 2, NULL, pulled, k, v, 0.0, {0.0, 3.0, -4.0}};
  double *x, force[COPIES], extension[COPIES];
  ds_error err;
  ds_sop *const sop = start(o, NULL, &x);
  sop_advance(sop, 0, 5, h, 0.0); /* no time for a spring that is not there */
  for (int again = 0; again < 2; again++) {
    double s = 0.0, t = 0.0;
    int64_t step = 1000 * again + 5;
    int steps = 0;
    double *const from = sop_positions(sop, BEADS * COPIES + 3);
    CHECK_OK(ds_sop_set_pull(sop, &pull, &err), err);
    for (int run = 0; run < 4; run++) {
      sop_advance(sop, step, 30, length[run], 0.0);
      step += 30;
      steps += 30;
      for (int i = 0; i < 30; i++, t += length[run])
        s = by_spring(s, k, v * t, length[run], o->order);
    }
    double *const y = sop_positions(sop, BEADS * COPIES + 3);
    CHECK_OK(ds_sop_pulling(sop, force, extension, &err), err);
    for (int m = 0; m < COPIES; m++) {
      for (int b = 0; b < BEADS; b++)
        for (int c = 0; c < 3; c++) {
          const int at = 3 * (BEADS * m + b) + c;
          CHECK_NEAR(y[at] - from[at], b >= 2 ? 0.2 * s * direction[c] : 0.0,
                     b >= 2 ? tolerance(steps, s) : 0.0);
        }
      CHECK_NEAR(force[m], k * (v * t - s), k * tolerance(2 * steps, s));
      CHECK_NEAR(extension[m], s, tolerance(2 * steps, s)); /* from where they began */
    }
    CHECK(s > 0.5); /* it is pulled */
    free(from);
    free(y);
  }
  ds_sop_close(sop);
  free(x);
}

/* Forth, back, standing still, and on: the end goes on from where it is, so that the force does not jump, in steps of another
   length, too. A speed set before the first step is that of a pull that was set with it, to the bit. */
static void check_speeds(const ds_sop_options *o)
{
  enum { RUNS = 7, STEPS = 30 };
  static const double speed[RUNS] = {4e-5, -3e-5, -3e-5, -2e-4, 0.0, 4e-5, 4e-5},
                      length[RUNS] = {2000.0, 2000.0, 1000.0, 1000.0, 3000.0, 3000.0, 2000.0};
  const double k = 5.0;
  const int32_t pulled[2] = {2, 3};
  const ds_sop_pull pull = {DS_SOP_PULL_SPRING, 0, 2, NULL, pulled, k, 9e-5, 0.0, {0.0, 3.0, -4.0}};
  ds_sop_pull first = pull;
  double *x, *same, force[COPIES], extension[COPIES], before[COPIES], s = 0.0, end = 0.0, last = 0.0;
  ds_error err;
  first.speed = speed[0];
  ds_sop *const sop = start(o, &pull, &x), *const twin = start(o, &first, &same);
  for (int run = 0; run < RUNS; run++) {
    CHECK_OK(ds_sop_pulling(sop, before, extension, &err), err);
    CHECK_OK(ds_sop_set_pull_speed(sop, speed[run], &err), err);
    CHECK(ds_sop_pull_speed(sop) == speed[run]);
    CHECK_OK(ds_sop_pulling(sop, force, extension, &err), err);
    CHECK(memcmp(force, before, sizeof force) == 0);
    sop_advance(sop, STEPS * run, STEPS, length[run], 0.0);
    for (int i = 0; i < STEPS; i++, end += speed[run] * length[run]) s = by_spring(s, k, end, length[run], o->order);
    CHECK_OK(ds_sop_pulling(sop, force, extension, &err), err);
    for (int m = 0; m < COPIES; m++) {
      const double most = tolerance(2 * STEPS * (run + 1), 5.0);
      CHECK_NEAR(force[m], k * (end - s), k * most);
      CHECK_NEAR(extension[m], fabs(s), most);
    }
    if (run == 0) {
      sop_advance(twin, 0, STEPS, length[0], 0.0);
      double *const y = sop_positions(sop, BEADS * COPIES + 3), *const z = sop_positions(twin, BEADS * COPIES + 3);
      CHECK(memcmp(y, z, 3 * (BEADS * COPIES + 3) * sizeof *y) == 0);
      free(y);
      free(z);
    }
    if (run == 3) { /* the end has come back beyond where it began, and draws the beads back */
      CHECK(end < -1.0 && force[0] < -5.0 && s < last);
    }
    last = s;
  }
  ds_sop_close(sop);
  ds_sop_close(twin);
  free(x);
  free(same);
}

/* NONE: what was held and pulled before is free. */
static void check_none(const ds_sop_options *o)
{
  const int32_t fixed = 0, pulled = 3;
  const ds_sop_pull pull = {DS_SOP_PULL_FORCE, 1, 1, &fixed, &pulled, 0, 0, 3.0, {0, 0, 0}};
  const ds_sop_pull none = {DS_SOP_PULL_NONE, 0, 0, NULL, NULL, 0, 0, 0, {0, 0, 0}};
  const ds_sop_motion warm = {20, 10, h, SOP_ZETA, SOP_KT};
  double *x, force[COPIES], extension[COPIES];
  ds_error err;
  ds_sop *const sop = start(o, &pull, &x);
  sop_advance(sop, 0, 10, h, 0.0);
  CHECK_OK(ds_sop_set_pull(sop, &none, &err), err);
  double *const y = sop_positions(sop, BEADS * COPIES + 3);
  sop_advance(sop, 10, 10, h, 0.0);
  double *const z = sop_positions(sop, BEADS * COPIES + 3);
  CHECK(memcmp(y, z, 3 * (BEADS * COPIES + 3) * sizeof *y) == 0);
  CHECK_OK(ds_sop_pulling(sop, force, extension, &err), err);
  CHECK(force[0] == 0.0 && extension[0] == 0.0);
  CHECK_OK(ds_sop_advance(sop, &warm, &err), err);
  double *const w = sop_positions(sop, BEADS * COPIES + 3);
  CHECK(w[0] != z[0] && w[1] != z[1] && w[2] != z[2]); /* bead 0 is not held any more */
  ds_sop_close(sop);
  free(x);
  free(y);
  free(z);
  free(w);
}

int main(int argc, char **argv)
{
  const int skip = sop_variants_open(&variants, argc, argv);
  if (skip) return skip;
  molecule_loose(&molecule, BEADS);
  for (int v = 0; v < variants.n; v++)
    for (int scheme = DS_SOP_PARTICLE; scheme <= DS_SOP_BLOCK; scheme++)
      for (int order = 1; order <= 2; order++) {
        ds_sop_options o = variants.options[v];
        o.scheme = (ds_sop_scheme) scheme;
        o.order = order;
        check_force(&o);
        check_spring(&o);
        check_speeds(&o);
        check_none(&o);
      }
  molecule_close(&molecule);
  return check_result();
}
