/* GPUs that share the stages of a queue.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "gpus.h"

#include "launch.cuh"

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

size_t whole_pages(const ds_gpus *gpus, size_t bytes)
{
  return (bytes + gpus->page - 1) / gpus->page * gpus->page;
}

/* Where a GPU's part of a range begins: at a page, as near as may be to where equal parts would. */
size_t begin_of_part(const ds_gpus *gpus, size_t bytes, int gpu)
{
  return (bytes / gpus->n * gpu + gpus->page / 2) / gpus->page * gpus->page;
}

size_t end_of_part(const ds_gpus *gpus, size_t bytes, int gpu)
{
  return gpu + 1 < gpus->n ? begin_of_part(gpus, bytes, gpu + 1) : whole_pages(gpus, bytes);
}

void unmap_parts(const driver &d, const ds_gpus *gpus, CUdeviceptr at, size_t bytes, int parts)
{
  for (int g = 0; g < parts; g++) {
    const size_t begin = begin_of_part(gpus, bytes, g);
    d.unmap(at + begin, end_of_part(gpus, bytes, g) - begin);
  }
  d.free_range(at, whole_pages(gpus, bytes));
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
  if (parts == gpus->n && d.set_access(at, whole_pages(gpus, bytes), access, gpus->n) == CUDA_SUCCESS) return true;
  unmap_parts(d, gpus, at, bytes, parts);
  return false;
}

