/* Launches of stages that overlap.   SPDX-License-Identifier: GPL-2.0-or-later

   A kernel that begins with ds_stopped (control.h) waits there for the one before it. So it may be brought to the GPU while that
   one ends: CUDA calls this programmatic dependent launch. It spares the microsecond between two kernels, a tenth of a step of a
   small system. Kernels do not say themselves that the next one may come (cudaTriggerProgrammaticLaunchCompletion): where they
   did, a step of a million particles took a third longer. GPUs before compute capability 9.0, and code that was compiled for
   them, do without. */
#ifndef DPDSOP_LAUNCH_CUH
#define DPDSOP_LAUNCH_CUH

#include "gpu.h"
#include "queue.h"

template <class... Parameters, class... Arguments>
ds_status ds_launch_stage(ds_error *err, const char *name, void (*kernel)(Parameters...), size_t threads_in_all, int threads,
                          const ds_queue *q, Arguments &&...arguments)
{
  if (threads_in_all == 0) return DS_OK;
  cudaLaunchAttribute early;
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t how = {};
  how.gridDim = dim3(ds_gpu_blocks(threads_in_all, threads));
  how.blockDim = dim3((unsigned) threads);
  how.stream = q->stream;
  how.attrs = &early;
  how.numAttrs = q->overlaps ? 1 : 0;
  return ds_gpu_check(cudaLaunchKernelEx(&how, kernel, static_cast<Parameters>(arguments)...), name, err);
}

/* As DS_LAUNCH_EACH, of a kernel that begins with ds_stopped. */
#define DS_LAUNCH_STAGE(err, name, kernel, n, threads, queue, ...) \
  ds_launch_stage(err, name, kernel, (size_t) (n), threads, queue, __VA_ARGS__)

#endif
