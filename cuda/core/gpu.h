/* CUDA for the engine: errors in CUDA's own words, kinds of memory, choice of a device, launches that are checked. No
   global state, no managed memory.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_GPU_H
#define DPDSOP_GPU_H

#include "buffer.h"

#include <cuda_runtime.h>
#include <stddef.h>

/* DS_OK, or the error with `what` (a kernel's name or an action) and what CUDA says of it. An error
   of an earlier, asynchronous kernel may surface here: the text says so. */
ds_status ds_gpu_check(cudaError_t code, const char *what, ds_error *err);

/* 1 where a call has succeeded that may fail; else the error is cleared, so that no later check finds it. */
int ds_gpu_succeeded(cudaError_t code);

/* Memory of the current device, and page-locked host memory, from and to which copies are asynchronous. */
extern const ds_memory ds_device_memory, ds_pinned_memory;

/* The device of a process and a stream on it: `given` (a cudaStream_t, with the device that is current), or,
   where that is NULL, a stream of our own on the device of ds_gpu_choose (backend.h); the caller destroys it. */
ds_status ds_gpu_use(int local_rank, void *given, int *device, cudaStream_t *stream, int *own_stream, ds_error *err);

/* The mask of an exchange in which all lanes of a warp take part. */
#define DS_FULL_WARP 0xFFFFFFFFu

/* Blocks of `threads` that hold n threads. */
static inline unsigned ds_gpu_blocks(size_t n, int threads)
{
  return (unsigned) ((n + (size_t) threads - 1) / (size_t) threads);
}

/* Launch and check. A launch of no blocks is an error to CUDA and nothing to do for us. */
/* (The tool takes this header for C and would pull the <<< apart.) */
/* clang-format off */
#define DS_LAUNCH(err, name, kernel, blocks, threads, stream, ...)                                 \
  ((blocks) == 0 ? DS_OK                                                                           \
                 : ((kernel)<<<(blocks), (threads), 0, (stream)>>>(__VA_ARGS__),                   \
                    ds_gpu_check(cudaGetLastError(), name, err)))
/* clang-format on */

/* The same with a thread for each of n. */
#define DS_LAUNCH_EACH(err, name, kernel, n, threads, stream, ...)                                                             \
  DS_LAUNCH(err, name, kernel, ds_gpu_blocks((size_t) (n), threads), threads, stream, __VA_ARGS__)

#endif
