/* test_engine_kspace.c: charges on a mesh: transforms against sums, splines, forces, energies and virials against a direct sum
   over wave vectors, the same bits in any order and on any number of processes, slabs, the choice of a mesh, what is refused.
   SPDX-License-Identifier: GPL-2.0-or-later

   "test_engine_kspace cuda" makes the same checks on the GPU, whose bits are compared with those of the host. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "dpdsop/device/mesh.h"
#include "support/engine.h"
#include "support/expect.h"
#include "support/skip.h"

static test_variants variants;
static const double PI = 3.14159265358979324;

/* ------------------------------------------------------------------------------------------ transforms */

static void test_roots(void)
{
  double worst = 0.0;
  for (int n = 1; n <= 1024; n++)
    for (int k = 0; k < n; k++) {
      const ds_complex root = ds_unit_root(k, n);
      const long double angle = 2.0L * 3.141592653589793238462643383279503L * k / n;
      worst = fmax(worst, fmax((double) fabsl(root.re - cosl(angle)), (double) fabsl(root.im - sinl(angle))));
    }
  CHECK_BOUND(worst, 2.5e-16, "roots of unity");
  CHECK(ds_unit_root(0, 8).re == 1.0 && ds_unit_root(2, 8).im == 1.0 && ds_unit_root(4, 8).re == -1.0 &&
        ds_unit_root(6, 8).im == -1.0);
}

/* Lines of all passes. Returns 0 or 1: where the result is. */
static int run_passes(const ds_fourier *f, double sign, int lines, ds_fourier_lines at[2])
{
  int now = 0;
  for (int pass = 0, before = 1; pass < f->passes; before *= f->radix[pass++], now = 1 - now)
    for (int t = 0; t < f->n / f->radix[pass]; t++)
      for (int w = 0; w < lines; w++) ds_fourier_group(f, f->radix[pass], before, sign, t, w, lines, at[now], at[1 - now]);
  return now;
}

/* The largest difference of one transform from the sum that it stands for, by the size of its elements. */
static double error_of_length(int n, double *back)
{
  enum { LINES = 3, MOST = 1024 };
  static double room[4][LINES * MOST], input[2][LINES * MOST];
  static ds_complex root[MOST];
  ds_fourier_lines at[2] = {{room[0], room[1]}, {room[2], room[3]}};
  ds_fourier f;
  uint64_t seed = 90 + (uint64_t) n;
  double worst = 0.0;
  if (!ds_fourier_plan(&f, n)) return 1.0;
  for (int k = 0; k < n; k++) root[k] = ds_unit_root(k, n);
  f.root = root;
  for (int k = 0; k < 2 * n * LINES; k++) input[k % 2][k / 2] = room[k % 2][k / 2] = check_uniform(&seed) - 0.5;
  int now = run_passes(&f, -1.0, LINES, at);
  for (int k = 0; k<n; k += n> 100 ? 17 : 1)
    for (int w = 0; w < LINES; w++) {
      long double re = 0.0L, im = 0.0L;
      for (int j = 0; j < n; j++) {
        const long double angle = -2.0L * 3.141592653589793238462643383279503L * (k * j % n) / n;
        re += input[0][j * LINES + w] * cosl(angle) - input[1][j * LINES + w] * sinl(angle);
        im += input[0][j * LINES + w] * sinl(angle) + input[1][j * LINES + w] * cosl(angle);
      }
      worst = fmax(worst, hypot(at[now].re[k * LINES + w] - (double) re, at[now].im[k * LINES + w] - (double) im));
    }
  if (now) { /* the first passes read the first arrays */
    memcpy(room[0], room[2], sizeof room[0]);
    memcpy(room[1], room[3], sizeof room[1]);
  }
  now = run_passes(&f, 1.0, LINES, at);
  for (int k = 0; k < n * LINES; k++)
    *back = fmax(*back, hypot(at[now].re[k] / n - input[0][k], at[now].im[k] / n - input[1][k]));
  return worst / sqrt(n);
}

