/* CUDA for the engine.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "gpu.h"
#include "usable.h"

#include <stdint.h>
#include <string.h>

enum { DS_OLDEST_DEVICE = 8 }; /* compute capability that the oldest code in the library is for */

ds_status ds_gpu_check(cudaError_t code, const char *what, ds_error *err)
{
  if (code == cudaSuccess) return DS_OK;
  cudaGetLastError(); /* so that it is not found again by somebody else's check */
  if (code == cudaErrorMemoryAllocation)
    return ds_fail(err, DS_ERR_MEMORY, "%s: CUDA says: %s", what, cudaGetErrorString(code));
  return ds_fail(err, DS_ERR_CUDA, "%s, or a kernel before it: CUDA says: %s (%s)", what,
                 cudaGetErrorString(code), cudaGetErrorName(code));
}

/* Bytes to get for a need, or 0 where the need is no size at all. */
static size_t grown(size_t count, size_t size)
{
  if (count > (SIZE_MAX / 2) / size) return 0;
  const size_t need = count * size;
  return need + need / 5 + 256;
}

ds_status ds_gpu_reserve(ds_gpu_buffer *b, size_t count, size_t size, const char *what,
                         ds_error *err)
{
  const size_t bytes = grown(count, size);
  size_t left = 0, total = 0;
  if (bytes && b->data && count * size <= b->bytes) return DS_OK;
  ds_gpu_free(b);
  const cudaError_t code = bytes ? cudaMalloc(&b->data, bytes) : cudaErrorMemoryAllocation;
  if (code == cudaSuccess) {
    b->bytes = bytes;
    return DS_OK;
  }
  b->data = NULL;
  if (code != cudaErrorMemoryAllocation) return ds_gpu_check(code, what, err);
  cudaGetLastError();
  cudaMemGetInfo(&left, &total);
  return ds_fail(
      err, DS_ERR_MEMORY,
      "%s: could not get %zu bytes of device memory (%zu of %zu are free): CUDA says: %s", what,
      bytes ? bytes : SIZE_MAX, left, total, cudaGetErrorString(code));
}

ds_status ds_pinned_reserve(ds_pinned_buffer *b, size_t count, size_t size, const char *what,
                            ds_error *err)
{
  const size_t bytes = grown(count, size);
  if (bytes && b->data && count * size <= b->bytes) return DS_OK;
  ds_pinned_free(b);
  const cudaError_t code =
      bytes ? cudaHostAlloc(&b->data, bytes, cudaHostAllocDefault) : cudaErrorMemoryAllocation;
  if (code == cudaSuccess) {
    b->bytes = bytes;
    return DS_OK;
  }
  b->data = NULL;
  if (code != cudaErrorMemoryAllocation) return ds_gpu_check(code, what, err);
  cudaGetLastError();
  return ds_fail(err, DS_ERR_MEMORY,
                 "%s: could not get %zu bytes of page-locked host memory: CUDA says: %s", what,
                 bytes ? bytes : SIZE_MAX, cudaGetErrorString(code));
}

void ds_gpu_free(ds_gpu_buffer *b)
{
  if (b->data) cudaFree(b->data);
  b->data = NULL;
  b->bytes = 0;
}

void ds_pinned_free(ds_pinned_buffer *b)
{
  if (b->data) cudaFreeHost(b->data);
  b->data = NULL;
  b->bytes = 0;
  b->busy = 0;
}

/* ------------------------------------------------------------------------------------- devices */

/* Without any driver CUDA reports one that is too old; its version number, 0, tells. */
static ds_status no_devices(cudaError_t code, ds_error *err)
{
  int driver = 0, runtime = 0;
  cudaGetLastError();
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  if (driver == 0)
    return ds_fail(err, DS_ERR_NO_GPU, "no NVIDIA driver was found: CUDA says: %s",
                   cudaGetErrorString(code));
  if (code == cudaErrorInsufficientDriver)
    return ds_fail(err, DS_ERR_DRIVER,
                   "the NVIDIA driver is too old: it supports CUDA %d.%d, this build needs %d.%d; "
                   "CUDA says: %s",
                   driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10,
                   cudaGetErrorString(code));
  if (code == cudaErrorNoDevice || code == cudaSuccess)
    return ds_fail(err, DS_ERR_NO_GPU, "no NVIDIA GPU is visible: CUDA says: %s",
                   cudaGetErrorString(cudaErrorNoDevice));
  return ds_gpu_check(code, "looking for GPUs", err);
}

