/* test_engine_sop_physics.c: diffusion, drift, equilibrium and temperature of beads that move by eq. 2 of Zhmurov et al.,
   Proteins 78, 2984 (2010).   SPDX-License-Identifier: GPL-2.0-or-later

   Averages must be within four standard errors of what they should be, which a right program exceeds once in 16,000 times;
   with the seeds fixed here it either does or does not. The standard errors follow from the number of samples. */
#include "check.h"
#include "support/sop.h"
#include "support/system.h"

#include <string.h>

static sop_variants variants;

static const double h = 1000.0; /* fs */

/* ------------------------------------------------------------------------------------------ diffusion */

typedef struct {
  double mean, square, cross; /* of displacements over their standard deviation */
  double numbers;
} moments;

/* Displacements of free beads after some steps. They are sums of normal numbers, and so normal themselves. */
static moments diffuse(const ds_sop_options *o, int beads, int steps)
{
  const double deviation = sqrt(2.0 * SOP_KT * steps * h / SOP_ZETA); /* D = kB T / zeta */
  moments r = {0.0, 0.0, 0.0, 3.0 * beads};
  test_molecule m;
  molecule_loose(&m, 1);
  double *const x = sop_copies(&m, 0, beads, 0.0);
  ds_sop *const sop = sop_start(o, &m, 0, beads, 1, x);
  sop_advance(sop, 0, steps, h, SOP_KT);
  double *const y = sop_positions(sop, (size_t) beads);
  for (int b = 0; b < beads; b++)
    for (int c = 0; c < 3; c++) {
      const double g = (y[3 * b + c] - x[3 * b + c]) / deviation,
                   other = (y[3 * b + (c + 1) % 3] - x[3 * b + (c + 1) % 3]) / deviation;
      r.mean += g;
      r.square += g * g;
      r.cross += g * other;
    }
  r.mean /= r.numbers;
  r.square /= r.numbers;
  r.cross /= r.numbers;
  ds_sop_close(sop);
  free(x);
  free(y);
  molecule_close(&m);
  return r;
}

/* Of n normal numbers the mean has the standard error 1/sqrt(n), the mean square sqrt(2/n), a mean product 1/sqrt(n). lcg
   fails statistical tests (doc/random_numbers_validation.rst), so it is printed and not checked. */
static void test_diffusion(void)
{
  const int beads = check_brief() ? 1500 : 15000, steps = 30;
  for (int g = 0; g < 8; g++)
    for (int order = 1; order <= (g < 3 ? 2 : 1); order++) {
      ds_sop_options o = variants.options[variants.n - 1];
      o.rng = sop_generators[g];
      o.order = order;
      const moments r = diffuse(&o, beads, steps);
      const double root = sqrt(r.numbers);
      const int only_printed = strcmp(o.rng, "lcg") == 0;
      printf("  %-10s order %d: D zeta / kT = %.5f, mean %+.2f, cross %+.2f standard errors%s\n",
             o.rng, order, r.square, r.mean * root, r.cross * root,
             only_printed ? " (not checked)" : "");
      if (only_printed) continue;
      CHECK_MSG(fabs(r.square - 1.0) <= 4.0 * sqrt(2.0) / root, "%s: D zeta / kT = %g", o.rng,
                r.square);
      CHECK_MSG(fabs(r.mean) <= 4.0 / root, "%s: mean displacement %g deviations", o.rng, r.mean);
      CHECK_MSG(fabs(r.cross) <= 4.0 / root, "%s: axes have the correlation %g", o.rng, r.cross);
    }
}

/* ---------------------------------------------------------------------------------------- temperature */

/* Mean square of 3 n normal numbers: the standard error of kT is sqrt(2 / (3 n)) of it. Forces do not matter: the molecules
   are not at rest, and one of their beads is held. */
static void test_temperature(void)
{
  enum { COPIES = 400 };
  const int32_t fixed = 3;
  const ds_sop_pull hold = {.mode = DS_SOP_PULL_NONE, .fixed = 1, .fixed_bead = &fixed};
  test_molecule m;
  ds_error err;
  molecule_folded(&m, 30, 600);
  double *const x = sop_copies(&m, COPIES, 100, 0.0);
  sop_shake(x, 30 * COPIES, 0.2, 601);
  for (int order = 1; order <= 2; order++)
    for (int scheme = DS_SOP_PARTICLE; scheme <= DS_SOP_BLOCK; scheme++) {
      double kT;
      int64_t beads;
      ds_sop_options o = variants.options[variants.n - 1];
      o.order = order;
      o.scheme = (ds_sop_scheme) scheme;
      ds_sop *const sop = sop_start(&o, &m, COPIES, 100, 1, x);
      CHECK_OK(ds_sop_noise_temperature(sop, &kT, &beads, &err), err);
      CHECK_MSG(kT == 0.0, "kT = %g before the first step", kT);
      CHECK_OK(ds_sop_set_pull(sop, &hold, &err), err);
      sop_advance(sop, 0, 3, h, SOP_KT);
      CHECK_OK(ds_sop_noise_temperature(sop, &kT, &beads, &err), err);
      CHECK_INT(beads, 29 * COPIES + 100);
      CHECK_BOUND(fabs(kT / SOP_KT - 1.0), 4.0 * sqrt(2.0 / (3.0 * (double) beads)),
                  "kT of the noise, relative");
      sop_advance(sop, 3, 1, h, 0.0);
      CHECK_OK(ds_sop_noise_temperature(sop, &kT, &beads, &err), err);
      CHECK_MSG(kT == 0.0, "kT = %g without noise", kT);
      ds_sop_close(sop);
    }
  free(x);
  molecule_close(&m);
}

