/* What stages of resident atoms on the GPU share.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_RESIDENT_STAGES_CUDA_H
#define DPDSOP_RESIDENT_STAGES_CUDA_H

#include "../core/gpu.h"
#include "resident_state.h"

/* Stops where one thread of the block has found a reason; of all its threads together. moved: as in ds_halt. */
__device__ inline void ds_stop_if(bool mine, uint32_t *reason, const ds_launch_id &launch, int moved = 0)
{
  if (!__syncthreads_or(mine) || threadIdx.x) return;
  *reason = 1;
  ds_stop(launch, moved);
}

#endif
