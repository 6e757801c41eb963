/* test_gpu_devices.c: objects on two GPUs, used in turn by one thread, do not mind which of them it used last.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "dpdsop/rng.h"
#include "support/rng.h"

enum { COUNT = 100000, POINTS = 50 };

static ds_rng *open_on(const ds_rng_info *info, ds_backend backend, int local_rank)
{
  const int points = info->family == DS_RNG_POINTS;
  ds_rng_options o = rng_plain(info->name, 4357, points ? POINTS : 1000);
  o.rounds = 8;
  o.backend = backend;
  o.isa = NULL;
  o.local_rank = local_rank;
  return rng_open_pieces(&o, 3);
}

static void take(ds_rng *r, double *x)
{
  ds_error err;
  CHECK_OK(ds_rng_fill(r, DS_NORMAL, DS_F64, DS_SPACE_HOST, x, COUNT, &err), err);
}

static void test_generator(const ds_rng_info *info)
{
  static double expected[COUNT], got[COUNT];
  ds_rng *host = open_on(info, DS_BACKEND_HOST, 0);
  ds_rng *gpu[2] = {open_on(info, DS_BACKEND_CUDA, 0), open_on(info, DS_BACKEND_CUDA, 1)};
  ds_error err;
  for (int call = 0; call < 3; call++) {
    take(host, expected);
    for (int k = 0; k < 2; k++) {
      take(gpu[k], got);
      CHECK_MSG(memcmp(got, expected, sizeof got) == 0, "%s on GPU %d, call %d", info->name, k,
                call);
    }
    size_t size;
    void *state = rng_saved(gpu[0], &size);
    CHECK_OK(ds_rng_load(gpu[1], state, size, &err), err);
    free(state);
    CHECK_OK(ds_rng_wait(gpu[0], &err), err);
  }
  ds_rng_close(host);
  ds_rng_close(gpu[0]);
  ds_rng_close(gpu[1]);
}

int main(int argc, char **argv)
{
  check_open(argc, argv);
  int devices = 0;
  if (!check_lists && (cudaGetDeviceCount(&devices) != cudaSuccess || devices < 2)) {
    printf("skipped: %d GPUs; two are needed\n", devices);
    return 77;
  }
  for (int k = 0; ds_rng_table(k); k++) CHECK_CASE(test_generator(ds_rng_table(k)));
  return check_result();
}