/* The piece keeps the size that was asked for: by it, not by that of its pages, each GPU has what it works on. */
int spread_get(const ds_memory *memory, void **data, size_t *bytes)
{
  const ds_gpus *const gpus = ((const ds_spread_memory *) memory)->gpus;
  driver d;
  CUdeviceptr at;
  if (!is_spread(gpus, *bytes)) return ds_device_memory.get(&ds_device_memory, data, bytes);
  if (!find_driver(&d) || d.reserve_range(&at, whole_pages(gpus, *bytes), 0, 0, 0) != CUDA_SUCCESS) return 0;
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

/* ------------------------------------------------------------------------------------------ meetings */

enum { WARP = 32 };

/* A thread for each of the others. What this GPU has written before, the others see when they see the number. */
__global__ void meet_kernel(const ds_board *board, int gpu, int gpus, uint64_t number, const volatile uint64_t *given_up)
{
  enum { LOOKS = 4096 };
  const int other = threadIdx.x;
  ds_board *const theirs = other < gpus ? board->of[other] : NULL;
  ds_wait_for_stages_before();
  if (other >= gpus || other == gpu) return;
  __threadfence_system();
  *(volatile uint64_t *) &theirs->arrived[gpu] = number;
  const volatile uint64_t *const here = &board->arrived[other];
  for (unsigned looks = 1; *here < number; looks++)
    if (looks % LOOKS == 0 && *given_up) break;
  __threadfence_system();
}

__global__ void resume_kernel(const ds_board *board, int gpus)
{
  if (threadIdx.x < gpus) board->of[threadIdx.x]->halt = 0;
}

ds_status launch_meeting(ds_gpus *gpus, int gpu, uint64_t number, ds_error *err)
{
  const ds_board *const board = gpus->board[gpu];
  const volatile uint64_t *const given_up = gpus->given_up;
  return ds_launch_part(err, "meeting of GPUs", meet_kernel, {dim3(1), WARP, 0}, gpus->stream[gpu], {gpus->overlaps, 0},
                        ds_share(), board, gpu, gpus->n, number, given_up);
}

/* ------------------------------------------------------------------------------------------ opening */

ds_status see_each_other(const ds_gpus *gpus, ds_error *err)
{
  for (int a = 0; a < gpus->n; a++)
    for (int b = 0; b < gpus->n; b++) {
      const int from = gpus->device[a], to = gpus->device[b];
      int can = 0, can_add = 0;
      if (from == to) continue;
      if (!ds_gpu_succeeded(cudaDeviceCanAccessPeer(&can, from, to)) || !can)
        return ds_fail(err, DS_ERR_ARGUMENT,
                       "GPU %d cannot read the memory of GPU %d: they cannot share the work of one process", from, to);
      if (!ds_gpu_succeeded(cudaDeviceGetP2PAttribute(&can_add, cudaDevP2PAttrNativeAtomicSupported, from, to)) || !can_add)
        return ds_fail(err, DS_ERR_ARGUMENT,
                       "GPU %d cannot add to numbers in the memory of GPU %d, as it could through NVLink: they cannot "
                       "share the work of one process",
                       from, to);
      cudaSetDevice(from);
      const cudaError_t code = cudaDeviceEnablePeerAccess(to, 0);
      cudaGetLastError();
      if (code != cudaSuccess && code != cudaErrorPeerAccessAlreadyEnabled)
        return ds_gpu_check(code, "opening a GPU's memory to another", err);
    }
  return DS_OK;
}

/* The board of one GPU, and the stream of one but the first. */
ds_status open_one(ds_gpus *gpus, int g, ds_error *err)
{
  cudaError_t code = cudaSetDevice(gpus->device[g]);
  if (gpus->in_turn)
    gpus->stream[g] = gpus->stream[0];
  else if (!code && g > 0)
    code = cudaStreamCreateWithFlags(&gpus->stream[g], cudaStreamNonBlocking);
  if (!code) code = cudaMalloc((void **) &gpus->board[g], sizeof(ds_board));
  return ds_gpu_check(code, "opening a GPU that shares the work", err);
}

/* Streams of the GPUs do not wait for copies that others make: these must be over. */
ds_status open_boards(ds_gpus *gpus, ds_error *err)
{
  ds_board first = {};
  memcpy(first.of, gpus->board, sizeof first.of);
  cudaError_t code = cudaMallocHost((void **) &gpus->given_up, sizeof *gpus->given_up);
  if (!code) *gpus->given_up = 0;
  for (int g = 0; g < gpus->n && !code; g++) code = cudaMemcpy(gpus->board[g], &first, sizeof first, cudaMemcpyHostToDevice);
  if (!code) code = cudaDeviceSynchronize();
  return ds_gpu_check(code, "opening GPUs that share the work", err);
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
  gpus->in_turn = in_turn && count == 1;
  if (n > count && !gpus->in_turn)
    return ds_fail(err, DS_ERR_ARGUMENT, "%d GPUs are to share the work of a process; it sees %d", n, count);
  gpus->n = n;
  gpus->least = least;
  for (int g = 1; g < n; g++) gpus->device[g] = (first + g) % count;
  s = see_each_other(gpus, err);
  if (!s) s = find_page(gpus, err);
  for (int g = 0; g < n && !s; g++) s = open_one(gpus, g, err);
  if (!s) s = ds_gpu_check(cudaSetDevice(first), "choosing the GPU", err);
  return s ? s : open_boards(gpus, err);
}

void ds_gpus_close(ds_gpus *gpus)
{
  if (gpus->n == 1) return;
  for (int g = gpus->n - 1; g >= 0; g--) {
    cudaSetDevice(gpus->device[g]);
    if (gpus->stream[g]) cudaStreamSynchronize(gpus->stream[g]);
  }
  for (int g = gpus->n - 1; g >= 0; g--) {
    cudaSetDevice(gpus->device[g]);
    if (gpus->board[g]) cudaFree(gpus->board[g]);
    if (g > 0 && gpus->stream[g] && !gpus->in_turn) cudaStreamDestroy(gpus->stream[g]);
  }
  if (gpus->given_up) cudaFreeHost(gpus->given_up);
  cudaGetLastError();
}

void ds_spread_memory_open(ds_spread_memory *m, const ds_gpus *gpus)
{
  m->memory = {"device", spread_get, spread_release, ds_device_memory.explain, 1};
  m->gpus = gpus;
}

ds_status ds_gpus_fork(ds_gpus *gpus, ds_error *err)
{
  if (gpus->has_met || gpus->in_turn) return DS_OK;
  gpus->has_met = 1;
  if (gpus->launches_block) return ds_gpu_check(cudaStreamSynchronize(gpus->stream[0]), "sharing a stage among GPUs", err);
  const uint64_t number = ++gpus->meetings;
  return ds_for_each_gpu(gpus, DS_OK, err, [&](int g) { return launch_meeting(gpus, g, number, err); });
}

ds_status ds_gpus_meet(ds_gpus *gpus, int gpu, uint64_t number, ds_error *err)
{
  if (gpus->in_turn) return DS_OK;
  if (!gpus->launches_block) return launch_meeting(gpus, gpu, number, err);
  return ds_gpu_check(cudaStreamSynchronize(gpus->stream[gpu]), "a stage of several GPUs", err);
}

ds_status ds_gpus_resume(ds_gpus *gpus, ds_error *err)
{
  return DS_LAUNCH(err, "resuming of GPUs", resume_kernel, 1, WARP, gpus->stream[0], gpus->board[0], gpus->n);
}

void ds_gpus_give_up(ds_gpus *gpus)
{
  if (gpus->given_up) __atomic_store_n(gpus->given_up, 1, __ATOMIC_RELEASE);
}

int ds_gpus_failed(ds_gpus *gpus)
{
  cudaError_t code = cudaSuccess;
  for (int g = gpus->n - 1; g > 0 && !code; g--) {
    cudaSetDevice(gpus->device[g]);
    code = cudaStreamQuery(gpus->stream[g]);
    if (code == cudaErrorNotReady) code = cudaSuccess;
  }
  if (gpus->n > 1) cudaSetDevice(gpus->device[0]);
  if (code) ds_gpus_give_up(gpus);
  return (int) code;
}
