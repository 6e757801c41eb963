/* Where the time of resident steps goes.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../pair/stages.h"
#include "resident_state.h"

#include <string.h>
#include <time.h>

#ifdef DS_HAVE_CUDA
/* Events cost a few microseconds per step: the first steps of a stretch are measured, if it is long, and not in each of
   them; in short ones, too, until all is known. */
enum { MEASURED = 12, SHORT = 8 * MEASURED, SELDOM = 8 };

/* Stages of the CUDA backend, as pair/pair_cuda.cu names them. */
static const struct {
  const char *stage;
  int what, per_renewal;
} stages[] = {{"gather", DS_TIME_FORCES, 0},    {"forces", DS_TIME_FORCES, 0},
              {"bonds", DS_TIME_BONDS, 0},      {"motion", DS_TIME_MOTION, 0},
              {"sort", DS_TIME_LISTS, 1},       {"cells", DS_TIME_LISTS, 1},
              {"build list", DS_TIME_LISTS, 1}, {"finish list", DS_TIME_LISTS, 1},
              {"wrap", DS_TIME_WRAP, 1}};
enum { STAGES = sizeof stages / sizeof stages[0] };
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
  float ms[16];
  double step[DS_TIMES] = {0.0}, list[DS_TIMES] = {0.0}, all = 0.0;
  ds_pair_stage_times(r->pair, ms);
  for (int k = 0; k < ds_pair_stages(r->pair); k++)
    for (int s = 0; s < STAGES; s++)
      if (strcmp(ds_pair_stage_name(r->pair, k), stages[s].stage) == 0) {
        (stages[s].per_renewal ? list : step)[stages[s].what] += (double) ms[k];
        all += (double) ms[k];
      }
  if (all > 0.0) memcpy(t->step, step, sizeof step);
  if (list[DS_TIME_LISTS] > 0.0)
    memcpy(t->list, list, sizeof list); /* there was a renewal among them */
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

void ds_times_end(ds_resident *r, int64_t steps, int64_t renewals, double ms[DS_TIMES])
{
  const ds_times *const t = &r->times;
  const int on_device = is_on_device(r);
  if (on_device) read_stages(r);
  for (int k = 0; k < DS_TIMES; k++)
    ms[k] = on_device ? t->step[k] * (double) steps + t->list[k] * (double) renewals : t->spent[k];
}
