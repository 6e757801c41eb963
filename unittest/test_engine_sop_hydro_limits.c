/* test_engine_sop_hydro_limits.c: hydrodynamic interactions: molecules of one bead, beads that are held, and what is refused.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "check.h"
#include "support/expect.h"
#include "support/sop.h"
#include "support/system.h"

#include <string.h>

static sop_variants variants;

static const double h = 1000.0; /* fs */

/* ------------------------------------------------------------------------------ single and held beads */

/* A molecule of one bead, and one whose other bead is held, move as without hydrodynamic interactions: but for the roundings of
   single arithmetic, in which a displacement has 24 bits, and in which it is put together here in doubles. */
static void test_single(void)
{
  enum { STEPS = 50 };
  const int32_t fixed = 1;
  const ds_sop_pull hold = {.mode = DS_SOP_PULL_NONE, .fixed = 1, .fixed_bead = &fixed};
  const double f[6] = {0.02, -0.5, 0.0, 0.1, 0.2, 0.3}, step = 6.0 * sqrt(2.0 * SOP_KT * h / SOP_ZETA) + 0.5 * h / SOP_ZETA;
  for (int held = 0; held < 2; held++)
    for (int kind = DS_SOP_HYDRO_EXACT; kind <= DS_SOP_HYDRO_TEA; kind++)
      for (int v = 0; v < variants.n; v++) {
        test_molecule m;
        ds_error err;
        double *found[2], kT[2];
        molecule_ghosts(&m, 1 + held);
        if (held) m.x[3] = 2.0;
        for (int with = 0; with < 2; with++) {
          const ds_sop_options o = sop_with_hydro(&variants.options[v], with ? (ds_sop_hydro) kind : DS_SOP_HYDRO_NONE, 3.0);
          int64_t beads;
          ds_sop *const sop = sop_start(&o, &m, 1, 0, 1, m.x);
          if (held) CHECK_OK(ds_sop_set_pull(sop, &hold, &err), err);
          CHECK_OK(ds_sop_set_forces(sop, f, &err), err);
          sop_advance(sop, 0, STEPS, h, SOP_KT);
          found[with] = sop_positions(sop, (size_t) (1 + held));
          CHECK_OK(ds_sop_noise_temperature(sop, &kT[with], &beads, &err), err);
          CHECK_INT(beads, 1);
          ds_sop_close(sop);
        }
        const double bound = STEPS * (sop_units_of(&m.topology).position + 4.0 * 0x1p-24 * step);
        for (int c = 0; c < 3; c++) CHECK_NEAR(found[1][c], found[0][c], bound);
        for (int c = 3; c < 3 + 3 * held; c++) CHECK_NEAR(found[1][c], found[0][c], 0.0);
        CHECK_NEAR(kT[1], kT[0], 0.0);
        free(found[0]);
        free(found[1]);
        molecule_close(&m);
      }
}

/* ---------------------------------------------------------------------------------------- refused */

static void refuse(ds_sop_options o, const test_molecule *m, const char *words, int line)
{
  ds_error err;
  ds_sop *sop;
  check_error(ds_sop_open(&sop, &o, &m->topology, &err), &err, DS_ERR_ARGUMENT, words, __FILE__, line);
  CHECK(sop == NULL);
}

static void test_options(void)
{
  test_molecule m, large;
  ds_error err;
  ds_sop *sop;
  molecule_ghosts(&m, 5);
  molecule_ghosts(&large, 513);
  ds_sop_options o = sop_with_hydro(&variants.options[variants.n - 1], DS_SOP_HYDRO_EXACT, 0.0);
  refuse(o, &m, "hydrodynamic radius = 0|above 0", __LINE__);
  o.radius = -2.5;
  refuse(o, &m, "hydrodynamic radius = -2.5|above 0", __LINE__);
  o.radius = NAN;
  refuse(o, &m, "hydrodynamic radius = |above 0", __LINE__);
  o.radius = INFINITY;
  refuse(o, &m, "hydrodynamic radius = inf|0.0038 to 3800", __LINE__);
  o.radius = 1e-3;
  refuse(o, &m, "hydrodynamic radius = 0.001|0.0038 to 3800", __LINE__);
  o.radius = 4.0;
  o.hydro = (ds_sop_hydro) 3;
  refuse(o, &m, "unknown kind 3 of hydrodynamic", __LINE__);
  o.hydro = DS_SOP_HYDRO_TEA;
  o.order = 2;
  refuse(o, &m, "order = 2|must be 1", __LINE__);
  o.order = 1;
  m.topology.radius = test_alloc(5 * sizeof(double));
  for (int b = 0; b < 5; b++) m.topology.radius[b] = b == 3 ? 5000.0 : 0.0;
  refuse(o, &m, "hydrodynamic radius of bead 4 = 5000|0.0038 to 3800", __LINE__);
  m.topology.radius[3] = -1.0;
  refuse(o, &m, "radius[3]|R = -1", __LINE__);
  o.hydro = DS_SOP_HYDRO_EXACT;
  refuse(o, &large, "513 beads is too large for hydro exact|at most 512|tea takes more", __LINE__);
  large.topology.beads = 65537;
  o.hydro = DS_SOP_HYDRO_TEA;
  refuse(o, &large, "65537 beads is too large for hydro tea|at most 65536", __LINE__);
  large.topology.beads = 513;
  CHECK_OK(ds_sop_open(&sop, &o, &large.topology, &err), err);
  EXPECT(ds_sop_set_share(sop, 0, 10, &err), err, DS_ERR_ARGUMENT, "hydrodynamic interactions cannot be shared");
  ds_sop_close(sop);
  molecule_close(&m);
  molecule_close(&large);
}

/* Beads 2 and 3 of the second molecule lie in one place, which their bond allows. */
static void test_not_positive(void)
{
  for (int v = 0; v < variants.n; v++)
    for (int s = DS_SOP_AUTO; s <= DS_SOP_BLOCK; s++) {
      test_molecule m;
      ds_error err;
      const ds_sop_motion one = {12, 3, h, SOP_ZETA, SOP_KT};
      const ds_sop_bond_row bond = {2, 3, 1.5, 0.001, 3.0};
      molecule_ghosts(&m, 5);
      m.topology.bonds = 1;
      m.topology.bond = test_alloc(sizeof bond);
      m.topology.bond[0] = bond;
      m.x[9] = m.x[6] + 1.5;
      double *const x = sop_copies(&m, 3, 0, 100.0);
      memcpy(x + 3 * (5 + 3), x + 3 * (5 + 2), 3 * sizeof *x);
      ds_sop_options o = sop_with_hydro(&variants.options[v], DS_SOP_HYDRO_EXACT, 3.0);
      o.scheme = (ds_sop_scheme) s;
      ds_sop *const sop = sop_start(&o, &m, 3, 0, 101, x);
      double *const from = sop_positions(sop, 15);
      EXPECT(ds_sop_advance(sop, &one, &err), err, DS_ERR_FORCE_RANGE,
             "mobility matrix of the molecule of atom 106|not positive at atom 109|in step 12");
      double *const to = sop_positions(sop, 15);
      CHECK(memcmp(from + 15, to + 15, 15 * sizeof *to) == 0);
      ds_sop_close(sop);
      free(x);
      free(from);
      free(to);
      molecule_close(&m);
    }
}

int main(int argc, char **argv)
{
  const int skip = sop_variants_open(&variants, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_single());
  CHECK_CASE(test_options());
  CHECK_CASE(test_not_positive());
  return check_result();
}
