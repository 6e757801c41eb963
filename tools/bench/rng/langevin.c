/* langevin.c: what random numbers cost a simulation, after Figures 5 and 6 of Zhmurov et al. 2010.
   SPDX-License-Identifier: GPL-2.0-or-later

   N three-dimensional harmonic oscillators in a thermostat. A step wants 3 N normal numbers, which Box and Muller make
   of four words per particle, in single precision. Each step ends with waiting for it, as in the paper. */
#include "bench_rng.h"
#include "measure.h"
#include "oscillator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES = 7, STEPS = 200, BATCHES = 5 };

static const int gpu_sizes[] = {1000, 3000, 10000, 30000, 100000, 300000, 1000000};
static const int host_sizes[] = {1000, 10000, 100000, 1000000};
static const int quick_sizes[] = {1000, 30000};

typedef struct {
  const bench_machine *machine;
  ds_rng *rng;
  float *x, *noise;
  size_t n;
  uint64_t steps; /* with noise, so far */
} simulation;

/* --------------------------------------------------------------------------------- kinds of step */

static int make_noise(simulation *s)
{
  return ds_rng_fill(s->rng, DS_NORMAL, DS_F32, s->machine->space, s->noise, 3 * s->n,
                     &bench_why) == DS_OK;
}

static int step_numbers(void *what)
{
  simulation *s = what;
  return make_noise(s) && s->machine->wait();
}

static int step_dynamics(void *what)
{
  simulation *s = what;
  return s->machine->move(s->machine, s->x, NULL, s->n) && s->machine->wait();
}

static int step_full(void *what)
{
  simulation *s = what;
  s->steps++;
  return make_noise(s) && s->machine->move(s->machine, s->x, s->noise, s->n) && s->machine->wait();
}

static int step_in_place(void *what)
{
  simulation *s = what;
  return s->machine->move_in_place(s->machine, s->x, s->n, BENCH_SEED, s->steps++) &&
         s->machine->wait();
}

/* Milliseconds for 1000 steps: median of a few batches, shorter ones and fewer where steps are slow. */
static double time_steps(simulation *s, bench_call *step)
{
  double batch[BATCHES], start = 0.0;
  int count = 0, ok = 1;
  for (int k = 0; k < 3 && ok; k++) {
    start = bench_seconds();
    ok = step(s);
  }
  const double one = bench_seconds() - start + 1e-9, each = s->machine->budget / BATCHES;
  const int steps = each > STEPS * one ? STEPS : each < one ? 1 : (int) (each / one);
  const double begin = bench_seconds();
  while (count < BATCHES && ok && (count == 0 || bench_seconds() - begin < s->machine->budget)) {
    start = bench_seconds();
    for (int k = 0; k < steps && ok; k++) ok = step(s);
    batch[count++] = (bench_seconds() - start) / steps * 1e6;
  }
  if (!ok) bench_stop("a step");
  return bench_median(batch, count);
}

/* ------------------------------------------------------------------------------------ a simulation */

static void place(simulation *s)
{
  float *const start = malloc(3 * s->n * sizeof *start);
  if (!start) bench_stop("out of memory");
  for (size_t k = 0; k < 3 * s->n; k++) start[k] = OSCILLATOR_START;
  if (!s->machine->write(s->x, start, 3 * s->n * sizeof *start)) bench_stop("positions");
  free(start);
  s->steps = 0;
}

/* What was timed must have been a simulation: oscillators spread by sqrt(2 D t), as long as the spring
   is not felt. A fifth is 7 standard deviations of the smallest system, and no test of a generator. */
static void check_spread(const simulation *s, const char *name)
{
  const size_t all = 3 * s->n;
  float *const x = malloc(all * sizeof *x);
  double sum = 0.0, square = 0.0;
  if (!x || !s->machine->read(x, s->x, all * sizeof *x)) bench_stop("positions");
  for (size_t k = 0; k < all; k++) {
    const double d = (double) x[k] - (double) OSCILLATOR_START;
    sum += d;
    square += d * d;
  }
  free(x);
  const double mean = sum / (double) all, variance = square / (double) all - mean * mean;
  const double want = (double) s->steps * (double) OSCILLATOR_SPREAD * (double) OSCILLATOR_SPREAD;
  if (fabs(variance / want - 1.0) < 0.2) return;
  snprintf(bench_why.text, sizeof bench_why.text,
           "%zu oscillators have a variance of %g after %llu steps, not %g", s->n, variance,
           (unsigned long long) s->steps, want);
  bench_stop(name);
}

static simulation open_simulation(const bench_machine *m, int n)
{
  simulation s;
  memset(&s, 0, sizeof s);
  s.machine = m;
  s.n = (size_t) n;
  s.x = bench_get(m, 3 * s.n * sizeof *s.x);
  s.noise = bench_get(m, 3 * s.n * sizeof *s.noise);
  place(&s);
  return s;
}

static void close_simulation(simulation *s)
{
  s->machine->drop(s->x);
  s->machine->drop(s->noise);
}

/* ------------------------------------------------------------------------------------------ results */

/* By generator and size. */
typedef struct {
  const int *sizes;
  int count; /* of sizes */
  double numbers[BENCH_MAX][SIZES], full[BENCH_MAX][SIZES], bytes[BENCH_MAX][SIZES];
  double dynamics[SIZES], in_place[SIZES];
  double one_thread[SIZES]; /* ran2 on the host */
} results;

/* Quasi-random points are not for stochastic dynamics. */
static int for_dynamics(const bench_settings *s, const ds_rng_info *info)
{
  return bench_wanted(s, info->name) && info->family != DS_RNG_POINTS;
}