/* ------------------------------------------------------------------------------------- drift, held beads */

/* Without noise a bead moves by F t / zeta, to half a unit of positions per step and what single arithmetic has of a
   step: F h / zeta, the product and its rounding, 3 2^-24. Along an axis without a force it stays. */
static void test_drift(void)
{
  enum { BEADS = 50, STEPS = 300 };
  test_molecule m;
  ds_error err;
  double f[3 * BEADS], worst = 0.0;
  molecule_loose(&m, 1);
  double *const x = sop_copies(&m, 0, BEADS, 0.0);
  const double unit = sop_units_of(&m.topology).position;
  for (int k = 0; k < 3 * BEADS; k++) f[k] = k % 4 == 0 ? 0.0 : 0.37 * (k - 70);
  for (int order = 1; order <= 2; order++) {
    ds_sop_options o = variants.options[0];
    o.order = order;
    ds_sop *const sop = sop_start(&o, &m, 0, BEADS, 1, x);
    CHECK_OK(ds_sop_set_forces(sop, f, &err), err);
    double *const from = sop_positions(sop, BEADS);
    sop_advance(sop, 0, STEPS, h, 0.0);
    double *const y = sop_positions(sop, BEADS);
    for (int k = 0; k < 3 * BEADS; k++) {
      const double step = f[k] * h / SOP_ZETA, moved = y[k] - from[k];
      if (f[k] == 0.0) CHECK_MSG(moved == 0.0, "moved by %g without a force", moved);
      worst = fmax(worst, fabs(moved - STEPS * step) /
                              (STEPS * (0.5 * unit + 3.0 * 0x1p-24 * fabs(step))));
    }
    CHECK_OK(ds_sop_set_forces(sop, NULL, &err), err);
    sop_advance(sop, STEPS, 10, h, 0.0);
    double *const z = sop_positions(sop, BEADS);
    CHECK(memcmp(y, z, sizeof f) == 0); /* no force any more, no noise */
    ds_sop_close(sop);
    free(from);
    free(y);
    free(z);
  }
  CHECK_BOUND(worst, 1.0, "drift under a constant force");
  free(x);
  molecule_close(&m);
}

/* Held beads stay, whatever acts on them; the others do not. Free beads are never held. */
static void test_held(void)
{
  enum { COPIES = 20, BEADS = 25 };
  const int32_t fixed[3] = {0, 7, 24}, pulled = 11;
  const ds_sop_pull pull = {
    .mode = DS_SOP_PULL_SPRING, .fixed = 3, .pulled = 1, .fixed_bead = fixed, .pulled_bead = &pulled, .spring = 0.1,
    .speed = 1e-3
  };
  test_molecule m;
  ds_error err;
  molecule_folded(&m, BEADS, 610);
  double *const x = sop_copies(&m, COPIES, 5, 0.0);
  sop_shake(x, COPIES * BEADS, 0.1, 611);
  for (int scheme = DS_SOP_PARTICLE; scheme <= DS_SOP_BLOCK; scheme++)
    for (int order = 1; order <= 2; order++) {
      ds_sop_options o = variants.options[variants.n - 1];
      int wrong = 0;
      o.scheme = (ds_sop_scheme) scheme;
      o.order = order;
      ds_sop *const sop = sop_start(&o, &m, COPIES, 5, 1, x);
      double *const from = sop_positions(sop, COPIES * BEADS + 5);
      CHECK_OK(ds_sop_set_pull(sop, &pull, &err), err);
      sop_advance(sop, 0, 50, h, SOP_KT);
      double *const y = sop_positions(sop, COPIES * BEADS + 5);
      for (int b = 0; b < COPIES * BEADS + 5; b++) {
        const int at = b % BEADS, held = b < COPIES * BEADS && (at == 0 || at == 7 || at == 24);
        for (int c = 0; c < 3; c++) wrong += held != (from[3 * b + c] == y[3 * b + c]);
      }
      CHECK_MSG(wrong == 0, "%s: %d coordinates moved though held, or stayed", sop_name(&o), wrong);
      ds_sop_close(sop);
      free(from);
      free(y);
    }
  free(x);
  molecule_close(&m);
}

