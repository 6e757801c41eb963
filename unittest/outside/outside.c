/* outside.c: a program that links the engine and nothing else of the package. Numbers that it makes in place have the
   bits of the library's, whatever its compiler is told.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/rng.h"
#include "dpdsop/device/rng/number.h"
#include "dpdsop/device/rng/philox.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 400000 };
static const uint64_t SEED = 2026;

/* Single precision in x, or double in y. */
static void fill(ds_distribution distribution, ds_type type, void *out)
{
  ds_rng_options options;
  ds_rng *rng;
  ds_error err;
  memset(&options, 0, sizeof options);
  options.generator = "philox";
  options.seed = SEED;
  options.backend = DS_BACKEND_HOST;
  options.threads = 1;
  ds_status status = ds_rng_open(&rng, &options, &err);
  if (!status) status = ds_rng_fill(rng, distribution, type, DS_SPACE_HOST, out, N, &err);
  if (status) {
    printf("FAILED: %s\n", err.text);
    exit(1);
  }
  ds_rng_close(rng);
}

static void normal(float *x, double *y)
{
  for (int k = 0; k < N; k += 4) {
    uint32_t w[4];
    ds_philox_block(SEED, (uint64_t) k / 4, w);
    for (int c = 0; c < 4; c += 2) {
      ds_normal_pairf(w[c], w[c + 1], x + k + c, x + k + c + 1);
      ds_normal_pair(w[c], w[c + 1], y + k + c, y + k + c + 1);
    }
  }
}

static void exponential(float *x, double *y)
{
  for (int k = 0; k < N; k += 4) {
    uint32_t w[4];
    ds_philox_block(SEED, (uint64_t) k / 4, w);
    for (int c = 0; c < 4; c++) {
      x[k + c] = ds_exponentialf(w[c]);
      y[k + c] = ds_exponential(w[c]);
    }
  }
}

typedef void in_place(float *x, double *y);

static int compare(const char *name, ds_distribution distribution, in_place *make)
{
  static float x[N], xs[N];
  static double y[N], ys[N];
  int differ[2] = {0, 0};
  make(x, y);
  fill(distribution, DS_F32, xs);
  fill(distribution, DS_F64, ys);
  for (int k = 0; k < N; k++) {
    differ[0] += memcmp(x + k, xs + k, sizeof *x) != 0;
    differ[1] += memcmp(y + k, ys + k, sizeof *y) != 0;
  }
  printf("%s numbers: of %d differ %d single, %d double\n", name, N, differ[0], differ[1]);
  return differ[0] || differ[1];
}

int main(void)
{
  return compare("normal", DS_NORMAL, normal) + compare("exponential", DS_EXPONENTIAL, exponential);
}
