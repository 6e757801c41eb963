/* test_engine_sop_lists.c: lists of repelling pairs leave out none: at the cutoff to the last bit, after a jump, and while
   beads move.   SPDX-License-Identifier: GPL-2.0-or-later

   test_engine_sop_forces.c compares with brute force, where a pair at the cutoff may count or not. Here all code paths
   must agree about it. */
#include "check.h"
#include "support/sop.h"
#include "support/system.h"

#include <string.h>

static sop_variants variants;

enum { SCHEMES = 3 };
static const ds_sop_scheme scheme[SCHEMES] = {DS_SOP_PARTICLE, DS_SOP_PAIR, DS_SOP_BLOCK};

/* -------------------------------------------------------------------------------------- at the cutoff */

/* A separation in units of coordinates whose square, of 42 bits, is within a few roundings of single arithmetic of the
   cutoff's: the z component is small, so that it can tune the square finely. */
static void separation(double cutoff, uint64_t *seed, double d[3])
{
  const double x = floor(cutoff * (0.3 + 0.6 * check_uniform(seed))),
               y = floor(sqrt(cutoff * cutoff - x * x)), rest = cutoff * cutoff - x * x - y * y;
  const int sign = check_random(seed) % 2 ? 1 : -1;
  d[0] = x;
  d[1] = y;
  d[2] = sign * floor(sqrt(rest > 0.0 ? rest : 0.0) + 120.0 * (check_uniform(seed) - 0.5));
}

/* Pairs at the cutoff, 60 angstrom from each other on a lattice of 8 by 8 by n. */
static double *pairs_at_cutoff(const test_molecule *m, int pairs, double cutoff, uint64_t seed)
{
  const double unit = sop_units_of(&m->topology).coordinate;
  double *const x = test_alloc(6 * (size_t) pairs * sizeof *x);
  for (int p = 0; p < pairs; p++) {
    const double at[3] = {60.0 * (p % 8), 60.0 * (p / 8 % 8), 60.0 * (p / 64)};
    double d[3];
    separation(cutoff / unit, &seed, d);
    for (int c = 0; c < 3; c++) {
      x[6 * p + c] = at[c];
      x[6 * p + 3 + c] = at[c] + unit * d[c];
    }
  }
  return x;
}

static void check_forces(const ds_sop_options *o, const test_molecule *m, int molecules,
                         const double *x, double *expected, int first)
{
  const size_t n = 3 * (size_t) m->topology.beads * (size_t) molecules;
  double *const f = test_alloc(n * sizeof *f);
  size_t k = 0;
  ds_error err;
  if (!sop_takes(o, m)) {
    free(f);
    return;
  }
  ds_sop *const sop = sop_start(o, m, molecules, 0, 1, x);
  CHECK_OK(ds_sop_get_forces(sop, f, &err), err);
  if (first) memcpy(expected, f, n * sizeof *f);
  while (k < n && f[k] == expected[k]) k++;
  CHECK_MSG(k == n, "%s, cutoff %g, %d molecules: force %zu is %g, expected %g", sop_name(o),
            o->cutoff, molecules, k, k < n ? f[k] : 0.0, k < n ? expected[k] : 0.0);
  ds_sop_close(sop);
  free(f);
}

/* The same pairs as many molecules, and as one: by the search through all pairs, and by the neighbor engine. */
static void check_cutoff(double cutoff, double *expected, int pairs, uint64_t seed)
{
  static const double skin[2] = {4.0, 0.0};
  test_molecule two, all;
  int first = 1;
  molecule_loose(&two, 2);
  molecule_loose(&all, 2 * pairs);
  double *const x = pairs_at_cutoff(&two, pairs, cutoff, seed);
  for (int k = 0; k < 2; k++)
    for (int v = 0; v < variants.n; v++)
      for (int s = 0; s < SCHEMES; s++) {
        ds_sop_options o = variants.options[v];
        o.scheme = scheme[s];
        o.cutoff = cutoff;
        o.skin = skin[k];
        check_forces(&o, &two, pairs, x, expected, first);
        first = 0;
        check_forces(&o, &all, 1, x, expected, 0);
        o.inter = 1;
        check_forces(&o, &two, pairs, x, expected, 0);
      }
  free(x);
  molecule_close(&two);
  molecule_close(&all);
}

