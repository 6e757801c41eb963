/* machine_cuda.cu: a GPU as a machine of the benchmark.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench_rng.h"
#include "core/backend.h"
#include "core/gpu.h"
#include "oscillator.h"

#include <stdio.h>
#include <string.h>

namespace {

enum { THREADS = 256, OSCILLATOR_THREADS = 128 };

cudaStream_t stream;

int good(cudaError_t code, const char *what)
{
  return ds_gpu_check(code, what, &bench_why) == DS_OK;
}

void *get(size_t bytes)
{
  void *data = NULL;
  return good(cudaMalloc(&data, bytes), "taking memory") ? data : NULL;
}

void drop(void *data)
{
  cudaFree(data);
}

int wait()
{
  return good(cudaStreamSynchronize(stream), "waiting");
}

int copy(void *to, const void *from, size_t bytes)
{
  return wait() && good(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), "copying");
}

/* Calls are queued one behind the other with an event between: what lies between two events is the device's time for
   a call, without the host's for launching it as long as that is shorter. */
int time_calls(const bench_machine *, bench_call *call, void *what, int most, double *seconds)
{
  enum { WARM = 3, LIMIT = BENCH_SAMPLES };
  cudaEvent_t event[LIMIT + 1];
  const int n = most < LIMIT ? most : LIMIT;
  int ok = 1;
  for (int k = 0; k <= n; k++) ok &= good(cudaEventCreate(&event[k]), "events");
  for (int k = 0; k < WARM && ok; k++) ok = call(what);
  if (ok) ok = good(cudaEventRecord(event[0], stream), "events");
  for (int k = 0; k < n && ok; k++)
    ok = call(what) && good(cudaEventRecord(event[k + 1], stream), "events");
  if (ok) ok = wait();
  for (int k = 0; k < n && ok; k++) {
    float ms = 0.0f;
    ok = good(cudaEventElapsedTime(&ms, event[k], event[k + 1]), "events");
    seconds[k] = 1e-3 * (double) ms;
  }
  for (int k = 0; k <= n; k++) cudaEventDestroy(event[k]);
  return ok ? n : 0;
}

/* ----------------------------------------------------------------------------- limit of storing */

__global__ void __launch_bounds__(THREADS) store_kernel(uint4 *out, size_t n)
{
  const size_t k = (size_t) blockIdx.x * THREADS + threadIdx.x;
  if (k < n) out[k] = make_uint4(1, 2, 3, 4);
}

int store(void *out, ds_type type, size_t n)
{
  const size_t vectors = n * (type == DS_F64 ? 8 : 4) / sizeof(uint4);
  return DS_LAUNCH(&bench_why, "store kernel", store_kernel, ds_gpu_blocks(vectors, THREADS),
                   THREADS, stream, (uint4 *) out, vectors) == DS_OK;
}

int clear(void *out, size_t bytes)
{
  return good(cudaMemsetAsync(out, 0, bytes, stream), "clearing");
}

/* ---------------------------------------------------------------------------------- oscillators */

/* A thread per particle, as in the paper. */
template <bool Noise>
__global__ void __launch_bounds__(OSCILLATOR_THREADS)
    oscillator_kernel(float *x, const float *__restrict__ noise, size_t n)
{
  const size_t i = (size_t) blockIdx.x * OSCILLATOR_THREADS + threadIdx.x;
  if (i >= n) return;
#pragma unroll
  for (int c = 0; c < 3; c++) {
    const size_t k = c * n + i;
    x[k] = Noise ? oscillator_moved(x[k], noise[k]) : oscillator_pulled(x[k]);
  }
}

__global__ void __launch_bounds__(OSCILLATOR_THREADS)
    in_place_kernel(float *x, size_t n, uint64_t seed, uint64_t step)
{
  const size_t i = (size_t) blockIdx.x * OSCILLATOR_THREADS + threadIdx.x;
  if (i >= n) return;
  float g[4];
  oscillator_noise(seed, step, (uint32_t) i, g);
#pragma unroll
  for (int c = 0; c < 3; c++) x[c * n + i] = oscillator_moved(x[c * n + i], g[c]);
}

int move(const bench_machine *, float *x, const float *noise, size_t n)
{
  return DS_LAUNCH(&bench_why, "oscillator kernel",
                   noise ? oscillator_kernel<true> : oscillator_kernel<false>,
                   ds_gpu_blocks(n, OSCILLATOR_THREADS), OSCILLATOR_THREADS, stream, x, noise,
                   n) == DS_OK;
}

int move_in_place(const bench_machine *, float *x, size_t n, uint64_t seed, uint64_t step)
{
  return DS_LAUNCH(&bench_why, "oscillator kernel", in_place_kernel,
                   ds_gpu_blocks(n, OSCILLATOR_THREADS), OSCILLATOR_THREADS, stream, x, n, seed,
                   step) == DS_OK;
}

}    // namespace

extern "C" int bench_machine_cuda(bench_machine *m)
{
  int device;
  cudaDeviceProp properties;
  memset(m, 0, sizeof *m);
  if (ds_gpu_choose(0, &device, &bench_why) != DS_OK) return 0;
  if (!good(cudaSetDevice(device), "choosing the GPU") ||
      !good(cudaGetDeviceProperties(&properties, device), "asking for the GPU's name") ||
      !good(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream"))
    return 0;
  snprintf(m->name, sizeof m->name, "%.100s", properties.name);
  m->backend = DS_BACKEND_CUDA;
  m->space = DS_SPACE_DEVICE;
  m->stream = stream;
  m->threads = 1;
  m->budget = 0.1;
  m->get = get;
  m->drop = drop;
  m->read = m->write = copy;
  m->wait = wait;
  m->time = time_calls;
  m->store = store;
  m->clear = clear;
  m->move = move;
  m->move_in_place = move_in_place;
  return 1;
}
