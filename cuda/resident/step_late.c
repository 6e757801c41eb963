/* Launches that kernels wait for on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "step.h"

#include <stddef.h>
#include <string.h>

/* From the begin of a late launch on, with so many operations. */
static uint32_t words_with(int operations, int regions)
{
  const size_t of_some = offsetof(ds_step_launch, operation) + (size_t) operations * sizeof(ds_operation);
  return (uint32_t) ((offsetof(ds_late_launch, launch) + (regions ? sizeof(ds_step_launch) : of_some)) / sizeof(uint32_t));
}

static int have_regions(const ds_operation *operations, int n)
{
  for (int k = 0; k < n; k++)
    if (operations[k].region >= 0) return 1;
  return 0;
}

static ds_status reserve(ds_steps *steps, ds_error *err)
{
  static const char what[] = "a launch that waits";
  const int is_first = !steps->late_host.data;
  ds_status s = ds_reserve(&steps->pinned, &steps->late_host, DS_LATE_WORDS, sizeof(uint64_t), what, err);
  if (!s && is_first) /* at once: the host writes before the queue would come to it */
    memset(steps->late_host.data, 0, DS_LATE_WORDS * sizeof(uint64_t));
  if (!s) s = ds_reserve(&steps->memory, &steps->late_copy, DS_LATE_WORDS, sizeof(uint64_t), what, err); /* mark 1 clears it */
  steps->late.of_host = DS_DATA(uint64_t, steps->late_host);
  steps->late.copy = DS_DATA(uint64_t, steps->late_copy);
  return s;
}

ds_status ds_late_launch_open(ds_steps *steps, int operations, ds_error *err)
{
  ds_late_words *const late = &steps->late;
  const ds_status s = reserve(steps, err);
  if (s) return s;
  late->words = words_with(operations, have_regions(steps->program.operation, steps->program.n));
  late->mark = ds_next_mark(late->mark, late->of_host, DS_LATE_WORDS);
  if (late->mark > 1) return DS_OK;
  return ds_queue_clear(steps->queue, late->copy, DS_LATE_WORDS * sizeof(uint64_t), "a launch that waits", err);
}

int ds_late_launch_holds(const ds_late_words *late, const ds_step_launch *launch)
{
  return launch->sets == DS_SET_MOTION && !launch->reads_sums && !launch->report.mark &&
         words_with(launch->n, have_regions(launch->operation, launch->n)) <= late->words;
}

void ds_late_launch_send(const ds_late_words *late, const ds_step_launch *launch, const ds_sorted_fill *next)
{
  static const ds_late_launch given_up = {.is_given_up = 1}, nothing_follows;
  enum {
    NEXT = offsetof(ds_late_launch, next) / sizeof(uint32_t),
    LAUNCH = offsetof(ds_late_launch, launch) / sizeof(uint32_t)
  };
  if (!launch) {
    ds_send_marked(late->of_host, &given_up, late->words, late->mark);
    return;
  }
  ds_send_marked(late->of_host, &nothing_follows, NEXT, late->mark);
  ds_send_marked(late->of_host + NEXT, next ? next : &nothing_follows.next, LAUNCH - NEXT, late->mark);
  ds_send_marked(late->of_host + LAUNCH, launch, late->words - LAUNCH, late->mark);
}
