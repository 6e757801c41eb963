/* GPUs that share the stages of a queue.   SPDX-License-Identifier: GPL-2.0-or-later

   One process works with several GPUs, and none of its code but this knows of more than one. An array is one range of
   addresses, whose parts lie in the memory of the GPUs in turn; each GPU reads and writes all of it. A stage is launched
   on each GPU for its part of the blocks. As particles are numbered along a curve in space, nearly all that the blocks of
   a GPU read lies in its own memory; the rest is read through NVLink. Sums are integers, and their order moves no bit. So
   what several GPUs find is, bit for bit, what one finds.

   After each shared stage the GPUs meet: a kernel of one warp on each tells the others, by a store into their memory, that its
   GPU is there, and waits for them. Events of CUDA would do the same in 13 microseconds where this takes 4.

   Small stages and arrays, and all work that is not a stage, such as copies and sorts, are left to the queue's own GPU. */
#ifndef DPDSOP_CORE_GPUS_H
#define DPDSOP_CORE_GPUS_H

#include "buffer.h"
#include "dpdsop/device/base.h"

#include <stdint.h>

DS_C_BEGIN

enum { DS_MAX_GPUS = 16 };

/* Where a GPU sees what others have told it: in its own memory, written by all. */
typedef struct ds_board ds_board;
struct ds_board {
  uint64_t arrived[DS_MAX_GPUS]; /* number of the last meeting to which each of the others has come */
  unsigned long long halt;       /* of the control block (control.h), but for the first GPU, which reads that */
  ds_board *of[DS_MAX_GPUS];     /* those of all GPUs */
};

typedef struct {
  int n;        /* 1: the queue's own alone */
  size_t least; /* threads per GPU from which on a stage is shared */
  size_t page;  /* bytes: parts of arrays begin at multiples of it */
  int device[DS_MAX_GPUS];
  struct CUstream_st *stream[DS_MAX_GPUS]; /* the first is the queue's; where parts are in turn, all are */
  ds_board *board[DS_MAX_GPUS];
  uint64_t *given_up; /* in host memory: 1 ends all meetings, as some GPU will not come */
  uint64_t meetings;  /* number of the last one */
  int has_met;        /* all GPUs come behind all that has been queued */
  int in_turn;        /* 1: one GPU has all parts of a stage, one behind the other */
  int launches_block; /* 1: they return when their kernels are over, as under a profiler: these cannot wait for each other */
  int overlaps;       /* as ds_queue.overlaps, of the stages that are shared */
} ds_gpus;

/* Memory whose large pieces are spread over GPUs. */
typedef struct {
  ds_memory memory; /* first, as the functions of ds_memory know only this */
  const ds_gpus *gpus;
} ds_spread_memory;

/* Blocks of a stage that each GPU has; the last ones may have fewer, or none. */
DS_FUNC uint32_t ds_blocks_of_gpu(uint32_t blocks, int gpus)
{
  return (blocks + (uint32_t) gpus - 1) / (uint32_t) gpus;
}

/* gpus_cuda.cu. The queue's own GPU, `first`, and those that follow it. in_turn: where there is only one, it has all n parts of
   the work, one behind the other, which is of use to tests: CUDA does not say that kernels of one GPU are at work at a time, and
   those that wait for each other would. Else too few are an error, as is a GPU that cannot read another's memory, or cannot add
   to numbers there. */
ds_status ds_gpus_open(ds_gpus *gpus, int n, size_t least, int in_turn, int first, struct CUstream_st *stream, ds_error *err);
void ds_gpus_close(ds_gpus *gpus); /* waits; the first GPU is the current one afterwards */
void ds_spread_memory_open(ds_spread_memory *m, const ds_gpus *gpus);

/* Before the parts of a stage are queued: each of them comes behind all that the queue's stream has been given. */
ds_status ds_gpus_fork(ds_gpus *gpus, ds_error *err);
/* Behind the part of a GPU, which is the current one: what it gets later comes behind all parts of the stage. Called once for
   each GPU; number: of the stage's meeting, ds_gpus.meetings. */
ds_status ds_gpus_meet(ds_gpus *gpus, int gpu, uint64_t number, ds_error *err);
/* Clears `halt` on all boards. */
ds_status ds_gpus_resume(ds_gpus *gpus, ds_error *err);
/* Some GPU will not come: meetings end, and so do all streams. */
void ds_gpus_give_up(ds_gpus *gpus);
/* Whether some GPU but the first has failed, which the first one's stream does not tell: CUDA's code, else 0. Ends all
   meetings then. */
int ds_gpus_failed(ds_gpus *gpus);

DS_C_END
#endif