static void test_transforms(void)
{
  static const int length[] = {2,  3,  4,  5,  6,  8,  9,   10,  12,  15,  16,  18,  20,  25,  27,  30,  32,   36,
                               45, 60, 64, 75, 80, 81, 100, 125, 128, 243, 256, 384, 625, 729, 960, 972, 1000, 1024};
  double worst = 0.0, back = 0.0;
  ds_fourier f;
  for (size_t k = 0; k < sizeof length / sizeof length[0]; k++) worst = fmax(worst, error_of_length(length[k], &back));
  CHECK_BOUND(worst, 4e-16 * 10, "transforms of lines, by the root of the length");
  CHECK_BOUND(back, 2e-15, "forth and back");
  CHECK(!ds_fourier_plan(&f, 7) && !ds_fourier_plan(&f, 22));
  CHECK(ds_mesh_next_length(7) == 8 && ds_mesh_next_length(33) == 36 && ds_mesh_next_length(64) == 64);
}

/* Weights add up to 1 wherever a charge is, and their center is there. */
static void test_splines(void)
{
  double sum_error = 0.0, center_error = 0.0, least = 1.0;
  uint64_t seed = 3;
  for (int order = 2; order <= 7; order++)
    for (int k = 0; k < 1000; k++) {
      ds_mesh_grid g = {{16, 16, 16}, order, {1.0, 2.0, 3.0}, {2.0, 2.0, 2.0}, {0.0, 0.0, 0.0}};
      const double x[3] = {1.0 + 8.0 * (k == 0 ? 0.25 : check_uniform(&seed)), 0.0, 0.0};
      double sum = 0.0, center = 0.0;
      ds_mesh_place p;
      ds_mesh_place_along(&g, order, 0, x, &p);
      const double at = ds_mesh_coordinate(&g, 0, x);
      for (int j = 0; j < order; j++) {
        double point = p.point[0][j];
        if (point > at + 8.0) point -= 16.0;
        if (point < at - 8.0) point += 16.0;
        sum += p.weight[0][j];
        center += p.weight[0][j] * (point - at);
        least = fmin(least, p.weight[0][j]);
      }
      sum_error = fmax(sum_error, fabs(sum - 1.0));
      center_error = fmax(center_error, fabs(center));
    }
  CHECK_BOUND(sum_error, 1e-14, "sum of weights");
  CHECK_BOUND(center_error, 1e-13, "center of weights, mesh points");
  CHECK(least >= 0.0);
}

/* -------------------------------------------------------------------------------------- a salt in a box */

enum { IONS = 40, NEUTRAL = 20, ATOMS = IONS + NEUTRAL };

typedef struct {
  double x[3 * ATOMS], q[ATOMS], f[3 * ATOMS], eatom[ATOMS], vatom[6 * ATOMS];
  ds_mesh_sums sums;
} salt;

static void fill_salt(salt *s, const ds_mesh_model *m, double excess)
{
  uint64_t seed = 17;
  memset(s, 0, sizeof *s);
  for (int i = 0; i < ATOMS; i++) {
    s->q[i] = i < IONS ? (i % 2 ? -1.0 : 1.0) * (i % 4 < 2 ? 1.0 : 0.6) : 0.0;
    double *const x = s->x + 3 * i, u[3];
    for (int d = 0; d < 3; d++) u[d] = check_uniform(&seed);
    x[0] = m->lo[0] + m->edge[0] * u[0] + m->tilt[2] * u[1] + m->tilt[1] * u[2];
    x[1] = m->lo[1] + m->edge[1] * u[1] + m->tilt[0] * u[2];
    x[2] = m->lo[2] + m->edge[2] * u[2];
  }
  s->x[0] = m->lo[0] - 0.3; /* outside of the box, as atoms are between rebuilds of lists */
  s->x[4] = m->lo[1] + m->edge[1] + 0.2;
  s->q[0] += excess;
}

static ds_mesh_model model_of(int order, int nx, int ny, int nz)
{
  ds_mesh_model m = {order, {nx, ny, nz}, {-1.0, 2.5, 0.25}, {5.0, 6.0, 7.0}, {0.0, 0.0, 0.0}, 1.0, DS_SLAB_NONE, 1.1, 1.7, 0.0,
                     0.0,   0.0};
  return m;
}

