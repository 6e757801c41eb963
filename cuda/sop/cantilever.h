/* The base of a cantilever: the end of a pulling spring, or what a tip hangs on.   SPDX-License-Identifier: GPL-2.0-or-later

   It moves at a speed that may change between calls of ds_sop_advance. Until then it has come V t. From the first change on,
   its clock shows a length instead of a time: how far the base has come, which grows by V h in a step. So it keeps its place
   when V changes, and may stand still. */
#ifndef DPDSOP_SOP_CANTILEVER_H
#define DPDSOP_SOP_CANTILEVER_H

#include "dpdsop/device/sop_clock.h"

typedef struct {
  double speed;  /* from the next step on */
  int shows_way; /* 1: the clock shows a length */
  ds_sop_clock clock;
} ds_sop_cantilever;

/* What the clock shows, times this, is how far the base has come. */
static inline double ds_sop_cantilever_scale(const ds_sop_cantilever *c)
{
  return c->shows_way ? 1.0 : c->speed;
}

/* How far it has come before step `step`. */
static inline double ds_sop_cantilever_at(const ds_sop_cantilever *c, int64_t step)
{
  return ds_sop_cantilever_scale(c) * ds_sop_time_at(&c->clock, step);
}

/* Before the first step, number `first`, of length h. */
static inline void ds_sop_cantilever_start(ds_sop_cantilever *c, int64_t first, double h)
{
  c->shows_way = 0;
  ds_sop_clock_start(&c->clock, first, h);
}

/* Before other steps. */
static inline void ds_sop_cantilever_go_on(ds_sop_cantilever *c, int64_t first, double h)
{
  ds_sop_clock_go_on(&c->clock, first, c->shows_way ? c->speed * h : h);
}

/* begun: it has made steps. */
static inline void ds_sop_cantilever_set_speed(ds_sop_cantilever *c, int begun, double speed)
{
  if (begun && speed != c->speed) {
    const double way = ds_sop_cantilever_at(c, c->clock.next);
    c->shows_way = 1;
    ds_sop_clock_start(&c->clock, c->clock.next, 0.0); /* the length of steps is known when they are made */
    c->clock.time = way;
  }
  c->speed = speed;
}

#endif
