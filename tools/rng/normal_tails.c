/* normal_tails: normal numbers counted beyond levels, and their moments, against the exact law.
   SPDX-License-Identifier: GPL-2.0-or-later

     normal_tails --generator NAME [--generator NAME ...] [--precision single|double|both] [--backend host|cuda]
                  [--numbers N] [--seed S] [--rounds R] [--threads T] [--table FILE]

   NAME: as words -l lists them, or `all`, which is all but points. Defaults: single, host, 1e7 numbers, seed 1, 8 rounds
   of tea, all cores. N of 1e12 are for a GPU.

   Counted is how many numbers are above 1, 2, 3, 4, 5, 5.5, 6, 6.5 and below minus these; moments are the means of x to
   x^8. Each is compared with two laws: with the normal one, and with that of the numbers that exact, independent
   words would make. A radius made of 32 bits ends at 6.66 and has steps beyond 6, so the two differ there. Deviations
   are in standard errors, which the law gives too. Judged is the second law: by the normal distribution, or, where less
   than 1000 numbers are expected beyond a level, by Poisson's. For the mean of x^8 of 10^7 numbers the first is right
   to a factor of two where it counts.

   A generator fails where the probability of one of the 24 values is below 1e-4 / 24, or a number is larger than any
   can be: so a good one fails in one of 10,000 runs. With N numbers that is a deviation of 4.6 standard errors: of the
   variance 6.5 / sqrt(N), of a count 4.6 / sqrt(the count).

   --table: a row for each value is added to this file, with its headings if it is new; normal_tails_table makes the
   manual's tables of it. Exit status: 0 if every generator passes that is not marked unfit, 1 if not, 2 for errors,
   77 if there is no GPU for --backend cuda. */
#include "tails/tails.h"
#include "tool/tool.h"

#include <getopt.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 2 * TAILS_LEVELS + TAILS_MOMENTS };
static const double CHANCE = 1e-4, FEW = 1000.0;

typedef struct {
  tool_generators generators;
  int single, both;
  const tails_backend *backend;
  double numbers;
  ds_rng_options rng;
  const char *table;
} settings;

static const tool program = {"normal_tails",
                             "usage: normal_tails --generator NAME|all [--generator NAME ...] "
                             "[--precision single|double|both]\n"
                             "         [--backend host|cuda] [--numbers 1e6..1e15] [--seed S] "
                             "[--rounds 8..32] [--threads 1..4096]\n"
                             "         [--table FILE]\n"
                             "generators:",
                             0};

/* ------------------------------------------------------------------------------- settings */

static const tails_backend *backend_of(const char *name)
{
#ifdef DS_HAVE_CUDA
  if (tool_on_gpu(&program, name)) return &tails_cuda;
#else
  tool_on_gpu(&program, name);
#endif
  return &tails_host;
}

static void read_precision(settings *s, const char *name)
{
  s->both = strcmp(name, "both") == 0;
  s->single = s->both || strcmp(name, "single") == 0;
  if (!s->single && strcmp(name, "double") != 0) tool_wrong_use(&program, "precision", name);
}

