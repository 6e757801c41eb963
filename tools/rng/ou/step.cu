/* step.cu: the oscillators on a GPU.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/gpu.h"
#include "ou.h"

#include "dpdsop/device/rng/number.h"

#include <stdlib.h>

namespace {

enum { THREADS = 64, AHEAD = 32 };

__global__ void __launch_bounds__(THREADS) start_kernel(double *x, int64_t n, double value)
{
  const int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  if (i < n) x[i] = value;
}

__global__ void __launch_bounds__(THREADS)
    shift_kernel(float *noise, const uint32_t *__restrict__ shift, int64_t points, int64_t numbers)
{
  const int64_t k = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  if (k >= numbers) return;
  noise[k] = ds_normal_inversef(__float_as_uint(noise[k]) ^ shift[k / points]);
}

template <bool WHOLE>
__device__ __forceinline__ void load(float (&g)[AHEAD], const float *noise, int64_t n,
                                     int64_t steps)
{
#pragma unroll
  for (int k = 0; k < AHEAD; k++)
    if (WHOLE || k < steps) g[k] = noise[k * n];
}

template <bool WHOLE>
__device__ __forceinline__ double advance(double x, const float (&g)[AHEAD], double a, double s,
                                          int64_t steps)
{
#pragma unroll
  for (int k = 0; k < AHEAD; k++)
    if (WHOLE || k < steps) x = ou_moved(x, g[k], a, s);
  return x;
}

/* A thread an oscillator, as in PRNG section IV. There are far fewer than the GPU has room for, so a thread's own
   loads have to hide their latency: those of the next steps are under way while it moves by the last. */
__global__ void __launch_bounds__(THREADS) move_kernel(double *x, const float *__restrict__ noise,
                                                       int64_t n, int64_t steps, double a, double s)
{
  const int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  if (i >= n) return;
  const float *from = noise + i;
  float now[AHEAD], next[AHEAD];
  double y = x[i];
  int64_t k = 0;
  if (steps >= AHEAD) load<true>(now, from, n, AHEAD);
  for (; k + 2 * AHEAD <= steps; k += AHEAD) {
    from += AHEAD * n;
    load<true>(next, from, n, AHEAD);
    y = advance<true>(y, now, a, s, AHEAD);
#pragma unroll
    for (int c = 0; c < AHEAD; c++) now[c] = next[c];
  }
  if (steps >= AHEAD) {
    y = advance<true>(y, now, a, s, AHEAD);
    k += AHEAD;
    from += AHEAD * n;
  }
  load<false>(now, from, n, steps - k);
  x[i] = advance<false>(y, now, a, s, steps - k);
}

cudaStream_t stream_of(const ou_oscillators *o)
{
  return (cudaStream_t) o->stream;
}

void gpu_close(ou_oscillators *o)
{
  cudaFree(o->x);
  cudaFree(o->noise);
  cudaFree(o->shift);
  if (o->stream) cudaStreamDestroy(stream_of(o));
  free(o->copy);
}

ds_status gpu_open(ou_oscillators *o, int64_t most, size_t numbers, ds_error *err)
{
  int device, own;
  cudaStream_t stream = NULL;
  ds_status s = ds_gpu_use(0, NULL, &device, &stream, &own, err);
  if (s) return s;
  o->stream = stream;
  o->copy = (double *) malloc((size_t) most * sizeof *o->copy);
  if (!o->copy) s = ds_fail(err, DS_ERR_MEMORY, "no host memory for positions");
  if (!s)
    s = ds_gpu_check(cudaMalloc((void **) &o->x, (size_t) most * sizeof *o->x), "positions", err);
  if (!s)
    s = ds_gpu_check(cudaMalloc((void **) &o->noise, numbers * sizeof *o->noise), "numbers", err);
  if (s) gpu_close(o);
  return s;
}

ds_status gpu_shift(ou_oscillators *o, const uint32_t *shift, int64_t dimensions, int64_t points,
                    ds_error *err)
{
  const size_t bytes = (size_t) dimensions * sizeof *shift, n = (size_t) (dimensions * points);
  ds_status s = DS_OK;
  if (!o->shift) { /* the same at every call */
    s = ds_gpu_check(cudaMalloc((void **) &o->shift, bytes), "shifts", err);
    if (!s)
      s = ds_gpu_check(cudaMemcpy(o->shift, shift, bytes, cudaMemcpyHostToDevice), "copying shifts",
                       err);
  }
  return s ? s
           : DS_LAUNCH(err, "shift kernel", shift_kernel, ds_gpu_blocks(n, THREADS), THREADS,
                       stream_of(o), o->noise, o->shift, points, (int64_t) n);
}

ds_status gpu_start(ou_oscillators *o, int64_t n, double x, ds_error *err)
{
  o->n = n;
  return DS_LAUNCH(err, "start kernel", start_kernel, ds_gpu_blocks((size_t) n, THREADS), THREADS,
                   stream_of(o), o->x, n, x);
}

ds_status gpu_move(ou_oscillators *o, const float *noise, int64_t steps, double a, double s,
                   ds_error *err)
{
  return DS_LAUNCH(err, "move kernel", move_kernel, ds_gpu_blocks((size_t) o->n, THREADS), THREADS,
                   stream_of(o), o->x, noise, o->n, steps, a, s);
}

ds_status gpu_sample(ou_oscillators *o, float *x, ds_error *err)
{
  ds_status s = ds_gpu_check(cudaMemcpyAsync(o->copy, o->x, (size_t) o->n * sizeof *o->x,
                                             cudaMemcpyDeviceToHost, stream_of(o)),
                             "copying positions", err);
  if (!s) s = ds_gpu_check(cudaStreamSynchronize(stream_of(o)), "moving oscillators", err);
  for (int64_t i = 0; i < o->n && !s; i++) x[i] = (float) o->copy[i];
  return s;
}

}    // namespace

extern "C" const ou_backend ou_cuda = {DS_BACKEND_CUDA, DS_SPACE_DEVICE, 23,
                                       gpu_open,        gpu_shift,       gpu_start,
                                       gpu_move,        gpu_sample,      gpu_close};
