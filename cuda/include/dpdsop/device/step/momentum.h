/* Momentum taken away, and a tether: LAMMPS's fixes momentum and spring tether.   SPDX-License-Identifier: GPL-2.0-or-later

   DS_SUM_MOMENTUM: sums 0 to 2 m v, 3 m, 4 m v.v. DS_SUM_CENTER: sums 0 to 2 m x / number 0, a unit
   of length and a power of two, with x unwrapped, 3 m.
   DS_REMOVE_MOMENTUM: number 0 to 2 not 0: along that axis. DS_RESCALE_ENERGY: velocities are scaled so that m v.v, sum
   0 of the operation that it reads, is what sum 4 of the other one was.
   DS_SPRING_TETHER: number 0 force constant, 1 to 3 where it is fixed, 4 to 6 not 0: along that axis, 7 length of rest, 8 that
   unit of length.
   Each particle has the part of the force that its mass is of all. */
#ifndef DPDSOP_STEP_MOMENTUM_H
#define DPDSOP_STEP_MOMENTUM_H

#include "dpdsop/device/motion.h"
#include "dpdsop/device/step/particle.h"

DS_FUNC void ds_sum_momentum(const ds_particle *p, double *add)
{
  for (int d = 0; d < 3; d++) add[d] = p->mass * p->v[d];
  add[3] = p->mass;
  add[4] = p->mass * ds_dot(p->v, p->v);
}

DS_FUNC void ds_sum_center(const ds_step_context *c, const ds_operation *o, const ds_particle *p, double *add)
{
  double x[3];
  ds_unwrapped(c, p, x);
  for (int d = 0; d < 3; d++) add[d] = p->mass * (x[d] / o->number[0]);
  add[3] = p->mass;
}

DS_FUNC void ds_remove_momentum(const ds_step_context *c, const ds_operation *o, ds_particle *p)
{
  const double mass = c->from[3];
  if (!(mass > 0.0)) return;
  for (int d = 0; d < 3; d++)
    if (o->number[d] != 0.0) p->v[d] -= c->from[d] / mass;
}

DS_FUNC void ds_rescale_energy(const ds_step_context *c, ds_particle *p)
{
  const double now = c->from[0], wanted = c->also[4];
  const double factor = now > 0.0 ? sqrt(wanted / now) : 1.0;
  for (int d = 0; d < 3; d++) p->v[d] *= factor;
}

DS_FUNC void ds_spring_tether(const ds_step_context *c, const ds_operation *o, ds_particle *p)
{
  const double mass = c->from[3];
  double away[3];
  for (int d = 0; d < 3; d++) away[d] = o->number[4 + d] != 0.0 ? c->from[d] / mass * o->number[8] - o->number[1 + d] : 0.0;
  double r = sqrt(ds_dot(away, away));
  if (r < 1e-10) r = 1e-10;
  const double pull = o->number[0] * (r - o->number[7]) / r;
  for (int d = 0; d < 3; d++) p->f[d] -= pull * away[d] * (p->mass / mass);
}

#endif
