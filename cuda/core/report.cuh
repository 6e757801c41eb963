/* Reports to the host, made by kernels.   SPDX-License-Identifier: GPL-2.0-or-later

   A kernel stores into the host's memory at once; a copy would be made by another engine of the GPU, which takes microseconds
   to begin. The number of the report comes last. */
#ifndef DPDSOP_REPORT_CUH
#define DPDSOP_REPORT_CUH

#include "gpu.h"
#include "queue.h"

/* All threads of a block call it. Other blocks may have changed what is read: it is not in the cache of this one. */
static __device__ __forceinline__ void ds_make_report(const ds_report &r, const ds_control *control)
{
  const unsigned of_control = sizeof *control / sizeof *r.to;
  for (unsigned k = threadIdx.x; k < of_control; k += blockDim.x)
    ((uint64_t *) r.control_host)[k] = __ldcg((const unsigned long long *) control + k);
  for (unsigned k = threadIdx.x; k < r.words; k += blockDim.x) r.to[k] = __ldcg((const unsigned long long *) r.from + k);
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0) *(volatile uint64_t *) r.arrived_host = r.number;
}

/* All threads of all blocks call it at their end. The last block makes the report. */
static __device__ __forceinline__ void ds_report_at_end(const ds_report &r, const ds_launch_id &launch)
{
  __shared__ bool is_last;
  const bool is_alone = launch.share.gpus == 1;
  if (is_alone)
    __threadfence();
  else
    __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicAdd_system(&launch.control->blocks_over, 1u) == launch.share.blocks - 1;
  __syncthreads();
  if (!is_last) return;
  if (threadIdx.x == 0) launch.control->blocks_over = 0;
  if (is_alone)
    __threadfence();
  else
    __threadfence_system();
  ds_make_report(r, launch.control);
}

#endif