static int64_t width_for(const ds_rng_info *info, int n)
{
  return info->family == DS_RNG_STREAMS ? n : 3 * (int64_t) n;
}

static void measure_generator(const bench_settings *s, simulation *sim, const ds_rng_info *info,
                              double *numbers, double *full, double *bytes)
{
  const bench_machine *const m = sim->machine;
  sim->rng = bench_open(s, m, info, width_for(info, (int) sim->n), m->threads);
  *bytes = (double) ds_rng_state_bytes(sim->rng);
  *numbers = time_steps(sim, step_numbers);
  place(sim);
  *full = time_steps(sim, step_full);
  check_spread(sim, info->name);
  ds_rng_close(sim->rng);
}

static void measure_size(const bench_settings *s, const bench_machine *m, const bench_machine *host,
                         results *r, int at)
{
  simulation sim = open_simulation(m, r->sizes[at]);
  for (int k = 0; bench_generator(k); k++)
    if (for_dynamics(s, bench_generator(k)))
      measure_generator(s, &sim, bench_generator(k), &r->numbers[k][at], &r->full[k][at],
                        &r->bytes[k][at]);
  r->dynamics[at] = time_steps(&sim, step_dynamics);
  if (m->move_in_place) {
    place(&sim);
    r->in_place[at] = time_steps(&sim, step_in_place);
    check_spread(&sim, "philox in place");
  }
  close_simulation(&sim);

  const ds_rng_info *const ran2 = ds_rng_find("ran2");
  if (m == host || !ran2 || !bench_wanted(s, "ran2") || r->sizes[at] > 100000) return;
  sim = open_simulation(host, r->sizes[at]);
  sim.rng = bench_open(s, host, ran2, r->sizes[at], 1);
  r->one_thread[at] = time_steps(&sim, step_numbers);
  ds_rng_close(sim.rng);
  close_simulation(&sim);
}

/* ------------------------------------------------------------------------------------------- tables */

static bench_table begin(const bench_settings *s, const bench_machine *m, const results *r,
                         const char *title)
{
  static char text[SIZES][24];
  const char *head[SIZES];
  bench_heading(s, title);
  for (int k = 0; k < r->count; k++) {
    snprintf(text[k], sizeof text[k], "%d", r->sizes[k]);
    head[k] = text[k];
  }
  return bench_table_begin(s, m->name, head, r->count, NULL);
}

static void table_numbers(const bench_settings *s, const bench_machine *m, const results *r)
{
  const bench_table t =
      begin(s, m, r,
            "Milliseconds for 1000 steps of 3 N normal numbers (single precision, one "
            "waited-for call a step), by N");
  for (int k = 0; bench_generator(k); k++)
    if (for_dynamics(s, bench_generator(k)))
      bench_table_row(&t, bench_generator(k)->name, r->numbers[k], NULL);
  if (r->one_thread[0] > 0.0)
    bench_table_row(&t, "ran2, one thread of the host", r->one_thread, NULL);
}

static void table_memory(const bench_settings *s, const bench_machine *m, const results *r)
{
  const bench_table t = begin(s, m, r, "Memory of the state in kB, by N");
  for (int k = 0; bench_generator(k); k++) {
    double kilobytes[SIZES];
    if (!for_dynamics(s, bench_generator(k))) continue;
    for (int c = 0; c < r->count; c++) kilobytes[c] = 1e-3 * r->bytes[k][c];
    bench_table_row(&t, bench_generator(k)->name, kilobytes, NULL);
  }
}

static void share_rows(const bench_table *t, const results *r, const char *name,
                       const double *numbers, const double *full)
{
  double share[SIZES];
  char title[64];
  for (int c = 0; c < r->count; c++)
    share[c] = full[c] > r->dynamics[c] ? 100.0 * (1.0 - r->dynamics[c] / full[c]) : 0.0;
  snprintf(title, sizeof title, "%s, whole step", name);
  bench_table_row(t, title, full, NULL);
  if (numbers) bench_table_row(t, "  numbers alone", numbers, NULL);
  bench_table_row(t, "  share of numbers, %", share, NULL);
}

static void table_shares(const bench_settings *s, const bench_machine *m, const results *r)
{
  const bench_table t =
      begin(s, m, r,
            "Milliseconds for 1000 steps of N oscillators, and what numbers add to the "
            "dynamics without them, by N");
  bench_table_row(&t, "dynamics without numbers", r->dynamics, NULL);
  for (int k = 0; bench_generator(k); k++)
    if (for_dynamics(s, bench_generator(k)))
      share_rows(&t, r, bench_generator(k)->name, r->numbers[k], r->full[k]);
  if (m->move_in_place) share_rows(&t, r, "philox in place", NULL, r->in_place);
}

static void measure(const bench_settings *s, const bench_machine *m, const bench_machine *host)
{
  results *const r = calloc(1, sizeof *r);
  if (!r) bench_stop("out of memory");
  r->sizes = s->quick ? quick_sizes : m == host ? host_sizes : gpu_sizes;
  r->count = s->quick ? 2 : m == host ? 4 : SIZES;
  for (int k = 0; k < r->count; k++) measure_size(s, m, host, r, k);
  table_numbers(s, m, r);
  table_memory(s, m, r);
  table_shares(s, m, r);
  free(r);
}

void bench_langevin(const bench_settings *s, const bench_machine *host, const bench_machine *cuda)
{
  measure(s, cuda ? cuda : host, host);
}
