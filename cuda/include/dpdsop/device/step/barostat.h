/* What thermostats and barostats do to particles whose factors the caller knows: LAMMPS's fixes nvt, npt, nph, press/berendsen,
   temp/berendsen; and a box that is deformed: fix deform.   SPDX-License-Identifier: GPL-2.0-or-later

   DS_SCALE_VELOCITY: number 0 to 2 factors; 3 to 5 what of the velocity along the second axis of yz, xz, xy is then added
   along the first; 6 to 8 factors of the result.
   DS_DRIFT: number 0 time step.
   DS_REMAP: positions go with a box that changes. Number 0 to 5 the matrix of new edges times that of old ones to the power
   -1, xx yy zz yz xz xy; 6 to 8 lower corner of the box before, 9 to 11 after.
   DS_TO_FRACTIONS, DS_FROM_FRACTIONS: the same in two halves, each rounded as LAMMPS's Domain::x2lamda() and lamda2x() are.
   Number 0 to 5 inverse of the old edges, then the new edges; 6 to 8 lower corner of the box before, then after. Between them a
   position is in fractions of the box, so the second follows the first.
   DS_CHANGE_BOX: nothing is done to particles. The caller, who is asked (DS_ASKS), sets another box, or numbers of operations
   that follow. */
#ifndef DPDSOP_STEP_BAROSTAT_H
#define DPDSOP_STEP_BAROSTAT_H

#include "dpdsop/device/motion.h"
#include "dpdsop/device/step/particle.h"

DS_FUNC void ds_halves_of_remap(const ds_operation *o, ds_particle *p)
{
  const double *const m = o->number;
  ds_wrap w;
  for (int k = 0; k < 6; k++) w.edge[k] = w.inverse[k] = m[k];
  for (int d = 0; d < 3; d++) w.origin[d] = m[6 + d];
  if (o->kind == DS_TO_FRACTIONS)
    ds_to_fractions(&w, p->x);
  else
    ds_from_fractions(&w, p->x);
}

DS_FUNC void ds_scale_velocity(const ds_operation *o, ds_particle *p)
{
  const double *const m = o->number;
  for (int d = 0; d < 3; d++) p->v[d] *= m[d];
  p->v[0] += m[5] * p->v[1] + m[4] * p->v[2];
  p->v[1] += m[3] * p->v[2];
  for (int d = 0; d < 3; d++) p->v[d] *= m[6 + d];
}

DS_FUNC void ds_remap(const ds_operation *o, ds_particle *p)
{
  const double *const m = o->number, *const from = m + 6, *const to = m + 9;
  const double a = p->x[0] - from[0], b = p->x[1] - from[1], c = p->x[2] - from[2];
  p->x[0] = m[0] * a + m[5] * b + m[4] * c + to[0];
  p->x[1] = m[1] * b + m[3] * c + to[1];
  p->x[2] = m[2] * c + to[2];
}

#endif
