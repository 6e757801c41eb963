/* paths.h: the code paths of the engine that a test goes through.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_TEST_PATHS_H
#define DPDSOP_TEST_PATHS_H

#include "check.h"
#include "dpdsop/backend.h"

#include <string.h>

/* As the options of all objects have them. */
typedef struct {
  ds_backend backend;
  const char *isa; /* NULL: the best, avx512 where there is one */
  int threads;
  int gpus; /* that share all stages; where there is only one, it has so many parts */
} test_path;

enum { TEST_MAX_PATHS = 3, TEST_GPUS = 3 };

/* Those of a program that runs on so many GPUs, or for 0 on the host; returns how many. Of the host's, the processor may lack
   some; in a brief test the first and the last one stand for all. */
static inline int test_paths(int gpus, test_path path[TEST_MAX_PATHS])
{
  static const test_path host[TEST_MAX_PATHS] = {
      {DS_BACKEND_HOST, "base", 1, 0}, {DS_BACKEND_HOST, "avx2", 2, 0}, {DS_BACKEND_HOST, NULL, 3, 0}};
  const test_path cuda = {DS_BACKEND_CUDA, NULL, 1, gpus};
  const int on_gpu = gpus > 0;
  memcpy(path, on_gpu ? &cuda : host, on_gpu ? sizeof cuda : sizeof host);
  if (on_gpu || !check_brief()) return on_gpu ? 1 : TEST_MAX_PATHS;
  path[1] = path[TEST_MAX_PATHS - 1];
  return 2;
}

#endif