static int capability(int device)
{
  int major = 0;
  if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  return major;
}

ds_status ds_gpu_choose(int local_rank, int *device, ds_error *err)
{
  int count = 0, usable = 0, best = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess || count == 0) return no_devices(code, err);
  for (int d = 0; d < count; d++) {
    const int major = capability(d);
    usable += major >= DS_OLDEST_DEVICE;
    best = major > best ? major : best;
  }
  if (usable == 0)
    return ds_fail(err, DS_ERR_NO_GPU,
                   "no GPU of compute capability %d.0 or newer is visible; the newest has %d",
                   (int) DS_OLDEST_DEVICE, best);
  int skip = local_rank % usable;
  for (int d = 0; d < count; d++)
    if (capability(d) >= DS_OLDEST_DEVICE && skip-- == 0) *device = d;
  return ds_succeed(err);
}

ds_status ds_gpu_usable(ds_error *err)
{
  int device;
  return ds_gpu_choose(0, &device, err);
}

/* On a device of our own choice the processor yields while it waits: as quick as spinning where a core is
   idle, and several ranks that share a GPU and few cores do not keep each other from theirs. */
ds_status ds_gpu_use(int local_rank, void *given, int *device, cudaStream_t *stream,
                     int *own_stream, ds_error *err)
{
  ds_status s = ds_gpu_choose(local_rank, device, err);
  *stream = (cudaStream_t) given;
  if (s) return s;
  if (given) return ds_gpu_check(cudaGetDevice(device), "asking for the GPU", err);
#if CUDART_VERSION >= 12000
  cudaInitDevice(*device, cudaDeviceScheduleYield, cudaInitDeviceFlagsAreValid);
  cudaGetLastError(); /* a context that was there already keeps its ways */
#endif
  s = ds_gpu_check(cudaSetDevice(*device), "choosing the GPU", err);
  if (!s)
    s = ds_gpu_check(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking), "making a stream",
                     err);
  *own_stream = s == DS_OK;
  return s;
}

/* -------------------------------------------------------------------------------------- timing */

ds_status ds_timer_switch(ds_stage_timer *t, int on, ds_error *err)
{
  cudaError_t code = cudaSuccess;
  for (int k = 0; k < DS_STAGES && on && !t->on && !code; k++) {
    code = cudaEventCreate(&t->begin[k]);
    if (!code) code = cudaEventCreate(&t->end[k]);
  }
  for (int k = 0; k < DS_STAGES && !on && t->on; k++) {
    cudaEventDestroy(t->begin[k]);
    cudaEventDestroy(t->end[k]);
  }
  memset(t->used, 0, sizeof t->used);
  memset(t->ms, 0, sizeof t->ms);
  t->on = on && !code;
  return ds_gpu_check(code, "creating events", err);
}

void ds_timer_begin(ds_stage_timer *t, ds_stage stage, cudaStream_t stream)
{
  if (t->on) cudaEventRecord(t->begin[stage], stream);
}

void ds_timer_end(ds_stage_timer *t, ds_stage stage, cudaStream_t stream)
{
  if (!t->on) return;
  cudaEventRecord(t->end[stage], stream);
  t->used[stage] = 1;
}

void ds_timer_collect(ds_stage_timer *t)
{
  if (!t->on) return;
  for (int k = 0; k < DS_STAGES; k++) {
    t->ms[k] = 0.0f;
    if (t->used[k]) cudaEventElapsedTime(&t->ms[k], t->begin[k], t->end[k]);
    t->used[k] = 0;
  }
}
