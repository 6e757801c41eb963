/* options.h: command lines of the programs that run generators.   SPDX-License-Identifier: GPL-2.0-or-later

   What is wrong ends the program: with status 2 and its usage, or with 77 where there is no CUDA in it. */
#ifndef DPDSOP_RNG_TOOL_OPTIONS_H
#define DPDSOP_RNG_TOOL_OPTIONS_H

#include <stdint.h>

typedef struct {
  const char *name, *usage; /* the usage is followed by the names of generators */
  int takes_points;         /* quasi-random points are among them */
} tool;

enum { TOOL_MOST_GENERATORS = 64 };
typedef struct {
  const char *name[TOOL_MOST_GENERATORS];
  int n;
} tool_generators;

void tool_wrong_use(const tool *t, const char *option, const char *value);
void tool_stop(const tool *t, const char *what, const char *why);

double tool_number(const tool *t, const char *option, const char *value, double least, double most);
int64_t tool_integer(const tool *t, const char *option, const char *value, int64_t least,
                     int64_t most);
void tool_add_generator(const tool *t, tool_generators *g, const char *name); /* or "all" */
int tool_on_gpu(const tool *t, const char *backend);                          /* 1: cuda, 0: host */

#endif
