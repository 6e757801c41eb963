/* Where the time of resident steps goes.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "resident_state.h"

#include <string.h>

/* Events cost a few microseconds per step: the first steps of a run are measured, if it is long, and not in each of
   them; in short ones, too, until all is known. */
enum { MEASURED = 12, SHORT = 8 * MEASURED, SELDOM = 8 };

/* What the time of a stage counts as; those that are not here are no part of a resident step. */
static const struct {
  ds_stage stage;
  int what, per_reneighboring;
} stages[] = {
    {DS_STAGE_GATHER, DS_TIME_FORCES, 0},    {DS_STAGE_FORCES, DS_TIME_FORCES, 0},     {DS_STAGE_BONDS, DS_TIME_BONDS, 0},
    {DS_STAGE_MOTION, DS_TIME_MOTION, 0},    {DS_STAGE_SORT, DS_TIME_LISTS, 1},        {DS_STAGE_CELLS, DS_TIME_LISTS, 1},
    {DS_STAGE_BUILD_LIST, DS_TIME_LISTS, 1}, {DS_STAGE_FINISH_LIST, DS_TIME_LISTS, 1}, {DS_STAGE_WRAP, DS_TIME_WRAP, 1}};
enum { MEASURED_STAGES = sizeof stages / sizeof stages[0] };

static int is_to_measure(ds_times *t, int64_t steps)
{
  if (!(t->step[DS_TIME_FORCES] > 0.0 && t->list[DS_TIME_LISTS] > 0.0)) return 1;
  return steps >= SHORT && t->long_runs++ % SELDOM == 0;
}

/* The host's clock costs nothing, and has the time of all steps. */
void ds_times_begin(ds_resident *r, int64_t steps)
{
  ds_times *const t = &r->times;
  t->measured = 0;
  t->measuring = ds_queue_is_host(r->queue) || is_to_measure(t, steps);
  if (t->measuring) ds_queue_time(r->queue, 1);
}

void ds_times_step(ds_resident *r)
{
  if (r->times.measuring && !ds_queue_is_host(r->queue) && ++r->times.measured == MEASURED) r->queue->timer.paused = 1;
}

static void read_stages(ds_resident *r)
{
  ds_times *const t = &r->times;
  double step[DS_TIMES] = {0.0}, list[DS_TIMES] = {0.0}, all = 0.0;
  for (int k = 0; k < MEASURED_STAGES; k++) {
    const double ms = r->queue->timer.ms[stages[k].stage];
    (stages[k].per_reneighboring ? list : step)[stages[k].what] += ms;
    all += ms;
  }
  if (all > 0.0 || ds_queue_is_host(r->queue)) memcpy(t->step, step, sizeof step);
  if (list[DS_TIME_LISTS] > 0.0 || ds_queue_is_host(r->queue)) /* there was a rebuild among them */
    memcpy(t->list, list, sizeof list);
}

void ds_times_end(ds_resident *r, int64_t steps, int64_t reneighborings, double ms[DS_TIMES])
{
  const ds_times *const t = &r->times;
  const double each = ds_queue_is_host(r->queue) ? 1.0 : (double) steps,
               rebuilt = ds_queue_is_host(r->queue) ? 1.0 : (double) reneighborings;
  r->queue->timer.paused = 1;
  if (t->measuring) read_stages(r);
  for (int k = 0; k < DS_TIMES; k++) ms[k] = t->step[k] * each + t->list[k] * rebuilt;
}
