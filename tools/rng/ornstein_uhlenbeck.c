/* ornstein_uhlenbeck: oscillators in a thermostat, for which everything is known exactly, moved by the numbers of
   a generator; after Zhmurov et al. 2010, section IV.   SPDX-License-Identifier: GPL-2.0-or-later

     ornstein_uhlenbeck --generator NAME [--generator NAME ...] [--backend host|cuda] [--oscillators N] [--dt PS]
                        [--time TAUS] [--seed S] [--rounds R] [--threads T] [--log2-chunk L] [--out FOLDER]
                        [--unfit-must-fail] [--unshifted]

   NAME: as words -l lists them, or `all`. Defaults: host, 10000 oscillators, 1 ps, 60 tau, seed 1, 32 rounds of tea,
   all cores. Prints a table for each generator: what was measured, its probability by chance, passed or not; and
   writes NAME.mean.csv, NAME.correlation.csv, NAME.pair.csv, NAME.tests.csv, of which plot_ou.py makes a plot.

   A full run makes 10^12 numbers per generator: for a GPU. On a host, --dt 1000 --time 20 takes a second.
   A generator of points (sobol) has a dimension for each step, so it gets a larger dt where it has too few. Its
   points are shifted at random, as ou/ou.h says, or not with --unshifted.

   Exit status: 0 if every generator passes that is not marked unfit (and, with --unfit-must-fail, no other does),
   1 if not, 2 for errors, 77 if there is no GPU for --backend cuda. */
#include "ou/ou.h"
#include "tool/tool.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct {
  tool_generators generators;
  const ou_backend *backend;
  double dt; /* ns */
  int64_t oscillators, taus;
  uint64_t seed;
  int rounds, threads, log2_chunk, unfit_must_fail, unshifted;
  const char *out;
} settings;

static const tool program = {
    "ornstein_uhlenbeck",
    "usage: ornstein_uhlenbeck --generator NAME|all [--generator NAME ...] [--backend host|cuda]\n"
    "         [--oscillators 256..1000000] [--dt PS] [--time 10..1000] [--seed S] [--rounds "
    "8..32]\n"
    "         [--threads 1..4096] [--log2-chunk 16..30] [--out FOLDER] [--unfit-must-fail]\n"
    "         [--unshifted]\n"
    "generators:",
    1};

/* ------------------------------------------------------------------------------- settings */

static const ou_backend *backend_of(const char *name)
{
#ifdef DS_HAVE_CUDA
  if (tool_on_gpu(&program, name)) return &ou_cuda;
#else
  tool_on_gpu(&program, name);
#endif
  return &ou_host;
}

static settings read_settings(int argc, char **argv)
{
  static const struct option options[] = {{"generator", 1, NULL, 'g'},
                                          {"backend", 1, NULL, 'b'},
                                          {"oscillators", 1, NULL, 'n'},
                                          {"dt", 1, NULL, 'd'},
                                          {"time", 1, NULL, 't'},
                                          {"seed", 1, NULL, 's'},
                                          {"rounds", 1, NULL, 'r'},
                                          {"threads", 1, NULL, 'p'},
                                          {"out", 1, NULL, 'o'},
                                          {"log2-chunk", 1, NULL, 'l'},
                                          {"unfit-must-fail", 0, NULL, 'u'},
                                          {"unshifted", 0, NULL, 'w'},
                                          {NULL, 0, NULL, 0}};
  settings s = {{{NULL}, 0}, &ou_host, 1e-3, 10000, 60, 1, 32, omp_get_num_procs(), 0, 0, 0, "."};
  int option;
  while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) switch (option) {
    case 'g':
      tool_add_generator(&program, &s.generators, optarg);
      break;
    case 'b':
      s.backend = backend_of(optarg);
      break;
    case 'n':
      s.oscillators = tool_integer(&program, "oscillators", optarg, 256, 1000000);
      break;
    case 'd':
      s.dt = 1e-3 * tool_number(&program, "dt", optarg, 1e-3, 10000.0);
      break;
    case 't':
      s.taus = tool_integer(&program, "time", optarg, 10, 1000);
      break;
    case 's':
      s.seed = (uint64_t) tool_integer(&program, "seed", optarg, 0, INT64_MAX);
      break;
    case 'r':
      s.rounds = (int) tool_integer(&program, "rounds", optarg, 8, 32);
      break;
    case 'p':
      s.threads = (int) tool_integer(&program, "threads", optarg, 1, 4096);
      break;
    case 'l':
      s.log2_chunk = (int) tool_integer(&program, "log2-chunk", optarg, 16, 30);
      break;
    case 'o':
      s.out = optarg;
      break;
    case 'u':
      s.unfit_must_fail = 1;
      break;
    case 'w':
      s.unshifted = 1;
      break;
    default:
      tool_wrong_use(&program, "", "unknown option, or one without its value");
    }
  if (optind != argc) tool_wrong_use(&program, "", argv[optind]);
  if (s.generators.n == 0) tool_wrong_use(&program, "generator", "is missing");
  return s;
}

