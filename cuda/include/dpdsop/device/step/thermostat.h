/* Langevin friction and noise, and scaling of velocities: LAMMPS's fixes langevin and temp/rescale.
   SPDX-License-Identifier: GPL-2.0-or-later

   DS_LANGEVIN: number 0 friction per mass (force / (velocity * mass), < 0), 1 amplitude of noise per root of mass, at the
   temperature of the step, 2 seed. Noise is uniform, as LAMMPS's, from Philox by seed, step and tag. Sum 0: work done per
   time; 1 to 3 noise.
   DS_SUM_KINETIC: sums 0 to 5 m v v, xx yy zz xy xz yz; DS_SUM_KINETIC_TRACE: sum 0 m v.v.
   DS_RESCALE_TEMPERATURE: number 0 temperature per m v.v, 1 target, 2 window, 3 fraction. */
#ifndef DPDSOP_STEP_THERMOSTAT_H
#define DPDSOP_STEP_THERMOSTAT_H

#include "dpdsop/device/motion.h"
#include "dpdsop/device/rng/philox.h"
#include "dpdsop/device/step/particle.h"

DS_FUNC void ds_langevin(const ds_step_context *c, const ds_operation *o, ds_particle *p, double *add)
{
  const double friction = o->number[0] * p->mass, amplitude = o->number[1] * sqrt(p->mass);
  uint32_t word[4];
  ds_philox_at((uint64_t) o->number[2], DS_PURPOSE_LANGEVIN, (uint64_t) c->step, (uint64_t) p->tag, word);
  for (int d = 0; d < 3; d++) {
    /* the middle of 2^32 equal parts of -1/2 to 1/2: the mean over all words is exactly 0 */
    const double noise = amplitude * (((double) word[d] + 0.5) * 2.3283064365386963e-10 - 0.5);
    const double force = friction * p->v[d] + noise;
    add[0] += force * p->v[d];
    add[1 + d] = noise;
    p->f[d] += force;
  }
}

DS_FUNC void ds_sum_kinetic(const ds_particle *p, double *add)
{
  const double *const v = p->v;
  for (int d = 0; d < 3; d++) add[d] = p->mass * v[d] * v[d];
  add[3] = p->mass * v[0] * v[1];
  add[4] = p->mass * v[0] * v[2];
  add[5] = p->mass * v[1] * v[2];
}

DS_FUNC void ds_sum_kinetic_trace(const ds_particle *p, double *add)
{
  add[0] = p->mass * ds_dot(p->v, p->v);
}

DS_FUNC void ds_rescale_temperature(const ds_step_context *c, const ds_operation *o, ds_particle *p)
{
  const double now = o->number[0] * ds_read_sum(c, o, 0), target = o->number[1];
  if (!(now > 0.0)) return; /* at rest: no factor leads from 0 to the target */
  if (!(fabs(now - target) > o->number[2])) return;
  const double factor = sqrt((now - o->number[3] * (now - target)) / now);
  for (int d = 0; d < 3; d++) p->v[d] *= factor;
}

#endif
