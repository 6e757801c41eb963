/* What stages report, and how they stop: a block of memory that every stage looks at first.
   SPDX-License-Identifier: GPL-2.0-or-later

   Stages are numbered in the order in which they are queued. One that finds a fault, or a list too small, writes its
   own number as `halt`; it goes on to its end, so that of several faults the first in the order of the atoms is found,
   and all stages with a higher number return at once. The state stays as it was, until the host has looked. The host
   need not copy the block to know: a word of its own memory is written, too. */
#ifndef DPDSOP_CORE_CONTROL_H
#define DPDSOP_CORE_CONTROL_H

#include "dpdsop/device/base.h"
#include "gpus.h"

#include <stdint.h>

/* Integer sums in a low and a high part, so that no number of atoms overflows. */
typedef struct {
  int64_t energy[2];
  int64_t virial[6][2];
  int64_t force[3];
} ds_sweep_sums;

enum { DS_SUM_SHIFT = 24, DS_SUM_SETS = 4 /* for pair styles that act together */, DS_LISTS = 1 + DS_SUM_SETS };

/* Add q as (q >> 24, q & 0xffffff). */
DS_FUNC void ds_sum_add(int64_t sum[2], int64_t q)
{
  sum[0] += q >> DS_SUM_SHIFT;
  sum[1] += q & (((int64_t) 1 << DS_SUM_SHIFT) - 1);
}

typedef struct {
  unsigned long long halt;            /* number of the kernel that has stopped the others; 0: none */
  long long step;                     /* in which it did so */
  uint32_t position_fault;            /* nlocal - atom, so that a maximum finds the first; 0: none */
  uint32_t type_fault;                /* likewise */
  uint32_t ghost_fault;               /* ghost + 1 for which no atom has arrived; 0: none */
  uint32_t other_types;               /* 1: types have changed on which the list depends */
  uint32_t moved;                     /* 1: some atom is further from its reference position than lists allow */
  uint32_t outside;                   /* 1: some atom has left the box where it is not periodic */
  uint32_t bonded;                    /* 1: a bond is too long */
  uint32_t blocks_over;               /* of the stage that makes a report at its end; else 0 */
  unsigned long long force_fault;     /* complement of row * 2^32 + style * 2^28 + entry, likewise the first */
  unsigned long long operation_fault; /* of which operation and atom (ds_fault_of), likewise the first; 0: none */
  long long fault_tag[2];
  double fault_force;
  unsigned long long entries[DS_LISTS][DS_MAX_GPUS]; /* that each list wants as it was built last, of the rows of each GPU */
  int32_t rows[DS_LISTS];     /* of the lists of some atoms, as they were built last: how many atoms these are */
  uint32_t outlived_list;     /* the last list in whose life an own atom was further outside than the slack */
  uint32_t outlived_lists;    /* how many such lists there were */
  ds_sweep_sums sums[DS_SUM_SETS];
} ds_control;

/* What the host sees of a stop without asking for the block: in memory of its own, which is page-locked on the CUDA backend. */
typedef struct {
  int32_t stopped; /* 1: some stage has; written last */
  int32_t moved;   /* 1: the first reason was that an atom has moved too far */
  int64_t step;    /* in which it has */
} ds_halt;

/* Which blocks of a stage a kernel has, where several GPUs share it (gpus.h). */
typedef struct {
  uint32_t first_block, blocks; /* of this GPU; in all */
  int gpu, gpus;
  const unsigned long long *halt; /* number of the kernel that has stopped the others, as this GPU sees it in its own memory */
  const ds_board *board;          /* of this GPU; NULL: it is alone */
} ds_share;

/* A stage's number and step; passed to kernels by value. */
typedef struct {
  ds_control *control;
  ds_halt *halt_host;
  uint64_t *begun_host; /* likewise: number of the last stage that has begun, so that all before it are over */
  unsigned long long number;
  long long step;
  ds_share share;
} ds_launch_id;

#ifdef __CUDACC__
/* A stage that is brought up while the one before it is at work (launch.cuh) waits for its end. */
__device__ __forceinline__ void ds_wait_for_stages_before()
{
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

/* Number of a block among those of all GPUs. */
__device__ __forceinline__ unsigned ds_block(const ds_launch_id &t)
{
  return t.share.first_block + blockIdx.x;
}

/* Some kernel before this one has stopped. Called before a kernel looks at what others have made. */
__device__ __forceinline__ bool ds_stopped(const ds_launch_id &t)
{
  ds_wait_for_stages_before();
  if (ds_block(t) == 0 && threadIdx.x == 0) *(volatile uint64_t *) t.begun_host = t.number;
  const unsigned long long halt = *t.share.halt; /* by the cache: else each warp would go to the same place of the memory */
  return halt != 0 && halt < t.number;
}

/* Stop the kernels after this one. What several GPUs write is written by atomic functions of the system. */
__device__ __forceinline__ void ds_stop(const ds_launch_id &t, int moved = 0)
{
  if (atomicCAS_system(&t.control->halt, 0ull, t.number) != 0) return;
  t.control->step = t.step;
  for (int gpu = 1; gpu < t.share.gpus; gpu++) *(volatile unsigned long long *) &t.share.board->of[gpu]->halt = t.number;
  t.halt_host->step = t.step;
  t.halt_host->moved = moved;
  __threadfence_system();
  *(volatile int32_t *) &t.halt_host->stopped = 1;
}
#else
/* The same for stages of the host, outside of parallel regions. */
static inline int ds_stage_stopped(const ds_launch_id *t)
{
  return t->control->halt != 0 && t->control->halt < t->number;
}

static inline void ds_stage_stop(const ds_launch_id *t)
{
  if (t->control->halt) return;
  t->control->halt = t->number;
  t->control->step = t->step;
  t->halt_host->stopped = 1;
}
#endif

#endif
