/* Reports to the host, made by kernels.   SPDX-License-Identifier: GPL-2.0-or-later

   A kernel stores marked words (marked_words.h) into the host's memory. A copy would be made by another engine of the GPU,
   which takes microseconds to begin. */
#ifndef DPDSOP_REPORT_CUH
#define DPDSOP_REPORT_CUH

#include "gpu.h"
#include "queue.h"

/* All threads of a block call it. Each word of 64 bits becomes two marked words, which are stored together. A thread has
   several words, and loads them all before it waits for one. Other blocks may have changed them: they are not in the cache of
   this one. */
static __device__ __forceinline__ void ds_make_report(const ds_report &r, const ds_control *control)
{
  enum { AT_ONCE = 4, OF_CONTROL = DS_CONTROL_WORDS / 2 };
  static_assert(DS_CONTROL_WORDS % 2 == 0, "the control block is reported in words of 64 bits");
  const unsigned words = OF_CONTROL + r.words;
  for (unsigned first = threadIdx.x; first < words; first += AT_ONCE * blockDim.x) {
    unsigned long long word[AT_ONCE];
#pragma unroll
    for (int j = 0; j < AT_ONCE; j++) {
      const unsigned k = first + j * blockDim.x;
      const void *const from = k < OF_CONTROL ? (const uint64_t *) control + k : r.from + (k - OF_CONTROL);
      if (k < words) word[j] = __ldcg((const unsigned long long *) from);
    }
#pragma unroll
    for (int j = 0; j < AT_ONCE; j++) {
      const uint32_t low = (uint32_t) word[j], high = (uint32_t) (word[j] >> 32);
      const ulonglong2 marked = {ds_marked_word(low, r.mark), ds_marked_word(high, r.mark)};
      if (first + j * blockDim.x < words) __stwt((ulonglong2 *) r.to + first + j * blockDim.x, marked);
    }
  }
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
  if (is_alone)
    __threadfence();
  else
    __threadfence_system();
  ds_make_report(r, launch.control);
  if (threadIdx.x == 0) launch.control->blocks_over = 0; /* as it is in reports that no stage makes at its end */
}

#endif
