/* ou_statistics.c: averages over the oscillators, and whether independent normal numbers would give them.
   SPDX-License-Identifier: GPL-2.0-or-later

   Everything judged is Gaussian or chi-square with a spread that is known exactly for independent oscillators
   (Gaussian processes, whose fourth moments follow from the second). So no error is estimated from the data. */
#include "ou.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  EQUILIBRIUM = 6 * OU_SAMPLES, /* sample from which on: variance is short of its limit by e^-12 */
  EARLY = 5 * OU_SAMPLES,       /* lags that count as early */
  FEWEST = OU_SAMPLES,          /* terms of a sum over time */
  ALIKE = 128,                  /* oscillators whose pairs are compared */
  ALIKE_SAMPLES = 1200
};

typedef struct {
  const ou_process *p;
  const float *x;
  double *power; /* b^j */
  double *m0;    /* R0 b^k, the exact mean */
  double *moved; /* of the ensemble's mean, in standard errors: independent normal numbers */
  float *noise;  /* the same of the first oscillators, [oscillator][sample] */
  int64_t alike, alike_samples;
} ou_statistics;

/* ------------------------------------------------------------------------------- exact errors */

static double power(const ou_process *p, int64_t k)
{
  return exp((double) k * log(p->b));
}

double ou_mean_error(const ou_process *p, int64_t k)
{
  const double v = p->variance * (1.0 - power(p, 2 * k));
  return sqrt(v / (double) p->oscillators);
}

double ou_square_error(const ou_process *p, int64_t k)
{
  const double v = p->variance * (1.0 - power(p, 2 * k)), mean = p->R0 * power(p, k);
  return sqrt((2.0 * v * v + 4.0 * v * mean * mean) / (double) p->oscillators);
}

/* Of the average of y over m samples and all oscillators. */
static double average_error(const ou_statistics *j, int64_t m)
{
  double sum = (double) m;
  for (int64_t d = 1; d < m; d++) sum += 2.0 * (double) (m - d) * j->power[d];
  return sqrt(j->p->variance * sum / (double) j->p->oscillators) / (double) m;
}

/* Of the average of y(k) y(k + lag): <y1 y2 y3 y4> is a sum over the three ways to pair. */
static double product_error(const ou_statistics *j, int64_t m, int64_t lag)
{
  const double *const b = j->power;
  double sum = (double) m * (1.0 + b[lag] * b[lag]);
  for (int64_t d = 1; d < m; d++)
    sum += 2.0 * (double) (m - d) * (b[d] * b[d] + b[d + lag] * b[d > lag ? d - lag : lag - d]);
  return j->p->variance * sqrt(sum / (double) j->p->oscillators) / (double) m;
}

/* ------------------------------------------------------------------------------- by sample */

static void average_samples(const ou_statistics *j, ou_verdict *v, int threads)
{
  const int64_t n = j->p->oscillators;
#pragma omp parallel for num_threads(threads)
  for (int64_t k = 0; k <= j->p->samples; k++) {
    double s1 = 0.0, s2 = 0.0, s4 = 0.0;
    for (int64_t i = 0; i < n; i++) {
      const double x = j->x[k * n + i], y = x - j->m0[k];
      s1 += y;
      s2 += x * x;
      s4 += x * x * x * x;
    }
    const double mean = s1 / (double) n, square = s2 / (double) n;
    const double spread = square - (j->m0[k] + mean) * (j->m0[k] + mean);
    v->mean[k] = j->m0[k] + mean;
    v->square[k] = square;
    v->mean_error[k] = sqrt(fmax(spread, 0.0) / (double) (n - 1));
    v->square_error[k] = sqrt(fmax(s4 / (double) n - square * square, 0.0) / (double) (n - 1));
  }
}

/* What a sample's mean has that does not follow from the one before. */
static void judge_mean(ou_statistics *j, int independent, ou_verdict *v)
{
  const ou_process *const p = j->p;
  const int64_t n = p->samples;
  const double error = sqrt(p->innovation / (double) p->oscillators);
  double chi2 = 0.0, best = 0.0;
  for (int64_t k = 0; k < n; k++) {
    j->moved[k] = ((v->mean[k + 1] - j->m0[k + 1]) - p->b * (v->mean[k] - j->m0[k])) / error;
    chi2 += j->moved[k] * j->moved[k];
  }
  ou_test *t = &v->test[OU_MEAN_STEPS];
  t->value = chi2 / (double) n;
  t->p = ou_p_chi_square(chi2, (double) n, independent);
  t = &v->test[OU_MEAN_REPEATS];
  for (int64_t lag = 1; lag <= n - FEWEST; lag++) {
    double sum = 0.0;
    for (int64_t k = 0; k + lag < n; k++) sum += j->moved[k] * j->moved[k + lag];
    const double log_p = ou_log_p_products(sum, n - lag, 1) + log((double) (n - FEWEST));
    if (lag > 1 && log_p >= best) continue;
    best = log_p;
    t->value = sum / sqrt((double) (n - lag));
    t->at = (double) lag / OU_SAMPLES;
    t->p = fmin(1.0, exp(log_p));
  }
}

