/* Device time of stages, measured by events where somebody asks for it.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_GPU_TIMER_H
#define DPDSOP_GPU_TIMER_H

#include "dpdsop/status.h"
#include "stages.h"

#include <cuda_runtime.h>

typedef struct {
  int on, paused;
  cudaEvent_t begin[DS_STAGES], end[DS_STAGES];
  int begun[DS_STAGES], used[DS_STAGES];
  float ms[DS_STAGES]; /* of the last step; 0 where the stage did not run */
} ds_timer;

ds_status ds_timer_switch(ds_timer *t, int on, ds_error *err);
void ds_timer_pause(ds_timer *t, int paused); /* no events, until it goes on */

/* A stage whose events fail is not timed: times are for information, and no run ends for want of them. What makes all
   calls fail shows in the next one that is not the timer's. */
void ds_timer_begin(ds_timer *t, ds_stage stage, cudaStream_t stream);
void ds_timer_end(ds_timer *t, ds_stage stage, cudaStream_t stream);

/* After the stream has been waited for. */
void ds_timer_collect(ds_timer *t);

#endif
