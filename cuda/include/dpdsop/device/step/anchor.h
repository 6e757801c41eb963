/* What refers to where a particle has been: LAMMPS's fixes spring/self and move linear, compute msd.
   SPDX-License-Identifier: GPL-2.0-or-later

   An anchor is an unwrapped position.
   DS_SPRING_SELF: number 0 K, energy / length^2; 1 to 3 not 0: along that axis. Sum 0: energy.
   DS_SUM_DISPLACEMENT: number 0 unit of the center of mass that it reads (DS_SUM_CENTER), 0: the displacement is not
   relative to one. Sums 0 to 2: squares of the displacement from the anchor along each axis; 3: particles, in units of the
   sums.
   DS_MOVE_LINEAR: number 0 to 2 velocity; 3 to 5 not 0: along that axis the particle moves with it, else by velocity
   Verlet; 6 step in which it is at its anchor, 7 time step, 8 half of it in units of velocity * mass / force. */
#ifndef DPDSOP_STEP_ANCHOR_H
#define DPDSOP_STEP_ANCHOR_H

#include "dpdsop/device/step/particle.h"

DS_FUNC void ds_spring_self(const ds_step_context *c, const ds_operation *o, ds_particle *p, double *add)
{
  const double k = o->number[0];
  double x[3];
  ds_unwrapped(c, p, x);
  for (int d = 0; d < 3; d++) {
    const double displacement = o->number[1 + d] != 0.0 ? x[d] - c->anchor[d] : 0.0;
    p->f[d] -= k * displacement;
    add[0] += 0.5 * k * displacement * displacement;
  }
}

DS_FUNC void ds_sum_displacement(const ds_step_context *c, const ds_operation *o, const ds_particle *p, double *add)
{
  double x[3];
  ds_unwrapped(c, p, x);
  const int relative = o->number[0] != 0.0;
  const double mass = relative ? c->from[3] : 0.0;
  for (int d = 0; d < 3; d++) {
    const double center = relative ? c->from[d] / mass * o->number[0] : 0.0;
    const double displacement = x[d] - center - c->anchor[d];
    add[d] = displacement * displacement;
  }
  add[3] = o->unit;
}

DS_FUNC void ds_move_linear_initial(const ds_step_context *c, const ds_operation *o, ds_particle *p)
{
  const double *const velocity = o->number, dt = o->number[7], half = o->number[8] / p->mass;
  const double since = ((double) c->step - o->number[6]) * dt;
  double x[3];
  ds_unwrapped(c, p, x);
  for (int d = 0; d < 3; d++) {
    const int given = o->number[3 + d] != 0.0;
    p->v[d] = given ? velocity[d] : p->v[d] + half * p->f[d];
    p->x[d] += given ? c->anchor[d] + velocity[d] * since - x[d] : dt * p->v[d];
  }
}

DS_FUNC void ds_move_linear_final(const ds_operation *o, ds_particle *p)
{
  const double half = o->number[8] / p->mass;
  for (int d = 0; d < 3; d++)
    if (o->number[3 + d] == 0.0) p->v[d] += half * p->f[d];
}

#endif
