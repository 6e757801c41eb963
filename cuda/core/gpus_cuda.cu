/* GPUs that share the stages of a queue.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "gpus.h"

#include "gpu.h"

#include <cuda.h>
#include <string.h>

namespace {

/* ---------------------------------------------------------------------------------------- the driver */

/* Ranges of addresses with memory of several GPUs are had from CUDA's driver, which the engine is not linked with. */
struct driver {
  decltype(&cuMemGetAllocationGranularity) granularity;
  decltype(&cuMemAddressReserve) reserve_range;
  decltype(&cuMemAddressFree) free_range;
  decltype(&cuMemCreate) create;
  decltype(&cuMemRelease) release;
  decltype(&cuMemMap) map;
  decltype(&cuMemUnmap) unmap;
  decltype(&cuMemSetAccess) set_access;
};

template <class Function> bool find(const char *name, Function *to)
{
  void *found = NULL;
  cudaDriverEntryPointQueryResult result;
#if CUDART_VERSION >= 12050
  const cudaError_t code = cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &result);
#else
  const cudaError_t code = cudaGetDriverEntryPoint(name, &found, cudaEnableDefault, &result);
#endif
  *to = (Function) found;
  return ds_gpu_succeeded(code) && found;
}

bool find_driver(driver *d)
{
  return find("cuMemGetAllocationGranularity", &d->granularity) && find("cuMemAddressReserve", &d->reserve_range) &&
         find("cuMemAddressFree", &d->free_range) && find("cuMemCreate", &d->create) && find("cuMemRelease", &d->release) &&
         find("cuMemMap", &d->map) && find("cuMemUnmap", &d->unmap) && find("cuMemSetAccess", &d->set_access);
}

CUmemAllocationProp memory_of(int device)
{
  CUmemAllocationProp p = {};
  p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  p.location.id = device;
  return p;
}

/* ------------------------------------------------------------------------------------------- memory */

bool is_spread(const ds_gpus *g, size_t bytes)
{
  return bytes >= (size_t) g->n * g->page;
}

bool map_part(const driver &d, CUdeviceptr at, size_t bytes, int device)
{
  const CUmemAllocationProp p = memory_of(device);
  CUmemGenericAllocationHandle handle;
  if (d.create(&handle, bytes, &p, 0) != CUDA_SUCCESS) return false;
  const bool is_mapped = d.map(at, bytes, 0, handle, 0) == CUDA_SUCCESS;
  d.release(handle); /* the mapping keeps the memory */
  return is_mapped;
}

/* Where a GPU's part of a range begins: at a page, as near as may be to where equal parts would. */
size_t begin_of_part(const ds_gpus *gpus, size_t bytes, int gpu)
{
  return (bytes / gpus->n * gpu + gpus->page / 2) / gpus->page * gpus->page;
}

size_t end_of_part(const ds_gpus *gpus, size_t bytes, int gpu)
{
  return gpu + 1 < gpus->n ? begin_of_part(gpus, bytes, gpu + 1) : bytes;
}

void unmap_parts(const driver &d, const ds_gpus *gpus, CUdeviceptr at, size_t bytes, int parts)
{
  for (int g = 0; g < parts; g++) {
    const size_t begin = begin_of_part(gpus, bytes, g);
    d.unmap(at + begin, end_of_part(gpus, bytes, g) - begin);
  }
  d.free_range(at, bytes);
}

bool map_parts(const driver &d, const ds_gpus *gpus, CUdeviceptr at, size_t bytes)
{
  CUmemAccessDesc access[DS_MAX_GPUS] = {};
  int parts = 0;
  for (; parts < gpus->n; parts++) {
    const size_t begin = begin_of_part(gpus, bytes, parts);
    if (!map_part(d, at + begin, end_of_part(gpus, bytes, parts) - begin, gpus->device[parts])) break;
    access[parts] = {{CU_MEM_LOCATION_TYPE_DEVICE, gpus->device[parts]}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  }
  if (parts == gpus->n && d.set_access(at, bytes, access, gpus->n) == CUDA_SUCCESS) return true;
  unmap_parts(d, gpus, at, bytes, parts);
  return false;
}

/* Whole pages: the piece may be larger than asked for. */
int spread_get(const ds_memory *memory, void **data, size_t *bytes)
{
  const ds_gpus *const gpus = ((const ds_spread_memory *) memory)->gpus;
  driver d;
  CUdeviceptr at;
  if (!is_spread(gpus, *bytes)) return ds_device_memory.get(&ds_device_memory, data, bytes);
  *bytes = (*bytes + gpus->page - 1) / gpus->page * gpus->page;
  if (!find_driver(&d) || d.reserve_range(&at, *bytes, 0, 0, 0) != CUDA_SUCCESS) return 0;
  if (!map_parts(d, gpus, at, *bytes)) return 0;
  *data = (void *) at;
  return 1;
}

void spread_release(const ds_memory *memory, void *data, size_t bytes)
{
  const ds_gpus *const gpus = ((const ds_spread_memory *) memory)->gpus;
  driver d;
  for (int g = gpus->n - 1; g >= 0; g--) {
    cudaSetDevice(gpus->device[g]);
    cudaDeviceSynchronize();
  }
  if (!is_spread(gpus, bytes))
    ds_device_memory.release(&ds_device_memory, data, bytes);
  else if (find_driver(&d))
    unmap_parts(d, gpus, (CUdeviceptr) data, bytes, gpus->n);
}

/* ------------------------------------------------------------------------------------------ opening */

ds_status see_each_other(const ds_gpus *gpus, ds_error *err)
{
  for (int a = 0; a < gpus->n; a++)
    for (int b = 0; b < gpus->n; b++) {
      const int from = gpus->device[a], to = gpus->device[b];
      int can = 0;
      if (from == to) continue;
      if (!ds_gpu_succeeded(cudaDeviceCanAccessPeer(&can, from, to)) || !can)
        return ds_fail(err, DS_ERR_ARGUMENT,
                       "GPU %d cannot read the memory of GPU %d: they cannot share the work of one process", from, to);
      cudaSetDevice(from);
      const cudaError_t code = cudaDeviceEnablePeerAccess(to, 0);
      cudaGetLastError();
      if (code != cudaSuccess && code != cudaErrorPeerAccessAlreadyEnabled)
        return ds_gpu_check(code, "opening a GPU's memory to another", err);
    }
  return DS_OK;
}

/* The stream and the event of one GPU but the first. */
ds_status open_one(ds_gpus *gpus, int g, ds_error *err)
{
  cudaError_t code = cudaSetDevice(gpus->device[g]);
  if (!code) code = cudaStreamCreateWithFlags(&gpus->stream[g], cudaStreamNonBlocking);
  if (!code) code = cudaEventCreateWithFlags(&gpus->end[g], cudaEventDisableTiming);
  return ds_gpu_check(code, "opening a GPU that shares the work", err);
}

ds_status find_page(ds_gpus *gpus, ds_error *err)
{
  const CUmemAllocationProp p = memory_of(gpus->device[0]);
  driver d;
  if (find_driver(&d) && d.granularity(&gpus->page, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM) == CUDA_SUCCESS) return DS_OK;
  return ds_fail(err, DS_ERR_DRIVER, "the NVIDIA driver cannot spread memory over several GPUs");
}
}    // namespace

