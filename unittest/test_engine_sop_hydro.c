/* test_engine_sop_hydro.c: hydrodynamic interactions: the mobility of pairs against formulas, the covariance of displacements,
   the diffusion of the centre of rods and chains, and equilibrium.   SPDX-License-Identifier: GPL-2.0-or-later

   Formulas here are those of the papers, in doubles, written apart from the engine's. Averages must be within four standard
   errors, which follow from the number of samples; chi^2 within its mean and four of its standard deviations. */
#include "check.h"
#include "support/sop.h"
#include "support/system.h"

#include <string.h>

static sop_variants variants;

static const double h = 1000.0; /* fs */

static ds_sop_options best(ds_sop_hydro hydro, double radius)
{
  return sop_with_hydro(&variants.options[variants.n - 1], hydro, radius);
}

/* ----------------------------------------------------------------------------- the papers' formulas */

/* Rotne-Prager-Yamakawa for radii p and q, times 6 pi eta a: entry c, d for the separation v. */
static double mobility(const double v[3], double p, double q, double a, int c, int d)
{
  const double r = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), s = (p * p + q * q) / (r * r);
  const double same = c == d, along = r > 0.0 ? v[c] * v[d] / (r * r) : 0.0;
  if (r > p + q) return 0.75 * a / r * ((1.0 + s / 3.0) * same + (1.0 - s) * along);
  if (r <= fabs(p - q)) return a / fmax(p, q) * same;
  const double m2 = (p - q) * (p - q), r3 = r * r * r;
  const double first = (16.0 * r3 * (p + q) - (m2 + 3.0 * r * r) * (m2 + 3.0 * r * r)) / (32.0 * r3);
  const double second = 3.0 * (m2 - r * r) * (m2 - r * r) / (32.0 * r3);
  return a / (p * q) * (first * same + second * along);
}

/* The matrix of a molecule, n = 3 beads rows. radius NULL: a */
static double *matrix_of(const double *x, int beads, const double *radius, double a)
{
  const int n = 3 * beads;
  double *const m = test_alloc((size_t) (n * n) * sizeof *m);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const double *const p = x + 3 * (i / 3), *const q = x + 3 * (j / 3), v[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
      const double ri = radius ? radius[i / 3] : a, rj = radius ? radius[j / 3] : a;
      m[n * i + j] = i / 3 == j / 3 ? (i == j) * a / ri : mobility(v, ri, rj, a, i % 3, j % 3);
    }
  return m;
}

/* In place: the lower triangle becomes the factor. */
static void cholesky(double *m, int n)
{
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < j; k++) m[n * j + j] -= m[n * j + k] * m[n * j + k];
    CHECK(m[n * j + j] > 0.0);
    m[n * j + j] = sqrt(m[n * j + j]);
    for (int i = j + 1; i < n; i++) {
      for (int k = 0; k < j; k++) m[n * i + j] -= m[n * i + k] * m[n * j + k];
      m[n * i + j] /= m[n * j + j];
    }
  }
}

/* Geyer and Winter's matrix B for a mobility H: eqs. 15 to 19, for D = H. To be freed. */
static double *expansion_of(const double *H, int n)
{
  double *const B = test_alloc((size_t) (n * n) * sizeof *B), epsilon = 0.0, beta = 0.5;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (i != j) epsilon += H[n * i + j] / sqrt(H[n * i + i] * H[n * j + j]) / n / (n - 1);
  const double x = (n - 1) * epsilon * epsilon - (n - 2) * epsilon;
  if (fabs(x) > 1e-6) beta = (1.0 - sqrt(1.0 - x)) / x;
  for (int i = 0; i < n; i++) {
    double sum = 1.0;
    for (int j = 0; j < n; j++)
      if (i != j) sum += beta * beta * H[n * i + j] * H[n * i + j] / (H[n * i + i] * H[n * j + j]);
    for (int j = 0; j < n; j++) B[n * i + j] = (i == j ? 1.0 : beta) * H[n * i + j] / sqrt(H[n * j + j]) / sqrt(sum);
  }
  return B;
}

static double *square_of(const double *B, int n)
{
  double *const S = test_alloc((size_t) (n * n) * sizeof *S);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      S[n * i + j] = 0.0;
      for (int k = 0; k < n; k++) S[n * i + j] += B[n * i + k] * B[n * j + k];
    }
  return S;
}

/* ---------------------------------------------------------------------------------- two beads, pushed */