static void count_charges(ds_mesh_model *m, const salt *s)
{
  m->charge = m->squares = m->sizes = 0.0;
  for (int i = 0; i < ATOMS; i++) {
    m->charge += s->q[i];
    m->squares += s->q[i] * s->q[i];
    m->sizes += fabs(s->q[i]);
  }
}

static ds_kspace_request request_of(salt *s, int tally)
{
  ds_kspace_request r = {
      ATOMS, array_of_doubles(s->x, 3), array_of_doubles(s->q, 1), array_of_doubles(s->f, 3), array_none(), array_none(),
      tally};
  if (tally) r.eatom = array_of_doubles(s->eatom, 1);
  if (tally) r.vatom = array_of_doubles(s->vatom, 6);
  return r;
}

static ds_kspace *open_mesh(const ds_pair_options *o, const ds_mesh_model *m)
{
  ds_kspace *k = NULL;
  ds_error err;
  const ds_kspace_options options = {o->backend, o->local_rank, o->threads, o->isa};
  if (!CHECK_OK(ds_kspace_open(&k, &options, &err), err)) return NULL;
  CHECK_OK(ds_kspace_set_model(k, m, &err), err);
  return k;
}

/* Again and again, as what an object has found out of the box it does not find out once more. */
static void compute_times(const ds_pair_options *o, const ds_mesh_model *m, salt *s, int tally, int times)
{
  const salt before = *s;
  ds_error err;
  ds_kspace *const k = open_mesh(o, m);
  for (int time = 0; time < times && k; time++) {
    *s = before;
    const ds_kspace_request r = request_of(s, tally);
    CHECK_OK(ds_kspace_compute(k, &r, &s->sums, &err), err);
  }
  ds_kspace_close(k);
}

static void compute(const ds_pair_options *o, const ds_mesh_model *m, salt *s, int tally)
{
  compute_times(o, m, s, tally, 1);
}

/* The sum over wave vectors of the box that the mesh covers, to all digits that count. */
static void direct_sum(const ds_mesh_model *m, salt *s)
{
  const double edge[3] = {m->edge[0], m->edge[1], m->edge[2] * m->extended}, volume = edge[0] * edge[1] * edge[2], g = m->ewald;
  int most[3];
  double energy = 0.0, *const v = s->sums.virial;
  memset(s->sums.virial, 0, sizeof s->sums.virial);
  most[0] = (int) (12.5 * g * edge[0] / (2.0 * PI)) + 1;
  most[1] = (int) (12.5 * g * hypot(edge[1], m->tilt[2]) / (2.0 * PI)) + 1;
  most[2] = (int) (12.5 * g * hypot(edge[2], hypot(m->tilt[0], m->tilt[1])) / (2.0 * PI)) + 1;
  for (int a = -most[0]; a <= most[0]; a++)
    for (int b = -most[1]; b <= most[1]; b++)
      for (int c = -most[2]; c <= most[2]; c++) {
        const double kx = 2.0 * PI * a / edge[0], ky = (2.0 * PI * b - m->tilt[2] * kx) / edge[1];
        const double k[3] = {kx, ky,
                             (2.0 * PI * c - m->tilt[1] * kx - m->tilt[0] * ky) / edge[2]}; /* edges times k: 2 pi a, b, c */
        const double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
        if (k2 == 0.0 || k2 > 156.0 * g * g) continue;
        const double part = 2.0 * PI / volume * exp(-k2 / (4.0 * g * g)) / k2;
        double phase[IONS], re = 0.0, im = 0.0;
        for (int i = 0; i < IONS; i++) {
          phase[i] = k[0] * s->x[3 * i] + k[1] * s->x[3 * i + 1] + k[2] * s->x[3 * i + 2];
          re += s->q[i] * cos(phase[i]);
          im += s->q[i] * sin(phase[i]);
        }
        const double mode = part * (re * re + im * im), term = -2.0 * (1.0 / k2 + 0.25 / (g * g));
        energy += mode;
        for (int d = 0; d < 3; d++) v[d] += m->strength * mode * (1.0 + term * k[d] * k[d]);
        v[3] += m->strength * mode * term * k[0] * k[1];
        v[4] += m->strength * mode * term * k[0] * k[2];
        v[5] += m->strength * mode * term * k[1] * k[2];
        for (int i = 0; i < IONS; i++)
          for (int d = 0; d < 3; d++)
            s->f[3 * i + d] += m->strength * 2.0 * part * s->q[i] * k[d] * (sin(phase[i]) * re - cos(phase[i]) * im);
      }
  energy -= g * m->squares / sqrt(PI) + PI * m->charge * m->charge / (2.0 * g * g * volume);
  s->sums.energy = m->strength * energy;
}

