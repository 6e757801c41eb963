/* runs.h: normal numbers of a generator, made call by call and used at once: counted beyond levels, or moving oscillators.
   A shared library, which the Python programs beside this folder load (runs.py mirrors what stands under "interface").
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_RNG_RUNS_H
#define DPDSOP_RNG_RUNS_H

#include "dpdsop/device/base.h"
#include "dpdsop/rng.h"

DS_C_BEGIN

/* ------------------------------------------------------------------------------------- interface */

enum { RUNS_LEVELS = 8, RUNS_MOMENTS = 8 };

/* Sums are made in double precision: of the numbers that a thread has in a call, then of these sums. What rounding changes is a
   part in 10^12 or less, and standard errors of 10^12 numbers are a part in 10^6. All zero is an empty one. */
typedef struct {
  double sum[RUNS_MOMENTS];        /* of x, x^2, ... */
  uint64_t beyond[2][RUNS_LEVELS]; /* numbers above a level; and below minus the level */
  double most[2];                  /* the largest x, and the largest -x */
} runs_tally;

/* Oscillators x <- a x + s g, all from x = start, of which samples are taken every `steps` steps. */
typedef struct {
  int64_t oscillators, steps, samples;
  double a, s, start;
  int32_t log2_numbers; /* numbers of a call; 0: what suits the backend */
  int32_t unshifted;    /* points as they are */
} runs_process;

typedef struct {
  const char *generator;
  uint64_t seed;
  int32_t rounds, threads, backend; /* ds_backend */
} runs_options;

const ds_rng_info *runs_generator(int k);

/* `numbers` of them or more, in whole calls; how many there were is in made. */
ds_status runs_count(const runs_options *o, int single, double numbers, runs_tally *total, int64_t *made, ds_error *err);

/* x[k * oscillators + i]: oscillator i at sample k, k from 0 (the start) to samples.

   Quasi-random points, of which the first is the corner of the cube, fill few dimensions evenly, but 10^4 of them are far
   from filling 10^4 dimensions: moved by them as they are, oscillators have an <x^2> that is wrong by a quarter even without
   the first. So all coordinates of a dimension are changed by exclusive or with a random word of that dimension (a digital
   shift; Owen 1995 for such ways): each point is then uniform by itself, and they are as even as before. */
ds_status runs_move(const runs_options *o, const runs_process *p, float *x, ds_error *err);

/* Of the inverse of the distribution function: how many of the 2^32 words make a number above level > 0. And the largest number
   that a generator can make. */
int64_t runs_words_above(double level, int single);
double runs_largest(const char *generator, int single);

/* Words in the orders in which programs use them, of arrays, or in place as `words -h` says. */
enum { RUNS_ARRAY = 0, RUNS_STREAMS, RUNS_STARTS, RUNS_SEEDS, RUNS_IDS, RUNS_STEPS };
typedef struct {
  int32_t layout, count;
  int64_t width, ask;         /* ask: words of a call, or some more */
  uint64_t first, seed, skip; /* of arrays are left out skip * 2^log2_unit words */
  int32_t log2_unit;
} runs_order;
typedef struct runs_words runs_words;

runs_words *runs_open_words(const runs_options *o, const runs_order *order, ds_error *err); /* NULL, with a text */
/* The next words, which stay there until the next call; words of 31 bits are filled up with bits of others. */
ds_status runs_next_words(runs_words *p, const uint32_t **words, int64_t *made, ds_error *err);
void runs_close_words(runs_words *p);

/* ------------------------------------------------------------------------------- on both backends */

/* 1, 2, 3, 4, 5, 5.5, 6, 6.5: exact in single precision. */
DS_FUNC double runs_level(int k)
{
  return k < 5 ? 1.0 + k : 3.0 + 0.5 * k;
}

DS_FUNC void runs_add(runs_tally *t, double x)
{
  double power = 1.0;
  DS_UNROLL(8)
  for (int k = 0; k < RUNS_MOMENTS; k++) t->sum[k] += power *= x;
  DS_UNROLL(2)
  for (int side = 0; side < 2; side++, x = -x) {
    DS_UNROLL(8)
    for (int k = 0; k < RUNS_LEVELS; k++) t->beyond[side][k] += x > runs_level(k);
    t->most[side] = fmax(t->most[side], x);
  }
}

DS_FUNC void runs_join(runs_tally *t, const runs_tally *part)
{
  DS_UNROLL(8)
  for (int k = 0; k < RUNS_MOMENTS; k++) t->sum[k] += part->sum[k];
  DS_UNROLL(2)
  for (int side = 0; side < 2; side++) {
    DS_UNROLL(8)
    for (int k = 0; k < RUNS_LEVELS; k++) t->beyond[side][k] += part->beyond[side][k];
    t->most[side] = fmax(t->most[side], part->most[side]);
  }
}

/* A step, the same bits on host and GPU. Positions are double: a spring's pull in 1 ps is 6e-7 of x, of which single
   precision would keep one digit. */
DS_FUNC double runs_moved(double x, float g, double a, double s)
{
  return a * x + s * (double) g;
}

/* -------------------------------------------------------------------------------------- backends */

void runs_describe(const runs_options *o, int64_t width, void *stream, ds_rng_options *g);

/* The numbers of one call, and what uses them, in the backend's memory. The number of oscillator i for step k of a call lies at
   numbers[k * n + i]. */
typedef struct {
  void *numbers, *stream;
  double *x; /* of n oscillators */
  runs_tally *tally;
  uint32_t *shift; /* by dimension of points */
  int64_t n;
  int tallies, threads;
} runs_place;

/* What to reserve. */
typedef struct {
  size_t numbers; /* bytes */
  int64_t oscillators, dimensions;
} runs_room;

typedef struct {
  ds_backend backend;
  ds_space space;
  int log2_numbers, log2_bytes; /* of a call: they should stay in a cache */
  int64_t width;                /* streams, or numbers at once, that keep it busy */
  ds_status (*open)(runs_place *p, const runs_room *room, ds_error *err);
  /* Between the host's memory and the backend's, when all that is queued is done. */
  ds_status (*copy)(runs_place *p, void *to, const void *from, size_t bytes, ds_error *err);
  ds_status (*count)(runs_place *p, int single, int64_t n, ds_error *err);
  /* Words of `points` points, each exclusive or the shift of its dimension, become normal numbers by the inverse function. */
  ds_status (*shift)(runs_place *p, int64_t dimensions, int64_t points, ds_error *err);
  ds_status (*move)(runs_place *p, const float *numbers, int64_t steps, double a, double s, ds_error *err);
  void (*close)(runs_place *p);
} runs_backend;

extern const runs_backend runs_cuda;

DS_C_END
#endif
