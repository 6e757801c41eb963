/* device.c: what the benchmarks need of CUDA.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "device.h"

#include <string.h>

#ifdef DS_HAVE_CUDA
#include "dpd/dpd_cuda.h"

#include <cuda_runtime_api.h>

int bench_device_put(bench_device *d, int which, ds_array *array, size_t bytes)
{
  cudaError_t code = cudaSuccess;
  if (bytes > d->bytes[which]) {
    cudaFree(d->data[which]);
    d->bytes[which] = bytes + bytes / 4;
    code = cudaMalloc(&d->data[which], d->bytes[which]);
  }
  if (!code && bytes) code = cudaMemcpy(d->data[which], array->data, bytes, cudaMemcpyHostToDevice);
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

int bench_stages(const ds_dpd *dpd)
{
  const int n = ds_dpd_cuda_stages(dpd);
  return n < BENCH_STAGES ? n : BENCH_STAGES;
}

const char *bench_stage_name(int stage)
{
  return ds_dpd_cuda_stage_name(stage);
}

ds_status bench_stage_timing(ds_dpd *dpd, ds_error *err)
{
  return ds_dpd_cuda_timing(dpd, 1, err);
}

void bench_stage_times(const ds_dpd *dpd, float ms[BENCH_STAGES])
{
  if (bench_stages(dpd)) ds_dpd_cuda_times(dpd, ms);
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

double bench_device_bandwidth(void)
{
  return 0.0;
}

int bench_stages(const ds_dpd *dpd)
{
  (void) dpd;
  return 0;
}

const char *bench_stage_name(int stage)
{
  (void) stage;
  return "";
}

ds_status bench_stage_timing(ds_dpd *dpd, ds_error *err)
{
  (void) dpd, (void) err;
  return DS_OK;
}

void bench_stage_times(const ds_dpd *dpd, float ms[BENCH_STAGES])
{
  (void) dpd, (void) ms;
}

#endif
