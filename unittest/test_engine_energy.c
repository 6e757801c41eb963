/* test_engine_energy.c: the conservative force is minus the gradient of the energy, in
   ds_pair_single and in the sweep, and the two agree; virials, whole and in part.   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_energy cuda" makes the same checks on the GPU. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "dpdsop/device/dpd_evaluator.h"
#include "support/engine.h"
#include "support/expect.h"

static test_variants variants;
static const double lo[3] = {-1, 2, 0}, h[6] = {6, 5, 7, 1.5, -1, 2}, no_velocity[3] = {0, 0, 0};
static const int all_periodic[3] = {1, 1, 1};

/* Nodes and weights of three-point Gauss-Legendre quadrature on [0,1]: exact up to fifth order. */
static const double node[3] = {0.1127016653792583, 0.5, 0.8872983346207417};
static const double weight[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};

static void three_types(test_model *t)
{
  model_open(t, 3, 25, 0, 1.0, 1.0, 0.3);
  model_pair(t, 1, 2, 40, 0, 0.8, 0.5);
  model_pair(t, 2, 2, -7, 0, 1.3, 1.0);
  model_pair(t, 2, 3, 3, 0, 0.0, 1.0);
  model_pair(t, 3, 3, 60, 0, 1.2, 2.0);
}

/* E(r) against the integral of F from r to the cutoff, where E is zero. F is linear, so the
   quadrature is exact. */
static void test_single(void)
{
  static test_model t;
  three_types(&t);
  for (int i = 1; i <= 3; i++)
    for (int j = 1; j <= 3; j++)
      for (int k = 1; k < 200; k++) {
        const double rc = t.cutoff[3 * (i - 1) + j - 1], special = k % 4 ? 1.0 : 0.3,
                     r = rc * k / 200.0;
        double force_over_r, sum = 0.0;
        for (int g = 0; g < 3 && rc > 0.0; g++) {
          const double at = r + (rc - r) * node[g];
          ds_pair_single(&ds_style_dpd, &t.m, i, j, at * at, 0.0, special, &force_over_r);
          sum += weight[g] * (rc - r) * force_over_r * at;
        }
        const double energy =
            ds_pair_single(&ds_style_dpd, &t.m, i, j, r * r, 0.0, special, &force_over_r);
        CHECK_NEAR(energy, sum, 1e-14 * (fabs(t.a[3 * (i - 1) + j - 1]) + 1.0));
      }
  for (int k = 0; k < 3; k++) { /* at and beyond the cutoff, and on top of each other */
    static const double r2[3] = {1.0, 2.25, 0.0};
    double force_over_r = 1.0;
    CHECK(ds_pair_single(&ds_style_dpd, &t.m, 1, 1, r2[k], 0.0, 1.0, &force_over_r) == 0.0 &&
          force_over_r == 0.0);
  }
}

/* All three forces of the evaluator against the plain formulas; lengths are not in cutoffs here. */
static void test_three_forces(void)
{
  static test_model t;
  uint64_t seed = 500;
  three_types(&t);
  for (int k = 0; k < 9; k++) t.gamma[k] = 4.5;
  for (int k = 0; k < 5000; k++) {
    const int i = 1 + k % 3, j = 1 + k / 3 % 3;
    const double cut = t.cutoff[3 * (i - 1) + j - 1], r = 1e-3 + 1.4 * check_uniform(&seed),
                 xi = random_normal(&seed), ev = random_normal(&seed);
    const double special = k % 2 ? 1.0 : 0.36;
    double w;
    ds_dpd_coeff c;
    if (r >= cut) continue;
    c.inverse_cut = 1.0 / cut;
    ds_dpd_set_coefficients(&t.m, 3 * (i - 1) + j - 1, &c);
    const double got = ds_dpd_force(&c, r * r, ev * r, xi, special, sqrt(special), 1, &w);
    const ref_pair p = ref_pair_force(&t, i, j, r, ev, xi, special);
    const double size = fabs(p.conservative) + fabs(p.drag) + fabs(p.random);
    CHECK_NEAR(got * r, p.conservative + p.drag + p.random, 1e-13 * size / fmax(p.w, 1e-3));
    CHECK_NEAR(special * c.energy * w * w, p.energy, 1e-13 * (fabs(p.energy) + 1e-3));
  }
}

static double evaluate(test_engine *e, const test_model *t, test_system *s)
{
  if (!s->box.undecomposed[0]) system_images(s);
  CHECK_OK(engine_setup(e, t, s, 0), e->err);
  CHECK_OK(engine_forces(e, 1), e->err);
  return e->totals.energy;
}

