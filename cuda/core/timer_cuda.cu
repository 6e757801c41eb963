/* Device time of stages, measured by events.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "timer_cuda.h"

#include "gpu.h"

#include <string.h>

static void destroy(ds_timer *t)
{
  for (int k = 0; k < DS_STAGES; k++) {
    if (t->begin[k]) cudaEventDestroy(t->begin[k]);
    if (t->end[k]) cudaEventDestroy(t->end[k]);
    t->begin[k] = t->end[k] = NULL;
  }
}

ds_status ds_cuda_time(ds_queue *q, int on, ds_error *err)
{
  ds_timer *const t = &q->timer;
  cudaError_t code = cudaSuccess;
  if (on == t->on) return DS_OK;
  for (int k = 0; k < DS_STAGES && on && !code; k++) {
    code = cudaEventCreate(&t->begin[k]);
    if (!code) code = cudaEventCreate(&t->end[k]);
  }
  if (!on || code) destroy(t);
  memset(t->begun, 0, sizeof t->begun);
  memset(t->used, 0, sizeof t->used);
  t->on = on && !code;
  return ds_gpu_check(code, "creating events", err);
}

/* Whether a call for a time has succeeded; if not, the error is cleared, so that no later check finds it. */
static int succeeded(cudaError_t code)
{
  if (code != cudaSuccess) cudaGetLastError();
  return code == cudaSuccess;
}

void ds_cuda_begin_stage(ds_queue *q, ds_stage stage)
{
  q->timer.begun[stage] = succeeded(cudaEventRecord(q->timer.begin[stage], q->stream));
}

void ds_cuda_end_stage(ds_queue *q, ds_stage stage)
{
  ds_timer *const t = &q->timer;
  t->used[stage] = t->begun[stage] && succeeded(cudaEventRecord(t->end[stage], q->stream));
}

void ds_cuda_collect_times(ds_queue *q)
{
  ds_timer *const t = &q->timer;
  for (int k = 0; k < DS_STAGES; k++) {
    float ms = 0.0f;
    const int known = t->used[k] && succeeded(cudaEventElapsedTime(&ms, t->begin[k], t->end[k]));
    t->ms[k] = known ? ms : 0.0;
    t->used[k] = 0;
  }
}