/* What Yeh and Berkowitz add for slabs, J. Chem. Phys. 111, 3155 (1999), with Ballenegger's terms of a net charge. */
static void add_slab(const ds_mesh_model *m, salt *s)
{
  const double height = m->edge[2] * m->extended, factor = 2.0 * PI / (m->edge[0] * m->edge[1] * height), q = m->charge;
  double dipole = 0.0, second = 0.0;
  for (int i = 0; i < IONS; i++) dipole += s->q[i] * s->x[3 * i + 2];
  for (int i = 0; i < IONS; i++) second += s->q[i] * s->x[3 * i + 2] * s->x[3 * i + 2];
  s->sums.energy += m->strength * factor * (dipole * dipole - q * second - q * q * height * height / 12.0);
  for (int i = 0; i < IONS; i++) s->f[3 * i + 2] -= m->strength * 2.0 * factor * s->q[i] * (dipole - q * s->x[3 * i + 2]);
}

static double rms_difference(const salt *a, const salt *b)
{
  double sum = 0.0;
  for (int k = 0; k < 3 * IONS; k++) sum += (a->f[k] - b->f[k]) * (a->f[k] - b->f[k]);
  return sqrt(sum / IONS);
}

/* Sums over atoms are the sums of modes. */
static void check_tallies(const salt *s, const char *what)
{
  double energy = 0.0, worst = 0.0, virial[6] = {0.0};
  for (int i = 0; i < ATOMS; i++) {
    energy += s->eatom[i];
    for (int k = 0; k < 6; k++) virial[k] += s->vatom[6 * i + k];
  }
  for (int k = 0; k < 6; k++) worst = fmax(worst, fabs(virial[k] - s->sums.virial[k]));
  CHECK_MSG(fabs(energy - s->sums.energy) < 1e-11 * fabs(energy), "%s: energies of atoms %.17g, of modes %.17g", what, energy,
            s->sums.energy);
  CHECK_MSG(worst < 1e-11 * fabs(energy), "%s: virials of atoms differ by %g from those of modes", what, worst);
}

static void check_against_direct(const ds_pair_options *o, const ds_mesh_model *given, double excess, double bound,
                                 const char *what)
{
  static salt got, wanted;
  ds_mesh_model m = *given;
  char text[120];
  double worst = 0.0;
  fill_salt(&got, &m, excess);
  count_charges(&m, &got);
  wanted = got;
  compute(o, &m, &got, 1);
  direct_sum(&m, &wanted);
  if (m.slab == DS_SLAB_DIPOLE) add_slab(&m, &wanted);
  for (int i = 0; i < IONS && m.slab == DS_SLAB_NO_Z_FORCE; i++) wanted.f[3 * i + 2] = 0.0;
  for (int k = 0; k < 6; k++) worst = fmax(worst, fabs(got.sums.virial[k] - wanted.sums.virial[k]));
  snprintf(text, sizeof text, "%s: force", what);
  CHECK_BOUND(rms_difference(&got, &wanted), bound, text);
  snprintf(text, sizeof text, "%s: energy", what);
  CHECK_BOUND(fabs(got.sums.energy - wanted.sums.energy), 5.0 * bound, text);
  snprintf(text, sizeof text, "%s: virial", what);
  CHECK_BOUND(worst, 30.0 * bound, text);
  check_tallies(&got, what);
  for (int k = 3 * IONS; k < 3 * ATOMS; k++) CHECK_MSG(got.f[k] == 0.0, "%s: a force on an atom without charge", what);
}