/* ------------------------------------------------------------------------------- files */

static FILE *open_file(const settings *s, const char *generator, const char *kind)
{
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.%s.csv", s->out, generator, kind);
  return tool_open(&program, path, "w");
}

static void write_mean(FILE *f, const ou_process *p, const ou_verdict *v)
{
  fprintf(f, "tau,ns,mean,mean_ensemble_error,mean_exact_error,mean_exact,mean_continuous,"
             "square,square_ensemble_error,square_exact_error,square_exact\n");
  for (int64_t k = 0; k <= p->samples; k++) {
    const double ns = (double) (k * p->steps) * p->dt, exact = p->R0 * pow(p->b, (double) k);
    const double spread = p->variance * (1.0 - pow(p->b, (double) (2 * k)));
    fprintf(f, "%.6f,%.6f,%.7g,%.7g,%.7g,%.7g,%.7g,%.7g,%.7g,%.7g,%.7g\n", ns / p->tau, ns,
            v->mean[k], v->mean_error[k], ou_mean_error(p, k), exact, p->R0 * exp(-ns / p->tau),
            v->square[k], v->square_error[k], ou_square_error(p, k), spread + exact * exact);
  }
}

static void write_correlation(FILE *f, const ou_process *p, const ou_verdict *v)
{
  fprintf(f, "tau,ns,c,c_ensemble_error,c_exact_error,c_exact,c_continuous\n");
  for (int64_t k = 0; k < v->lags; k++) {
    const double ns = (double) (k * p->steps) * p->dt;
    fprintf(f, "%.6f,%.6f,%.7g,%.7g,%.7g,%.7g,%.7g\n", ns / p->tau, ns, v->c[k], v->c_error[k],
            v->c_exact_error[k], p->variance * pow(p->b, (double) k), p->kT_k * exp(-ns / p->tau));
  }
}

/* The two oscillators that are most alike, the times of the second one shifted. */
static void write_pair(FILE *f, const ou_process *p, const ou_verdict *v, const float *x)
{
  const double interval = (double) p->steps * p->dt / p->tau;
  fprintf(f, "# oscillator %lld, and oscillator %lld %.2f tau earlier\ntau,first,second\n",
          (long long) v->pair[0], (long long) v->pair[1], interval * (double) v->pair_lag);
  for (int64_t k = v->pair_lag; k <= p->samples; k++)
    fprintf(f, "%.6f,%.7g,%.7g\n", interval * (double) k,
            (double) x[k * p->oscillators + v->pair[0]],
            (double) x[(k - v->pair_lag) * p->oscillators + v->pair[1]]);
}

static void write_tests(FILE *f, const ds_rng_info *info, const ou_process *p, const ou_verdict *v)
{
  fprintf(f, "generator,unfit,oscillators,dt_ps,taus,test,value,at_tau,p,bound,judged,passed\n");
  for (int k = 0; k < OU_TESTS; k++) {
    const ou_test *const t = &v->test[k];
    fprintf(f, "%s,%d,%lld,%.9g,%lld,\"%s\",%.7g,%.7g,%.4g,%.4g,%d,%d\n", info->name, info->unfit,
            (long long) p->oscillators, 1e3 * p->dt, (long long) (p->samples / OU_SAMPLES), t->name,
            t->value, t->at, t->p, OU_BOUND, t->judged, !t->judged || t->p >= OU_BOUND);
  }
}

static void write_files(const settings *s, const ds_rng_info *info, const ou_process *p,
                        const ou_verdict *v, const float *x)
{
  FILE *f = open_file(s, info->name, "mean");
  write_mean(f, p, v);
  tool_close(&program, f, "mean");
  f = open_file(s, info->name, "correlation");
  write_correlation(f, p, v);
  tool_close(&program, f, "correlation");
  f = open_file(s, info->name, "pair");
  write_pair(f, p, v, x);
  tool_close(&program, f, "pair");
  f = open_file(s, info->name, "tests");
  write_tests(f, info, p, v);
  tool_close(&program, f, "tests");
}

/* ------------------------------------------------------------------------------- table */

static void print_run(const settings *s, const ds_rng_info *info, const ou_process *p,
                      double seconds)
{
  const double steps = (double) (p->steps * p->samples);
  printf("%s: %s, %s\n", info->name, info->title, info->source);
  printf("  %s, seed %llu: %lld oscillators, %.0f steps of %.4g ps, %lld tau\n",
         s->backend == &ou_host ? "host" : "cuda", (unsigned long long) s->seed,
         (long long) p->oscillators, steps, 1e3 * p->dt, (long long) s->taus);
  if (p->dt != s->dt)
    printf("  a step is a dimension, of which there are %lld: dt is not the %.4g ps asked for\n",
           (long long) info->most_width, 1e3 * s->dt);
  if (info->family == DS_RNG_POINTS)
    printf("  points %s\n", s->unshifted ? "as they are" : "shifted at random");
  printf("  %.3g numbers in %.2f s\n", steps * (double) p->oscillators, seconds);
}

