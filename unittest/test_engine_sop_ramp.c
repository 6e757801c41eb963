/* test_engine_sop_ramp.c: a Brownian particle in a harmonic potential under a force that grows, the solvable model of
   Zhmurov et al., Proteins 78, 2984 (2010), section IV.3: eqs. 3, 4 and 5.   SPDX-License-Identifier: GPL-2.0-or-later

   One bead pulled by a spring K_sp whose end moves at the speed V is such a particle; the loading rate is r_f = K_sp V.
   As in the paper K_sp is 40 pN/nm, zeta 7.0e5 pN ps/nm, h 1, 25 and 50 ps, and X_0 = 0. */
#include "check.h"
#include "support/sop.h"
#include "support/system.h"

static sop_variants variants;

static const double spring = 40.0 / (SOP_PN * 10.0); /* kcal/mol/angstrom^2 */
static const double tau = SOP_ZETA / (40.0 / (SOP_PN * 10.0));

/* h in fs, V in angstrom/fs */
typedef struct {
  double h, speed;
  int64_t steps;
  int order;
} ramp;

/* 1 pN/ns = 1e-6 pN/fs, over 4 pN/angstrom. */
static double speed_of(double pn_per_ns)
{
  return 1e-6 * pn_per_ns / 4.0;
}

/* Eq. 3 with X_0 = 0; r_f / zeta = V / tau. */
static double theory(const ramp *r)
{
  const double t = (double) r->steps * r->h;
  return r->speed * (t + tau * expm1(-t / tau));
}

/* Eqs. 4 and 5. */
static double recursion(const ramp *r)
{
  double x = 0.0;
  for (int64_t n = 0; n < r->steps; n++) {
    const double rate = r->speed * (double) n * r->h / tau - x / tau;
    x += rate * r->h - (r->order == 2 ? 0.5 * rate * r->h * r->h / tau : 0.0);
  }
  return x;
}

static ds_sop *start(const ds_sop_options *o, const test_molecule *m, const ramp *r, int copies,
                     double *x)
{
  const int32_t bead = 0;
  const ds_sop_pull pull = {
    .mode = DS_SOP_PULL_SPRING, .pulled = 1, .pulled_bead = &bead, .spring = spring, .speed = r->speed,
    .direction = {3, 4, 0}
  };
  ds_error err;
  ds_sop *const sop = sop_start(o, m, copies, 0, 1, x);
  CHECK_OK(ds_sop_set_pull(sop, &pull, &err), err);
  return sop;
}

/* How far a bead has come along the direction. */
static double along(const double *x, const double *from)
{
  return 0.6 * (x[0] - from[0]) + 0.8 * (x[1] - from[1]);
}

static double distance(const double *a, const double *b)
{
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
              (a[2] - b[2]) * (a[2] - b[2]));
}

/* ------------------------------------------------------------------------------------ without noise */

/* Each step is rounded to units of positions, half of one at most along each of two axes; what is left of it after the next
   step is 1 - h / tau, so all of them together leave tau / h times that. */
static double rounding(const test_molecule *m, const ramp *r, double x)
{
  const double unit = sop_units_of(&m->topology).position;
  return (0.6 + 0.8) * 0.5 * unit * tau / r->h + 0x1p-22 * x;
}

static void check_quiet(double ps, double pn_per_ns, int64_t steps, int order, double bound)
{
  const ramp r = {1000.0 * ps, speed_of(pn_per_ns), check_brief() ? steps / 100 : steps, order};
  const ds_sop_motion motion = {0, (int32_t) r.steps, r.h, SOP_ZETA, 0.0};
  test_molecule m;
  double x[3] = {1.5, -7.25, 3.0}, y[3], force, extension;
  ds_sop_options o = variants.options[0];
  ds_error err;
  molecule_loose(&m, 1);
  o.order = order;
  o.scheme = DS_SOP_BLOCK;
  ds_sop *const sop = start(&o, &m, &r, 1, x);
  CHECK_OK(ds_sop_advance(sop, &motion, &err), err);
  CHECK_OK(ds_sop_get_positions(sop, y, &err), err);
  CHECK_OK(ds_sop_pulling(sop, &force, &extension, &err), err);
  const double got = along(y, x), expected = recursion(&r), exact = theory(&r);
  printf("h = %g ps, r_f = %g pN/ns, order %d, %g steps: X = %.6g angstrom\n", ps, pn_per_ns, order,
         (double) r.steps, exact);
  CHECK_BOUND(fabs(got - expected), rounding(&m, &r, exact),
              order == 1 ? "off eq. 4, angstrom" : "off eq. 5, angstrom");
  if (!check_brief()) CHECK_BOUND(fabs(got / exact - 1.0), bound, "off eq. 3, relative");
  CHECK_NEAR(extension, distance(x, y), 1e-8);
  CHECK_NEAR(force, spring * (r.speed * (double) r.steps * r.h - got), 1e-9);
  ds_sop_close(sop);
  molecule_close(&m);
}

