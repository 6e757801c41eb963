/* tool.h: what the programs that run generators share: command lines, files, ends.   SPDX-License-Identifier: GPL-2.0-or-later

   What is wrong ends the program: with status 2, and its usage if that was not kept to; with 77 where there is no GPU, or
   no CUDA in the program. */
#ifndef DPDSOP_RNG_TOOL_H
#define DPDSOP_RNG_TOOL_H

#include "dpdsop/status.h"

#include <stdint.h>
#include <stdio.h>

typedef struct {
  const char *name, *usage; /* the usage is followed by the names of generators */
  int takes_points;         /* quasi-random points are among them */
} tool;

enum { TOOL_MAX_GENERATORS = 64 };
typedef struct {
  const char *name[TOOL_MAX_GENERATORS];
  int n;
} tool_generators;

void tool_wrong_use(const tool *t, const char *option, const char *value);
void tool_stop(const tool *t, const char *what, const char *why);

double tool_number(const tool *t, const char *option, const char *value, double least, double most);
int64_t tool_integer(const tool *t, const char *option, const char *value, int64_t least,
                     int64_t most);
void tool_add_generator(const tool *t, tool_generators *g, const char *name); /* or "all" */
int tool_on_gpu(const tool *t, const char *backend);                          /* 1: cuda, 0: host */

FILE *tool_open(const tool *t, const char *path, const char *mode);
void tool_close(const tool *t, FILE *f, const char *path);
void tool_end_output(const tool *t); /* all of it must have been written */
void tool_engine_failed(const tool *t, const char *generator, const ds_error *err);
double tool_now(void); /* s */

#endif
