/* Modified velocity Verlet (Groot & Warren, J. Chem. Phys. 107, 4423 (1997)): LAMMPS's fix mvv/dpd.
   SPDX-License-Identifier: GPL-2.0-or-later

   number: 0 time step, 1 half of it in units of velocity * mass / force, 2 lambda.
   Positions move with v + dt/2 f/m. Forces see the velocity v + lambda dt f/m. The second half goes on from the former: what it
   is more than the latter is kept in the array of anchors, so that a wall which has reflected the latter counts. With lambda
   1/2 both are the same. */
#ifndef DPDSOP_STEP_MOTION_MVV_H
#define DPDSOP_STEP_MOTION_MVV_H

#include "dpdsop/device/step/particle.h"

DS_FUNC void ds_mvv_initial(const ds_step_context *c, const ds_operation *o, ds_particle *p)
{
  const double dt = o->number[0], half = o->number[1] / p->mass, ahead = 2.0 * o->number[2] * half;
  for (int d = 0; d < 3; d++) {
    const double middle = p->v[d] + half * p->f[d];
    p->x[d] += dt * middle;
    p->v[d] += ahead * p->f[d];
    c->anchor[d] = middle - p->v[d];
  }
}

DS_FUNC void ds_mvv_final(const ds_step_context *c, const ds_operation *o, ds_particle *p)
{
  const double half = o->number[1] / p->mass;
  for (int d = 0; d < 3; d++) p->v[d] = p->v[d] + c->anchor[d] + half * p->f[d];
}

#endif