static void test_direct(const ds_pair_options *o)
{
  ds_mesh_model fine = model_of(7, 40, 48, 54), coarse = model_of(5, 18, 20, 25), smallest = model_of(3, 2, 3, 4), slab, tilted;
  static const double tilt[3] = {1.4, -2.0, 1.7};
  check_against_direct(o, &fine, 0.0, 1e-7, "order 7, fine mesh");
  check_against_direct(o, &coarse, 0.0, 2e-3, "order 5, coarse mesh");
  check_against_direct(o, &fine, 0.5, 1e-7, "a net charge");
  for (int order = 2; order <= 7; order++) {
    ds_mesh_model m = model_of(order, 64, 75, 90);
    static const double bound[] = {0, 0, 2e-2, 2e-3, 2e-4, 2e-5, 2e-6, 1e-7};
    char text[20];
    snprintf(text, sizeof text, "order %d", order);
    check_against_direct(o, &m, 0.0, bound[order], text);
  }
  tilted = model_of(7, 54, 54, 60);
  memcpy(tilted.tilt, tilt, sizeof tilt);
  check_against_direct(o, &tilted, 0.0, 1e-7, "a tilted box");
  memcpy(coarse.tilt, tilt, sizeof tilt);
  check_against_direct(o, &coarse, 0.25, 5e-3, "a tilted box, coarse mesh");
  slab = fine;
  slab.extended = 3.0;
  slab.n[2] = 162;
  slab.slab = DS_SLAB_DIPOLE;
  check_against_direct(o, &slab, 0.0, 1e-7, "slab");
  check_against_direct(o, &slab, 0.5, 1e-7, "slab with a net charge");
  slab.slab = DS_SLAB_NO_Z_FORCE;
  slab.extended = 1.0;
  slab.n[2] = 54;
  check_against_direct(o, &slab, 0.0, 1e-7, "no force along z");
  smallest.ewald = 0.15; /* wider splines than the mesh */
  check_against_direct(o, &smallest, 0.0, 1e-2, "a mesh smaller than its splines");
}

/* ----------------------------------------------------------------------------------------- the same bits */

static int same_bits(const salt *a, const salt *b)
{
  return memcmp(a->f, b->f, sizeof a->f) == 0 && memcmp(a->eatom, b->eatom, sizeof a->eatom) == 0 &&
         memcmp(a->vatom, b->vatom, sizeof a->vatom) == 0 && memcmp(&a->sums, &b->sums, sizeof a->sums) == 0;
}

/* Atoms from the last to the first. */
static void reverse(salt *s)
{
  const salt from = *s;
  for (int i = 0; i < ATOMS; i++) {
    const int j = ATOMS - 1 - i;
    memcpy(s->x + 3 * i, from.x + 3 * j, 24);
    memcpy(s->f + 3 * i, from.f + 3 * j, 24);
    memcpy(s->vatom + 6 * i, from.vatom + 6 * j, 48);
    s->q[i] = from.q[j];
    s->eatom[i] = from.eatom[j];
  }
}

/* Processes: their charges are collected in a first round, and all get the sum of all in a second one. */
typedef struct {
  int64_t *total;
  int adds;
} rounds;

static void reduce(void *user, int64_t *sums, size_t n)
{
  rounds *const r = user;
  if (!r->total) r->total = calloc(n, sizeof *r->total);
  for (size_t k = 0; k < n; k++) {
    if (r->adds) r->total[k] += sums[k];
    sums[k] = r->total[k];
  }
}

static void compute_on_processes(const ds_pair_options *o, const ds_mesh_model *m, salt *s)
{
  static const int end[] = {0, 7, 7, ATOMS}; /* one has no atoms */
  rounds r = {NULL, 1};
  for (; r.adds >= 0; r.adds--)
    for (int rank = 0; rank < 3; rank++) {
      ds_error err;
      ds_kspace *const k = open_mesh(o, m);
      static salt room;
      ds_kspace_request q = request_of(r.adds ? &room : s, 1);
      const int first = end[rank];
      if (!k) continue;
      q.n = end[rank + 1] - first;
      q.x = array_of_doubles(s->x + 3 * first, 3);
      q.charge = array_of_doubles(s->q + first, 1);
      q.f.data = (double *) q.f.data + 3 * first;
      q.eatom.data = (double *) q.eatom.data + first;
      q.vatom.data = (double *) q.vatom.data + 6 * first;
      ds_kspace_set_reduction(k, reduce, &r);
      CHECK_OK(ds_kspace_compute(k, &q, &s->sums, &err), err);
      ds_kspace_close(k);
    }
  free(r.total);
}

