/* Device time of stages.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "timer.h"

#include "gpu.h"

#include <string.h>

int ds_timer_stages(const ds_timer *t)
{
  int n = 0;
  while (t->name[n]) n++;
  return n;
}

ds_status ds_timer_switch(ds_timer *t, int on, ds_error *err)
{
  cudaError_t code = cudaSuccess;
  if (on == t->on) return ds_succeed(err);
  for (int k = 0; k < DS_MOST_STAGES && !code; k++) {
    if (on) {
      code = cudaEventCreate(&t->begin[k]);
      if (!code) code = cudaEventCreate(&t->end[k]);
    } else {
      cudaEventDestroy(t->begin[k]);
      cudaEventDestroy(t->end[k]);
    }
  }
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

static int stage_of(const ds_timer *t, const char *stage)
{
  if (!t->on || t->paused) return -1;
  for (int k = 0; t->name[k]; k++)
    if (strcmp(t->name[k], stage) == 0) return k;
  return -1;
}

void ds_timer_begin(ds_timer *t, const char *stage, cudaStream_t stream)
{
  const int k = stage_of(t, stage);
  if (k >= 0) cudaEventRecord(t->begin[k], stream);
}

void ds_timer_end(ds_timer *t, const char *stage, cudaStream_t stream)
{
  const int k = stage_of(t, stage);
  if (k < 0) return;
  cudaEventRecord(t->end[k], stream);
  t->used[k] = 1;
}

void ds_timer_collect(ds_timer *t)
{
  for (int k = 0; t->on && t->name[k]; k++) {
    t->ms[k] = 0.0f;
    if (t->used[k]) cudaEventElapsedTime(&t->ms[k], t->begin[k], t->end[k]);
    t->used[k] = 0;
  }
}
