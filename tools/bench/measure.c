/* measure.c: what all benchmarks need.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int ascending(const void *a, const void *b)
{
  const double p = *(const double *) a, q = *(const double *) b;
  return (p > q) - (p < q);
}

double bench_median(double *times, int n)
{
  if (n == 0) return 0.0;
  qsort(times, (size_t) n, sizeof *times, ascending);
  return n % 2 ? times[n / 2] : 0.5 * (times[n / 2 - 1] + times[n / 2]);
}

double bench_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

void bench_require(const char *program, ds_status s, const ds_error *err)
{
  if (s == DS_OK) return;
  fprintf(stderr, "%s: %s\n", program, err->text);
  exit(1);
}

int bench_help(int argc, char **argv, const char *usage)
{
  for (int k = 1; k < argc; k++)
    if (strcmp(argv[k], "--help") == 0 || strcmp(argv[k], "-h") == 0) return fputs(usage, stdout), 1;
  return 0;
}

int bench_end_output(const char *program)
{
  errno = 0;
  if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
  fprintf(stderr, "%s: standard output: %s\n", program, errno ? strerror(errno) : "could not be written");
  return 2;
}