ds_status ds_gpus_open(ds_gpus *gpus, int n, size_t least, int in_turn, int first, cudaStream_t stream, ds_error *err)
{
  int count = 0;
  memset(gpus, 0, sizeof *gpus);
  gpus->n = 1;
  gpus->device[0] = first;
  gpus->stream[0] = stream;
  if (n == 1) return DS_OK;
  ds_status s = ds_gpu_check(cudaGetDeviceCount(&count), "looking for GPUs", err);
  if (s) return s;
  if (n > count && !in_turn)
    return ds_fail(err, DS_ERR_ARGUMENT, "%d GPUs are to share the work of a process; it sees %d", n, count);
  gpus->n = n;
  gpus->least = least;
  for (int g = 1; g < n; g++) gpus->device[g] = (first + g) % count;
  s = see_each_other(gpus, err);
  if (!s) s = find_page(gpus, err);
  for (int g = 1; g < n && !s; g++) s = open_one(gpus, g, err);
  if (!s) s = ds_gpu_check(cudaSetDevice(first), "choosing the GPU", err);
  cudaError_t code = s ? cudaSuccess : cudaEventCreateWithFlags(&gpus->begin, cudaEventDisableTiming);
  if (!s && !code) code = cudaEventCreateWithFlags(&gpus->end[0], cudaEventDisableTiming);
  return s ? s : ds_gpu_check(code, "opening GPUs", err);
}

void ds_gpus_close(ds_gpus *gpus)
{
  for (int g = gpus->n - 1; g > 0; g--) {
    cudaSetDevice(gpus->device[g]);
    if (gpus->stream[g]) cudaStreamSynchronize(gpus->stream[g]);
    if (gpus->end[g]) cudaEventDestroy(gpus->end[g]);
    if (gpus->stream[g]) cudaStreamDestroy(gpus->stream[g]);
  }
  cudaSetDevice(gpus->device[0]);
  if (gpus->begin) cudaEventDestroy(gpus->begin);
  if (gpus->end[0]) cudaEventDestroy(gpus->end[0]);
  cudaGetLastError();
}

void ds_spread_memory_open(ds_spread_memory *m, const ds_gpus *gpus)
{
  m->memory = {"device", spread_get, spread_release, ds_device_memory.explain, 1};
  m->gpus = gpus;
}

ds_status ds_gpus_fork(ds_gpus *gpus, ds_error *err)
{
  cudaError_t code = gpus->is_open ? cudaSuccess : cudaEventRecord(gpus->begin, gpus->stream[0]);
  for (int g = 0; g < gpus->n && !code; g++) {
    if (g && !gpus->is_open) code = cudaStreamWaitEvent(gpus->stream[g], gpus->begin, 0);
    for (int other = 0; other < gpus->n && gpus->is_open && !code; other++)
      if (other != g) code = cudaStreamWaitEvent(gpus->stream[g], gpus->end[other], 0);
  }
  return ds_gpu_check(code, "sharing a stage among GPUs", err);
}

ds_status ds_gpus_end(ds_gpus *gpus, ds_error *err)
{
  cudaError_t code = cudaSuccess;
  for (int g = 0; g < gpus->n && !code; g++) code = cudaEventRecord(gpus->end[g], gpus->stream[g]);
  gpus->is_open = 1;
  return ds_gpu_check(code, "ending a stage of several GPUs", err);
}

void ds_gpus_join(ds_gpus *gpus)
{
  for (int g = 1; g < gpus->n; g++) cudaStreamWaitEvent(gpus->stream[0], gpus->end[g], 0);
  gpus->is_open = 0;
}