/* ------------------------------------------------------------------------------- by lag */

enum { GROUP = 32 }; /* oscillators whose paths stay in the cache */

/* Averages over time for each of a group: their mean and spread go into the sums of the lag. */
static void correlate_group(const ou_statistics *j, int64_t from, int64_t first, float *y, double *sum,
                            double *squares)
{
  const int64_t n = j->p->oscillators, m = j->p->samples + 1 - first;
  const int64_t count = n - from < GROUP ? n - from : GROUP;
  memset(y, 0, (size_t) m * GROUP * sizeof *y);
  for (int64_t k = 0; k < m; k++)
    for (int64_t i = 0; i < count; i++)
      y[k * GROUP + i] = (float) (j->x[(first + k) * n + from + i] - j->m0[first + k]);
  for (int64_t lag = 0; lag + FEWEST <= m; lag++) {
    float c[GROUP] = {0.0f}; /* 10^4 terms or so: the rounding is far below the spread */
    for (int64_t k = 0; k + lag < m; k++)
      for (int i = 0; i < GROUP; i++) c[i] += y[k * GROUP + i] * y[(k + lag) * GROUP + i];
    for (int64_t i = 0; i < count; i++) {
      const double mean = (double) c[i] / (double) (m - lag);
      sum[lag] += mean;
      squares[lag] += mean * mean;
    }
  }
}

static ds_status correlate(const ou_statistics *j, ou_verdict *v, int threads, ds_error *err)
{
  const int64_t n = j->p->oscillators, m = j->p->samples + 1 - v->first;
  int good = 1;
#pragma omp parallel num_threads(threads)
  {
    float *y = malloc((size_t) m * GROUP * sizeof *y);
    double *sum = calloc((size_t) m, sizeof *sum), *squares = calloc((size_t) m, sizeof *squares);
    const int mine = y && sum && squares;
#pragma omp for schedule(dynamic)
    for (int64_t from = 0; from < n; from += GROUP)
      if (mine) correlate_group(j, from, v->first, y, sum, squares);
#pragma omp critical
    {
      good = good && mine;
      for (int64_t lag = 0; lag < v->lags && mine; lag++) {
        v->c[lag] += sum[lag];
        v->c_error[lag] += squares[lag];
      }
    }
    free(y);
    free(sum);
    free(squares);
  }
  if (!good) return ds_fail(err, DS_ERR_MEMORY, "no host memory for correlations");
  for (int64_t lag = 0; lag < v->lags; lag++) {
    v->c[lag] /= (double) n;
    const double spread = v->c_error[lag] / (double) n - v->c[lag] * v->c[lag];
    v->c_error[lag] = sqrt(fmax(spread, 0.0) / (double) (n - 1));
  }
  return DS_OK;
}

static void judge_lags(const ou_statistics *j, int64_t from, int64_t to, const ou_verdict *v, ou_test *t)
{
  for (int64_t lag = from; lag < to; lag++) {
    const double z = (v->c[lag] - j->p->variance * j->power[lag]) / v->c_exact_error[lag];
    if (lag > from && fabs(z) <= fabs(t->value)) continue;
    t->value = z;
    t->at = (double) lag / OU_SAMPLES;
    t->p = fmin(1.0, ou_p_normal(z) * (double) (to - from));
  }
}

static ds_status judge_correlation(const ou_statistics *j, ou_verdict *v, int threads, ds_error *err)
{
  const int64_t m = j->p->samples + 1 - v->first;
  const ds_status s = correlate(j, v, threads, err);
  if (s) return s;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
  for (int64_t lag = 0; lag < v->lags; lag++)
    v->c_exact_error[lag] = product_error(j, m - lag, lag);
  const int64_t early = v->lags < EARLY + 1 ? v->lags : EARLY + 1;
  ou_test *const average = &v->test[OU_MEAN_AVERAGE], *const late = &v->test[OU_LATE_CORRELATION];
  double sum = 0.0;
  for (int64_t k = v->first; k <= j->p->samples; k++) sum += v->mean[k] - j->m0[k];
  average->value = sum / (double) m / average_error(j, m);
  average->p = ou_p_normal(average->value);
  judge_lags(j, 0, 1, v, &v->test[OU_SQUARE_AVERAGE]);
  v->test[OU_SQUARE_AVERAGE].at = -1.0;
  judge_lags(j, 1, early, v, &v->test[OU_CORRELATION]);
  late->judged = early < v->lags;
  judge_lags(j, early, v->lags, v, late);
  return DS_OK;
}

/* ------------------------------------------------------------------------------- pairs */

static void find_noise(ou_statistics *j)
{
  const ou_process *const p = j->p;
  const double error = sqrt(p->innovation);
  for (int64_t i = 0; i < j->alike; i++)
    for (int64_t k = 0; k < j->alike_samples; k++) {
      const double before = j->x[k * p->oscillators + i] - j->m0[k];
      const double after = j->x[(k + 1) * p->oscillators + i] - j->m0[k + 1];
      j->noise[i * j->alike_samples + k] = (float) ((after - p->b * before) / error);
    }
}

