/* Launches of stages that overlap.   SPDX-License-Identifier: GPL-2.0-or-later

   A kernel that begins with ds_stopped (control.h) waits there for the one before it. So it may be brought to the GPU while
   that one ends: CUDA calls this programmatic dependent launch. It spares the microsecond between two kernels, a tenth of a
   step of a small system. Kernels do not say themselves that the next one may come (cudaTriggerProgrammaticLaunchCompletion):
   where they did, a step of a million particles took a third longer, and one of 16,000, whose blocks are all at work at a time,
   1.6 times as long. GPUs before compute capability 9.0, and code that was compiled for them, do without. */
#ifndef DPDSOP_LAUNCH_CUH
#define DPDSOP_LAUNCH_CUH

#include "gpu.h"
#include "queue.h"

/* Where a kernel's arguments have a stage's number, they get the kernel's part of the stage. */
inline void ds_set_share(ds_launch_id &launch, const ds_share &share, int)
{
  launch.share = share;
}

template <class Arguments> auto ds_set_share(Arguments &a, const ds_share &share, int) -> decltype((void) a.launch.share)
{
  a.launch.share = share;
}

template <class Arguments> auto ds_set_share(Arguments &a, const ds_share &share, int) -> decltype((void) a.sweep.launch.share)
{
  ds_set_share(a.sweep, share, 0);
}

template <class Argument> void ds_set_share(Argument &, const ds_share &, long) {}

typedef struct {
  dim3 blocks;
  int threads;
  size_t shared; /* bytes of shared memory, besides what the kernel says itself */
} ds_shape;

typedef struct {
  int overlaps; /* 1: as ds_queue.overlaps */
  int beside;   /* 1: as ds_queue.beside */
} ds_launch_manner;

/* Attributes of a launch in that manner; returns how many. */
inline unsigned ds_launch_attributes(const ds_launch_manner &manner, cudaLaunchAttribute to[2])
{
  unsigned n = 0;
  if (manner.overlaps) {
    to[n].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    to[n++].val.programmaticStreamSerializationAllowed = 1;
  }
#if CUDART_VERSION >= 12080
  enum { SHARED_PERCENT = 44 }; /* of what can be shared memory: 100 of 228 KB */
  if (manner.beside) {
    to[n].id = cudaLaunchAttributePreferredSharedMemoryCarveout;
    to[n++].val.sharedMemCarveout = SHARED_PERCENT;
  }
#endif
  return n;
}

/* One kernel, on the GPU that is current. */
template <class... Parameters>
ds_status ds_launch_part(ds_error *err, const char *name, void (*kernel)(Parameters...), const ds_shape &shape,
                         cudaStream_t stream, const ds_launch_manner &manner, const ds_share &share, Parameters... arguments)
{
  cudaLaunchAttribute attributes[2];
  cudaLaunchConfig_t how = {};
  how.gridDim = shape.blocks;
  how.blockDim = dim3((unsigned) shape.threads);
  how.dynamicSmemBytes = shape.shared;
  how.stream = stream;
  how.attrs = attributes;
  how.numAttrs = ds_launch_attributes(manner, attributes);
  (ds_set_share(arguments, share, 0), ...);
  return ds_gpu_check(cudaLaunchKernelEx(&how, kernel, arguments...), name, err);
}

/* Does something for each GPU while that is the current one. The queue's own GPU comes last, and is the current one again then.
   so_far: where that is an error it is returned. */
template <class Work> ds_status ds_for_each_gpu(ds_gpus *gpus, ds_status so_far, ds_error *err, Work work)
{
  ds_status s = so_far;
  for (int g = gpus->n - 1; g >= 0; g--) {
    const cudaError_t code = cudaSetDevice(gpus->device[g]);
    if (!s) s = ds_gpu_check(code, "choosing a GPU", err);
    if (!s) s = work(g);
  }
  if (s) ds_gpus_give_up(gpus);
  return s;
}

