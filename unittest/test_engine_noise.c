/* test_engine_noise.c: the noise of a running fluid: moments, and independence of pairs and steps.
   SPDX-License-Identifier: GPL-2.0-or-later

   The fluid runs with the engine's forces. In each step xi of every listed pair is made once more,
   from tags and the velocities of that step, as the force kernels do it in single arithmetic.
   "test_engine_noise cuda" lets the fluid run on the GPU. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "dpdsop/device/gaussian.h"
#include "dpdsop/device/neighbor.h"
#include "dpdsop/device/signature.h"
#include "support/fluid.h"

#if defined(__SANITIZE_ADDRESS__)
static const double wanted = 5e6; /* it is the code that is looked at there, not the numbers */
#else
static const double wanted = 1e8;
#endif

enum { ATOMS = 20000, THREADS = 2, EQUILIBRATION = 200 };

/* Sums over the entries of full lists, which meet every pair from both sides. */
typedef struct {
  double n, x, x2, x3, x4; /* powers of xi */
  double lagged, n_lagged; /* xi(t) xi(t + 1) of the same pair */
  double shared, n_shared; /* xi_ij xi_ik */
  double speed, speed2; /* xi_ij (v_i - v_j)_x with i < j, and the sum of squares of the latter */
} sums;

/* xi of one atom with each of its entries. */
DS_FUNC void draw(int n, uint32_t own, const uint32_t *restrict other, float *restrict xi)
{
  for (int k = 0; k < n; k++) xi[k] = ds_pair_gaussianf(own, other[k]);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2,fma"))) static void
draw_avx2(int n, uint32_t own, const uint32_t *restrict other, float *restrict xi)
{
  draw(n, own, other, xi);
}
#endif

static void draw_plain(int n, uint32_t own, const uint32_t *restrict other, float *restrict xi)
{
  draw(n, own, other, xi);
}

static void draw_row(int n, uint32_t own, const uint32_t *other, float *xi)
{
#if defined(__x86_64__) && defined(__GNUC__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    draw_avx2(n, own, other, xi);
    return;
  }
#endif
  draw_plain(n, own, other, xi);
}

static void add_row(sums *s, int n, const float *xi, const float *before, const float *dv)
{
  double x1 = 0, x2 = 0, x3 = 0, x4 = 0, lagged = 0, speed = 0, speed2 = 0;
#pragma omp simd reduction(+ : x1, x2, x3, x4, speed, speed2)
  for (int k = 0; k < n; k++) {
    const double x = (double) xi[k], square = x * x;
    x1 += x;
    x2 += square;
    x3 += square * x;
    x4 += square * square;
    speed += x * (double) dv[k];
    speed2 += (double) dv[k] * (double) dv[k];
  }
  if (before) {
#pragma omp simd reduction(+ : lagged)
    for (int k = 0; k < n; k++) lagged += (double) xi[k] * (double) before[k];
    s->n_lagged += n;
  }
  s->n += n;
  s->x += x1;
  s->x2 += x2;
  s->x3 += x3;
  s->x4 += x4;
  s->lagged += lagged;
  s->shared += 0.5 * (x1 * x1 - x2); /* sum over pairs of entries */
  s->n_shared += 0.5 * n * (n - 1.0);
  s->speed += speed;
  s->speed2 += speed2;
}

static void add_sums(sums *to, const sums *from)
{
  double *a = (double *) to;
  const double *b = (const double *) from;
  for (size_t k = 0; k < sizeof *to / sizeof *a; k++) a[k] += b[k];
}

typedef struct {
  test_list list;
  float *xi;   /* by entry: of the step before, where the list is still the same */
  int *origin; /* by entry: atom */
  int longest;
} draws;

static void draws_close(draws *d)
{
  if (d->origin) list_free(&d->list);
  free(d->xi);
  free(d->origin);
  memset(d, 0, sizeof *d);
}

static int draws_open(draws *d, test_fluid *fl)
{
  draws_close(d);
  if (!CHECK_OK(list_read(&d->list, fl->engine.dpd, &fl->engine.err), fl->engine.err)) return 0;
  const int entries = d->list.start[d->list.rows];
  d->xi = test_alloc((size_t) entries * sizeof *d->xi);
  d->origin = test_alloc((size_t) entries * sizeof *d->origin);
  for (int m = 0; m < entries; m++)
    d->origin[m] = fl->system.origin[d->list.entries[m] & DS_INDEX_MASK];
  for (int r = 0; r < d->list.rows; r++)
    if (d->list.start[r + 1] - d->list.start[r] > d->longest)
      d->longest = d->list.start[r + 1] - d->list.start[r];
  return 1;
}

