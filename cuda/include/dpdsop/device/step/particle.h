/* A particle as operations see it.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_STEP_PARTICLE_H
#define DPDSOP_STEP_PARTICLE_H

#include "dpdsop/device/step/exact_sum.h"

typedef struct {
  double x[3], v[3], f[3];
  double mass;
  int64_t tag;
  int64_t image[3]; /* boxes that it has passed along each axis */
  int32_t mask, type;
  int32_t body; /* -1: it is of none */
} ds_particle;

/* What is the same for all particles. */
typedef struct {
  int64_t step;              /* in which the operation acts */
  double edge[6];            /* of the box: xx yy zz yz xz xy, length units, to undo the wrap of positions */
  double flow[9];            /* of the program */
  const double *from, *also; /* sums that the operation reads, DS_OPERATION_SUMS of each of the two that it may name */
  double from_unit;          /* of the former */
  const ds_region *regions;  /* of the program */
  const ds_body *bodies;     /* all of them */
  double *anchor;            /* of this particle, where the operation has anchors */
} ds_step_context;

/* A component whose number is the same for all particles: no array that lies in memory because of it. */
DS_FUNC double ds_component(const double a[3], int axis)
{
  return axis == 0 ? a[0] : axis == 1 ? a[1] : a[2];
}

DS_FUNC void ds_set_component(double a[3], int axis, double value)
{
  if (axis == 0) a[0] = value;
  if (axis == 1) a[1] = value;
  if (axis == 2) a[2] = value;
}

/* Where a particle would be had it never been wrapped. */
DS_FUNC void ds_unwrapped(const ds_step_context *c, const ds_particle *p, double x[3])
{
  const double i = (double) p->image[0], j = (double) p->image[1], k = (double) p->image[2];
  x[0] = p->x[0] + i * c->edge[0] + j * c->edge[5] + k * c->edge[4];
  x[1] = p->x[1] + j * c->edge[1] + k * c->edge[3];
  x[2] = p->x[2] + k * c->edge[2];
}

#endif
