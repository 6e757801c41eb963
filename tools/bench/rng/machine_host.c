/* machine_host.c: the host as a machine of the benchmark.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench_rng.h"
#include "measure.h"
#include "oscillator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *get(size_t bytes)
{
  return malloc(bytes);
}

static int copy(void *to, const void *from, size_t bytes)
{
  memcpy(to, from, bytes);
  return 1;
}

static int nothing_to_wait_for(void)
{
  return 1;
}

/* Five calls at least, the rest as far as the budget goes. */
static int time_calls(const bench_machine *m, bench_call *call, void *what, int most,
                      double *seconds)
{
  const double begin = bench_seconds();
  int n = 0;
  if (!call(what)) return 0;
  while (n < most && (n < 5 || bench_seconds() - begin < m->budget)) {
    const double start = bench_seconds();
    if (!call(what)) return 0;
    seconds[n++] = bench_seconds() - start;
  }
  return n;
}

static int move(const bench_machine *m, float *x, const float *noise, size_t n)
{
  const int64_t all = 3 * (int64_t) n;
  if (noise) {
#pragma omp parallel for simd num_threads(m->threads)
    for (int64_t k = 0; k < all; k++) x[k] = oscillator_moved(x[k], noise[k]);
  } else {
#pragma omp parallel for simd num_threads(m->threads)
    for (int64_t k = 0; k < all; k++) x[k] = oscillator_pulled(x[k]);
  }
  (void) m; /* for a compiler without OpenMP */
  return 1;
}

/* What Linux calls the processor. */
static void name_processor(char *name, size_t size, int threads)
{
  char line[256];
  FILE *const info = fopen("/proc/cpuinfo", "r");
  snprintf(name, size, "%d threads", threads);
  while (info && fgets(line, sizeof line, info)) {
    const char *const colon = strchr(line, ':');
    if (strncmp(line, "model name", 10) != 0 || !colon) continue;
    line[strcspn(line, "\n")] = '\0';
    snprintf(name, size, "%d threads of %.90s", threads, colon + 2);
    break;
  }
  if (info) fclose(info);
}

bench_machine bench_machine_host(int threads, double budget)
{
  bench_machine m;
  memset(&m, 0, sizeof m);
  m.backend = DS_BACKEND_HOST;
  m.space = DS_SPACE_HOST;
  m.threads = threads;
  m.budget = budget;
  m.get = get;
  m.drop = free;
  m.read = m.write = copy;
  m.wait = nothing_to_wait_for;
  m.time = time_calls;
  m.move = move;
  name_processor(m.name, sizeof m.name, threads);
  return m;
}
