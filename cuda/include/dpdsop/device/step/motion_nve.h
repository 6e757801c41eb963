/* Velocity Verlet: LAMMPS's fixes nve and nve/limit.   SPDX-License-Identifier: GPL-2.0-or-later

   number: 0 time step, 1 half of it in units of velocity * mass / force, 2 largest velocity squared (limit). Sum 0 (limit):
   velocities that have been shortened, each counted as one unit of the sums. */
#ifndef DPDSOP_STEP_MOTION_NVE_H
#define DPDSOP_STEP_MOTION_NVE_H

#include "dpdsop/device/motion.h"
#include "dpdsop/device/step/particle.h"

DS_FUNC void ds_half_step(double dt, double half_by_mass, int first, double x[3], double v[3], const double f[3])
{
  ds_kick(v, f, half_by_mass);
  if (first) ds_drift(x, v, dt);
}

DS_FUNC void ds_nve(const ds_operation *o, ds_particle *p, int first)
{
  ds_half_step(o->number[0], o->number[1] / p->mass, first, p->x, p->v, p->f);
}

DS_FUNC void ds_nve_limit(const ds_operation *o, ds_particle *p, int first, double *add)
{
  ds_kick(p->v, p->f, o->number[1] / p->mass);
  const double square = ds_dot(p->v, p->v);
  if (square > o->number[2]) {
    const double scale = sqrt(o->number[2] / square);
    for (int d = 0; d < 3; d++) p->v[d] *= scale;
    add[0] = o->unit;
  }
  if (first) ds_drift(p->x, p->v, o->number[0]);
}

#endif
