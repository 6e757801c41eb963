/* Stage times of the CUDA backend, for benchmarks.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_DPD_CUDA_H
#define DPDSOP_DPD_CUDA_H

#include "dpdsop/dpd.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Number of stages; 0 where the object is not on the CUDA backend. */
int ds_dpd_cuda_stages(const ds_dpd *dpd);
const char *ds_dpd_cuda_stage_name(int stage);

/* Switched on, events are recorded around every stage, which costs a few microseconds a step. */
ds_status ds_dpd_cuda_timing(ds_dpd *dpd, int on, ds_error *err);

/* Milliseconds of device time of each stage between the last two ends of ds_dpd_compute; 0: did not run. */
void ds_dpd_cuda_times(const ds_dpd *dpd, float *ms);

#ifdef __cplusplus
}
#endif
#endif