static void test_bits(void)
{
  const ds_pair_options plain = {.backend = DS_BACKEND_HOST, .threads = 1, .isa = "base"};
  /* long lines, of which fewer find room in a GPU's shared memory side by side, too */
  static const int mesh[][4] = {{5, 16, 18, 25}, {4, 27, 10, 45}, {7, 6, 160, 8},  {5, 300, 8, 6},  {3, 8, 600, 6},
                                {5, 6, 8, 250},  {2, 6, 8, 500},  {5, 6, 8, 1024}, {5, 1024, 6, 8}, {6, 9, 1024, 6}};
  for (int way = 0; way < (int) (sizeof mesh / sizeof mesh[0]); way++) {
    static salt first, again;
    ds_mesh_model m = model_of(mesh[way][0], mesh[way][1], mesh[way][2], mesh[way][3]);
    if (way == 1) m.slab = DS_SLAB_DIPOLE, m.extended = 2.0;
    if (way == 0) m.tilt[0] = 1.4, m.tilt[1] = -2.0, m.tilt[2] = 1.7;
    fill_salt(&first, &m, 0.25);
    count_charges(&m, &first);
    again = first;
    compute(&plain, &m, &first, 1);
    for (int v = 0; v < variants.n; v++) {
      salt got = again;
      compute(&variants.options[v], &m, &got, 1);
      CHECK_MSG(same_bits(&got, &first), "mesh %d, %s: other bits than on one thread", way, variant_name(&variants.options[v]));
      for (int times = 2; times < 5; times++) {
        got = again;
        compute_times(&variants.options[v], &m, &got, 1, times);
        CHECK_MSG(same_bits(&got, &first), "mesh %d, %s: other bits the %d. time", way, variant_name(&variants.options[v]), times);
      }
      if (way > 2) continue;
      got = again;
      reverse(&got);
      compute(&variants.options[v], &m, &got, 1);
      reverse(&got);
      CHECK_MSG(same_bits(&got, &first), "mesh %d, %s: the order of atoms changes bits", way,
                variant_name(&variants.options[v]));
      got = again;
      compute_on_processes(&variants.options[v], &m, &got);
      CHECK_MSG(same_bits(&got, &first), "mesh %d, %s: other bits on three processes", way, variant_name(&variants.options[v]));
      got = again;
      compute(&variants.options[v], &m, &got, 0); /* forces alone */
      CHECK_MSG(memcmp(got.f, first.f, sizeof got.f) == 0, "mesh %d: forces depend on what else is wanted", way);
    }
  }
}

/* One object through boxes that change, and back. */
static void test_boxes(const ds_pair_options *o)
{
  static salt first, again, other;
  ds_mesh_model m = model_of(5, 20, 24, 27), wide = m;
  ds_error err;
  fill_salt(&first, &m, 0.0);
  count_charges(&m, &first);
  again = other = first;
  compute(o, &m, &first, 1);
  count_charges(&wide, &again);
  wide.edge[0] = 6.5;
  wide.n[2] = 32;
  ds_kspace *const k = open_mesh(o, &m);
  for (int round = 0; round < 3 && k; round++) {
    salt got = other;
    const ds_kspace_request r = request_of(&got, 1);
    CHECK_OK(ds_kspace_set_model(k, round == 1 ? &wide : &m, &err), err);
    CHECK_OK(ds_kspace_compute(k, &r, &got.sums, &err), err);
    CHECK_MSG(same_bits(&got, &first) == (round != 1), "round %d of boxes that change", round);
  }
  ds_kspace_close(k);
}

/* --------------------------------------------------------------------------------------- choice of a mesh */