static double distance(const test_system *s, int i, int k)
{
  double d[3];
  system_separation(s, i, k, d);
  return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

/* The error of the quadrature over the last piece. The integrand is smooth but where a pair crosses
   its cutoff: there the slope of F jumps by A/rc, which the three points see with an error of at
   most 0.0175 A/rc (change of r)^2. Both ends of the piece are needed, with the same ghosts. */
static double crossing_error(const test_model *t, const test_system *from, const test_system *to)
{
  double sum = 0.0;
  for (int i = 0; i < from->nlocal; i++)
    for (int k = 0; k < from->nlocal + from->nghost; k++) {
      const int pair = t->m.ntypes * (from->type[i] - 1) + from->type[k] - 1;
      const double rc = t->cutoff[pair], r = distance(from, i, k), q = distance(to, i, k);
      if (rc > 0.0 && k != i && (r < rc) != (q < rc))
        sum += 0.5 * 0.0175 * fabs(t->a[pair]) / rc * (r - q) * (r - q);
    }
  return sum;
}

/* A system is moved along a straight line; what the energy loses is the work of the forces. 40
   pieces, three points in each. Directions of the pairs turn little enough within a piece that
   fifth order is exact here to 1e-6; mixed precision rounds energies and forces to some 1e-7 of 25
   to 60 for each of 4,000 pairs, with signs of chance. `undecomposed`: without ghosts. */
static void test_work(const ds_pair_options *options, ds_precision precision, int alone)
{
  enum { PIECES = 40, ATOMS = 300 };
  static test_model t;
  test_engine e;
  test_system s, end;
  double path[3 * ATOMS], start[3 * ATOMS], work = 0.0, allowed = 1e-3;
  uint64_t seed = 510;
  three_types(&t);
  t.m.special[1] = 0.0;
  t.m.special[2] = 0.5;
  t.m.kT = 0.0;
  system_open(&s, lo, h, all_periodic, model_range(&t), t.m.skin);
  system_fill(&s, ATOMS, 3, 0.0, &seed);
  system_chains(&s, 4);
  s.box.undecomposed[0] = s.box.undecomposed[1] = s.box.undecomposed[2] = alone;
  CHECK(engine_alone(&t, &s.box));
  for (int k = 0; k < 3 * ATOMS; k++) {
    start[k] = s.x[k];
    path[k] = 0.25 * (2.0 * check_uniform(&seed) - 1.0);
  }
  if (!CHECK_OK(engine_open(&e, options, precision), e.err)) return;
  const double before = evaluate(&e, &t, &s);
  for (int piece = 0; piece < PIECES; piece++) {
    for (int g = 0; g < 3; g++) {
      for (int k = 0; k < 3 * ATOMS; k++) s.x[k] = start[k] + path[k] * (piece + node[g]) / PIECES;
      evaluate(&e, &t, &s);
      for (int k = 0; k < 3 * ATOMS; k++) work += weight[g] / PIECES * e.f[k] * path[k];
    }
    end = s;
    end.x = test_alloc(24 * (size_t) (s.nlocal + s.nghost));
    for (int k = 0; k < s.nlocal + s.nghost; k++)
      for (int c = 0; c < 3; c++) {
        const int i = 3 * s.origin[k] + c;
        s.x[3 * k + c] = start[i] + path[i] * piece / PIECES;
        end.x[3 * k + c] = start[i] + path[i] * (piece + 1) / PIECES;
      }
    allowed += crossing_error(&t, &s, &end);
    free(end.x);
  }
  for (int k = 0; k < 3 * ATOMS; k++) s.x[k] = start[k] + path[k];
  const double after = evaluate(&e, &t, &s);
  CHECK(fabs(after - before) > 10.0); /* there is something to compare */
  CHECK_BOUND(fabs(before - after - work), allowed,
              precision == DS_PRECISION_DOUBLE ? "energy lost - work done, double"
                                               : "energy lost - work done");
  engine_close(&e);
  system_close(&s);
}

/* One pair at many distances: the sweep's energy and force against ds_pair_single's, and the
   integral of the sweep's own force from the outside in. */
static void test_pair(const ds_pair_options *options, ds_precision precision)
{
  enum { STEPS = 400 };
  static const int periodic[3] = {0, 0, 0};
  static const double cube[6] = {8, 8, 8, 0, 0, 0}, zero[3] = {0, 0, 0},
                      e_dir[3] = {2.0 / 3, -1.0 / 3, 2.0 / 3};
  /* the coordinates round to 2^-31 of the box of 8 in mixed precision, distances and forces to a
     few 2^-24 */
  const double error = precision == DS_PRECISION_DOUBLE ? 1e-13 : 1e-6;
  static test_model t;
  test_engine e;
  double work = 0.0, last = 0.0;
  model_open(&t, 1, 25, 0, 1.3, 1.0, 0.2);
  t.m.kT = 0.0;
  if (!CHECK_OK(engine_open(&e, options, precision), e.err)) return;
  for (int k = STEPS; k >= 1; k--) {
    const double r = 1.3 * k / STEPS;
    const double a[3] = {4, 4, 4}, b[3] = {4 + r * e_dir[0], 4 + r * e_dir[1], 4 + r * e_dir[2]};
    test_system s;
    double force_over_r;
    system_open(&s, zero, cube, periodic, model_range(&t), t.m.skin);
    system_add(&s, a, no_velocity, 1);
    system_add(&s, b, no_velocity, 1);
    const double energy = evaluate(&e, &t, &s);
    const double single = ds_pair_single(&ds_style_dpd, &t.m, 1, 1, r * r, 0.0, 1.0, &force_over_r);
    const double force = e.f[3] * e_dir[0] + e.f[4] * e_dir[1] + e.f[5] * e_dir[2];
    if (k < STEPS)
      work += 0.5 * (force + last) * (1.3 / STEPS); /* F is linear: the trapezoid is exact */
    last = force;
    CHECK_NEAR(energy, single, 25 * error);
    CHECK_NEAR(force, force_over_r * r, 25 * error);
    CHECK_NEAR(energy, work, 25 * error);
    CHECK(e.eatom[0] == e.eatom[1]);
    /* virial = r.F, all of it on this pair */
    CHECK_NEAR(e.totals.virial[0] + e.totals.virial[1] + e.totals.virial[2], r * force, 25 * error);
    system_close(&s);
  }
  engine_close(&e);
}

/* The diagonal of the virial, wanted alone, has the bits that it has in the whole one, and nothing else is made. `alone`:
   without ghosts. */
static void test_diagonal(const ds_pair_options *options, ds_precision precision, int alone)
{
  enum { ATOMS = 300 };
  static test_model t;
  test_engine e;
  test_system s;
  uint64_t seed = 511;
  three_types(&t);
  system_open(&s, lo, h, all_periodic, model_range(&t), t.m.skin);
  system_fill(&s, ATOMS, t.m.ntypes, 1.0, &seed);
  for (int d = 0; d < 3; d++) s.box.undecomposed[d] = alone;
  if (!CHECK_OK(engine_open(&e, options, precision), e.err)) return;
  CHECK(evaluate(&e, &t, &s) != 0.0);
  const ds_pair_totals whole = e.totals;
  ds_pair_totals part;
  ds_pair_request request = {.want_virial = DS_VIRIAL_DIAGONAL, .f = array_of_doubles(e.f, 3)};
  memset(&part, 0x7f, sizeof part);
  CHECK_OK(ds_pair_compute(e.dpd, &request, &part, &e.err), e.err);
  CHECK(part.energy == 0.0);
  for (int k = 0; k < 6; k++) CHECK(whole.virial[k] != 0.0 && part.virial[k] == (k < 3 ? whole.virial[k] : 0.0));
  CHECK(memcmp(part.virial_part, whole.virial_part, sizeof *part.virial_part * 3) == 0);
  CHECK(memcmp(part.force_sum, whole.force_sum, sizeof part.force_sum) == 0);
  request.want_virial = 3;
  EXPECT(ds_pair_compute(e.dpd, &request, &part, &e.err), e.err, DS_ERR_ARGUMENT, "virial 3 wanted|0 (none), 1 (whole), 2");
  request.want_virial = DS_VIRIAL_DIAGONAL;
  request.want_energy = 1; /* with the energy all is made */
  CHECK_OK(ds_pair_compute(e.dpd, &request, &part, &e.err), e.err);
  CHECK(part.energy == whole.energy && memcmp(part.virial, whole.virial, sizeof part.virial) == 0);
  engine_close(&e);
  system_close(&s);
}

int main(int argc, char **argv)
{
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_single());
  CHECK_CASE(test_three_forces());
  for (int k = 0; k < variants.n; k++)
    for (int p = 0; p < DS_PRECISIONS; p++) {
      CHECK_CASE(test_work(&variants.options[k], (ds_precision) p, 0));
      CHECK_CASE(test_work(&variants.options[k], (ds_precision) p, 1));
      CHECK_CASE(test_pair(&variants.options[k], (ds_precision) p));
      CHECK_CASE(test_diagonal(&variants.options[k], (ds_precision) p, 0));
      CHECK_CASE(test_diagonal(&variants.options[k], (ds_precision) p, 1));
    }
  return check_result();
}
