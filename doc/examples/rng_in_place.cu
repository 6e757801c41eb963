/* Random numbers inside kernels: particles in Brownian motion, by a generator with streams and by one without a state.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/device/rng/number.h"
#include "dpdsop/device/rng/philox.h"
#include "dpdsop/device/rng/taus.h"

#include <cstdio>

enum { N = 100000, STEPS = 100, THREADS = 128 };

/* One stream per particle. For another generator replace ds_taus by its name. */
__global__ void begin(ds_taus *g, uint64_t seed)
{
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i < N) ds_taus_init(g + i, seed, i);
}

__global__ void step_with_streams(ds_taus *g, float *x)
{
  const int i = blockIdx.x * THREADS + threadIdx.x;
  uint32_t w[4];
  float z[3];
  if (i >= N) return;
  for (int k = 0; k < 4; k++) w[k] = ds_taus_next(g + i);
  ds_normal3f(w, z);
  for (int c = 0; c < 3; c++) x[3 * i + c] += z[c];
}

/* Nothing to begin with, to keep or to save: the particle's ID and the step are enough. */
__global__ void step_by_counter(uint64_t seed, uint64_t step, float *x)
{
  const int i = blockIdx.x * THREADS + threadIdx.x;
  uint32_t w[4];
  float z[3];
  if (i >= N) return;
  ds_philox_at(seed, DS_PURPOSE_USER, step, i, w);
  ds_normal3f(w, z);
  for (int c = 0; c < 3; c++) x[3 * i + c] += z[c];
}

/* The mean square of a coordinate after n steps is n. */
static int report(const char *name, const float *device)
{
  static float x[3 * N];
  double sum = 0.0;
  if (cudaMemcpy(x, device, sizeof x, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  for (int k = 0; k < 3 * N; k++) sum += (double) x[k] * x[k];
  const double square = sum / (3 * N);
  printf("%s: mean square %.2f after %d steps\n", name, square, STEPS);
  return square < 0.98 * STEPS || square > 1.02 * STEPS; /* 7 standard errors */
}

int main()
{
  const uint64_t seed = 2026;
  const int blocks = (N + THREADS - 1) / THREADS;
  ds_taus *g;
  float *x;
  int gpus = 0;
  if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) {
    printf("skipped: no GPU\n");
    return 77;
  }
  if (cudaMalloc(&g, N * sizeof *g) != cudaSuccess) return 1;
  if (cudaMalloc(&x, 3 * N * sizeof *x) != cudaSuccess) return 1;

  cudaMemset(x, 0, 3 * N * sizeof *x);
  begin<<<blocks, THREADS>>>(g, seed);
  for (int step = 0; step < STEPS; step++) step_with_streams<<<blocks, THREADS>>>(g, x);
  int bad = report("taus, a stream per particle", x);

  cudaMemset(x, 0, 3 * N * sizeof *x);
  for (int step = 0; step < STEPS; step++) step_by_counter<<<blocks, THREADS>>>(seed, step, x);
  bad |= report("philox, by particle and step", x);

  cudaFree(x);
  cudaFree(g);
  return bad;
}