/* Displacements by a force on one of two beads, at a distance, in 100 steps: the distance hardly changes. */
static void check_pair(const ds_sop_options *o, double distance, double radius_1, double radius_2)
{
  const double f[6] = {0.02, -0.03, 0.05, 0.0, 0.0, 0.0}, direction[3] = {0.48, 0.6, -0.64};
  test_molecule m;
  ds_error err;
  double worst = 0.0;
  molecule_ghosts(&m, 2);
  m.topology.radius = test_alloc(2 * sizeof(double));
  m.topology.radius[0] = radius_1;
  m.topology.radius[1] = radius_2;
  for (int c = 0; c < 3; c++) {
    m.x[c] = 1.0 + c;
    m.x[3 + c] = m.x[c] + distance * direction[c];
  }
  sop_to_grid(&m.topology, m.x, 2);
  ds_sop *const sop = sop_start(o, &m, 1, 0, 1, m.x);
  CHECK_OK(ds_sop_set_forces(sop, f, &err), err);
  sop_advance(sop, 0, 1, h, 0.0);
  double *const y = sop_positions(sop, 2);
  const double radius[2] = {radius_1 > 0.0 ? radius_1 : o->radius, radius_2 > 0.0 ? radius_2 : o->radius};
  double *const H = matrix_of(m.x, 2, radius, o->radius);
  for (int i = 0; i < 6; i++) {
    double way = 0.0, size = 0.0;
    for (int j = 0; j < 3; j++) {
      way += H[6 * i + j] * f[j] * h / SOP_ZETA;
      size += fabs(H[6 * i + j] * f[j]) * h / SOP_ZETA;
    }
    /* two roundings to units, and single arithmetic of some twenty operations */
    worst = fmax(worst, fabs(y[i] - m.x[i] - way) / (1.5 * sop_units_of(&m.topology).position + 20.0 * 0x1p-24 * size));
  }
  CHECK_MSG(worst <= 1.0, "%s: %g apart, radii %g and %g: %g of what rounding allows", sop_name(o), distance, radius[0],
            radius[1], worst);
  ds_sop_close(sop);
  free(y);
  free(H);
  molecule_close(&m);
}

static void test_pair(void)
{
  const double a = 3.5, apart[] = {700.0, 40.0, 12.0, 7.01, 7.0, 6.99, 4.0, 1.0, 0.05};
  for (int v = 0; v < variants.n; v++)
    for (int kind = DS_SOP_HYDRO_EXACT; kind <= DS_SOP_HYDRO_TEA; kind++) {
      const ds_sop_options o = sop_with_hydro(&variants.options[v], (ds_sop_hydro) kind, a);
      for (size_t k = 0; k < sizeof apart / sizeof *apart; k++) {
        check_pair(&o, apart[k], 0.0, 0.0);
        check_pair(&o, apart[k], 2.0, 5.0);
        check_pair(&o, apart[k], 0.0, 1.25);
      }
    }
}

/* ------------------------------------------------------------------------------------- covariance */

enum { BEADS = 4, N = 3 * BEADS };

/* Sums of products of displacements over sqrt(2 kT h / zeta), of copies that all begin at x. */
static void sample(const ds_sop_options *o, const test_molecule *m, int copies, double S[N * N])
{
  const double deviation = sqrt(2.0 * SOP_KT * h / SOP_ZETA);
  double *const x = sop_copies(m, copies, 0, 0.0);
  ds_sop *const sop = sop_start(o, m, copies, 0, 1, x);
  double *const from = sop_positions(sop, (size_t) (BEADS * copies));
  sop_advance(sop, 7, 1, h, SOP_KT);
  double *const y = sop_positions(sop, (size_t) (BEADS * copies));
  memset(S, 0, N * N * sizeof *S);
  for (int copy = 0; copy < copies; copy++) {
    double d[N];
    for (int i = 0; i < N; i++) d[i] = (y[N * copy + i] - from[N * copy + i]) / deviation;
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) S[N * i + j] += d[i] * d[j];
  }
  ds_sop_close(sop);
  free(x);
  free(from);
  free(y);
}

/* With L the factor of the covariance C, L^-1 S L^-T is n times a matrix near the identity, whose entries are independent, with
   the standard errors sqrt(2/n) on the diagonal and sqrt(1/n) off it. */
