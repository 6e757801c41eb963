/* test_gpu_none.c: a machine where no GPU is visible, which every machine becomes when it is told so.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "dpdsop/dpd.h"

static void test_no_gpu(void)
{
  ds_pair_options o;
  ds_pair *dpd;
  ds_error err;
  memset(&o, 0, sizeof o);
  o.threads = 1;
  CHECK(setenv("CUDA_VISIBLE_DEVICES", "", 1) == 0);
  o.backend = DS_BACKEND_CUDA;
  const ds_status status = ds_pair_open(&dpd, &o, &err);
  CHECK_MSG(status == DS_ERR_NO_GPU, "status %d: %s", (int) status, err.text);
  CHECK_MSG(strstr(err.text, "no NVIDIA") != NULL, "'%s'", err.text);
  printf("  refused: %s\n", err.text);
  o.backend = DS_BACKEND_AUTO;
  if (CHECK(ds_pair_open(&dpd, &o, &err) == DS_OK)) {
    CHECK(strcmp(ds_pair_get_info(dpd).backend, "host") == 0);
    CHECK_MSG(err.text[0] == '\0', "text '%s' without an error", err.text);
    CHECK_MSG(strstr(ds_pair_get_info(dpd).no_gpu, "no NVIDIA") != NULL, "'%s'",
              ds_pair_get_info(dpd).no_gpu);
    ds_pair_close(dpd);
  }
}

int main(int argc, char **argv)
{
  check_open(argc, argv);
  CHECK_CASE(test_no_gpu());
  return check_result();
}