static settings read_settings(int argc, char **argv)
{
  static const struct option options[] = {
      {"generator", 1, NULL, 'g'}, {"precision", 1, NULL, 'x'}, {"backend", 1, NULL, 'b'},
      {"numbers", 1, NULL, 'n'},   {"seed", 1, NULL, 's'},      {"rounds", 1, NULL, 'r'},
      {"threads", 1, NULL, 'p'},   {"table", 1, NULL, 't'},     {NULL, 0, NULL, 0}};
  settings s;
  int option;
  memset(&s, 0, sizeof s);
  s.single = 1;
  s.backend = &tails_host;
  s.numbers = 1e7;
  s.rng.seed = 1;
  s.rng.rounds = 8;
  s.rng.threads = omp_get_num_procs();
  while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) switch (option) {
    case 'g':
      tool_add_generator(&program, &s.generators, optarg);
      break;
    case 'x':
      read_precision(&s, optarg);
      break;
    case 'b':
      s.backend = backend_of(optarg);
      break;
    case 'n':
      s.numbers = tool_number(&program, "numbers", optarg, 1e6, 1e15);
      break;
    case 's':
      s.rng.seed = (uint64_t) tool_number(&program, "seed", optarg, 0.0, 9e15);
      break;
    case 'r':
      s.rng.rounds = (int) tool_number(&program, "rounds", optarg, 8.0, 32.0);
      break;
    case 'p':
      s.rng.threads = (int) tool_number(&program, "threads", optarg, 1.0, 4096.0);
      break;
    case 't':
      s.table = optarg;
      break;
    default:
      tool_wrong_use(&program, "", "unknown option, or one without its value");
    }
  if (optind != argc) tool_wrong_use(&program, "", argv[optind]);
  if (s.generators.n == 0) tool_wrong_use(&program, "generator", "is missing");
  return s;
}

/* ------------------------------------------------------------------------------- judging */

/* One of the counts or moments, what two laws expect, and the distance in standard errors. Where a law has none, that
   is 0 for a count of 0, and else infinite. */
typedef struct {
  char name[16];
  double value, law, normal, from_law, from_normal;
  double p;
} value;

/* Of a Poisson distribution: probability of a count that is at least as far out, on its side of the mean; times two. */
static double poisson(double count, double mean)
{
  double to = 0.0, at = 0.0; /* P(X <= count), P(X = count) */
  if (mean <= 0.0) return count > 0.0 ? 0.0 : 1.0;
  for (double k = 0.0; k <= count; k++) to += at = exp(k * log(mean) - mean - lgamma(k + 1.0));
  return fmin(1.0, 2.0 * fmin(to, 1.0 - to + at));
}

static double deviation(double difference, double variance)
{
  if (variance > 0.0) return difference / sqrt(variance);
  return difference == 0.0 ? 0.0 : copysign(INFINITY, difference);
}

static value judge_count(char side, int level, double count, double n, const tails_law *law,
                         const tails_law *normal)
{
  const double p = law->above[level], q = normal->above[level];
  value v;
  snprintf(v.name, sizeof v.name, "%c %s%g", side, side == '<' ? "-" : "", tails_level(level));
  v.value = count;
  v.law = n * p;
  v.normal = n * q;
  v.from_law = deviation(count - n * p, n * p * (1.0 - p));
  v.from_normal = deviation(count - n * q, n * q * (1.0 - q));
  v.p = n * p < FEW ? poisson(count, n * p) : erfc(fabs(v.from_law) * 0.70710678118654752);
  return v;
}

static value judge_moment(int power, double sum, double n, const tails_law *law,
                          const tails_law *normal)
{
  const double m = law->moment[power], g = normal->moment[power];
  value v;
  snprintf(v.name, sizeof v.name, "mean x^%d", power);
  v.value = sum / n;
  v.law = m;
  v.normal = g;
  v.from_law = deviation(v.value - m, (law->moment[2 * power] - m * m) / n);
  v.from_normal = deviation(v.value - g, (normal->moment[2 * power] - g * g) / n);
  v.p = erfc(fabs(v.from_law) * 0.70710678118654752);
  return v;
}

static void judge(const tails_tally *t, double n, const tails_law *law, value v[VALUES])
{
  const tails_law normal = tails_normal_law();
  for (int k = 0; k < TAILS_LEVELS; k++) {
    *v++ = judge_count('>', k, (double) t->above[k], n, law, &normal);
    *v++ = judge_count('<', k, (double) t->below[k], n, law, &normal);
  }
  for (int k = 1; k <= TAILS_MOMENTS; k++) *v++ = judge_moment(k, t->sum[k - 1], n, law, &normal);
}

/* ------------------------------------------------------------------------------- results */

