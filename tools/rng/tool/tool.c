/* tool.c: what the programs that run generators share.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "tool.h"

#include "dpdsop/rng.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int is_taken(const tool *t, const ds_rng_info *generator)
{
  return t->takes_points || generator->family != DS_RNG_POINTS;
}

void tool_wrong_use(const tool *t, const char *option, const char *value)
{
  fprintf(stderr, "%s: %s%s %s\n%s", t->name, *option ? "--" : "", option, value, t->usage);
  for (int k = 0; ds_rng_table(k); k++)
    if (is_taken(t, ds_rng_table(k))) fprintf(stderr, " %s", ds_rng_table(k)->name);
  fprintf(stderr, "\n");
  exit(2);
}

void tool_stop(const tool *t, const char *what, const char *why)
{
  fprintf(stderr, "%s: %s: %s\n", t->name, what, why);
  exit(2);
}

double tool_number(const tool *t, const char *option, const char *value, double least, double most)
{
  char *end;
  const double x = strtod(value, &end);
  if (*value == '\0' || *end != '\0' || !(x >= least && x <= most))
    tool_wrong_use(t, option, value);
  return x;
}

int64_t tool_integer(const tool *t, const char *option, const char *value, int64_t least,
                     int64_t most)
{
  char *end;
  const long long number = strtoll(value, &end, 10);
  if (*value == '\0' || *end != '\0' || number < least || number > most)
    tool_wrong_use(t, option, value);
  return number;
}

void tool_add_generator(const tool *t, tool_generators *g, const char *name)
{
  const int all = strcmp(name, "all") == 0;
  const ds_rng_info *const named = ds_rng_find(name);
  if (!all && (!named || !is_taken(t, named))) tool_wrong_use(t, "generator", name);
  for (int k = 0; ds_rng_table(k); k++) {
    const ds_rng_info *const one = ds_rng_table(k);
    if ((all ? is_taken(t, one) : one == named) && g->n < TOOL_MAX_GENERATORS)
      g->name[g->n++] = one->name;
  }
}

int tool_on_gpu(const tool *t, const char *backend)
{
  const int cuda = strcmp(backend, "cuda") == 0;
  if (!cuda && strcmp(backend, "host") != 0) tool_wrong_use(t, "backend", backend);
#ifndef DS_HAVE_CUDA
  if (cuda) {
    fprintf(stderr, "%s: compiled without CUDA\n", t->name);
    exit(77);
  }
#endif
  return cuda;
}

/* ------------------------------------------------------------------------------- files and ends */

FILE *tool_open(const tool *t, const char *path, const char *mode)
{
  FILE *const f = fopen(path, mode);
  if (!f) tool_stop(t, path, strerror(errno));
  return f;
}

void tool_close(const tool *t, FILE *f, const char *path)
{
  const int bad = ferror(f);
  if (fclose(f) || bad) tool_stop(t, path, "could not be written");
}

void tool_end_output(const tool *t)
{
  if (fflush(stdout) || ferror(stdout)) tool_stop(t, "standard output", strerror(errno));
}

void tool_engine_failed(const tool *t, const char *generator, const ds_error *err)
{
  if (err->code != DS_ERR_NO_GPU) tool_stop(t, generator, err->text);
  fprintf(stderr, "%s: %s\n", t->name, err->text);
  exit(77);
}

double tool_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}
