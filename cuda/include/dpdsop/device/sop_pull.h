/* Pulling on a molecule: the cantilever of a single-molecule experiment (Zhmurov et al. 2010, section IV.2).
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOP_PULL_H
#define DPDSOP_SOP_PULL_H

#include "dpdsop/device/base.h"

#include <stdint.h>

/* Where the pulled beads of a molecule are pulled from, and the direction in which they are pulled, a unit vector. Sums of
   positions have the weights of beads as factors, which are integers, so that sums are exact. */
typedef struct {
  int64_t start[3]; /* sum of their positions at t = 0, units; or of as many points in a plane */
  double direction[3];
} ds_sop_anchor;

/* What is the same for all molecules in a step. */
typedef struct {
  int spring;       /* 1: a spring whose end moves; 0: a constant force */
  double stiffness; /* force/length; of the spring */
  double travel;    /* V t: how far its end has come, length */
  double force;     /* the constant one */
  double unit;      /* of positions, divided by the sum of the weights: length */
  double per_force; /* displacement of a bead of weight 1 in a step per force on all, units of positions per force */
} ds_sop_pull_step;

/* How far the mean of the pulled beads is from where they are pulled from; sum: of their positions. */
DS_FUNC double ds_sop_pull_along(const ds_sop_anchor *a, const int64_t sum[3], double unit)
{
  const double x = (double) (int64_t) ((uint64_t) sum[0] - (uint64_t) a->start[0]),
               y = (double) (int64_t) ((uint64_t) sum[1] - (uint64_t) a->start[1]),
               z = (double) (int64_t) ((uint64_t) sum[2] - (uint64_t) a->start[2]);
  return unit * fma(a->direction[2], z, fma(a->direction[1], y, a->direction[0] * x));
}

DS_FUNC double ds_sop_pull_force(const ds_sop_pull_step *p, double along)
{
  return p->spring ? p->stiffness * (p->travel - along) : p->force;
}

/* What the pull adds to the displacement of a pulled bead of this weight, along axis c. */
DS_FUNC float ds_sop_pull_displacement(const ds_sop_pull_step *p, const ds_sop_anchor *a, double force, int32_t weight, int c)
{
  return (float) (force * (p->per_force * (double) weight) * a->direction[c]);
}

#endif