static void print_values(const value *v)
{
  printf("  %-10s %20s %20s %8s %20s %8s %9s\n", "", "found", "law of the numbers", "off by",
         "normal law", "off by", "p");
  for (int k = 0; k < VALUES; k++)
    printf("  %-10s %20.12g %20.12g %8.2f %20.12g %8.2f %9.2g%s\n", v[k].name, v[k].value, v[k].law,
           v[k].from_law, v[k].normal, v[k].from_normal, v[k].p,
           v[k].p < CHANCE / VALUES ? " FAILED" : "");
}

typedef struct {
  const char *generator, *precision, *backend;
  unsigned long long seed;
  int64_t numbers;
} run_key;

static void write_row(FILE *f, const run_key *r, const value *v)
{
  fprintf(f, "%s,%s,%s,%llu,%lld,%s,%.15g,%.15g,%.4f,%.15g,%.4f,%.4g\n", r->generator, r->precision,
          r->backend, r->seed, (long long) r->numbers, v->name, v->value, v->law, v->from_law,
          v->normal, v->from_normal, v->p);
}

static void write_table(const char *path, const run_key *r, const value *v, const value ends[2])
{
  FILE *const f = tool_open(&program, path, "a");
  if (fseek(f, 0, SEEK_END) == 0 && ftell(f) == 0)
    fprintf(f, "generator,precision,backend,seed,numbers,value,found,law,off by,normal law,off by "
               "(normal),p\n");
  for (int k = 0; k < VALUES; k++) write_row(f, r, v + k);
  for (int k = 0; k < 2; k++) write_row(f, r, ends + k);
  tool_close(&program, f, path);
}

/* The largest number that there can be, and that there was: 1 if the second is no larger. */
static int judge_end(value *v, const char *name, double found, double most)
{
  memset(v, 0, sizeof *v);
  snprintf(v->name, sizeof v->name, "%s", name);
  v->value = found;
  v->law = most;
  v->normal = copysign(INFINITY, most);
  v->p = fabs(found) <= fabs(most) ? 1.0 : 0.0;
  return v->p > 0.0;
}

/* ------------------------------------------------------------------------------- running */

/* 1 if the generator passes, or need not. */
static int run(const settings *s, const ds_rng_info *info, ds_type type)
{
  ds_rng_options o = s->rng;
  run_key key = {info->name, type == DS_F32 ? "single" : "double",
                 s->backend == &tails_host ? "host" : "cuda", s->rng.seed, 0};
  tails_tally t;
  value v[VALUES], ends[2];
  ds_error err;
  o.generator = info->name;
  const double begin = tool_now();
  if (tails_run(s->backend, &o, type, s->numbers, &t, &key.numbers, &err))
    tool_engine_failed(&program, info->name, &err);
  const double seconds = tool_now() - begin;
  const tails_law law = tails_law_of(info, type);
  judge(&t, (double) key.numbers, &law, v);
  int good = judge_end(ends, "largest", t.largest, law.largest);
  good &= judge_end(ends + 1, "smallest", t.smallest, -law.largest);
  for (int k = 0; k < VALUES; k++) good &= v[k].p >= CHANCE / VALUES;
  printf("%s, %s precision, %s, seed %llu: %lld numbers in %.1f s\n", info->name, key.precision,
         key.backend, key.seed, (long long) key.numbers, seconds);
  print_values(v);
  printf("  from %.6f to %.6f; at most +-%.6f\n  %s: %s%s\n", t.smallest, t.largest, law.largest,
         info->name, good ? "passed" : "FAILED", info->unfit ? ", and is marked as unfit" : "");
  fflush(stdout);
  if (s->table) write_table(s->table, &key, v, ends);
  return good || info->unfit;
}

int main(int argc, char **argv)
{
  const settings s = read_settings(argc, argv);
  int good = 1;
  for (int k = 0; k < s.generators.n; k++) {
    const ds_rng_info *const info = ds_rng_find(s.generators.name[k]);
    if (s.single) good &= run(&s, info, DS_F32);
    if (!s.single || s.both) good &= run(&s, info, DS_F64);
  }
  tool_end_output(&program);
  return good ? 0 : 1;
}
