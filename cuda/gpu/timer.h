/* Device time of stages, measured by events where somebody asks for it.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_GPU_TIMER_H
#define DPDSOP_GPU_TIMER_H

#include "dpdsop/status.h"

#include <cuda_runtime.h>

enum { DS_MOST_STAGES = 16 };

/* Names of the stages, in order; NULL after the last. Whoever has the timer says what its stages are. */
typedef struct {
  const char *const *name;
  int on, paused;
  cudaEvent_t begin[DS_MOST_STAGES], end[DS_MOST_STAGES];
  int begun[DS_MOST_STAGES], used[DS_MOST_STAGES];
  float ms[DS_MOST_STAGES]; /* of the last step; 0 where the stage did not run */
} ds_timer;

int ds_timer_stages(const ds_timer *t);
ds_status ds_timer_switch(ds_timer *t, int on, ds_error *err);
void ds_timer_pause(ds_timer *t, int paused); /* no events, until it goes on */

/* A stage by its name; one that the timer does not have is not timed, nor one whose events fail: times are for
   information, and no run ends for want of them. What makes all calls fail shows in the next one that is not the
   timer's. */
void ds_timer_begin(ds_timer *t, const char *stage, cudaStream_t stream);
void ds_timer_end(ds_timer *t, const char *stage, cudaStream_t stream);

/* After the stream has been waited for. */
void ds_timer_collect(ds_timer *t);

#endif
