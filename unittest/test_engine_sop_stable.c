/* test_engine_sop_stable.c: how long a step may be. ds_sop_stiffness bounds the curvature of the energy, and steps of
   0.8 h_max, h_max = c zeta / stiffness, keep all bonds.   SPDX-License-Identifier: GPL-2.0-or-later

   A mode of curvature S is stable for h < 2 zeta / S, as 1 - h S / zeta must be above -1. A bond that is stretched, and a
   contact that is pushed together, are stiffer than in the native structure, so that less is possible. With S that of the
   native structure, in 1e5 steps of first order, of 16 and of 32 copies of ubiquitin one was lost at h = 0.8 and
   0.85 zeta / S, none at 0.75; of 16 and of 64 copies of a molecule of 34 beads one at 1.0 and 0.95, none at 0.9. In second
   order, of 16 copies of ubiquitin one was lost at 1.2, none at 1.0. In 1e6 steps of first order, of 16 copies of
   ubiquitin one was lost at 0.7, none at 0.6. So 0.5 zeta / S; and the stiffness is 1.3 S for ubiquitin, so c = 0.65.
   Bonds are then 15 to 20 % hotter than they should be: a shorter step is for accuracy. */
#include "check.h"
#include "support/sop.h"
#include "support/system.h"

#include <string.h>

static sop_variants variants;

static const double c_max = 0.65;

/* ------------------------------------------------------------------------------------------ stiffness */

/* Curvature along a direction by the reference's forces, 2 h apart. */
static double curvature_along(const test_molecule *m, const double *v)
{
  const size_t n = 3 * (size_t) m->topology.beads;
  const double h = 1e-4;
  double *const x = test_alloc(n * sizeof *x), slope[2], square = 0.0;
  double *const f = test_alloc(n * sizeof *f);
  for (int side = 0; side < 2; side++) {
    ds_sop_energies e;
    for (size_t k = 0; k < n; k++) x[k] = m->x[k] + (side ? h : -h) * v[k];
    sop_reference(m, 1, 0, 1e-3, x, f, NULL, &e);
    slope[side] = 0.0;
    for (size_t k = 0; k < n; k++) slope[side] -= f[k] * v[k];
  }
  for (size_t k = 0; k < n; k++) square += v[k] * v[k];
  free(x);
  free(f);
  return (slope[1] - slope[0]) / (2.0 * h) / square;
}

/* One step of the power iteration with second derivatives by differences of forces: v becomes H v. */
static void apply(const test_molecule *m, double *v)
{
  const size_t n = 3 * (size_t) m->topology.beads;
  const double h = 1e-4;
  double *const x = test_alloc(n * sizeof *x), *const f = test_alloc(2 * n * sizeof *f);
  double square = 0.0;
  for (size_t k = 0; k < n; k++) square += v[k] * v[k];
  for (int side = 0; side < 2; side++) {
    ds_sop_energies e;
    for (size_t k = 0; k < n; k++) x[k] = m->x[k] + (side ? h : -h) * v[k] / sqrt(square);
    sop_reference(m, 1, 0, 1e-3, x, f + (size_t) side * n, NULL, &e);
  }
  for (size_t k = 0; k < n; k++) v[k] = (f[k] - f[n + k]) / (2.0 * h);
  free(x);
  free(f);
}

/* The stiffest direction that differences of forces lead to, at the molecule's positions. */
static double stiffest(const test_molecule *m, int turns)
{
  const size_t n = 3 * (size_t) m->topology.beads;
  double *const v = test_alloc(n * sizeof *v);
  uint64_t seed = 950;
  for (size_t k = 0; k < n; k++) v[k] = check_uniform(&seed) - 0.5;
  for (int t = 0; t < turns; t++) apply(m, v);
  const double most = curvature_along(m, v);
  free(v);
  return most;
}

/* The folded molecule is less stiff, in its native structure and near it; by no more than a half. */
static void check_stiffness(const char *name, test_molecule *m)
{
  const size_t beads = (size_t) m->topology.beads;
  double stiffness;
  ds_error err;
  CHECK_OK(ds_sop_stiffness(&m->topology, NULL, &stiffness, &err), err);
  const double native = stiffest(m, 300);
  printf("%s: stiffness %.3f kcal/mol/angstrom^2, of the native structure %.3f, h_max = %.0f fs\n",
         name, stiffness, native, c_max * SOP_ZETA / stiffness);
  CHECK(native < stiffness && native > 0.5 * stiffness);
  double *const kept = test_alloc(3 * beads * sizeof *kept);
  memcpy(kept, m->x, 3 * beads * sizeof *kept);
  sop_shake(m->x, beads, 0.15, 952);
  CHECK(stiffest(m, 300) < 1.1 * stiffness); /* bonds that are stretched are stiffer */
  memcpy(m->x, kept, 3 * beads * sizeof *kept);
  free(kept);
}

/* A straight chain is as stiff as it can be: 4 k, but for its ends. */
static void check_chain(void)
{
  test_molecule m;
  double stiffness;
  ds_error err;
  molecule_chain(&m, 40, 953);
  for (int b = 0; b < 40; b++)
    for (int c = 0; c < 3; c++) m.x[3 * b + c] = c == 0 ? 3.8 * b : 0.0;
  for (int k = 0; k < m.topology.bonds; k++) m.topology.bond[k].r0 = 3.8;
  CHECK_OK(ds_sop_stiffness(&m.topology, NULL, &stiffness, &err), err);
  CHECK_NEAR(stiffness, 4.0 * 20.0 * pow(cos(0.5 * 3.14159265358979 / 40), 2.0), 0.05);
  CHECK_BOUND(fabs(stiffest(&m, 3000) / stiffness - 1.0), 0.05,
              "stiffness of a chain against differences");
  molecule_close(&m);
}