static void test_at_cutoff(void)
{
  static const double cutoff[] = {11.4, 7.7, 9.3, 10.1, 12.35, 17.9};
  enum { PAIRS = 200 };
  double *const f = test_alloc(6 * PAIRS * sizeof *f);
  int within = 0, all = 0;
  for (size_t k = 0; k < sizeof cutoff / sizeof *cutoff; k++) {
    check_cutoff(cutoff[k], f, PAIRS, 500 + k);
    for (int p = 0; p < PAIRS; p++, all++) within += f[6 * p] != 0.0;
  }
  /* or else nothing has been tested */
  CHECK_MSG(within > all / 5 && within < all - all / 5, "%d of %d pairs within the cutoff", within,
            all);
  free(f);
}

/* ---------------------------------------------------------------------------------------- after a jump */

/* New positions: the list of the old ones must not be used, wherever the beads went. */
static void check_jump(const ds_sop_options *o, const test_molecule *m, const double *from,
                       const double *to, int molecules)
{
  const size_t n = 3 * (size_t) m->topology.beads * (size_t) molecules;
  const ds_sop_motion motion = {0, 2, 500.0, SOP_ZETA, SOP_KT},
                      again = {2, 2, 500.0, SOP_ZETA, SOP_KT};
  ds_error err;
  ds_sop *const sop = sop_start(o, m, molecules, 0, 1, from), *const fresh = sop_start(
                                                                  o, m, molecules, 0, 1, to);
  CHECK_OK(ds_sop_advance(sop, &motion, &err), err);
  CHECK_OK(ds_sop_set_positions(sop, to, &err), err);
  CHECK_OK(ds_sop_advance(sop, &again, &err), err);
  CHECK_OK(ds_sop_advance(fresh, &again, &err), err);
  double *const a = sop_positions(sop, n / 3), *const b = sop_positions(fresh, n / 3);
  CHECK_MSG(memcmp(a, b, n * sizeof *a) == 0, "%s: a list of old positions was used", sop_name(o));
  ds_sop_close(sop);
  ds_sop_close(fresh);
  free(a);
  free(b);
}

static void test_jumps(void)
{
  test_molecule m;
  molecule_folded(&m, 210, 510);
  double *const x = sop_copies(&m, 2, 0, 60.0), *const y = sop_copies(&m, 2, 0, 42.0);
  sop_shake(y, 420, 0.15, 511);
  for (int v = 0; v < variants.n; v++)
    for (int s = 0; s < SCHEMES; s++)
      for (int inter = 0; inter <= 1; inter++) {
        ds_sop_options o = variants.options[v];
        o.scheme = scheme[s];
        o.inter = inter;
        if (!sop_takes(&o, &m)) continue;
        check_jump(&o, &m, x, y, 2);
        check_jump(&o, &m, y, x, 2);
      }
  free(x);
  free(y);
  molecule_close(&m);
}

/* ------------------------------------------------------------------------------------------ in motion */

enum { BEADS = 220 };

/* A step of an object, and the same step of one that has no old list. */
static void check_step(const ds_sop_options *o, const test_molecule *m, ds_sop *sop,
                       const double *push, int64_t step, double h)
{
  const ds_sop_motion motion = {step, 1, h, SOP_ZETA, SOP_KT};
  ds_error err;
  double *const x = sop_positions(sop, BEADS);
  ds_sop *const fresh = sop_start(o, m, 1, 0, 1, x);
  CHECK_OK(ds_sop_set_forces(fresh, push, &err), err);
  CHECK_OK(ds_sop_advance(fresh, &motion, &err), err);
  CHECK_OK(ds_sop_advance(sop, &motion, &err), err);
  double *const a = sop_positions(sop, BEADS), *const b = sop_positions(fresh, BEADS);
  CHECK_MSG(memcmp(a, b, 3 * BEADS * sizeof *a) == 0, "%s: step %lld with an old list", sop_name(o),
            (long long) step);
  ds_sop_close(fresh);
  free(x);
  free(a);
  free(b);
}

/* Two halves without bonds, 20 angstrom apart, approach each other by 0.24 angstrom per step, so that a bead passes half of
   the skin in six steps and has to find its new neighbors. After 60 steps they are 6 angstrom apart. */
