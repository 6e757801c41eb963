/* Stages of resident atoms on the GPU that have files of their own.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_RESIDENT_STAGES_CUDA_H
#define DPDSOP_RESIDENT_STAGES_CUDA_H

#include "../core/gpu.h"
#include "resident_state.h"

/* Stops where one thread of the block has found a reason; of all its threads together. */
__device__ inline void ds_stop_if(bool mine, uint32_t *reason, const ds_launch_id &launch)
{
  if (!__syncthreads_or(mine) || threadIdx.x) return;
  *reason = 1;
  ds_stop(launch);
}

/* sort_cuda.cu */
ds_status ds_order_cuda_find(ds_queue *q, ds_pool *pool, ds_order *o, const ds_resident_view *a, const ds_sort_bins *bins,
                             ds_error *err);
ds_status ds_order_cuda_put(ds_queue *q, const int32_t *order, int back, const void *from, void *to, int n, int components,
                            int bytes, ds_error *err);

#endif
