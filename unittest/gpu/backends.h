/* backends.h: options for the host and for the GPU, for tests that compare the two. After check.h.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_TEST_BACKENDS_H
#define DPDSOP_TEST_BACKENDS_H

#include "dpdsop/pair.h"
#include "support/skip.h"

#include <string.h>

static ds_pair_options host, cuda;

/* Returns 0, or what the program is to return: there is no GPU, or no object can be opened on it. A list of cases needs none.
   */
CHECK_HELPER int backends_open(void)
{
  ds_pair *pair;
  ds_error err;
  if (check_lists) return 0;
  host.backend = DS_BACKEND_HOST;
  host.threads = 2;
  cuda.backend = DS_BACKEND_CUDA;
  cuda.threads = 2;
  const ds_status status = ds_pair_open(&pair, &cuda, &err);
  if (status) return skip_or_fail(status, &err);
  CHECK(strcmp(ds_pair_get_info(pair).backend, "cuda") == 0);
  printf("  on %s\n", ds_pair_get_info(pair).variant);
  ds_pair_close(pair);
  return 0;
}

#endif
