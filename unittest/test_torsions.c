/* test_torsions.c: forces of dihedrals and impropers are gradients of their energies, which are those of the angle between two
   planes, found here in another way; styles with the same bits everywhere have the numbers of those with the mathematical
   library's functions.   SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "check.h"
#include "dpdsop/device/torsion.h"

enum { TRIALS = 2000 };

static const int styles[] = {DS_DIHEDRAL_STYLE_FOURIER, DS_DIHEDRAL_STYLE_OPLS, DS_DIHEDRAL_STYLE_OPLS_EXACT,
                             DS_IMPROPER_STYLE_HARMONIC, DS_IMPROPER_STYLE_HARMONIC_EXACT};

static int is_opls(int style)
{
  return style == DS_DIHEDRAL_STYLE_OPLS || style == DS_DIHEDRAL_STYLE_OPLS_EXACT;
}

static void between(const double from[3], const double to[3], double way[3])
{
  for (int d = 0; d < 3; d++) way[d] = to[d] - from[d];
}

/* By the arc tangent (Blondel & Karplus, J. Comput. Chem. 17, 1132 (1996)): 0 where the first and the last atom are on the same
   side. */
static double angle_of(double x[4][3])
{
  double b[3][3], p[3], q[3];
  for (int k = 0; k < 3; k++) between(x[k], x[k + 1], b[k]);
  ds_cross(b[0], b[1], p);
  ds_cross(b[1], b[2], q);
  return atan2(sqrt(ds_dot(b[1], b[1])) * ds_dot(b[0], q), ds_dot(p, q));
}

static double energy_of(int style, const ds_bonded_type *t, double shift, double x[4][3])
{
  const double phi = angle_of(x);
  if (style == DS_DIHEDRAL_STYLE_FOURIER) return t->k * (1.0 + cos(t->multiplicity * phi - shift));
  if (is_opls(style))
    return t->k * (1.0 + cos(phi)) + t->k2 * (1.0 - cos(2.0 * phi)) + t->k3 * (1.0 + cos(3.0 * phi)) +
           t->k4 * (1.0 - cos(4.0 * phi));
  return t->k * (fabs(phi) - t->at) * (fabs(phi) - t->at);
}

static double forces_of(int style, const ds_bonded_type *t, double x[4][3], double f[4][3])
{
  double b[3][3];
  between(x[1], x[0], b[0]);
  between(x[1], x[2], b[1]);
  between(x[2], x[3], b[2]);
  return ds_torsion_forces(style, t, b, f);
}

static ds_bonded_type random_type(uint64_t *seed, double *shift)
{
  ds_bonded_type t;
  memset(&t, 0, sizeof t);
  *shift = 6.0 * check_uniform(seed);
  t.k = 4.0 * check_uniform(seed) - 2.0;
  t.k2 = 4.0 * check_uniform(seed) - 2.0;
  t.k3 = 4.0 * check_uniform(seed) - 2.0;
  t.k4 = 4.0 * check_uniform(seed) - 2.0;
  t.at = 3.0 * check_uniform(seed);
  t.multiplicity = (int) (7.0 * check_uniform(seed));
  t.cosine = cos(*shift);
  t.sine = sin(*shift);
  return t;
}

/* Four atoms none of which is near the line of two others, nor all in a plane, where an improper has a cusp. */
static void place_atoms(double x[4][3], uint64_t *seed)
{
  double b[3][3], p[3], q[3];
  do {
    for (int k = 0; k < 12; k++) x[k / 3][k % 3] = 2.0 * check_uniform(seed);
    for (int k = 0; k < 3; k++) between(x[k], x[k + 1], b[k]);
    ds_cross(b[0], b[1], p);
    ds_cross(b[1], b[2], q);
  } while (ds_dot(p, p) < 0.1 || ds_dot(q, q) < 0.1 || fabs(sin(angle_of(x))) < 0.1);
}

static double slope_of(int style, const ds_bonded_type *t, double shift, double x[4][3], int atom, int axis)
{
  const double was = x[atom][axis], h = 1e-4;
  static const double weight[2] = {8.0 / 12.0, -1.0 / 12.0};
  double slope = 0.0;
  for (int k = 1; k <= 2; k++) {
    x[atom][axis] = was + k * h;
    const double above = energy_of(style, t, shift, x);
    x[atom][axis] = was - k * h;
    slope += weight[k - 1] * (above - energy_of(style, t, shift, x)) / h;
  }
  x[atom][axis] = was;
  return slope;
}

