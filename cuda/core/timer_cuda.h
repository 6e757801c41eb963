/* Device time of stages, measured by events.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_CORE_TIMER_CUDA_H
#define DPDSOP_CORE_TIMER_CUDA_H

#include "queue.h"

/* A stage whose events fail is not timed: times are for information, and no run ends for want of them. What makes all
   calls fail shows in the next one that is not the timer's. */
ds_status ds_cuda_time(ds_queue *q, int on, ds_error *err);
void ds_cuda_begin_stage(ds_queue *q, ds_stage stage);
void ds_cuda_end_stage(ds_queue *q, ds_stage stage);

/* Times of the stages of the last step; after the queue has been waited for. */
void ds_cuda_collect_times(ds_queue *q);

#endif