/* ---------------------------------------------------------------------------------------- equilibrium */

enum { BINS = 12 };
static const double k_bond = 2.0, r0_bond = 5.0, R0_bond = 2.0, low = 3.2, high = 6.8;

/* 4 pi r^2 exp(-V / kT) of the bond of eq. 1, integrated over an interval by Simpson's rule. */
static double weight_of(double from, double to)
{
  enum { PIECES = 200 };
  double sum = 0.0;
  for (int k = 0; k <= PIECES; k++) {
    const double r = from + (to - from) * k / PIECES, d = r - r0_bond;
    const double v = -0.5 * k_bond * R0_bond * R0_bond * log(1.0 - d * d / (R0_bond * R0_bond));
    sum += (k == 0 || k == PIECES ? 1.0 : k % 2 ? 4.0 : 2.0) * r * r * exp(-v / SOP_KT);
  }
  return sum * (to - from) / (3.0 * PIECES);
}

/* The share of each bin; what is outside counts for the first or the last one. */
static void expected_shares(double share[BINS])
{
  const double least = r0_bond - R0_bond + 1e-9, most = r0_bond + R0_bond - 1e-9,
               all = weight_of(least, most);
  for (int b = 0; b < BINS; b++) {
    const double from = low + (high - low) * b / BINS, to = low + (high - low) * (b + 1) / BINS;
    share[b] = weight_of(b == 0 ? least : from, b == BINS - 1 ? most : to) / all;
  }
}

static int bin_of(const double *x)
{
  const double d[3] = {x[0] - x[3], x[1] - x[4], x[2] - x[5]},
               r = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  const int b = (int) floor((r - low) / (high - low) * BINS);
  return b < 0 ? 0 : b >= BINS ? BINS - 1 : b;
}

/* Bond lengths of molecules of two beads. The relaxation time is zeta / (2 k) = 2.5e5 fs; copies are read twice, after six and
   twelve such times, when exp(-6) = 0.2 % of what they were like at first is left. Steps of h / time = 1 / 250 leave a
   distribution that is wider by h k / zeta = 0.2 %; second order leaves less. Copies are independent, so that a bin of
   share p in n samples has the standard error sqrt(p (1 - p) / n). */
static void check_bonds(int order, const char *rng)
{
  const int copies = check_brief() ? 300 : 3000;
  const int steps = check_brief() ? 300 : 1500;
  test_molecule m;
  double share[BINS], chi2 = 0.0, worst = 0.0;
  int64_t count[BINS] = {0};
  ds_error err;
  molecule_loose(&m, 2);
  const ds_sop_bond_row bond = {0, 1, r0_bond, k_bond, R0_bond};
  m.topology.bonds = 1;
  m.topology.bond = test_alloc(sizeof bond);
  m.topology.bond[0] = bond;
  m.x[3] = r0_bond;
  ds_sop_options o = variants.options[variants.n - 1];
  o.order = order;
  o.rng = rng;
  double *const x = sop_copies(&m, copies, 0, 0.0);
  ds_sop *const sop = sop_start(&o, &m, copies, 0, 1, x);
  for (int reading = 0; reading < 2; reading++) {
    const ds_sop_motion motion = {reading * steps, steps, 1000.0, SOP_ZETA, SOP_KT};
    CHECK_OK(ds_sop_advance(sop, &motion, &err), err);
    CHECK_OK(ds_sop_get_positions(sop, x, &err), err);
    for (int c = 0; c < copies; c++) count[bin_of(x + 6 * c)]++;
  }
  expected_shares(share);
  for (int b = 0; b < BINS; b++) {
    const double n = 2.0 * copies, off = (double) count[b] / n - share[b],
                 error = sqrt(share[b] * (1.0 - share[b]) / n);
    worst = fmax(worst, fabs(off) / error);
    chi2 += n * off * off / share[b];
  }
  printf("bond length, order %d, %s: %d samples\n", order, rng, 2 * copies);
  if (!check_brief()) { /* with few steps the copies have not forgotten how they began */
    CHECK_BOUND(worst, 4.0, "largest error of a bin, standard errors");
    CHECK_BOUND(chi2, BINS - 1 + 4.0 * sqrt(2.0 * (BINS - 1)), "chi^2 of the bins");
  }
  ds_sop_close(sop);
  free(x);
  molecule_close(&m);
}

int main(int argc, char **argv)
{
  const int skip = sop_variants_open(&variants, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_diffusion());
  CHECK_CASE(test_temperature());
  CHECK_CASE(test_drift());
  CHECK_CASE(test_held());
  CHECK_CASE(check_bonds(1, "tea"));
  CHECK_CASE(check_bonds(2, "taus"));
  return check_result();
}