/* Part `gpu` of some work, queued on that GPU's stream. */
template <class Part> ds_status ds_queue_parts(ds_queue *q, ds_error *err, Part part)
{
  ds_gpus *const gpus = &q->gpus;
  const ds_status forked = ds_gpus_fork(gpus, err);
  const uint64_t meeting = ++gpus->meetings;
  return ds_for_each_gpu(gpus, forked, err, [&](int g) {
    const ds_status s = part(g, gpus->stream[g]);
    return s ? s : ds_gpus_meet(gpus, g, meeting, err);
  });
}

template <class... Parameters>
ds_status ds_launch_parts(ds_error *err, const char *name, void (*kernel)(Parameters...), unsigned blocks, int threads,
                          ds_queue *q, const Parameters &...arguments)
{
  const uint32_t each = ds_blocks_of_gpu(blocks, q->gpus.n);
  return ds_queue_parts(q, err, [&](int g, cudaStream_t stream) {
    const unsigned first = g * each, end = blocks < first + each ? blocks : first + each;
    return first >= end ? DS_OK
                        : ds_launch_part(err, name, kernel, {dim3(end - first), threads, 0}, stream, {q->gpus.overlaps, 0},
                                         ds_share_of(q, first, blocks, g), arguments...);
  });
}

/* Of the next stage. */
inline ds_launch_manner ds_take_manner(ds_queue *q)
{
  const ds_launch_manner manner = {q->overlaps && !q->waits_for_more, q->beside};
  q->waits_for_more = 0;
  return manner;
}

template <class... Parameters, class... Arguments>
ds_status ds_launch_stage(ds_error *err, const char *name, void (*kernel)(Parameters...), size_t threads_in_all, int threads,
                          ds_queue *q, Arguments &&...arguments)
{
  const unsigned blocks = ds_gpu_blocks(threads_in_all, threads);
  if (threads_in_all == 0) return DS_OK;
  if (q->gpus.n > 1 && threads_in_all >= q->gpus.least * q->gpus.n)
    return ds_launch_parts<Parameters...>(err, name, kernel, blocks, threads, q, arguments...);
  const ds_share all = ds_share_of(q, 0, blocks, 0);
  return ds_launch_part<Parameters...>(err, name, kernel, {dim3(blocks), threads, 0}, ds_queue_stream(q), ds_take_manner(q),
                                       all, arguments...);
}

/* Of a shape of its own, for the queue's own GPU: the kernel's blocks have CUDA's numbers. */
template <class... Parameters, class... Arguments>
ds_status ds_launch_shaped(ds_error *err, const char *name, void (*kernel)(Parameters...), const ds_shape &shape, ds_queue *q,
                           Arguments &&...arguments)
{
  const ds_share all = ds_share_of(q, 0, 0, 0);
  return ds_launch_part<Parameters...>(err, name, kernel, shape, ds_queue_stream(q), ds_take_manner(q), all, arguments...);
}

/* A large argument of a kernel, copied to shared memory by all threads of a block at once; they have it after __syncthreads().
   Where arguments are, a warp fetches them line by line, and waits for each line that was not used before: microseconds of a
   kernel that has little else to do. */
template <class T> __device__ __forceinline__ void ds_copy_argument(const T &argument, T *to)
{
  static_assert(sizeof(T) % sizeof(uint64_t) == 0, "words of an argument");
  const T *from = &argument;
  asm volatile("" : "+l"(from)); /* an address like any other: else the compiler reads the argument where it is */
  for (unsigned k = threadIdx.x; k < sizeof(T) / sizeof(uint64_t); k += blockDim.x)
    ((uint64_t *) to)[k] = ((const uint64_t *) from)[k];
}

/* As DS_LAUNCH_EACH, of a kernel that begins with ds_stopped, and takes ds_block for the number of a block. */
#define DS_LAUNCH_STAGE(err, name, kernel, n, threads, queue, ...) \
  ds_launch_stage(err, name, kernel, (size_t) (n), threads, queue, __VA_ARGS__)

#endif
