/* The time of what moves at constant speed: the end of a pulling spring, the cantilever that presses.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOP_CLOCK_H
#define DPDSOP_SOP_CLOCK_H

#include "dpdsop/device/base.h"

#include <stdint.h>

/* t = time + (step - first) h: so that steps of another length may follow. Backends compute it anew in each step: a sum
   of steps would depend on where it began. */
typedef struct {
  double time, h;
  int64_t first;
  int64_t next; /* the step that comes next */
} ds_sop_clock;

DS_FUNC double ds_sop_time_at(const ds_sop_clock *c, int64_t step)
{
  return c->time + (double) (step - c->first) * c->h;
}

/* Before steps of length h, the first of them number `first`. */
static inline void ds_sop_clock_start(ds_sop_clock *c, int64_t first, double h)
{
  c->time = 0.0;
  c->h = h;
  c->first = c->next = first;
}

static inline void ds_sop_clock_go_on(ds_sop_clock *c, int64_t first, double h)
{
  if (c->h != h) {
    c->time = ds_sop_time_at(c, first);
    c->first = first;
  }
  c->h = h;
  c->next = first;
}

#endif
