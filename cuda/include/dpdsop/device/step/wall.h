/* Flat walls: LAMMPS's fixes wall/lj93, lj126, harmonic and reflect, and bounce-back.
   SPDX-License-Identifier: GPL-2.0-or-later

   number: 0 axis (0 x, 1 y, 2 z), 1 side (-1 lower, 1 upper), 2 coordinate of the wall. Walls that exert forces: 3 cutoff,
   4 to 7 coefficients in the order of LAMMPS's documentation of the fix: of the force, then of the energy; 8 energy at
   the cutoff. Sums: 0 energy, 1 force on the wall, 2 its virial along the axis. Bounce-back: 3 to 5 velocity of the wall. */
#ifndef DPDSOP_STEP_WALL_H
#define DPDSOP_STEP_WALL_H

#include "dpdsop/device/step/particle.h"

/* Distance from the wall, > 0 on the side of the particles. */
DS_FUNC double ds_wall_distance(const ds_operation *o, const ds_particle *p)
{
  const double at = ds_component(p->x, (int) o->number[0]);
  return o->number[1] < 0.0 ? at - o->number[2] : o->number[2] - at;
}

/* Force away from the wall at distance r, and energy. */
DS_FUNC double ds_wall_force(const ds_operation *o, double r, double *energy)
{
  const double *const c = o->number + 4;
  if (o->kind == DS_WALL_HARMONIC) {
    const double within = o->number[3] - r;
    *energy = c[1] * within * within;
    return c[0] * within;
  }
  const double i = 1.0 / r, i2 = i * i;
  if (o->kind == DS_WALL_LJ93) {
    const double i4 = i2 * i2, i10 = i4 * i4 * i2;
    *energy = c[2] * i4 * i4 * i - c[3] * i2 * i - c[4];
    return c[0] * i10 - c[1] * i4;
  }
  const double i6 = i2 * i2 * i2;
  *energy = i6 * (c[2] * i6 - c[3]) - c[4];
  return i6 * (c[0] * i6 - c[1]) * i;
}

/* Walls that exert forces. Returns 1 where the particle is on the wall or behind it. */
DS_FUNC int ds_wall_add_force(const ds_operation *o, ds_particle *p, double *add)
{
  const int axis = (int) o->number[0];
  const double r = ds_wall_distance(o, p);
  if (r >= o->number[3]) return 0;
  if (!(r > 0.0)) return 1;
  const double force = o->number[1] * ds_wall_force(o, r, &add[0]);
  ds_set_component(p->f, axis, ds_component(p->f, axis) - force);
  add[1] = force;
  add[2] = o->number[1] * force * r;
  return 0;
}

/* Mirrored, the velocity along the axis reversed. */
DS_FUNC void ds_wall_reflect(const ds_operation *o, ds_particle *p)
{
  const int axis = (int) o->number[0];
  const double behind = -ds_wall_distance(o, p), at = o->number[2];
  if (!(behind > 0.0)) return;
  ds_set_component(p->x, axis, o->number[1] < 0.0 ? at + behind : at - behind);
  ds_set_component(p->v, axis, -ds_component(p->v, axis));
}

/* Back where it came from, as seen from the wall (Revenga, Zuniga & Espanol 1998: bounce-back): the velocity relative to the
   wall is reversed where the particle has met it, and carries it for the rest of the step. Returns 1 where the particle
   would not come back into the fluid: its velocity points away from the wall, or is none. */
DS_FUNC int ds_wall_bounce(const ds_operation *o, ds_particle *p)
{
  const int axis = (int) o->number[0];
  const double behind = -ds_wall_distance(o, p);
  if (!(behind > 0.0)) return 0;
  const double toward = o->number[1] * (ds_component(p->v, axis) - ds_component(o->number + 3, axis));
  if (!(toward > 0.0)) return 1;
  const double since = behind / toward;
  for (int d = 0; d < 3; d++) {
    const double relative = o->number[3 + d] - p->v[d];
    p->x[d] += 2.0 * relative * since;
    p->v[d] = o->number[3 + d] + relative;
  }
  ds_set_component(p->x, axis, o->number[1] < 0.0 ? o->number[2] + behind : o->number[2] - behind);
  return 0;
}

#endif