/* The estimate of the error is that of a salt without order. */
static void test_choice(const ds_pair_options *o)
{
  static salt got, wanted;
  ds_error err;
  for (int order = 3; order <= 6; order++) {
    ds_mesh_model m = model_of(order, 2, 2, 2);
    fill_salt(&got, &m, 0.0);
    count_charges(&m, &got);
    ds_mesh_choice c = {order,     {m.edge[0], m.edge[1], m.edge[2]},
                        {0, 0, 0}, 1.0,
                        0,         2.2,
                        ATOMS,     m.strength * m.squares,
                        1e-2,      {0, 0, 0},
                        0.0,       0.0,
                        0.0};
    if (!CHECK_OK(ds_mesh_choose(&c, &err), err)) continue;
    CHECK_MSG(c.mesh_error <= 1.01e-2 && fabs(c.mesh_error - c.cutoff_error) < 1e-5, "order %d: errors %g and %g", order,
              c.mesh_error, c.cutoff_error);
    memcpy(m.n, c.n, sizeof m.n);
    m.ewald = c.ewald;
    wanted = got;
    compute(o, &m, &got, 0);
    direct_sum(&m, &wanted);
    const double by = rms_difference(&got, &wanted) / c.mesh_error;
    printf("  order %d: mesh %d %d %d, g_ewald %.5f, error by its estimate %.2f\n", order, c.n[0], c.n[1], c.n[2], c.ewald, by);
    CHECK(by > 0.2 && by < 3.0);
  }
}

static void choice_fails(ds_mesh_choice c, const char *text)
{
  ds_error err;
  EXPECT(ds_mesh_choose(&c, &err), err, DS_ERR_ARGUMENT, text);
}

static void test_choice_errors(void)
{
  const ds_mesh_choice good = {5, {5, 5, 5}, {0, 0, 0}, 1.0, 0, 2.0, 100, 20.0, 1e-3, {0, 0, 0}, 0.0, 0.0, 0.0};
  ds_mesh_choice c = good;
  c.order = 8;
  choice_fails(c, "order 8 of splines; allowed: 2 to 7");
  c = good;
  c.edge[1] = 0.0;
  choice_fails(c, "edge 0 of the box must be > 0");
  c = good;
  c.extended = 0.5;
  choice_fails(c, "factor 0.5 of the box's height must be >= 1");
  c = good;
  c.cutoff = -1.0;
  choice_fails(c, "cutoff -1 of the part in real space must be > 0");
  c = good;
  c.natoms = 0;
  choice_fails(c, "0 atoms");
  c = good;
  c.accuracy = 0.0;
  choice_fails(c, "accuracy 0 must be > 0");
  c = good;
  c.squares = 0.0;
  choice_fails(c, "there are no charges, and a screening parameter is to be chosen");
  c = good;
  c.ewald = -1.0;
  choice_fails(c, "screening parameter -1 must be >= 0");
  c = good;
  c.accuracy = 1e-14;
  choice_fails(c, "or more for this accuracy; allowed: 2 to 1024");
  c = good;
  c.n[0] = c.n[1] = c.n[2] = 2000;
  choice_fails(c, "2000 mesh points along x; allowed: 2 to 1024");
}

/* ------------------------------------------------------------------------------------------ what is refused */

static void model_fails(ds_kspace *k, ds_mesh_model m, const char *text)
{
  ds_error err;
  EXPECT(ds_kspace_set_model(k, &m, &err), err, DS_ERR_ARGUMENT, text);
}

static void test_model_errors(const ds_pair_options *o)
{
  const ds_mesh_model good = model_of(5, 16, 16, 16);
  ds_mesh_model m = good;
  ds_kspace *const k = open_mesh(o, &good);
  if (!k) return;
  m.order = 1;
  model_fails(k, m, "order 1 of splines; allowed: 2 to 7");
  m = good;
  m.n[1] = 14;
  model_fails(k, m, "14 mesh points along y; allowed: products of 2, 3 and 5 from 2 to 1024");
  m = good;
  m.edge[2] = -1.0;
  model_fails(k, m, "edge -1 of the box from 0.25 on along z; allowed: > 0");
  m = good;
  m.tilt[1] = NAN;
  model_fails(k, m, "tilt nan of the box is no finite number");
  m.tilt[1] = 1.0;
  m.slab = DS_SLAB_NO_Z_FORCE;
  model_fails(k, m, "a slab in a tilted box; allowed: in one that is not");
  m = good;
  m.extended = 0.0;
  model_fails(k, m, "factor 0 of the box's height; allowed: >= 1");
  m = good;
  m.slab = (ds_slab) 7;
  model_fails(k, m, "7 is no kind of slab");
  m = good;
  m.ewald = 0.0;
  model_fails(k, m, "screening parameter 0; allowed: > 0");
  m = good;
  m.strength = INFINITY;
  model_fails(k, m, "strength inf of charges is no finite number");
  m = good;
  m.sizes = -1.0;
  model_fails(k, m, "-1 of their sizes; allowed: finite, the last two >= 0");
  m = good;
  m.n[0] = m.n[1] = m.n[2] = 1024;
  model_fails(k, m, "a mesh of 1024 1024 1024 points; allowed: up to 268435456 together");
  ds_kspace_close(k);
}