static float dot(const float *a, const float *b, int64_t n)
{
  float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
  for (int64_t k = 0; k < n; k++) sum += a[k] * b[k];
  return sum;
}

typedef struct {
  double log_p, sum;
  int64_t pair[2], lag, terms;
} alike;

/* Oscillator `pair[1]` at a time against `pair[0]` `lag` samples later. */
static void compare(const ou_statistics *j, int64_t late, int64_t early, int64_t lag, alike *best)
{
  const int64_t m = j->alike_samples - lag;
  const float *const a = j->noise + late * j->alike_samples + lag;
  const float *const b = j->noise + early * j->alike_samples;
  const double sum = dot(a, b, m);
  if (sum * sum < 4.0 * 4.0 * (double) m) return;
  const alike found = {ou_log_p_products(sum, m, 0), sum, {late, early}, lag, m};
  if (found.log_p < best->log_p) *best = found;
}

/* Oscillators that follow the path of another one, later: streams that overlap. */
static void judge_pairs(ou_statistics *j, int independent, int threads, ou_verdict *v)
{
  const int64_t lags = j->alike_samples - FEWEST + 1;
  alike all = {0.0, 0.0, {0, 1}, 0, 1};
  find_noise(j);
#pragma omp parallel num_threads(threads)
  {
    alike mine = all;
#pragma omp for schedule(dynamic)
    for (int64_t i = 0; i < j->alike; i++)
      for (int64_t other = 0; other < j->alike; other++)
        for (int64_t lag = i < other ? 0 : 1; lag < lags && other != i; lag++)
          compare(j, i, other, lag, &mine);
#pragma omp critical
    if (mine.log_p < all.log_p) all = mine;
  }
  const double pairs = 0.5 * (double) (j->alike * (j->alike - 1));
  ou_test *const t = &v->test[OU_PAIRS];
  memcpy(v->pair, all.pair, sizeof v->pair);
  v->pair_lag = all.lag;
  t->value = all.sum / sqrt((double) all.terms);
  t->at = (double) all.lag / OU_SAMPLES;
  t->p = fmin(1.0, exp(all.log_p) * pairs * (double) (2 * lags - 1));
  t->judged = independent;
}

/* ------------------------------------------------------------------------------- all of it */

static const char *const names[OU_TESTS] = {
    "steps of <X>, chi-square",  "repeats in <X>",           "average of X",     "average of X^2",
    "C(t), t <= 5 tau, largest", "C(t), t > 5 tau, largest", "pairs, most alike"};

static double *numbers(int64_t n, int *good)
{
  double *const data = calloc((size_t) n, sizeof *data);
  *good = *good && data;
  return data;
}

static int reserve(ou_statistics *j, ou_verdict *v)
{
  const int64_t n = j->p->samples + 1;
  int good = 1;
  j->power = numbers(n, &good);
  j->m0 = numbers(n, &good);
  j->moved = numbers(n, &good);
  j->noise = malloc((size_t) (j->alike * j->alike_samples) * sizeof *j->noise);
  v->mean = numbers(n, &good);
  v->mean_error = numbers(n, &good);
  v->square = numbers(n, &good);
  v->square_error = numbers(n, &good);
  v->c = numbers(n, &good);
  v->c_error = numbers(n, &good);
  v->c_exact_error = numbers(n, &good);
  return good && j->noise;
}

void ou_forget(ou_verdict *v)
{
  double *const all[] = {v->mean, v->mean_error, v->square,       v->square_error,
                         v->c,    v->c_error,    v->c_exact_error};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
  memset(v, 0, sizeof *v);
}

ds_status ou_judge(const ou_process *p, const float *x, int independent, int threads, ou_verdict *v,
                   ds_error *err)
{
  ou_statistics j = {p, x, NULL, NULL, NULL, NULL, p->oscillators, p->samples};
  ds_status s = DS_OK;
  if (j.alike > ALIKE) j.alike = ALIKE;
  if (j.alike_samples > ALIKE_SAMPLES) j.alike_samples = ALIKE_SAMPLES;
  memset(v, 0, sizeof *v);
  v->first = EQUILIBRIUM;
  v->lags = p->samples + 1 - EQUILIBRIUM - FEWEST + 1;
  for (int k = 0; k < OU_TESTS; k++) v->test[k] = (ou_test){names[k], 0.0, -1.0, 1.0, 1};
  if (!reserve(&j, v)) s = ds_fail(err, DS_ERR_MEMORY, "no host memory for averages");
  if (!s) {
    for (int64_t k = 0; k <= p->samples; k++) {
      j.power[k] = power(p, k);
      j.m0[k] = p->R0 * j.power[k];
    }
    average_samples(&j, v, threads);
    judge_mean(&j, independent, v);
    s = judge_correlation(&j, v, threads, err);
    judge_pairs(&j, independent, threads, v);
  }
  v->passed = 1;
  for (int k = 0; k < OU_TESTS; k++)
    if (v->test[k].judged && !(v->test[k].p >= OU_BOUND)) v->passed = 0;
  free(j.power);
  free(j.m0);
  free(j.moved);
  free(j.noise);
  if (s) ou_forget(v);
  return s;
}