/* Its second bead, or the mean of both, is held by a spring, which moves it and not the bond, or both. */
static void check_spring_on_pair(const test_molecule *m)
{
  const int32_t beads[2] = {1, 0};
  const double weights[2] = {3.0, 1.0}, k = 13.0, K = 40.0;
  ds_sop_pull pull = {0};
  double stiffness;
  ds_error err;
  pull.mode = DS_SOP_PULL_SPRING;
  pull.pulled_bead = beads;
  pull.spring = K;
  for (int32_t pulled = 1; pulled <= 2; pulled++) {
    /* the matrix is k (1, -1; -1, 1) + K w w^T with the beads' shares w */
    pull.pulled = pulled;
    pull.pulled_weight = pulled == 2 ? weights : NULL;
    const double w1 = pulled == 2 ? 0.75 : 1.0, w0 = 1.0 - w1;
    const double a = k + K * w0 * w0, d = k + K * w1 * w1, b = K * w0 * w1 - k;
    CHECK_OK(ds_sop_stiffness(&m->topology, &pull, &stiffness, &err), err);
    CHECK_NEAR(stiffness, 0.5 * (a + d) + sqrt(0.25 * (a - d) * (a - d) + b * b), 1e-3);
  }
  pull.mode = DS_SOP_PULL_FORCE; /* it has no curvature */
  CHECK_OK(ds_sop_stiffness(&m->topology, &pull, &stiffness, &err), err);
  CHECK_NEAR(stiffness, 2.0 * k, 1e-3);
}

/* A pair with one bond: V'' = k along it, of the coordinate r_1 - r_2, which moves twice as fast as each. */
static void check_pair(void)
{
  test_molecule m;
  double stiffness;
  ds_error err;
  molecule_folded(&m, 2, 951);
  m.topology.bond[0].k = 13.0;
  CHECK_OK(ds_sop_stiffness(&m.topology, NULL, &stiffness, &err), err);
  CHECK_NEAR(stiffness, 26.0, 1e-3);
  check_spring_on_pair(&m);
  molecule_close(&m);
  molecule_loose(&m, 3);
  CHECK_OK(ds_sop_stiffness(&m.topology, NULL, &stiffness, &err), err);
  CHECK_NEAR(stiffness, 0.0, 0.0);
  molecule_close(&m);
}

/* ------------------------------------------------------------------------------------------ long runs */

/* The largest change of length of a bond over its R0. */
static double worst_bond(const test_molecule *m, const double *x, int copies)
{
  const ds_sop_topology *const t = &m->topology;
  double worst = 0.0;
  for (int copy = 0; copy < copies; copy++)
    for (int k = 0; k < t->bonds; k++) {
      const double *const a = x + 3 * (copy * t->beads + t->bond[k].i), *const b =
                                                                            x +
                                                                            3 * (copy * t->beads +
                                                                                 t->bond[k].j);
      const double r = sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                            (a[2] - b[2]) * (a[2] - b[2]));
      worst = fmax(worst, fabs(r - t->bond[k].r0) / t->bond[k].R0);
    }
  return worst;
}

static void check_bonds_last(const char *name, const test_molecule *m, int order, int steps)
{
  enum { COPIES = 16, PIECES = 50 };
  ds_sop_options o = variants.options[variants.n - 1];
  double stiffness, worst = 0.0;
  ds_error err;
  o.order = order;
  CHECK_OK(ds_sop_stiffness(&m->topology, NULL, &stiffness, &err), err);
  double *const x = sop_copies(m, COPIES, 0, 0.0);
  ds_sop *const sop = sop_start(&o, m, COPIES, 0, 1, x);
  ds_sop_motion motion = {0, steps / PIECES, 0.8 * c_max * SOP_ZETA / stiffness, SOP_ZETA, SOP_KT};
  for (int piece = 0; piece < PIECES; piece++, motion.first += motion.steps) {
    if (!CHECK_OK(ds_sop_advance(sop, &motion, &err), err)) break;
    CHECK_OK(ds_sop_get_positions(sop, x, &err), err);
    worst = fmax(worst, worst_bond(m, x, COPIES));
  }
  printf("%s, order %d, h = %.0f fs, %d steps of %d copies\n", name, order, motion.h, steps,
         COPIES);
  CHECK_BOUND(worst, 0.9, "longest change of a bond, R0");
  CHECK(worst > 0.1); /* it moves */
  ds_sop_close(sop);
  free(x);
}

int main(int argc, char **argv)
{
  const int skip = sop_variants_open(&variants, argc, argv);
  if (skip) return skip;
  const int steps = check_brief() ? 500 : 100000;
  test_molecule ubiquitin, small;
  molecule_ubiquitin(&ubiquitin);
  molecule_folded(&small, 34, 700);
  CHECK_CASE(check_pair());
  CHECK_CASE(check_chain());
  CHECK_CASE(check_stiffness("ubiquitin", &ubiquitin));
  CHECK_CASE(check_stiffness("34 beads", &small));
  CHECK_CASE(check_bonds_last("34 beads", &small, 1, steps));
  CHECK_CASE(check_bonds_last("34 beads", &small, 2, steps));
  CHECK_CASE(check_bonds_last("ubiquitin", &ubiquitin, 1, steps));
  molecule_close(&ubiquitin);
  molecule_close(&small);
  return check_result();
}
