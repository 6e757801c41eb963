/* CUDA for the engine: errors in CUDA's own words, buffers that grow, launches that are checked, times
   of stages. No global state, no managed memory.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_GPU_H
#define DPDSOP_GPU_H

#include "dpdsop/status.h"

#include <cuda_runtime.h>
#include <stddef.h>

/* DS_OK, or the error with `what` (a kernel's name or an action) and what CUDA says of it. An error
   of an earlier, asynchronous kernel may surface here: the text says so. */
ds_status ds_gpu_check(cudaError_t code, const char *what, ds_error *err);

/* Device memory; contents are not kept when it grows. */
typedef struct {
  void *data;
  size_t bytes;
} ds_gpu_buffer;

/* Page-locked host memory, from and to which copies are asynchronous. `busy`: a copy may be under
   way, so wait for the stream before touching it; set and cleared by its user. */
typedef struct {
  void *data;
  size_t bytes;
  int busy;
} ds_pinned_buffer;

/* The data of a buffer of either kind. */
#define DS_DATA(type, buffer) ((type *) (buffer).data)

/* At least count elements of size bytes; grows by a fifth more than asked, as ds_buffer_reserve. */
ds_status ds_gpu_reserve(ds_gpu_buffer *b, size_t count, size_t size, const char *what,
                         ds_error *err);
ds_status ds_pinned_reserve(ds_pinned_buffer *b, size_t count, size_t size, const char *what,
                            ds_error *err);
void ds_gpu_free(ds_gpu_buffer *b);
void ds_pinned_free(ds_pinned_buffer *b);

/* Device of a process: those that can run this code, given round-robin to the ranks of a node. The
   status says why there is none. */
ds_status ds_gpu_choose(int local_rank, int *device, ds_error *err);

/* The device of a process and a stream on it: `given` (a cudaStream_t, with the device that is current), or,
   where that is NULL, a stream of our own on the device of ds_gpu_choose; the caller destroys it. */
ds_status ds_gpu_use(int local_rank, void *given, int *device, cudaStream_t *stream,
                     int *own_stream, ds_error *err);

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

/* Device time of the stages of a step, measured by events where somebody asks for it. */
typedef enum {
  DS_STAGE_COPY_IN = 0,
  DS_STAGE_LOAD,   /* marshalling from device arrays */
  DS_STAGE_GATHER, /* into the sorted order, with signatures */
  DS_STAGE_SORT,   /* keys and sort */
  DS_STAGE_CELLS,  /* cells, rows and batches */
  DS_STAGE_BUILD,
  DS_STAGE_TRANSPOSE, /* with the marks of special partners */
  DS_STAGE_SWEEP,
  DS_STAGE_COPY_OUT,
  DS_STAGES
} ds_stage;

typedef struct {
  int on;
  cudaEvent_t begin[DS_STAGES], end[DS_STAGES];
  int used[DS_STAGES];
  float ms[DS_STAGES]; /* of the last step; 0 where the stage did not run */
} ds_stage_timer;

ds_status ds_timer_switch(ds_stage_timer *t, int on, ds_error *err);
void ds_timer_begin(ds_stage_timer *t, ds_stage stage, cudaStream_t stream);
void ds_timer_end(ds_stage_timer *t, ds_stage stage, cudaStream_t stream);
/* After the stream has been waited for. */
void ds_timer_collect(ds_stage_timer *t);

#endif