static double chi2_of(const double S[N * N], const double *C, int copies)
{
  double L[N * N], W[N * N], chi2 = 0.0;
  memcpy(L, C, sizeof L);
  memcpy(W, S, sizeof W);
  cholesky(L, N);
  for (int pass = 0; pass < 2; pass++) { /* W = L^-1 W, transposed after each pass */
    for (int c = 0; c < N; c++)
      for (int i = 0; i < N; i++) {
        for (int k = 0; k < i; k++) W[N * i + c] -= L[N * i + k] * W[N * k + c];
        W[N * i + c] /= L[N * i + i];
      }
    for (int i = 0; i < N; i++)
      for (int j = 0; j < i; j++) {
        const double swap = W[N * i + j];
        W[N * i + j] = W[N * j + i];
        W[N * j + i] = swap;
      }
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++) {
      const double off = W[N * i + j] / copies - (i == j);
      chi2 += copies * off * off / (i == j ? 2.0 : 1.0);
    }
  return chi2;
}

/* Overlapping, touching and distant beads, of one radius and of several. */
static void test_covariance(void)
{
  static const double place[N] = {0, 0, 0, 3, 1, -2, 5, 6, 1, -4, 9, 14}, radii[BEADS] = {3.0, 4.5, 2.0, 3.5};
  const int copies = check_brief() ? 3000 : 40000, freedom = N * (N + 1) / 2;
  const double bound = freedom + 4.0 * sqrt(2.0 * freedom);
  for (int several = 0; several < 2; several++) {
    test_molecule m;
    double S[N * N];
    molecule_ghosts(&m, BEADS);
    memcpy(m.x, place, sizeof place);
    sop_to_grid(&m.topology, m.x, BEADS);
    if (several) {
      m.topology.radius = test_alloc(sizeof radii);
      memcpy(m.topology.radius, radii, sizeof radii);
    }
    double *const H = matrix_of(m.x, BEADS, several ? radii : NULL, 3.0), *const B = expansion_of(H, N),
                  *const BB = square_of(B, N);
    ds_sop_options o = best(DS_SOP_HYDRO_EXACT, 3.0);
    sample(&o, &m, copies, S);
    CHECK_BOUND(chi2_of(S, H, copies), bound, "chi^2 of the covariance 2 D h, exact");
    CHECK(chi2_of(S, BB, copies) > bound); /* the test tells one from the other */
    o.hydro = DS_SOP_HYDRO_TEA;
    sample(&o, &m, copies, S);
    CHECK_BOUND(chi2_of(S, BB, copies), bound, "chi^2 of the covariance of the truncated expansion");
    for (int i = 0; i < N; i++) /* its diagonal is that of H */
      CHECK_NEAR(S[N * i + i] / copies / H[N * i + i], 1.0, 4.0 * sqrt(2.0 / copies));
    free(H);
    free(B);
    free(BB);
    molecule_close(&m);
  }
}

/* The truncated expansion comes near 2 D h where beads are far from each other: the error of an entry is of the square of h. */
static void test_expansion(void)
{
  double before = 1.0;
  for (int k = 0; k < 3; k++) {
    const double a = 3.0, apart = 20.0 * pow(4.0, k);
    double x[30], worst = 0.0, largest = 0.0;
    for (int b = 0; b < 10; b++)
      for (int c = 0; c < 3; c++) x[3 * b + c] = apart * (c == 0 ? b % 3 : c == 1 ? b / 3 % 3 : b / 9) + 0.1 * b * c;
    double *const H = matrix_of(x, 10, NULL, a), *const B = expansion_of(H, 30), *const BB = square_of(B, 30);
    for (int i = 0; i < 30; i++)
      for (int j = 0; j < i; j++) {
        worst = fmax(worst, fabs(BB[30 * i + j] - H[30 * i + j]));
        largest = fmax(largest, H[30 * i + j]);
      }
    printf("  truncated expansion, beads %g radii apart: entries up to %.4f, errors up to %.5f\n", apart / a, largest, worst);
    CHECK(worst < before);
    before = worst;
    free(H);
    free(B);
    free(BB);
  }
}

/* ----------------------------------------------------------------------------- diffusion of the centre */

