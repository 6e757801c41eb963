/* skip.h: a test without the GPU that it needs. After check.h.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_TEST_SKIP_H
#define DPDSOP_TEST_SKIP_H

#include "dpdsop/status.h"

/* What a program returns that could not open an object: 77, skipped, where there is no GPU or no driver for it; 1 for
   every other reason. Prints why. */
CHECK_HELPER int skip_or_fail(ds_status status, const ds_error *err)
{
  if (status == DS_ERR_NO_GPU || status == DS_ERR_DRIVER) CHECK_SKIP(err->text);
  printf("FAILED: %s\n", err->text);
  return 1;
}

#endif
