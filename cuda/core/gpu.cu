/* CUDA for the engine.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "backend.h"
#include "gpu.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { DS_OLDEST_DEVICE = 8 }; /* compute capability that the oldest code in the library is for */

ds_status ds_gpu_check(cudaError_t code, const char *what, ds_error *err)
{
  if (code == cudaSuccess) return DS_OK;
  cudaGetLastError(); /* so that no later check finds it again */
  if (code == cudaErrorMemoryAllocation)
    return ds_fail(err, DS_ERR_MEMORY, "%s: CUDA says: %s", what, cudaGetErrorString(code));
  return ds_fail(err, DS_ERR_CUDA, "%s, or a kernel before it: CUDA says: %s (%s)", what, cudaGetErrorString(code),
                 cudaGetErrorName(code));
}

int ds_gpu_succeeded(cudaError_t code)
{
  if (code != cudaSuccess) cudaGetLastError();
  return code == cudaSuccess;
}

/* A failed allocation is reported by whoever asked for the memory. */
static int device_get(const ds_memory *, void **data, size_t *bytes)
{
  return ds_gpu_succeeded(cudaMalloc(data, *bytes));
}

/* Kernels and copies that are queued may use the memory, and CUDA does not say that it waits for them; we do. Memory is
   freed where an array grows and when an object is closed, not in steps that have the room they need. */
static void device_release(const ds_memory *, void *data, size_t)
{
  cudaDeviceSynchronize();
  cudaFree(data);
}

static void explain_device(char *text, size_t size)
{
  size_t left = 0, total = 0;
  cudaMemGetInfo(&left, &total);
  cudaGetLastError();
  snprintf(text, size, " (%zu of %zu are free): CUDA says: %s", left, total, cudaGetErrorString(cudaErrorMemoryAllocation));
}

static int pinned_get(const ds_memory *, void **data, size_t *bytes)
{
  return ds_gpu_succeeded(cudaHostAlloc(data, *bytes, cudaHostAllocDefault));
}

static void pinned_release(const ds_memory *, void *data, size_t)
{
  cudaDeviceSynchronize(); /* as device_release does */
  cudaFreeHost(data);
}

const ds_memory ds_device_memory = {"device", device_get, device_release, explain_device, 0};
const ds_memory ds_pinned_memory = {"page-locked host", pinned_get, pinned_release, NULL, 0};

/* ------------------------------------------------------------------------------------- devices */

/* Without any driver CUDA reports one that is too old, with the version number 0. */
static ds_status no_devices(cudaError_t code, ds_error *err)
{
  int driver = 0, runtime = 0;
  cudaGetLastError();
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  if (driver == 0)
    return ds_fail(err, DS_ERR_NO_GPU, "no NVIDIA driver was found, for which CUDA says \"%s\"", cudaGetErrorString(code));
  if (code == cudaErrorInsufficientDriver)
    return ds_fail(err, DS_ERR_DRIVER,
                   "the NVIDIA driver is too old: it supports CUDA %d.%d, this build needs %d.%d; "
                   "CUDA says: %s",
                   driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10, cudaGetErrorString(code));
  if (code == cudaErrorNoDevice || code == cudaSuccess)
    return ds_fail(err, DS_ERR_NO_GPU, "no NVIDIA GPU is visible: CUDA says: %s", cudaGetErrorString(cudaErrorNoDevice));
  return ds_gpu_check(code, "looking for GPUs", err);
}

static int capability(int device)
{
  int major = 0;
  return ds_gpu_succeeded(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device)) ? major : 0;
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
    return ds_fail(err, DS_ERR_NO_GPU, "no GPU of compute capability %d.0 or newer is visible; the newest has %d",
                   (int) DS_OLDEST_DEVICE, best);
  int skip = local_rank % usable;
  for (int d = 0; d < count; d++)
    if (capability(d) >= DS_OLDEST_DEVICE && skip-- == 0) *device = d;
  return ds_succeed(err);
}

/* On a device of our own choice the processor yields while it waits: as quick as spinning where a core is
   idle, and several ranks that share a GPU and few cores do not take these from each other. */
ds_status ds_gpu_use(int local_rank, void *given, int *device, cudaStream_t *stream, int *own_stream, ds_error *err)
{
  ds_status s = ds_gpu_choose(local_rank, device, err);
  *stream = (cudaStream_t) given;
  if (s) return s;
  if (given) return ds_gpu_check(cudaGetDevice(device), "asking for the GPU", err);
#if CUDART_VERSION >= 12000
  cudaInitDevice(*device, cudaDeviceScheduleYield, cudaInitDeviceFlagsAreValid);
  cudaGetLastError(); /* a context that was there before keeps its way of waiting */
#endif
  s = ds_gpu_check(cudaSetDevice(*device), "choosing the GPU", err);
  if (!s) s = ds_gpu_check(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking), "making a stream", err);
  *own_stream = s == DS_OK;
  return s;
}
