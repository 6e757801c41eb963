/* ou.h: the parts of ornstein_uhlenbeck: oscillators that random numbers move, and what is judged of them.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_OU_H
#define DPDSOP_OU_H

#include "dpdsop/rng.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --------------------------------------------------------------------------------- the process */

/* Overdamped Langevin dynamics of a harmonic oscillator by the first-order scheme of Zhmurov et al. 2010
   ("PRNG") eq. 5, x <- x + f dt / xi + g sqrt(2 kT dt / xi) with f = -k x and xi = kT / D. (In print xi stands
   in the numerator under the root; by its units, and by eq. 4, it belongs there.) That is x <- a x + s g.

   What this gives without any error of discretization: x at step n is a Gaussian of mean R0 a^n, and in
   equilibrium <x(n) x(0)> = variance a^n with variance = s^2 / (1 - a^2). */
typedef struct {
  double tau;        /* xi / k, ns */
  double kT_k;       /* the continuous process' variance, nm^2 */
  double R0;         /* all start there, nm */
  double dt;         /* ns */
  double a, s;       /* of a step */
  double variance;   /* in equilibrium, nm^2 */
  int64_t steps;     /* between two samples; even, as normal numbers come in pairs of steps */
  int64_t samples;   /* after that of the start */
  double b;          /* a^steps */
  double innovation; /* variance of what a sample has that the one before does not determine */
  int64_t oscillators;
} ou_process;

enum { OU_SAMPLES = 20 }; /* in a tau */

ou_process ou_make(double dt, int64_t taus, int64_t oscillators);

/* So that `most` steps are enough, by a larger dt: for generators that have only so many dimensions. Returns 0
   where that would be more than a quarter of a sample's interval. */
int ou_shorten(ou_process *p, int64_t most);

/* A step, the same bits on host and GPU. Positions are double: a spring's pull in 1 ps is 6e-7 of x, of which
   single precision would keep one digit. */
DS_FUNC double ou_moved(double x, float g, double a, double s)
{
  return a * x + s * (double) g;
}

/* ------------------------------------------------------------------------------------- running */

/* The oscillators of one backend, with the place for their normal numbers: that of oscillator i for step k of
   a call lies at noise[k * n + i]. */
typedef struct {
  int64_t n;
  double *x;
  float *noise;
  double *copy;    /* on the host */
  uint32_t *shift; /* on the device */
  void *stream;
  int threads;
} ou_oscillators;

typedef struct {
  ds_backend backend;
  ds_space space;
  int log2_numbers; /* good size of the place for numbers: it should stay in a cache */
  ds_status (*open)(ou_oscillators *o, int64_t most, size_t numbers, ds_error *err);
  /* The words of the call of `points` points at noise, each exclusive or the shift of its dimension (an array on the
     host), become normal numbers by the inverse of the distribution function. */
  ds_status (*shift)(ou_oscillators *o, const uint32_t *shift, int64_t dimensions, int64_t points,
                     ds_error *err);
  ds_status (*start)(ou_oscillators *o, int64_t n, double x, ds_error *err);
  ds_status (*move)(ou_oscillators *o, const float *noise, int64_t steps, double a, double s,
                    ds_error *err);
  ds_status (*sample)(ou_oscillators *o, float *x, ds_error *err);
  void (*close)(ou_oscillators *o);
} ou_backend;

extern const ou_backend ou_host;
#ifdef DS_HAVE_CUDA
extern const ou_backend ou_cuda;
#endif

typedef struct {
  const ou_backend *backend;
  ds_rng_options rng; /* generator, seed, rounds, threads */
  int log2_numbers;   /* 0: the backend's */
  int unshifted;      /* points as they are */
} ou_how;

/* x[k * oscillators + i]: oscillator i at sample k, k from 0 (the start) to p->samples.

   Quasi-random points, of which the first is the corner of the cube, fill few dimensions evenly, but 10^4 of them
   are far from filling 10^4 dimensions: moved by them as they are, oscillators have an <X^2> that is wrong by a
   quarter even without the first. So all coordinates of a dimension are changed by exclusive or with a random
   word of that dimension (a digital shift; Owen 1995 for such ways): each point is then uniform by itself, and
   they are as even as before. */
ds_status ou_run(const ou_process *p, const ou_how *how, float *x, ds_error *err);

/* ------------------------------------------------------------------------------------- judging */

typedef struct {
  const char *name;
  double value; /* in standard errors, or chi-square over its degrees of freedom */
  double at;    /* the lag where the largest is, in tau; < 0: has none */
  double
      p; /* of so much or more by chance, or a bound above that, for all the numbers looked at together */
  int judged;
} ou_test;

enum {
  OU_MEAN_STEPS = 0,
  OU_MEAN_REPEATS,
  OU_MEAN_AVERAGE,
  OU_SQUARE_AVERAGE,
  OU_CORRELATION,
  OU_LATE_CORRELATION,
  OU_PAIRS,
  OU_TESTS
};

/* Probability that a good generator fails one of its tests. */
#define OU_CHANCE 1e-4
#define OU_BOUND (OU_CHANCE / OU_TESTS)

typedef struct {
  /* by sample */
  double *mean, *mean_error; /* error: from the spread of the ensemble */
  double *square, *square_error;
  /* by lag in samples, from equilibrium */
  int64_t first, lags;
  double *c, *c_error, *c_exact_error;
  /* the two oscillators that are most alike, the second `pair_lag` samples earlier */
  int64_t pair[2], pair_lag;
  ou_test test[OU_TESTS];
  int passed;
} ou_verdict;

/* independent = 0 for quasi-random points, which are to fill space more evenly than chance would. */
ds_status ou_judge(const ou_process *p, const float *x, int independent, int threads, ou_verdict *v,
                   ds_error *err);
void ou_forget(ou_verdict *v);

/* Exact standard errors over n independent oscillators, of the averages at sample k. */
double ou_mean_error(const ou_process *p, int64_t k);
double ou_square_error(const ou_process *p, int64_t k);

/* Two-sided, of a standard normal number; of a chi-square above or, if also_below, away from its median. */
double ou_p_normal(double z);
double ou_p_chi_square(double chi2, double freedom, int also_below);
/* ln of a bound (Chernoff's) on the probability that the sum of m products of independent normal numbers is
   farther from 0 than `sum`; chain: the products y(k) y(k + lag) of one sequence y. */
double ou_log_p_products(double sum, int64_t m, int chain);

#ifdef __cplusplus
}
#endif
#endif
