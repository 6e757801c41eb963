/* Where the time of resident steps goes.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../core/stages.h"
#include "../force/timing.h"
#include "resident_state.h"

#include <string.h>
#include <time.h>

#ifdef DS_HAVE_CUDA
/* Events cost a few microseconds per step: the first steps of a stretch are measured, if it is long, and not in each of
   them; in short ones, too, until all is known. */
enum { MEASURED = 12, SHORT = 8 * MEASURED, SELDOM = 8 };

/* What the time of a stage counts as; those that are not here are no part of a resident step. */
static const struct {
  ds_stage stage;
  int what, per_reneighboring;
} stages[] = {{DS_STAGE_GATHER, DS_TIME_FORCES, 0},    {DS_STAGE_FORCES, DS_TIME_FORCES, 0},
              {DS_STAGE_BONDS, DS_TIME_BONDS, 0},      {DS_STAGE_MOTION, DS_TIME_MOTION, 0},
              {DS_STAGE_SORT, DS_TIME_LISTS, 1},       {DS_STAGE_CELLS, DS_TIME_LISTS, 1},
              {DS_STAGE_BUILD_LIST, DS_TIME_LISTS, 1}, {DS_STAGE_FINISH_LIST, DS_TIME_LISTS, 1},
              {DS_STAGE_WRAP, DS_TIME_WRAP, 1}};
enum { MEASURED_STAGES = sizeof stages / sizeof stages[0] };
#endif

double ds_times_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e3 * (double) t.tv_sec + 1e-6 * (double) t.tv_nsec;
}

void ds_times_add(ds_resident *r, int what, double since)
{
  r->times.spent[what] += ds_times_now() - since;
}

#ifdef DS_HAVE_CUDA
static int is_to_measure(ds_times *t, int64_t steps)
{
  if (!(t->step[DS_TIME_FORCES] > 0.0 && t->list[DS_TIME_LISTS] > 0.0)) return 1;
  return steps >= SHORT && t->stretches++ % SELDOM == 0;
}

void ds_times_begin(ds_resident *r, int64_t steps)
{
  ds_error ignored;
  ds_times *const t = &r->times;
  memset(t->spent, 0, sizeof t->spent);
  t->measured = 0;
  t->measuring = ds_pair_stages(r->pair) > 0 && is_to_measure(t, steps) &&
                 ds_pair_timing(r->pair, 1, &ignored) == DS_OK;
  if (t->measuring) ds_pair_pause_timing(r->pair, 0);
}

void ds_times_step(ds_resident *r)
{
  if (r->times.measuring && ++r->times.measured == MEASURED) ds_pair_pause_timing(r->pair, 1);
}

static void read_stages(ds_resident *r)
{
  ds_times *const t = &r->times;
  if (!t->measuring) return;
  ds_pair_pause_timing(r->pair, 1);
  float ms[DS_STAGES];
  double step[DS_TIMES] = {0.0}, list[DS_TIMES] = {0.0}, all = 0.0;
  ds_pair_stage_times(r->pair, ms);
  for (int s = 0; s < MEASURED_STAGES; s++) {
    (stages[s].per_reneighboring ? list : step)[stages[s].what] += (double) ms[stages[s].stage];
    all += (double) ms[stages[s].stage];
  }
  if (all > 0.0) memcpy(t->step, step, sizeof step);
  if (list[DS_TIME_LISTS] > 0.0)
    memcpy(t->list, list, sizeof list); /* there was a rebuild among them */
}

static int is_on_device(const ds_resident *r)
{
  return ds_pair_stages(r->pair) > 0;
}
#else
void ds_times_begin(ds_resident *r, int64_t steps)
{
  (void) steps;
  memset(r->times.spent, 0, sizeof r->times.spent);
}

void ds_times_step(ds_resident *r)
{
  (void) r;
}

static void read_stages(ds_resident *r)
{
  (void) r;
}

static int is_on_device(const ds_resident *r)
{
  (void) r;
  return 0;
}
#endif

void ds_times_end(ds_resident *r, int64_t steps, int64_t reneighborings, double ms[DS_TIMES])
{
  const ds_times *const t = &r->times;
  const int on_device = is_on_device(r);
  if (on_device) read_stages(r);
  for (int k = 0; k < DS_TIMES; k++)
    ms[k] = on_device ? t->step[k] * (double) steps + t->list[k] * (double) reneighborings : t->spent[k];
}
