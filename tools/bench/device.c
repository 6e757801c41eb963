/* device.c: what the benchmarks need of CUDA.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "device.h"

#include <string.h>

#ifdef DS_HAVE_CUDA
#include "force/pair_state.h"

#include <cuda_runtime_api.h>

int bench_device_put(bench_device *d, int which, ds_array *array, size_t bytes)
{
  cudaError_t code = cudaMalloc(&d->data[which], bytes);
  if (!code) code = cudaMemcpy(d->data[which], array->data, bytes, cudaMemcpyHostToDevice);
  /* the engine's stream does not wait for the default one */
  if (!code) code = cudaDeviceSynchronize();
  array->data = d->data[which];
  array->space = DS_SPACE_DEVICE;
  return code == cudaSuccess;
}

int bench_device_get(void *to, const ds_array *array, size_t bytes)
{
  return cudaMemcpy(to, array->data, bytes, cudaMemcpyDeviceToHost) == cudaSuccess;
}

void bench_device_close(bench_device *d)
{
  for (int k = 0; k < BENCH_ARRAYS; k++) cudaFree(d->data[k]);
  memset(d, 0, sizeof *d);
}

int bench_device_wait(const ds_pair *pair)
{
  const cudaStream_t stream = (cudaStream_t) ds_pair_stream(pair);
  return !stream || cudaStreamSynchronize(stream) == cudaSuccess; /* the host backend has none */
}

double bench_device_bandwidth(void)
{
  enum { TIMES = 10 };
  const size_t bytes = (size_t) 1 << 30;
  char *data = NULL;
  cudaEvent_t begin, end;
  float best = 0.0f;
  if (cudaMalloc((void **) &data, 2 * bytes) != cudaSuccess) return 0.0;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaMemset(data, 1, 2 * bytes);
  for (int k = 0; k < TIMES; k++) {
    float ms;
    cudaEventRecord(begin, 0);
    cudaMemcpyAsync(data, data + bytes, bytes, cudaMemcpyDeviceToDevice, 0);
    cudaEventRecord(end, 0);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&ms, begin, end);
    if (k == 1 || (k > 1 && ms < best)) best = ms; /* the first warms up */
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  cudaFree(data);
  return 2.0 * (double) bytes / (best * 1e-3);
}

int bench_stages(const ds_pair *pair)
{
  const int n = ds_queue_is_host(&pair->queue) ? 0 : DS_STAGES;
  return n < BENCH_STAGES ? n : BENCH_STAGES;
}

const char *bench_stage_name(const ds_pair *pair, int stage)
{
  return stage >= 0 && stage < bench_stages(pair) ? ds_stage_names[stage] : "";
}

ds_status bench_stage_timing(ds_pair *pair, int on, ds_error *err)
{
  ds_queue_time(&pair->queue, on);
  return ds_queue_use(&pair->queue, err);
}

void bench_stage_times(const ds_pair *pair, float ms[BENCH_STAGES])
{
  for (int k = 0; k < bench_stages(pair); k++) ms[k] = (float) pair->queue.timer.ms[k];
}

#else

int bench_device_put(bench_device *d, int which, ds_array *array, size_t bytes)
{
  (void) d, (void) which, (void) array, (void) bytes;
  return 0;
}

int bench_device_get(void *to, const ds_array *array, size_t bytes)
{
  (void) to, (void) array, (void) bytes;
  return 0;
}

void bench_device_close(bench_device *d)
{
  memset(d, 0, sizeof *d);
}

int bench_device_wait(const ds_pair *pair)
{
  (void) pair;
  return 1;
}

double bench_device_bandwidth(void)
{
  return 0.0;
}

int bench_stages(const ds_pair *pair)
{
  (void) pair;
  return 0;
}

const char *bench_stage_name(const ds_pair *pair, int stage)
{
  (void) pair, (void) stage;
  return "";
}

ds_status bench_stage_timing(ds_pair *pair, int on, ds_error *err)
{
  (void) pair, (void) on, (void) err;
  return DS_OK;
}

void bench_stage_times(const ds_pair *pair, float ms[BENCH_STAGES])
{
  (void) pair, (void) ms;
}

int bench_move_first(const bench_motion *m, int wrap)
{
  (void) m, (void) wrap;
  return 0;
}

int bench_move_second(const bench_motion *m)
{
  (void) m;
  return 0;
}

#endif
