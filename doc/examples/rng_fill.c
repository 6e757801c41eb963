/* Random numbers without LAMMPS: an array filled on the CPU and on the GPU, a state saved and taken up again, and
   a generator used in place.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/rng.h"
#include "dpdsop/device/rng/number.h"
#include "dpdsop/device/rng/philox.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000000 };
static double host[N], gpu[N], again[N];

static void must(ds_status status, const ds_error *err)
{
  if (status == DS_OK) return;
  fprintf(stderr, "%s\n", err->text);
  exit(1);
}

static ds_rng *open_philox(ds_backend backend)
{
  ds_rng_options options;
  ds_rng *rng;
  ds_error err;
  memset(&options, 0, sizeof options);
  options.generator = "philox";
  options.seed = 2026;
  options.backend = backend;
  options.threads = 2;
  must(ds_rng_open(&rng, &options, &err), &err);
  return rng;
}

static double mean(const double *x)
{
  double sum = 0.0;
  for (int i = 0; i < N; i++) sum += x[i];
  return sum / N;
}

/* Number 2 k of the same sequence of normal numbers, made where it is needed: no array, no state. */
static double in_place(uint64_t seed, uint64_t k)
{
  uint32_t w[4];
  double x, y;
  ds_philox_block(seed, 2 * k / 4, w);
  ds_normal_pair(w[2 * k % 4], w[2 * k % 4 + 1], &x, &y);
  return x;
}

int main(void)
{
  ds_error err;
  ds_rng *a = open_philox(DS_BACKEND_HOST), *b = open_philox(DS_BACKEND_AUTO);
  must(ds_rng_fill(a, DS_NORMAL, DS_F64, DS_SPACE_HOST, host, N, &err), &err);
  must(ds_rng_fill(b, DS_NORMAL, DS_F64, DS_SPACE_HOST, gpu, N, &err), &err);
  printf("host: %d normal numbers, mean %.6f\n", N, mean(host));
  int bad = memcmp(host, gpu, sizeof host) != 0;
  printf("%s: bitwise identical: %s\n", ds_rng_backend(b), bad ? "no" : "yes");

  const size_t size = ds_rng_state_bytes(a);
  void *state = malloc(size);
  if (!state) return 1;
  must(ds_rng_save(a, state, size, &err), &err);
  must(ds_rng_fill(a, DS_UNIFORM, DS_F64, DS_SPACE_HOST, host, N, &err), &err);
  must(ds_rng_load(b, state, size, &err), &err);
  must(ds_rng_fill(b, DS_UNIFORM, DS_F64, DS_SPACE_HOST, again, N, &err), &err);
  printf("a state of %zu bytes goes on with the same numbers: %s\n", size,
         memcmp(host, again, sizeof host) ? "no" : "yes");

  printf("number 1000 made in place: %s\n",
         in_place(2026, 500) == gpu[1000] ? "the same" : "another");
  bad |= memcmp(host, again, sizeof host) != 0 || in_place(2026, 500) != gpu[1000];
  free(state);
  ds_rng_close(a);
  ds_rng_close(b);
  return bad;
}