static void test_motion(void)
{
  const double h = 4000.0;
  test_molecule m;
  double push[3 * BEADS] = {0};
  ds_error err;
  molecule_loose(&m, BEADS);
  for (int b = 0; b < BEADS; b++) {
    m.x[3 * b] = 5.0 * (b / 20 % 6) + (b < BEADS / 2 ? 0.0 : 45.0);
    m.x[3 * b + 1] = 5.0 * (b % 5) + 0.01 * b;
    m.x[3 * b + 2] = 5.0 * (b / 5 % 4);
    push[3 * b] = b < BEADS / 2 ? 30.0 : -30.0;
  }
  for (int v = 0; v < variants.n; v++)
    for (int s = 0; s < SCHEMES; s++) {
      ds_sop_options o = variants.options[v];
      o.scheme = scheme[s];
      o.skin = 1.5;
      o.order = 1 + (s + v) % 2;
      if (!sop_takes(&o, &m)) continue;
      ds_sop *const sop = sop_start(&o, &m, 1, 0, 1, m.x);
      CHECK_OK(ds_sop_set_forces(sop, push, &err), err);
      for (int64_t step = 0; step < 60; step += 3) {
        const ds_sop_motion two = {step, 2, h, SOP_ZETA, SOP_KT};
        CHECK_OK(ds_sop_advance(sop, &two, &err), err);
        check_step(&o, &m, sop, push, step + 2, h);
      }
      ds_sop_close(sop);
    }
  molecule_close(&m);
}

/* ------------------------------------------------------------------------------------- many beads */

/* Forces against those of all pairs; then some steps. Returns the hash of where beads are. */
static uint64_t check_many(const ds_sop_options *o, const test_molecule *m, int molecules,
                           const double *x, const double *f, const double *slack)
{
  const ds_sop_motion few = {0, check_brief() ? 2 : 20, 4000.0, SOP_ZETA, SOP_KT};
  const size_t n = (size_t) m->topology.beads * (size_t) molecules;
  double *const got = test_alloc(3 * n * sizeof *got);
  size_t k = 0;
  ds_error err;
  ds_sop *const sop = sop_start(o, m, molecules, 0, 1, x);
  CHECK_OK(ds_sop_get_forces(sop, got, &err), err);
  while (k < 3 * n && fabs(got[k] - f[k]) <= slack[k / 3]) k++;
  CHECK_MSG(k == 3 * n, "%s, %d molecules: force %zu is %g, expected %g", sop_name(o), molecules, k,
            k < 3 * n ? got[k] : 0.0, k < 3 * n ? f[k] : 0.0);
  CHECK_OK(ds_sop_advance(sop, &few, &err), err);
  double *const end = sop_positions(sop, n);
  const uint64_t hash = sop_hash(end, 3 * n);
  ds_sop_close(sop);
  free(got);
  free(end);
  return hash;
}

/* So many beads that a GPU, too, finds pairs by cells: a molecule, two that see each other, and two that do not. And so many
   that each has one thread of a large GPU, or has to wait for one. The host's ways are those of few, so it takes two cases. */
static void test_many(void)
{
  int with_gpu = 0;
  static const struct {
    int molecules, beads, inter;
    double apart;
  } with[5] = {{1, 20500, 0, 0.0},
               {20, 2000, 0, 1.0},
               {2, 10300, 1, 250.0},
               {2, 20500, 0, 0.5},
               {62, 2000, 0, 1.0}};
  for (int v = 0; v < variants.n; v++) with_gpu |= variants.options[v].backend == DS_BACKEND_CUDA;
  for (int k = 0; k < (check_brief() || !with_gpu ? 2 : 5); k++) {
    test_molecule m;
    molecule_folded(&m, with[k].beads, 540 + k);
    const size_t n = (size_t) with[k].beads * (size_t) with[k].molecules;
    double *const x = sop_copies(&m, with[k].molecules, 0, with[k].apart),
                  *const f = test_alloc(3 * n * sizeof *f),
                  *const slack = test_alloc(n * sizeof *slack);
    ds_sop_energies e;
    uint64_t expected = 0;
    sop_shake(x, n, 0.1, 541);
    sop_to_grid(&m.topology, x, n);
    sop_reference(&m, with[k].molecules, with[k].inter, 3.0 * m.topology.parameters.sigma, x, f,
                  slack, &e);
    for (int v = 0; v < variants.n; v++)
      for (int s = DS_SOP_PARTICLE; s <= DS_SOP_PAIR; s++) {
        ds_sop_options o = variants.options[v];
        o.scheme = (ds_sop_scheme) s;
        o.inter = with[k].inter;
        o.skin = v == 0 ? 3.0 : 0.2;
        const uint64_t hash = check_many(&o, &m, with[k].molecules, x, f, slack);
        if (expected == 0) expected = hash;
        CHECK_HEX(hash, expected);
      }
    free(x);
    free(f);
    free(slack);
    molecule_close(&m);
  }
}

int main(int argc, char **argv)
{
  const int skip = sop_variants_open(&variants, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_at_cutoff());
  CHECK_CASE(test_jumps());
  CHECK_CASE(test_motion());
  CHECK_CASE(test_many());
  return check_result();
}
