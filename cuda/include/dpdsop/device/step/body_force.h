/* Forces on particles by themselves: LAMMPS's fixes addforce, setforce, aveforce, gravity.
   SPDX-License-Identifier: GPL-2.0-or-later

   number: 0 to 2 force, or acceleration (gravity, force / mass); 3 to 5 not 0: that component counts (setforce, aveforce).
   Sums: of setforce and DS_SUM_FORCE 0 to 2 forces before, of DS_SUM_FORCE 3 particles, each counted as one unit of the
   sums; of addforce 0 energy (- force . unwrapped position), 1 to 3 forces before, 4 to 9 virial (force times unwrapped
   position, xx yy zz xy xz yz); of gravity 0 energy, of the position in
   the box, as LAMMPS has it. */
#ifndef DPDSOP_STEP_BODY_FORCE_H
#define DPDSOP_STEP_BODY_FORCE_H

#include "dpdsop/device/motion.h"
#include "dpdsop/device/step/particle.h"

DS_FUNC void ds_add_force(const ds_step_context *c, const ds_operation *o, ds_particle *p, double *add)
{
  const double *const f = o->number;
  double x[3];
  ds_unwrapped(c, p, x);
  add[0] = -ds_dot(f, x);
  for (int d = 0; d < 3; d++) add[4 + d] = f[d] * x[d];
  add[7] = f[0] * x[1];
  add[8] = f[0] * x[2];
  add[9] = f[1] * x[2];
  for (int d = 0; d < 3; d++) {
    add[1 + d] = p->f[d];
    p->f[d] += f[d];
  }
}

DS_FUNC void ds_set_force(const ds_operation *o, ds_particle *p, double *add)
{
  for (int d = 0; d < 3; d++) {
    add[d] = p->f[d];
    if (o->number[3 + d] != 0.0) p->f[d] = o->number[d];
  }
}

DS_FUNC void ds_gravity(const ds_operation *o, ds_particle *p, double *add)
{
  add[0] = -p->mass * ds_dot(o->number, p->x);
  for (int d = 0; d < 3; d++) p->f[d] += p->mass * o->number[d];
}

DS_FUNC void ds_sum_force(const ds_operation *o, const ds_particle *p, double *add)
{
  for (int d = 0; d < 3; d++) add[d] = p->f[d];
  add[3] = o->unit;
}

/* The mean of the forces that have been summed, plus a force. */
DS_FUNC void ds_average_force(const ds_step_context *c, const ds_operation *o, ds_particle *p)
{
  const double n = c->from[3] / c->from_unit;
  for (int d = 0; d < 3; d++)
    if (o->number[3 + d] != 0.0) p->f[d] = c->from[d] / n + o->number[d];
}

#endif
