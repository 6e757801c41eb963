/* Device time of stages.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "timer.h"

#include "gpu.h"

#include <string.h>

const char *const ds_stage_names[DS_STAGES] = {
    "copy in", "messages", "sort", "cells", "gather", "build list",
    "finish list", "forces", "copy out", "bonds", "motion", "wrap"};

static void destroy(ds_timer *t)
{
  for (int k = 0; k < DS_STAGES; k++) {
    if (t->begin[k]) cudaEventDestroy(t->begin[k]);
    if (t->end[k]) cudaEventDestroy(t->end[k]);
    t->begin[k] = t->end[k] = NULL;
  }
}

ds_status ds_timer_switch(ds_timer *t, int on, ds_error *err)
{
  cudaError_t code = cudaSuccess;
  if (on == t->on) return ds_succeed(err);
  for (int k = 0; k < DS_STAGES && on && !code; k++) {
    code = cudaEventCreate(&t->begin[k]);
    if (!code) code = cudaEventCreate(&t->end[k]);
  }
  if (!on || code) destroy(t);
  memset(t->begun, 0, sizeof t->begun);
  memset(t->used, 0, sizeof t->used);
  memset(t->ms, 0, sizeof t->ms);
  t->on = on && !code;
  t->paused = 0;
  return ds_gpu_check(code, "creating events", err);
}

void ds_timer_pause(ds_timer *t, int paused)
{
  t->paused = paused;
}

/* Whether a call for a time has succeeded; if not, the error is put away, so that nobody else's check finds it. */
static int succeeded(cudaError_t code)
{
  if (code != cudaSuccess) cudaGetLastError();
  return code == cudaSuccess;
}

static int is_timing(const ds_timer *t)
{
  return t->on && !t->paused;
}

void ds_timer_begin(ds_timer *t, ds_stage stage, cudaStream_t stream)
{
  if (is_timing(t)) t->begun[stage] = succeeded(cudaEventRecord(t->begin[stage], stream));
}

void ds_timer_end(ds_timer *t, ds_stage stage, cudaStream_t stream)
{
  if (is_timing(t))
    t->used[stage] = t->begun[stage] && succeeded(cudaEventRecord(t->end[stage], stream));
}

void ds_timer_collect(ds_timer *t)
{
  for (int k = 0; t->on && k < DS_STAGES; k++) {
    const int known =
        t->used[k] && succeeded(cudaEventElapsedTime(&t->ms[k], t->begin[k], t->end[k]));
    if (!known) t->ms[k] = 0.0f;
    t->used[k] = 0;
  }
}
