/* Device time of the stages of an evaluation, for benchmarks.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_FORCE_TIMING_H
#define DPDSOP_FORCE_TIMING_H

#include "dpdsop/pair.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Number of stages (core/stages.h); 0 where the object is not on the CUDA backend. */
int ds_pair_stages(const ds_pair *pair);
const char *ds_pair_stage_name(const ds_pair *pair, int stage);

/* Switched on, events are recorded around every stage, which costs a few microseconds per step. */
ds_status ds_pair_timing(ds_pair *pair, int on, ds_error *err);

/* Milliseconds of device time of each stage between the last two ds_pair_check; 0: did not run. */
void ds_pair_stage_times(const ds_pair *pair, float *ms);

#ifdef __cplusplus
}
#endif
#endif