static void test_atom_errors(const ds_pair_options *o)
{
  static salt s;
  ds_mesh_model m = model_of(5, 16, 16, 16);
  ds_error err;
  ds_kspace *fresh = NULL;
  const ds_kspace_options options = {o->backend, o->local_rank, o->threads, o->isa}, negative = {DS_BACKEND_HOST, -1, 1, NULL};
  fill_salt(&s, &m, 0.0);
  count_charges(&m, &s);
  ds_kspace_request r = request_of(&s, 1);
  EXPECT(ds_kspace_open(NULL, NULL, &err), err, DS_ERR_ARGUMENT, "no place for a mesh");
  EXPECT(ds_kspace_open(&fresh, &negative, &err), err, DS_ERR_ARGUMENT, "local rank -1 must be >= 0");
  if (!CHECK_OK(ds_kspace_open(&fresh, &options, &err), err)) return;
  EXPECT(ds_kspace_compute(fresh, &r, &s.sums, &err), err, DS_ERR_ARGUMENT, "no mesh has been set");
  EXPECT(ds_kspace_compute(fresh, &r, NULL, &err), err, DS_ERR_ARGUMENT, "no place for sums");
  CHECK_OK(ds_kspace_set_model(fresh, &m, &err), err);
  r.n = -1;
  EXPECT(ds_kspace_compute(fresh, &r, &s.sums, &err), err, DS_ERR_ARGUMENT, "-1 atoms");
  r = request_of(&s, 1);
  r.charge.type = DS_F32;
  EXPECT(ds_kspace_compute(fresh, &r, &s.sums, &err), err, DS_ERR_ARGUMENT, "charges are not F64 in host memory");
  r = request_of(&s, 1);
  r.x.data = NULL;
  EXPECT(ds_kspace_compute(fresh, &r, &s.sums, &err), err, DS_ERR_ARGUMENT, "no positions (NULL)");
  r = request_of(&s, 1);
  for (int bad = 0; bad < 2; bad++) {
    const double x = s.x[3 * 5 + 1];
    s.x[3 * 5 + 1] = s.x[3 * 9] = bad ? NAN : 1e9;
    EXPECT(ds_kspace_compute(fresh, &r, &s.sums, &err), err, DS_ERR_POSITION, "atom 5 of this process, from 0 on, at");
    s.x[3 * 5 + 1] = s.x[3 * 9] = x;
    CHECK_OK(ds_kspace_compute(fresh, &r, &s.sums, &err), err); /* goes on */
  }
  ds_kspace_close(fresh);
}

int main(int argc, char **argv)
{
  const int skipped = variants_open(&variants, argc, argv);
  if (skipped) return skipped;
  CHECK_CASE(test_roots());
  CHECK_CASE(test_transforms());
  CHECK_CASE(test_splines());
  CHECK_CASE(test_choice_errors());
  CHECK_CASE(test_bits());
  for (int v = 0; v < variants.n && (v == 0 || !check_brief()); v++) {
    const ds_pair_options *const o = &variants.options[v];
    if (v == variants.n - 1) CHECK_CASE(test_direct(o));
    if (v == variants.n - 1) CHECK_CASE(test_choice(o));
    CHECK_CASE(test_boxes(o));
    CHECK_CASE(test_model_errors(o));
    CHECK_CASE(test_atom_errors(o));
  }
  return check_result();
}