/* The paper's bounds are 2e-5 for first and 1e-5 for second order, after 1e9 steps with r_f = 1e-5 pN/ns. Here there are
   1e5 to 3e5 steps, which take seconds. That is too few for h = 1 or 25 ps at this rate: at 1 ps a step is 1.3 units of
   positions, and their rounding alone 2e-5 angstrom. So the rate is higher there. Eq. 5 has the force at the beginning of a
   step and so is V h / 2 behind eq. 4: only at a high rate is that more than rounding, and tells the two apart. */
static void test_quiet(void)
{
  for (int order = 1; order <= 2; order++) {
    const double bound = order == 1 ? 2e-5 : 1e-5;
    check_quiet(1.0, 1e-1, 150000, order, bound);
    check_quiet(25.0, 1e-3, 150000, order, bound);
    check_quiet(50.0, 1e-5, 300000, order, bound);
    check_quiet(50.0, 1e-2, 100000, order, bound);
  }
}

/* --------------------------------------------------------------------------------------- with noise */

/* Steps multiply a deviation by q = 1 - h / tau, or 1 - h / tau + (h / tau)^2 / 2, and add noise: of the variance
   2 kB T h / zeta in first order, and (1 - h / (2 tau))^2 times that in second, where the noise of the first half moves the
   force of the other. */
static double variance(const ramp *r)
{
  const double a = r->h / tau, q = r->order == 1 ? 1.0 - a : 1.0 - a + 0.5 * a * a,
               kick = r->order == 1 ? 1.0 : 1.0 - 0.5 * a;
  double v = 0.0;
  for (int64_t n = 0; n < r->steps; n++)
    v = q * q * v + kick * kick * 2.0 * SOP_KT * r->h / SOP_ZETA;
  return v;
}

/* Mean and variance over independent copies, whose standard errors are sqrt(v / n) and v sqrt(2 / n). The loading rate,
   40 pN per 3 tau, is large enough that the mean is known to 1 %. */
static void check_noisy(double ps, int order, const char *rng)
{
  const int copies = check_brief() ? 200 : 3000;
  const ramp r = {1000.0 * ps, 10.0 / (3.0 * tau), (int64_t) (3.0 * tau / (1000.0 * ps)), order};
  const ds_sop_motion motion = {0, (int32_t) r.steps, r.h, SOP_ZETA, SOP_KT};
  test_molecule m;
  ds_sop_options o = variants.options[variants.n - 1];
  ds_error err;
  double sum = 0.0, square = 0.0, across = 0.0;
  molecule_loose(&m, 1);
  o.order = order;
  o.rng = rng;
  double *const x = sop_copies(&m, copies, 0, 0.0);
  ds_sop *const sop = start(&o, &m, &r, copies, x);
  CHECK_OK(ds_sop_advance(sop, &motion, &err), err);
  double *const y = sop_positions(sop, (size_t) copies);
  const double mean = recursion(&r), v = variance(&r),
               free_v = 2.0 * SOP_KT * (double) r.steps * r.h / SOP_ZETA;
  for (int k = 0; k < copies; k++) {
    const double d = along(y + 3 * k, x + 3 * k) - mean;
    sum += d;
    square += d * d;
    across += (y[3 * k + 2] - x[3 * k + 2]) * (y[3 * k + 2] - x[3 * k + 2]);
  }
  printf("h = %g ps, order %d, %s: X = %.4g angstrom, %d copies\n", ps, order, rng, mean, copies);
  CHECK_BOUND(fabs(sum / copies), 4.0 * sqrt(v / copies), "mean off eq. 4 or 5, angstrom");
  CHECK_BOUND(fabs(square / copies / v - 1.0), 4.0 * sqrt(2.0 / copies), "variance, relative");
  CHECK_BOUND(fabs(across / copies / free_v - 1.0), 4.0 * sqrt(2.0 / copies),
              "variance across, where nothing pulls, relative");
  ds_sop_close(sop);
  free(x);
  free(y);
  molecule_close(&m);
}

int main(int argc, char **argv)
{
  const int skip = sop_variants_open(&variants, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_quiet());
  CHECK_CASE(check_noisy(50.0, 1, "tea"));
  CHECK_CASE(check_noisy(50.0, 2, "philox"));
  CHECK_CASE(check_noisy(80.0, 1, "taus"));
  CHECK_CASE(check_noisy(80.0, 2, "mt19937"));
  return check_result();
}
