/* tails.h: the parts of normal_tails: normal numbers counted beyond levels, their moments, and the laws they are
   compared with.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_TAILS_H
#define DPDSOP_TAILS_H

#include "dpdsop/device/base.h"
#include "dpdsop/rng.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------- what is counted */

enum { TAILS_LEVELS = 8, TAILS_MOMENTS = 8 };

/* 1, 2, 3, 4, 5, 5.5, 6, 6.5: exact in single precision. */
DS_FUNC double tails_level(int k)
{
  return k < 5 ? 1.0 + k : 3.0 + 0.5 * k;
}

/* Sums are made in double precision: of the numbers that a thread has in a call, then of these sums. What rounding
   changes is a part in 10^12 or less, and standard errors of 10^12 numbers are a part in 10^6. */
typedef struct {
  double sum[TAILS_MOMENTS]; /* of x, x^2, ... */
  uint64_t above[TAILS_LEVELS], below[TAILS_LEVELS];
  double largest, smallest;
} tails_tally;

DS_FUNC void tails_clear(tails_tally *t)
{
  DS_UNROLL(8)
  for (int k = 0; k < TAILS_MOMENTS; k++) t->sum[k] = 0.0;
  DS_UNROLL(8)
  for (int k = 0; k < TAILS_LEVELS; k++) t->above[k] = t->below[k] = 0;
  t->largest = t->smallest = 0.0;
}

DS_FUNC void tails_add(tails_tally *t, double x)
{
  double power = 1.0;
  DS_UNROLL(8)
  for (int k = 0; k < TAILS_MOMENTS; k++) t->sum[k] += power *= x;
  DS_UNROLL(8)
  for (int k = 0; k < TAILS_LEVELS; k++) {
    t->above[k] += x > tails_level(k);
    t->below[k] += x < -tails_level(k);
  }
  t->largest = fmax(t->largest, x);
  t->smallest = fmin(t->smallest, x);
}

DS_FUNC void tails_join(tails_tally *t, const tails_tally *part)
{
  DS_UNROLL(8)
  for (int k = 0; k < TAILS_MOMENTS; k++) t->sum[k] += part->sum[k];
  DS_UNROLL(8)
  for (int k = 0; k < TAILS_LEVELS; k++) {
    t->above[k] += part->above[k];
    t->below[k] += part->below[k];
  }
  t->largest = fmax(t->largest, part->largest);
  t->smallest = fmin(t->smallest, part->smallest);
}

/* ------------------------------------------------------------------------------------------- running */

/* The numbers of one call and the tallies of one backend. */
typedef struct {
  void *numbers;
  tails_tally *tally; /* of each thread or warp */
  int tallies, threads;
  void *stream;
} tails_place;

typedef struct {
  ds_backend backend;
  ds_space space;
  int log2_bytes; /* of the numbers of a call: they should stay in a cache */
  int64_t width;  /* streams, or numbers at once, that keep it busy */
  ds_status (*open)(tails_place *p, size_t bytes, ds_error *err);
  ds_status (*count)(tails_place *p, ds_type type, int64_t n, ds_error *err);
  ds_status (*total)(tails_place *p, tails_tally *t, ds_error *err);
  void (*close)(tails_place *p);
} tails_backend;

extern const tails_backend tails_host;
#ifdef DS_HAVE_CUDA
extern const tails_backend tails_cuda;
#endif

/* `numbers` of them or more, in whole calls; how many there were comes back. */
ds_status tails_run(const tails_backend *backend, const ds_rng_options *rng, ds_type type,
                    double numbers, tails_tally *total, int64_t *made, ds_error *err);

/* ---------------------------------------------------------------------------------------------- laws */

typedef struct {
  double above
      [TAILS_LEVELS]; /* probability of x above a level; below minus the level it is the same */
  double moment[2 * TAILS_MOMENTS + 1]; /* mean of x^k; twice as many, for the standard errors */
  double largest;
} tails_law;

tails_law tails_normal_law(void);

/* The law of the numbers that a generator of independent, uniform words would make: word to radius and angle, or word
   to number, as dpdsop/device/rng/number.h has it, and the words that the generator has (of ran2 and mrg32k3a not all of
   2^32). Of these two the angle is not quite uniform either; that moves the mean by 2e-8 and is left out. */
tails_law tails_law_of(const ds_rng_info *info, ds_type type);

#ifdef __cplusplus
}
#endif
#endif
