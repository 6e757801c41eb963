/* A Brownian particle in a harmonic potential under a force that grows, many times over: how exact and how fast the steps are.
   SPDX-License-Identifier: GPL-2.0-or-later

     bench_ramp [key value ...]

   The model and its numbers are those of Zhmurov et al., Proteins 78, 2984 (2010), section IV.3: K_sp = 40 pN/nm,
   zeta = 7.0e5 pN ps/nm, X_0 = 0. Prints for first and second order how far the mean over all runs is from eq. 3, in parts of
   it and in standard errors, the same for one run without noise, and microseconds per step of all runs. The paper has 1e5
   runs of 1e9 steps at h = 50 ps and r_f = 1e-5 pN/ns. Keys: runs (100000), steps (100000), h in ps (50), rate r_f in pN/ns
   (0.01), backend (auto: a GPU where there is one), threads (1), seed (1). */
#include "dpdsop/sop.h"
#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* kcal/mol, angstrom, fs */
static const double pn = 1.0 / 69.4769;         /* kcal/mol/angstrom per pN */
static const double kT = 4.14 * 10.0 / 69.4769; /* 4.14 pN nm */

static ds_error error;

static void require(ds_status s)
{
  bench_require("bench_ramp", s, &error);
}

typedef struct {
  int runs, steps;
  double h, rate;
} settings;

/* Mean and variance of how far the particles have come, and the time per step in microseconds. */
typedef struct {
  double mean, variance, time;
  const char *backend;
} outcome;

static void *allocated(size_t count, size_t size)
{
  void *const p = calloc(count, size);
  if (p) return p;
  fprintf(stderr, "bench_ramp: no memory for %zu numbers\n", count);
  exit(1);
}

static outcome pull(const ds_sop_options *o, const settings *s, int runs, double noise)
{
  const int32_t bead = 0;
  const double spring = 4.0 * pn, zeta = 7.0e7 * pn; /* 40 pN/nm, 7.0e5 pN ps/nm */
  const ds_sop_pull by = {
    .mode = DS_SOP_PULL_SPRING, .pulled = 1, .pulled_bead = &bead, .spring = spring, .speed = 1e-6 * s->rate / 4.0,
    .direction = {1.0, 0.0, 0.0}
  };
  const ds_sop_motion motion = {0, s->steps, 1000.0 * s->h, zeta, noise};
  double *const x = allocated(3 * (size_t) runs, sizeof *x);
  int64_t *const id = allocated((size_t) runs, sizeof *id);
  ds_sop_topology t;
  ds_sop *sop;
  outcome out = {0.0, 0.0, 0.0, ""};
  memset(&t, 0, sizeof t);
  t.beads = t.copies = 1;
  t.parameters = (ds_sop_parameters){20.0, 2.0, 1.5, 1.0, 3.8, 1.0, 3.8};
  for (int k = 0; k < runs; k++) id[k] = k + 1;
  require(ds_sop_open(&sop, o, &t, &error));
  require(ds_sop_set_beads(sop, runs, 0, id, &error));
  require(ds_sop_set_positions(sop, x, &error));
  require(ds_sop_set_pull(sop, &by, &error));
  const double begin = bench_seconds();
  require(ds_sop_advance(sop, &motion, &error));
  out.time = 1e6 * (bench_seconds() - begin) / s->steps;
  out.backend = ds_sop_get_info(sop).backend;
  require(ds_sop_get_positions(sop, x, &error));
  for (int k = 0; k < runs; k++) out.mean += x[3 * k] / runs;
  for (int k = 0; k < runs; k++) {
    const double d = x[3 * k] - out.mean;
    out.variance += d * d / runs;
  }
  ds_sop_close(sop);
  free(x);
  free(id);
  return out;
}

static void compare(const ds_sop_options *o, const settings *s)
{
  const double tau = 7.0e5 / 40.0, t = s->steps * s->h; /* ps */
  const double exact = s->rate * 1e-3 / 40.0 * 10.0 * (t + tau * expm1(-t / tau));
  const outcome all = pull(o, s, s->runs, kT), quiet = pull(o, s, 1, 0.0);
  const double off = all.mean / exact - 1.0, one = sqrt(all.variance / s->runs) / exact;
  printf("order %d, %s: X = %.6g angstrom by eq. 3; mean of %d runs off by %+.2e of it, %+.2f "
         "standard errors; without noise "
         "%+.2e; variance %.4f of kT/K; %.3f us per step\n",
         o->order, all.backend, exact, s->runs, off, off / one, quiet.mean / exact - 1.0,
         all.variance / (kT / (4.0 * pn)), all.time);
}

static const char usage[] = "usage: bench_ramp [key value ...]; keys: runs, steps, h, rate, threads, seed, backend\n";

int main(int argc, char **argv)
{
  settings s = {100000, 100000, 50.0, 0.01};
  ds_sop_options o;
  memset(&o, 0, sizeof o);
  o.threads = 1;
  o.rng = "tea";
  o.seed = 1;
  o.skin = 2.85;
  if (bench_help(argc, argv, usage)) return bench_end_output("bench_ramp");
  if (argc % 2 == 0) {
    fputs(usage, stderr);
    return 2;
  }
  for (int k = 1; k < argc; k += 2) {
    const char *const key = argv[k], *const value = argv[k + 1];
    if (strcmp(key, "runs") == 0)
      s.runs = atoi(value);
    else if (strcmp(key, "steps") == 0)
      s.steps = atoi(value);
    else if (strcmp(key, "h") == 0)
      s.h = atof(value);
    else if (strcmp(key, "rate") == 0)
      s.rate = atof(value);
    else if (strcmp(key, "threads") == 0)
      o.threads = atoi(value);
    else if (strcmp(key, "seed") == 0)
      o.seed = strtoull(value, NULL, 10);
    else if (strcmp(key, "backend") == 0 && strcmp(value, "auto") != 0)
      o.backend = strcmp(value, "host") == 0 ? DS_BACKEND_HOST : DS_BACKEND_CUDA;
    else if (strcmp(key, "backend") != 0) {
      fprintf(stderr, "bench_ramp: unknown key %s\n", key);
      return 2;
    }
  }
  for (o.order = 1; o.order <= 2; o.order++) compare(&o, &s);
  return bench_end_output("bench_ramp");
}