/* How far the curves of the discrete process are from those of the continuous one, in the errors that the
   run's averages have. */
static void compare_curves(const ou_process *p, const ou_verdict *v)
{
  double mean = 0.0, c = 0.0;
  for (int64_t k = 1; k <= p->samples; k++) {
    const double t = (double) (k * p->steps) * p->dt / p->tau;
    const double apart = fabs(p->R0 * (pow(p->b, (double) k) - exp(-t)));
    mean = fmax(mean, apart / ou_mean_error(p, k));
    if (k >= v->lags) continue;
    c = fmax(c,
             fabs(p->variance * pow(p->b, (double) k) - p->kT_k * exp(-t)) / v->c_exact_error[k]);
  }
  c = fmax(c, fabs(p->variance - p->kT_k) / v->c_exact_error[0]);
  printf("  discrete and continuous curves: apart by at most %.2g (<X>) and %.2g (C) standard "
         "errors\n",
         mean, c);
}

static void print_verdict(const ds_rng_info *info, const ou_process *p, const ou_verdict *v)
{
  const int64_t m = p->samples + 1 - v->first;
  double sum = 0.0;
  for (int64_t k = v->first; k <= p->samples; k++) sum += v->mean[k];
  printf(
      "  <X> = %.4f nm; <X^2> = %.3f, errors: exact %.3f, of the ensemble %.3f; kT/k = %.3f nm^2\n",
      sum / (double) m, v->c[0], v->c_exact_error[0], v->c_error[0], p->kT_k);
  compare_curves(p, v);
  printf("  %-28s %10s %10s %10s\n", "test", "value", "lag, tau", "p");
  for (int k = 0; k < OU_TESTS; k++) {
    const ou_test *const t = &v->test[k];
    printf("  %-28s %10.4f ", t->name, t->value);
    if (t->at >= 0.0)
      printf("%10.2f ", t->at);
    else
      printf("%10s ", "");
    printf("%10.2g  %s\n", t->p, !t->judged ? "not judged" : t->p >= OU_BOUND ? "" : "FAILED");
  }
  printf("  %s: %s%s (p of each test at least %.2g)\n", info->name, v->passed ? "passed" : "FAILED",
         info->unfit ? ", and is marked as unfit" : "", OU_BOUND);
  fflush(stdout);
}

/* ------------------------------------------------------------------------------- running */

/* 1 if the verdict is what it should be. */
static int run(const settings *s, const ds_rng_info *info)
{
  const int points = info->family == DS_RNG_POINTS;
  ou_process p = ou_make(s->dt, s->taus, s->oscillators);
  ou_verdict v;
  ds_error err;
  ou_how how;
  if (points && !ou_shorten(&p, info->most_width)) {
    printf("%s: left out, %lld dimensions are too few for %lld tau\n", info->name,
           (long long) info->most_width, (long long) s->taus);
    return 1;
  }
  float *const x = malloc((size_t) (p.samples + 1) * (size_t) p.oscillators * sizeof *x);
  if (!x) tool_stop(&program, info->name, "no memory for the paths");
  memset(&how, 0, sizeof how);
  how.backend = s->backend;
  how.rng.generator = info->name;
  how.rng.seed = s->seed;
  how.rng.rounds = s->rounds;
  how.rng.threads = s->threads;
  how.log2_numbers = s->log2_chunk;
  how.unshifted = s->unshifted;
  const double begin = tool_now();
  if (ou_run(&p, &how, x, &err)) tool_engine_failed(&program, info->name, &err);
  print_run(s, info, &p, tool_now() - begin);
  if (ou_judge(&p, x, !points, s->threads, &v, &err)) tool_stop(&program, info->name, err.text);
  print_verdict(info, &p, &v);
  write_files(s, info, &p, &v, x);
  const int good = info->unfit ? !(s->unfit_must_fail && v.passed) : v.passed;
  ou_forget(&v);
  free(x);
  return good;
}

int main(int argc, char **argv)
{
  const settings s = read_settings(argc, argv);
  int good = 1;
  if (mkdir(s.out, 0777) && errno != EEXIST) tool_stop(&program, s.out, strerror(errno));
  for (int k = 0; k < s.generators.n; k++) good &= run(&s, ds_rng_find(s.generators.name[k]));
  tool_end_output(&program);
  return good ? 0 : 1;
}
