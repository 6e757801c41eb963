/* GPUs that share the stages of a queue.   SPDX-License-Identifier: GPL-2.0-or-later

   One process works with several GPUs, and none of its code but this knows of more than one. An array is one range of
   addresses, whose parts lie in the memory of the GPUs in turn; each GPU reads and writes all of it. A stage is launched
   on each GPU for its part of the blocks. As particles are numbered along a curve in space, nearly all that the blocks of
   a GPU read lies in its own memory; the rest is read through NVLink. Sums are integers, and their order moves no bit. So
   what several GPUs find is, bit for bit, what one finds.

   Small stages and arrays, and all work that is not a stage, such as copies and sorts, are left to the queue's own GPU. */
#ifndef DPDSOP_CORE_GPUS_H
#define DPDSOP_CORE_GPUS_H

#include "buffer.h"

#include <stdint.h>

DS_C_BEGIN

enum { DS_MAX_GPUS = 16 };

typedef struct {
  int n;        /* 1: the queue's own alone */
  size_t least; /* threads per GPU from which on a stage is shared */
  size_t page;  /* bytes: parts of arrays begin at multiples of it */
  int device[DS_MAX_GPUS];
  struct CUstream_st *stream[DS_MAX_GPUS]; /* the first is the queue's */
  struct CUevent_st *begin, *end[DS_MAX_GPUS]; /* of the last stage that they have shared; end: of each GPU's part */
  int is_open; /* the queue's stream has not been told to wait for the other parts of that stage */
} ds_gpus;

/* Memory whose large pieces are spread over GPUs. */
typedef struct {
  ds_memory memory; /* first, as the functions of ds_memory know only this */
  const ds_gpus *gpus;
} ds_spread_memory;

/* gpus_cuda.cu. The queue's own GPU, `first`, and those that follow it. in_turn: where there are fewer than n, some have
   several parts of the work, which is of use to tests; else that is an error, as is a GPU that cannot read another's memory. */
ds_status ds_gpus_open(ds_gpus *gpus, int n, size_t least, int in_turn, int first, struct CUstream_st *stream, ds_error *err);
void ds_gpus_close(ds_gpus *gpus); /* waits; the first GPU is the current one afterwards */
void ds_spread_memory_open(ds_spread_memory *m, const ds_gpus *gpus);

/* Around the parts of a stage. Each part comes behind all that the queue's stream has been given, and behind all parts of the
   stage before: where that was the last thing queued, GPUs wait for each other directly. */
ds_status ds_gpus_fork(ds_gpus *gpus, ds_error *err);
ds_status ds_gpus_end(ds_gpus *gpus, ds_error *err);
/* The queue's stream waits for the parts of the last stage. CUDA keeps an error for whoever asks next. */
void ds_gpus_join(ds_gpus *gpus);

DS_C_END
#endif
