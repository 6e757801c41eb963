/* Langevin friction and noise, and scaling of velocities: LAMMPS's fixes langevin and temp/rescale.
   SPDX-License-Identifier: GPL-2.0-or-later

   DS_LANGEVIN: number 0 friction per mass (force / (velocity * mass), < 0), 1 amplitude of noise per root of mass, at the
   temperature of the step, 2 seed; 3 and 4 first and last type of the particles that it acts on, 0: all; 5 how many operations
   DS_SUM_NOISE it reads from the first one on, so that the noise of all of them has the sum 0; 6 not 0: the force is kept in
   the array of anchors; 7 to 10 bias: then friction is that of the thermal velocity, and there is no noise along an axis where
   that is 0. Noise is uniform, as LAMMPS's, from Philox by seed, step and tag. Sum 0: work done per time; 1 to 3
   noise.
   DS_SUM_NOISE: numbers as DS_LANGEVIN. Sums 0 to 2: the noise that this will have; 3 particles, each counted as one unit.
   DS_SUM_WORK: sum 0: number 0, a time, times velocity times the force that has been kept.
   DS_SUM_KINETIC: numbers 0 to 3 bias. Sums 0 to 5 m v v, xx yy zz xy xz yz, of thermal velocities; DS_SUM_KINETIC_TRACE: the
   same, sum 0 m v.v.
   DS_RESCALE_TEMPERATURE: number 0 temperature per m v.v, 1 target, 2 window, 3 fraction, 4 energy per m v.v; 5 to 8 bias. Sum
   0: energy that particles have lost. */
#ifndef DPDSOP_STEP_THERMOSTAT_H
#define DPDSOP_STEP_THERMOSTAT_H

#include "dpdsop/device/motion.h"
#include "dpdsop/device/rng/philox.h"
#include "dpdsop/device/step/bias.h"

DS_FUNC int ds_is_of_types(const ds_operation *o, const ds_particle *p)
{
  return o->number[4] == 0.0 || (p->type >= o->number[3] && p->type <= o->number[4]);
}

DS_FUNC void ds_langevin_noise(const ds_step_context *c, const ds_operation *o, const ds_particle *p, double noise[3])
{
  const double amplitude = o->number[1] * sqrt(p->mass);
  uint32_t word[4];
  ds_philox_at((uint64_t) o->number[2], DS_PURPOSE_LANGEVIN, (uint64_t) c->step, (uint64_t) p->tag, word);
  /* the middle of 2^32 equal parts of -1/2 to 1/2: the mean over all words is exactly 0 */
  for (int d = 0; d < 3; d++) noise[d] = amplitude * (((double) word[d] + 0.5) * 2.3283064365386963e-10 - 0.5);
  if (ds_bias_is(o->number + 7, DS_BIAS_NONE)) return;
  double v[3];
  ds_thermal_velocity(c, o->number + 7, p, v);
  for (int d = 0; d < 3; d++)
    if (v[d] == 0.0) noise[d] = 0.0;
}

DS_FUNC void ds_sum_noise(const ds_step_context *c, const ds_operation *o, const ds_particle *p, double *add)
{
  if (!ds_is_of_types(o, p)) return;
  ds_langevin_noise(c, o, p, add);
  add[3] = o->unit;
}

DS_FUNC void ds_langevin(const ds_step_context *c, const ds_operation *o, ds_particle *p, double *add)
{
  const double friction = o->number[0] * p->mass;
  double noise[3], v[3];
  if (!ds_is_of_types(o, p)) return;
  ds_langevin_noise(c, o, p, noise);
  ds_thermal_velocity(c, o->number + 7, p, v);
  for (int d = 0; d < 3; d++) {
    if (o->number[5] != 0.0) noise[d] -= c->from[d] / (c->from[3] / c->from_unit);
    const double force = friction * v[d] + noise[d];
    add[0] += force * p->v[d];
    add[1 + d] = noise[d];
    p->f[d] += force;
    if (o->number[6] != 0.0) c->anchor[d] = force;
  }
}

DS_FUNC void ds_sum_work(const ds_step_context *c, const ds_operation *o, const ds_particle *p, double *add)
{
  add[0] = o->number[0] * ds_dot(c->anchor, p->v);
}

DS_FUNC void ds_sum_kinetic(const ds_step_context *c, const ds_operation *o, const ds_particle *p, double *add)
{
  double v[3];
  ds_thermal_velocity(c, o->number, p, v);
  for (int d = 0; d < 3; d++) add[d] = p->mass * v[d] * v[d];
  add[3] = p->mass * v[0] * v[1];
  add[4] = p->mass * v[0] * v[2];
  add[5] = p->mass * v[1] * v[2];
}

DS_FUNC void ds_sum_kinetic_trace(const ds_step_context *c, const ds_operation *o, const ds_particle *p, double *add)
{
  double v[3];
  ds_thermal_velocity(c, o->number, p, v);
  add[0] = p->mass * ds_dot(v, v);
}

DS_FUNC void ds_rescale_temperature(const ds_step_context *c, const ds_operation *o, ds_particle *p, double *add)
{
  const double now = o->number[0] * c->from[0], target = o->number[1];
  if (!(now > 0.0)) return; /* at rest: no factor leads from 0 to the target */
  if (!(fabs(now - target) > o->number[2])) return;
  const double factor = sqrt((now - o->number[3] * (now - target)) / now);
  double before[3], after[3];
  ds_thermal_velocity(c, o->number + 5, p, before);
  ds_scale_thermal_velocity(c, o->number + 5, factor, p);
  for (int d = 0; d < 3; d++) after[d] = before[d] * factor;
  add[0] = o->number[4] * p->mass * (ds_dot(before, before) - ds_dot(after, after));
}

#endif
