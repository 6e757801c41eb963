/* Bounce-back at the surface of a region (Revenga, Zuniga & Espanol 1998).   SPDX-License-Identifier: GPL-2.0-or-later

   Acts on particles that are not in the region (DS_OUTSIDE_REGION), after they have moved. number: 0 time step. */
#ifndef DPDSOP_STEP_REGION_BOUNCE_H
#define DPDSOP_STEP_REGION_BOUNCE_H

#include "dpdsop/device/step/particle.h"
#include "dpdsop/device/step/region.h"

/* The velocity is reversed where the particle has met the surface, and carries it for the rest of the step. Where it meets the
   surface once more in that time it goes back to where the step began. Returns 1 where that was outside, too. */
DS_FUNC int ds_region_bounce(const ds_step_context *c, const ds_operation *o, ds_particle *p)
{
  enum { HALVINGS = 40 };
  const double dt = o->number[0];
  double before[3], at[3], met = 0.0, part = 1.0;
  for (int d = 0; d < 3; d++) before[d] = p->x[d] - dt * p->v[d];
  if (!ds_in_region(c->regions, o->region, before)) return 1;
  for (int k = 0; k < HALVINGS; k++) { /* the last part of the step in which it has been in the region */
    part *= 0.5;
    for (int d = 0; d < 3; d++) at[d] = before[d] + (met + part) * dt * p->v[d];
    if (ds_in_region(c->regions, o->region, at)) met += part;
  }
  for (int d = 0; d < 3; d++) {
    p->x[d] = before[d] + (2.0 * met - 1.0) * dt * p->v[d];
    p->v[d] = -p->v[d];
  }
  if (!ds_in_region(c->regions, o->region, p->x))
    for (int d = 0; d < 3; d++) p->x[d] = before[d];
  return 0;
}

#endif