/* Kirkwood: D / D0 = 1/n + sum of a / r_ij over pairs i != j / n^2, for beads that do not overlap. */
static double kirkwood(const double *x, int beads, double a)
{
  double sum = 0.0;
  for (int i = 0; i < beads; i++)
    for (int j = 0; j < beads; j++) {
      const double d[3] = {x[3 * i] - x[3 * j], x[3 * i + 1] - x[3 * j + 1], x[3 * i + 2] - x[3 * j + 2]};
      if (i != j) sum += a / sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
  return 1.0 / beads + sum / beads / beads;
}

/* Mean of squares of three times `copies` displacements of centres, over 2 D0 time. */
static double centre_diffusion(const double *from, const double *to, int beads, int copies, double time)
{
  double sum = 0.0;
  for (int copy = 0; copy < copies; copy++)
    for (int c = 0; c < 3; c++) {
      double moved = 0.0;
      for (int b = 0; b < beads; b++) moved += (to[3 * (copy * beads + b) + c] - from[3 * (copy * beads + b) + c]) / beads;
      sum += moved * moved;
    }
  return sum / (3.0 * copies) / (2.0 * SOP_KT / SOP_ZETA * time);
}

/* A rod of touching beads and a chain that is bent, in one step. The three axes have different D: the relative standard error
   of the mean square of all is at most sqrt(2 / copies), as if there were one axis alone; taken is 2 sqrt(2 / (3 copies)). */
static void test_kirkwood(void)
{
  enum { LENGTH = 16 };
  const double a = 2.5;
  const int copies = check_brief() ? 2000 : 20000;
  for (int bent = 0; bent < 2; bent++)
    for (int kind = DS_SOP_HYDRO_EXACT; kind <= DS_SOP_HYDRO_TEA; kind++) {
      test_molecule m;
      molecule_ghosts(&m, LENGTH);
      for (int b = 0; b < LENGTH; b++) {
        m.x[3 * b] = bent ? 5.2 * (b % 8 < 4 ? b % 4 : 3 - b % 4) : 5.0 * b;
        m.x[3 * b + 1] = bent ? 5.4 * (b / 4) : 0.0;
      }
      const ds_sop_options o = best((ds_sop_hydro) kind, a);
      double *const x = sop_copies(&m, copies, 0, 0.0);
      ds_sop *const sop = sop_start(&o, &m, copies, 0, 1, x);
      sop_advance(sop, 0, 1, h, SOP_KT);
      double *const y = sop_positions(sop, (size_t) (LENGTH * copies));
      const double wanted = kirkwood(m.x, LENGTH, a), found = centre_diffusion(x, y, LENGTH, copies, h);
      printf("  %s of %d beads, %s: D = %.4f kT / zeta, Kirkwood %.4f\n", bent ? "bent chain" : "rod", LENGTH,
             kind == DS_SOP_HYDRO_EXACT ? "exact" : "tea", found, wanted);
      if (kind == DS_SOP_HYDRO_EXACT)
        CHECK_BOUND(fabs(found / wanted - 1.0), 8.0 * sqrt(2.0 / (3.0 * copies)), "Kirkwood's D, relative");
      else /* what its matrix gives */
      {
        double *const H = matrix_of(m.x, LENGTH, NULL, a), *const B = expansion_of(H, 3 * LENGTH),
                      *const BB = square_of(B, 3 * LENGTH), D = 0.0;
        for (int i = 0; i < 3 * LENGTH; i++)
          for (int j = i % 3; j < 3 * LENGTH; j += 3) D += BB[3 * LENGTH * i + j] / (3.0 * LENGTH * LENGTH);
        CHECK_BOUND(fabs(found / D - 1.0), 8.0 * sqrt(2.0 / (3.0 * copies)), "D of the truncated expansion, relative");
        CHECK_BOUND(fabs(D / wanted - 1.0), 0.25, "the truncated expansion and Kirkwood's D");
        free(H);
        free(B);
        free(BB);
      }
      ds_sop_close(sop);
      free(x);
      free(y);
      molecule_close(&m);
    }
}

/* A chain with bonds that moves for a while: its centre diffuses with Kirkwood's D, the mean over shapes on the way. Forces of
   the bonds slow it down by a little (Zimm, at most 2 % here), which the bound has beside four standard errors. */
static void test_chain(void)
{
  enum { LENGTH = 10 };
  const int copies = check_brief() ? 200 : 2000, runs = 10, steps = check_brief() ? 20 : 100;
  const double a = 1.6;
  test_molecule m;
  double wanted = 0.0;
  molecule_chain(&m, LENGTH, 640);
  const ds_sop_options o = best(DS_SOP_HYDRO_EXACT, a);
  double *const x = sop_copies(&m, copies, 0, 0.0);
  ds_sop *const sop = sop_start(&o, &m, copies, 0, 1, x);
  for (int r = 0; r < runs; r++) {
    sop_advance(sop, r * steps, steps, h, SOP_KT);
    double *const y = sop_positions(sop, (size_t) (LENGTH * copies));
    for (int copy = 0; copy < copies; copy++) wanted += kirkwood(y + 3 * LENGTH * copy, LENGTH, a) / copies / runs;
    if (r == runs - 1) {
      const double found = centre_diffusion(x, y, LENGTH, copies, runs * steps * h);
      printf("  chain with bonds: D = %.4f kT / zeta, Kirkwood %.4f, without interactions %.4f\n", found, wanted, 1.0 / LENGTH);
      CHECK_BOUND(fabs(found / wanted - 1.0), 8.0 * sqrt(2.0 / (3.0 * copies)) + 0.02, "Kirkwood's D of a chain, relative");
    }
    free(y);
  }
  ds_sop_close(sop);
  free(x);
  molecule_close(&m);
}

/* --------------------------------------------------------------------------------------- equilibrium */

/* Mean length of the bond of eq. 1 by Simpson's rule, and its standard deviation: 4 pi r^2 exp(-V / kT). */
static double mean_length(double k, double r0, double R0, double *deviation)
{
  enum { PIECES = 2000 };
  double sum[3] = {0.0, 0.0, 0.0};
  for (int p = 1; p < PIECES; p++) {
    const double u = -1.0 + 2.0 * p / PIECES, r = r0 + R0 * u, v = -0.5 * k * R0 * R0 * log(1.0 - u * u);
    const double weight = (p % 2 ? 4.0 : 2.0) * r * r * exp(-v / SOP_KT);
    sum[0] += weight;
    sum[1] += weight * r;
    sum[2] += weight * r * r;
  }
  *deviation = sqrt(sum[2] / sum[0] - sum[1] / sum[0] * (sum[1] / sum[0]));
  return sum[1] / sum[0];
}

/* Molecules of two beads of different radii that touch and overlap in turns: mobilities that depend on the distance leave the
   distribution of bond lengths what it is. It relaxes in 1.2e6 fs, copies are read after six such times, and steps are 1/600
   of one. */
static void test_equilibrium(void)
{
  const int copies = check_brief() ? 200 : 1200, steps = 3600;
  const ds_sop_motion motion = {0, steps, 2000.0, SOP_ZETA, SOP_KT};
  const ds_sop_bond_row bond = {0, 1, 5.0, 2.0, 2.0};
  double deviation, mean = 0.0, square = 0.0;
  test_molecule m;
  ds_error err;
  molecule_ghosts(&m, 2);
  m.topology.bonds = 1;
  m.topology.bond = test_alloc(sizeof bond);
  m.topology.bond[0] = bond;
  m.topology.radius = test_alloc(2 * sizeof(double));
  m.topology.radius[0] = 2.0;
  m.topology.radius[1] = 3.1;
  m.x[3] = 5.0;
  const ds_sop_options o = best(DS_SOP_HYDRO_EXACT, 3.0);
  double *const x = sop_copies(&m, copies, 0, 0.0);
  ds_sop *const sop = sop_start(&o, &m, copies, 0, 1, x);
  CHECK_OK(ds_sop_advance(sop, &motion, &err), err);
  CHECK_OK(ds_sop_get_positions(sop, x, &err), err);
  for (int c = 0; c < copies; c++) {
    const double *const p = x + 6 * c, d[3] = {p[0] - p[3], p[1] - p[4], p[2] - p[5]};
    const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    mean += sqrt(r2) / copies;
    square += r2 / copies;
  }
  const double wanted = mean_length(bond.k, bond.r0, bond.R0, &deviation), found = sqrt(square - mean * mean);
  printf("  bond length %.4f +- %.4f, Boltzmann's %.4f +- %.4f\n", mean, found, wanted, deviation);
  CHECK_BOUND(fabs(mean - wanted), 4.0 * deviation / sqrt(copies), "mean bond length");
  CHECK_BOUND(fabs(found / deviation - 1.0), 4.0 * sqrt(0.5 / copies), "its deviation, relative"); /* nearly normal */
  ds_sop_close(sop);
  free(x);
  molecule_close(&m);
}

int main(int argc, char **argv)
{
  const int skip = sop_variants_open(&variants, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_pair());
  CHECK_CASE(test_covariance());
  CHECK_CASE(test_expansion());
  CHECK_CASE(test_kirkwood());
  CHECK_CASE(test_chain());
  CHECK_CASE(test_equilibrium());
  return check_result();
}
