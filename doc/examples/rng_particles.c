/* Noise of particles, in place: it depends on the particle and the step, not on who asks for it and when.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/device/rng/number.h"
#include "dpdsop/device/rng/philox.h"

#include <stdio.h>
#include <string.h>

enum { N = 1000, STEPS = 100 };
static const uint64_t seed = 2026;

static void kick(uint64_t id, uint64_t step, float *x)
{
  uint32_t words[4];
  float z[3];
  ds_philox_at(seed, DS_PURPOSE_USER, step, id, words);
  ds_normal3f(words, z); /* three normal numbers */
  for (int c = 0; c < 3; c++) x[c] += z[c];
}

int main(void)
{
  static float up[N][3], down[N][3];
  double sum = 0.0;
  for (int step = 0; step < STEPS; step++) {
    for (int i = 0; i < N; i++) kick(i, step, up[i]);
    for (int i = N - 1; i >= 0; i--)
      kick(i, step, down[i]); /* as if they had moved to other processes */
  }
  for (int i = 0; i < N; i++)
    for (int c = 0; c < 3; c++) sum += (double) up[i][c] * up[i][c];
  const int same = memcmp(up, down, sizeof up) == 0;
  const double square = sum / (3 * N); /* STEPS is expected, with a standard error of 2.6 % */
  printf("mean square %.2f after %d steps; in another order: %s\n", square, STEPS,
         same ? "bitwise identical" : "not bitwise identical");
  return !same || square < 0.87 * STEPS || square > 1.13 * STEPS;
}