/* All pairs of this step. */
static void draw_all(draws *d, const test_fluid *fl, int fresh, sums *total)
{
  const test_system *const s = &fl->system;
  uint32_t *signature = test_alloc(ATOMS * sizeof *signature);
  for (int i = 0; i < ATOMS; i++)
    signature[i] = ds_signature((uint64_t) s->tag[i], (float) s->v[3 * i], (float) s->v[3 * i + 1],
                                (float) s->v[3 * i + 2], fl->model->m.seed, (uint64_t) fl->step);
#pragma omp parallel num_threads(THREADS)
  {
    sums mine;
    uint32_t *other = test_alloc((size_t) d->longest * sizeof *other);
    float *xi = test_alloc((size_t) d->longest * sizeof *xi),
          *dv = test_alloc((size_t) d->longest * sizeof *dv);
    memset(&mine, 0, sizeof mine);
#pragma omp for
    for (int r = 0; r < d->list.rows; r++) {
      const int i = d->list.atom[r], first = d->list.start[r], n = d->list.start[r + 1] - first;
      for (int k = 0; k < n; k++) {
        const int j = d->origin[first + k];
        other[k] = signature[j];
        dv[k] = i < j ? (float) (s->v[3 * i] - s->v[3 * j]) : 0.0f;
      }
      draw_row(n, signature[i], other, xi);
      add_row(&mine, n, xi, fresh ? NULL : d->xi + first, dv);
      memcpy(d->xi + first, xi, (size_t) n * sizeof *xi);
    }
#pragma omp critical
    add_sums(total, &mine);
    free(other);
    free(xi);
    free(dv);
  }
  free(signature);
}

static double deviations(double value, double error)
{
  return fabs(value) / error;
}

/* Standard errors of n independent normal numbers: mean 1/sqrt(n), variance sqrt(2/n), skewness
   sqrt(6/n), kurtosis sqrt(24/n). A sum of m products of different independent numbers has the
   deviation sqrt(m). Pairs were counted twice, pairs of pairs that share an atom once. */
static void check_sums(const sums *s)
{
  const double n = 0.5 * s->n, mean = s->x / s->n, m2 = s->x2 / s->n, m3 = s->x3 / s->n,
               m4 = s->x4 / s->n;
  const double variance = m2 - mean * mean;
  const double third = m3 - 3 * mean * m2 + 2 * mean * mean * mean;
  const double fourth = m4 - 4 * mean * m3 + 6 * mean * mean * m2 - 3 * mean * mean * mean * mean;
  printf("  %.4g pair draws, %.4g of them in two steps, %.4g pairs of pairs\n", n,
         0.5 * s->n_lagged, s->n_shared);
  printf("  mean %.3g, variance %.7g, skewness %.3g, kurtosis %.7g\n", mean, variance,
         third / pow(variance, 1.5), fourth / (variance * variance));
  CHECK(n >= wanted && s->n_lagged > 0.5 * s->n);
  CHECK_BOUND(deviations(mean, 1.0 / sqrt(n)), 4.5, "mean, deviations");
  CHECK_BOUND(deviations(variance - 1.0, sqrt(2.0 / n)), 4.5, "variance, deviations");
  CHECK_BOUND(deviations(third / pow(variance, 1.5), sqrt(6.0 / n)), 4.5, "skewness, deviations");
  CHECK_BOUND(deviations(fourth / (variance * variance) - 3.0, sqrt(24.0 / n)), 4.5,
              "kurtosis, deviations");
  CHECK_BOUND(deviations(0.5 * s->lagged, sqrt(0.5 * s->n_lagged)), 4.0,
              "xi_ij at t and t + 1, deviations");
  CHECK_BOUND(deviations(s->shared, sqrt(s->n_shared)), 4.0, "xi_ij and xi_ik, deviations");
  /* the velocities are what signatures are made from */
  CHECK_BOUND(deviations(s->speed, sqrt(s->speed2)), 4.0, "xi_ij and v_ij, deviations");
}

static void test_running_fluid(const ds_pair_options *variant)
{
  static test_model t;
  test_fluid fl;
  draws d;
  sums total;
  int good;
  ds_pair_options options = *variant;
  options.threads = THREADS;
  memset(&d, 0, sizeof d);
  memset(&total, 0, sizeof total);
  model_open(&t, 1, 25, 4.5, 1.0, 1.0, 0.4);
  t.m.dt = 0.005;
  good = CHECK_OK(fluid_open(&fl, &t, &options, DS_PRECISION_MIXED, ATOMS, cbrt(ATOMS / 3.0), 700),
                  fl.engine.err);
  while (good && total.n < 2.0 * wanted) {
    good = CHECK_OK(fluid_advance(&fl), fl.engine.err);
    if (good && fl.step > EQUILIBRATION) {
      const int fresh = fl.rebuilt || !d.origin;
      if (fresh) good = draws_open(&d, &fl);
      if (good) draw_all(&d, &fl, fresh, &total);
    }
    good = good && CHECK_OK(fluid_finish(&fl, 0), fl.engine.err);
  }
  if (good) check_sums(&total);
  draws_close(&d);
  fluid_close(&fl);
}

int main(int argc, char **argv)
{
  static test_variants variants;
  const int skip = variants_open(&variants, argc, argv);
  if (skip) return skip;
  CHECK_CASE(test_running_fluid(&variants.options[variants.n - 1]));
  return check_result();
}