static void test_gradients(int style)
{
  uint64_t seed = 3;
  double worst_energy = 0.0, worst_force = 0.0, worst_sum = 0.0;
  for (int trial = 0; trial < TRIALS; trial++) {
    double x[4][3], f[4][3], shift;
    const ds_bonded_type t = random_type(&seed, &shift);
    place_atoms(x, &seed);
    worst_energy = fmax(worst_energy, fabs(forces_of(style, &t, x, f) - energy_of(style, &t, shift, x)));
    for (int k = 0; k < 12; k++)
      worst_force = fmax(worst_force, fabs(f[k / 3][k % 3] + slope_of(style, &t, shift, x, k / 3, k % 3)));
    for (int d = 0; d < 3; d++) worst_sum = fmax(worst_sum, fabs(f[0][d] + f[1][d] + f[2][d] + f[3][d]));
  }
  CHECK_MSG(worst_energy < 1e-12, "style %d: energy wrong by %g", style, worst_energy);
  CHECK_MSG(worst_force < 1e-7, "style %d: force wrong by %g", style, worst_force);
  CHECK_MSG(worst_sum < 1e-12, "style %d: forces add up to %g", style, worst_sum);
}

/* Sum of x f, whatever the origin is. */
static void test_virial(int style)
{
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  uint64_t seed = 7;
  double worst = 0.0;
  for (int trial = 0; trial < TRIALS; trial++) {
    double x[4][3], f[4][3], b[3][3], value[DS_TERM_SUMS], shift;
    const ds_bonded_type t = random_type(&seed, &shift);
    place_atoms(x, &seed);
    const double energy = forces_of(style, &t, x, f);
    between(x[1], x[0], b[0]);
    between(x[1], x[2], b[1]);
    between(x[2], x[3], b[2]);
    ds_torsion_values(style, &t, b, value);
    CHECK(value[0] == energy);
    for (int k = 0; k < 6; k++) {
      double sum = 0.0;
      for (int m = 0; m < 4; m++) sum += x[m][row[k]] * f[m][column[k]];
      worst = fmax(worst, fabs(value[1 + k] - sum));
    }
  }
  CHECK_MSG(worst < 1e-11, "style %d: virial wrong by %g", style, worst);
}

static void test_pair(int exact, int plain)
{
  uint64_t seed = 5;
  double worst = 0.0;
  for (int trial = 0; trial < TRIALS; trial++) {
    double x[4][3], f[4][3], g[4][3], shift;
    const ds_bonded_type t = random_type(&seed, &shift);
    place_atoms(x, &seed);
    worst = fmax(worst, fabs(forces_of(exact, &t, x, f) - forces_of(plain, &t, x, g)));
    for (int k = 0; k < 12; k++) worst = fmax(worst, fabs(f[k / 3][k % 3] - g[k / 3][k % 3]));
  }
  CHECK_MSG(worst < 1e-10, "styles %d and %d differ by %g", exact, plain, worst);
}

/* Atoms in a line have no planes, as LAMMPS's styles find them too: there is a number all the same. */
static void test_in_a_line(int style)
{
  uint64_t seed = 11;
  for (int trial = 0; trial < 100; trial++) {
    double x[4][3], f[4][3], shift;
    const ds_bonded_type t = random_type(&seed, &shift);
    place_atoms(x, &seed);
    const int moved = trial % 2 ? 0 : 3;
    for (int d = 0; d < 3; d++) x[moved][d] = trial % 2 ? 2.0 * x[1][d] - x[2][d] : 2.0 * x[2][d] - x[1][d];
    CHECK(isfinite(forces_of(style, &t, x, f)));
    for (int k = 0; k < 12; k++) CHECK(isfinite(f[k / 3][k % 3]));
  }
}

int main(int argc, char **argv)
{
  check_open(argc, argv);
  for (int k = 0; k < (int) (sizeof styles / sizeof styles[0]); k++) {
    CHECK_CASE(test_gradients(styles[k]));
    CHECK_CASE(test_virial(styles[k]));
    CHECK_CASE(test_in_a_line(styles[k]));
  }
  CHECK_CASE(test_pair(DS_DIHEDRAL_STYLE_OPLS_EXACT, DS_DIHEDRAL_STYLE_OPLS));
  CHECK_CASE(test_pair(DS_IMPROPER_STYLE_HARMONIC_EXACT, DS_IMPROPER_STYLE_HARMONIC));
  return check_result();
}
