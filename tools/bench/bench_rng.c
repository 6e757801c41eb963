/* bench_rng.c: the generators' speed and memory, on either backend.   SPDX-License-Identifier: GPL-2.0-or-later

   Tables in the form of two papers: numbers per second into an array (Bradley et al. 2010, Tables 2 and 3), on a GPU
   beside cuRAND in the same run and on the host with one thread and with all; and what they cost a simulation of
   Langevin dynamics (Zhmurov et al. 2010, Figures 5 and 6). The parts are in rng/. */
#include "rng/bench_rng.h"

#include "core/isa.h"
#include "measure.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ds_error bench_why;
int bench_wrong;

static const char usage[] =
    "usage: bench_rng [--backend auto|host|cuda] [--part all|rates|langevin] [--only GENERATOR]\n"
    "                 [--threads N] [--isa base|avx2|avx512] [--log2-numbers 20..28] [--quick] "
    "[--markdown]\n"
    "  backend auto: the GPU, and the host's rates beside it; cuda: the GPU alone\n";

void bench_stop(const char *what)
{
  fprintf(stderr, "bench_rng: %s: %s\n", what, bench_why.text);
  exit(1);
}

static void wrong(const char *option, const char *value)
{
  fprintf(stderr, "bench_rng: %s %s\n%s", option, value, usage);
  exit(2);
}

/* ------------------------------------------------------------------------------- for the parts */

const ds_rng_info *bench_generator(int k)
{
  return k < BENCH_MAX ? ds_rng_table(k) : NULL;
}

int bench_wanted(const bench_settings *s, const char *name)
{
  return !s->only || strcmp(s->only, name) == 0;
}

void *bench_get(const bench_machine *m, size_t bytes)
{
  void *const data = m->get(bytes);
  if (!data) bench_stop("out of memory");
  return data;
}

ds_rng *bench_open(const bench_settings *s, const bench_machine *m, const ds_rng_info *info,
                   int64_t width, int threads)
{
  ds_rng_options o;
  ds_rng *rng;
  memset(&o, 0, sizeof o);
  o.generator = info->name;
  o.seed = BENCH_SEED;
  o.width = info->most_width == 0 ? 1 : width < info->most_width ? width : info->most_width;
  o.rounds = BENCH_ROUNDS;
  o.backend = m->backend;
  o.threads = threads;
  o.isa = s->isa;
  o.stream = m->stream;
  if (ds_rng_open(&rng, &o, &bench_why)) bench_stop(info->name);
  return rng;
}

/* ----------------------------------------------------------------------------------- settings */

static int read_number(const char *option, const char *value, int least, int most)
{
  char *end;
  const long number = strtol(value, &end, 10);
  if (*value == '\0' || *end != '\0' || number < least || number > most) wrong(option, value);
  return (int) number;
}

static void read_backend(bench_settings *s, const char *option, const char *value)
{
  static const char *const name[] = {"auto", "host", "cuda"}; /* in the order of ds_backend */
  int k = 0;
  while (k < 3 && strcmp(value, name[k]) != 0) k++;
  if (k == 3) wrong(option, value);
  s->backend = (ds_backend) k;
}

static void read_part(bench_settings *s, const char *option, const char *value)
{
  s->rates = strcmp(value, "rates") == 0 || strcmp(value, "all") == 0;
  s->langevin = strcmp(value, "langevin") == 0 || strcmp(value, "all") == 0;
  if (!s->rates && !s->langevin) wrong(option, value);
}

static void read_value(bench_settings *s, const char *option, const char *value)
{
  if (strcmp(option, "--backend") == 0)
    read_backend(s, option, value);
  else if (strcmp(option, "--part") == 0)
    read_part(s, option, value);
  else if (strcmp(option, "--only") == 0) {
    s->only = value;
    if (!ds_rng_find(value) && !bench_reference_title(value)) wrong(option, value);
  } else if (strcmp(option, "--threads") == 0)
    s->threads = read_number(option, value, 1, 4096);
  else if (strcmp(option, "--isa") == 0)
    s->isa = value;
  else if (strcmp(option, "--log2-numbers") == 0)
    s->log2_numbers = read_number(option, value, 20, 28);
  else
    wrong(option, "");
}

static bench_settings read_settings(int argc, char **argv)
{
  bench_settings s = {DS_BACKEND_AUTO, NULL, NULL, 0, 0, omp_get_num_procs(), 1, 1, 0};
  for (int k = 1; k < argc; k++) {
    if (strcmp(argv[k], "--quick") == 0)
      s.quick = 1;
    else if (strcmp(argv[k], "--markdown") == 0)
      s.markdown = 1;
    else {
      read_value(&s, argv[k], k + 1 < argc ? argv[k + 1] : "");
      k++;
    }
  }
  if (s.log2_numbers == 0) s.log2_numbers = s.quick ? 22 : 25;
  return s;
}

static const bench_machine *open_gpu(const bench_settings *s, bench_machine *m)
{
  if (s->backend == DS_BACKEND_HOST) return NULL;
#ifdef DS_HAVE_CUDA
  if (bench_machine_cuda(m)) return m;
#else
  (void) m;
  snprintf(bench_why.text, sizeof bench_why.text, "compiled without CUDA");
#endif
  if (s->backend == DS_BACKEND_CUDA) bench_stop("backend cuda");
  fprintf(stderr, "bench_rng: host only: %s\n", bench_why.text);
  return NULL;
}

int main(int argc, char **argv)
{
  if (bench_help(argc, argv, usage)) return bench_end_output("bench_rng");
  const bench_settings s = read_settings(argc, argv);
  bench_machine gpu;
  ds_isa isa;
  if (ds_isa_choose(s.isa, &isa, &bench_why)) bench_stop("--isa");
  const bench_machine host = bench_machine_host(s.threads, s.quick ? 0.02 : 0.1);
  const bench_machine *const cuda = open_gpu(&s, &gpu);
  printf("%s%s%s, code path %s\n", cuda ? cuda->name : "", cuda ? "; " : "", host.name,
         ds_isa_name(isa));
  if (s.rates) bench_rates(&s, &host, cuda);
  if (s.langevin) bench_langevin(&s, &host, cuda);
  const int status = bench_end_output("bench_rng");
  return status ? status : bench_wrong;
}
