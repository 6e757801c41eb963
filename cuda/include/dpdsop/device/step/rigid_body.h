/* Rigid bodies: LAMMPS's fixes rigid and rigid/small.   SPDX-License-Identifier: GPL-2.0-or-later

   Velocity Verlet of center of mass and angular momentum; orientations are quaternions (body_orientation.h). DS_BODY_SUM:
   number 0 unit of force, 1 of torque: powers of two. What a particle adds to sums of its body: force, torque about the center
   of mass. DS_BODY_VELOCITY: before it acts, bodies take their sums and make the second half of a step. number 0 time step, 1
   half of it in units of velocity * mass / force, 2 not 0: a half step, 0: sums alone; 3 friction per mass (force / (velocity *
   mass), <= 0), 4 amplitude of noise per root of mass, 5 seed; 6 and 7 the units of DS_BODY_SUM; 8 and 9 factors of velocity
   and angular momentum, before the kick (1: none). Particles get velocities. DS_BODY_PLACE: before it acts, bodies make the
   first half of a step. number 0 and 1 as above; 2 how they turn, 0: Richardson's iteration, not 0: no_squish; 8 and 9 factors
   as above, behind the kick. Particles get places and velocities. DS_BODY_KINETIC: particles do nothing. Sums 0 and 1 are those
   of bodies as they are: mass times velocity^2, angular momentum times angular velocity. All processes have the same. Sums 0 to
   5 of the last two: half of the virial of the forces that keep a body rigid, xx yy zz xy xz yz: those that change velocities
   as they have changed, less those that the particle feels. Anchor of a particle: where it lies, along the principal axes, from
   the center of mass. */
#ifndef DPDSOP_STEP_RIGID_BODY_H
#define DPDSOP_STEP_RIGID_BODY_H

#include "dpdsop/device/motion.h"
#include "dpdsop/device/rng/philox.h"
#include "dpdsop/device/step/body_orientation.h"
#include "dpdsop/device/step/particle.h"

/* ------------------------------------------------------------------------------------------- motion */

/* Into the box. In a tilted one places are converted to fractions and back where the body leaves it only. */
DS_FUNC void ds_wrap_body(const ds_wrap *box, ds_body *b)
{
  ds_wrap w = *box;
  w.image_bits = DS_BODY_IMAGE_BITS;
  w.moving = 0;
  double x[3] = {b->x[0], b->x[1], b->x[2]}, fraction[3];
  int64_t image = b->image;
  ds_wrap_atom(&w, x, NULL, &image, fraction);
  if (image == b->image) return;
  b->image = image;
  for (int d = 0; d < 3; d++) b->x[d] = x[d];
}

DS_FUNC void ds_kick_body(ds_body *b, double half)
{
  for (int d = 0; d < 3; d++) {
    b->v[d] += half / b->mass * b->force[d] * b->moves[d];
    b->momentum[d] += half * b->torque[d] * b->turns[d];
  }
}

/* By a thermostat. */
DS_FUNC void ds_scale_body(ds_body *b, const double factor[2])
{
  for (int d = 0; d < 3; d++) {
    b->v[d] *= factor[0];
    b->momentum[d] *= factor[1];
  }
}

/* Uniform from -1/2 to 1/2; six numbers. */
DS_FUNC void ds_body_noise(const ds_operation *o, int64_t step, int number, double noise[6])
{
  uint32_t word[8];
  for (int k = 0; k < 2; k++)
    ds_philox_at((uint64_t) o->number[5], DS_PURPOSE_BODIES, (uint64_t) step, 2u * (uint64_t) number + (uint64_t) k,
                 word + 4 * k);
  for (int k = 0; k < 6; k++) noise[k] = ((double) word[k] + 0.5) * 2.3283064365386963e-10 - 0.5;
}

/* Langevin's, for velocities as they are before the second half of the step; torques along the principal axes. */
DS_FUNC void ds_thermostat_body(const ds_operation *o, int64_t step, int number, ds_body *b)
{
  const double friction = o->number[3], amplitude = o->number[4];
  double axis[3][3], principal[3], torque[3], noise[6];
  if (friction == 0.0) return;
  ds_body_noise(o, step, number, noise);
  for (int d = 0; d < 3; d++)
    b->force[d] += b->moves[d] * (b->mass * friction * b->v[d] + amplitude * sqrt(b->mass) * noise[d]);
  ds_body_axes(b->quaternion, axis);
  ds_space_to_body(axis, b->omega, principal);
  for (int k = 0; k < 3; k++)
    principal[k] = b->inertia[k] * friction * principal[k] + amplitude * sqrt(b->inertia[k]) * noise[3 + k];
  ds_body_to_space(axis, principal, torque);
  for (int d = 0; d < 3; d++) b->torque[d] += b->turns[d] * torque[d];
}

/* Sums are taken, and begin at 0 again. */
DS_FUNC void ds_take_body_sums(const ds_operation *o, ds_exact_sum sums[DS_BODY_SUMS], ds_body *b)
{
  const ds_exact_sum none = {0, 0, 0, 0};
  for (int d = 0; d < 3; d++) {
    b->force[d] = ds_exact_value(&sums[d], o->number[6]);
    b->torque[d] = ds_exact_value(&sums[3 + d], o->number[7]);
  }
  for (int k = 0; k < DS_BODY_SUMS; k++) sums[k] = none;
}

DS_FUNC void ds_end_body_step(const ds_operation *o, int64_t step, int number, ds_exact_sum sums[DS_BODY_SUMS], ds_body *b)
{
  ds_take_body_sums(o, sums, b);
  if (o->number[2] != 0.0) {
    ds_thermostat_body(o, step, number, b);
    ds_scale_body(b, o->number + 8);
    ds_kick_body(b, o->number[1]);
  }
  ds_body_omega(b, b->quaternion, b->omega);
}

DS_FUNC void ds_begin_body_step(const ds_operation *o, const ds_wrap *box, ds_body *b)
{
  ds_kick_body(b, o->number[1]);
  ds_scale_body(b, o->number + 8);
  ds_drift(b->x, b->v, o->number[0]);
  ds_wrap_body(box, b);
  if (o->number[2] == 0.0)
    ds_rotate_body_by_richardson(b, o->number[0]);
  else
    ds_rotate_body_by_no_squish(b, o->number[0]);
}

/* Terms of DS_BODY_KINETIC. */
DS_FUNC void ds_body_kinetic(const ds_body *b, double add[DS_BODY_KINETIC_SUMS])
{
  add[0] = b->mass * ds_dot(b->v, b->v);
  add[1] = ds_dot(b->momentum, b->omega);
}

/* ---------------------------------------------------------------------------------------- particles */

/* Counter of boxes along an axis. */
DS_FUNC int64_t ds_body_image(const ds_body *b, int axis)
{
  const int64_t range = ((int64_t) 1 << DS_BODY_IMAGE_BITS) - 1, none = (int64_t) 1 << (DS_BODY_IMAGE_BITS - 1);
  return (b->image >> (axis * DS_BODY_IMAGE_BITS) & range) - none;
}

/* From where a particle is to its image that is with the center of mass. A particle's counters may have no more than 10 bits,
   after which they begin again; the body reaches over fewer boxes. */
DS_FUNC void ds_body_shift(const ds_step_context *c, const ds_body *b, const ds_particle *p, double shift[3])
{
  double n[3];
  for (int d = 0; d < 3; d++) n[d] = (double) (((p->image[d] - ds_body_image(b, d) + 512) & 1023) - 512);
  shift[0] = n[0] * c->edge[0] + n[1] * c->edge[5] + n[2] * c->edge[4];
  shift[1] = n[1] * c->edge[1] + n[2] * c->edge[3];
  shift[2] = n[2] * c->edge[2];
}

DS_FUNC void ds_body_sum(const ds_step_context *c, const ds_particle *p, double *add)
{
  const ds_body *const b = c->bodies + p->body;
  double r[3];
  ds_body_shift(c, b, p, r);
  for (int d = 0; d < 3; d++) {
    r[d] += p->x[d] - b->x[d];
    add[d] = p->f[d];
  }
  ds_cross(r, p->f, add + 3);
}

/* Of a particle that was at x with velocity v. */
DS_FUNC void ds_body_virial(const ds_operation *o, const ds_particle *p, const double x[3], const double v[3], double *add)
{
  double f[3];
  for (int d = 0; d < 3; d++) f[d] = 0.5 * (p->mass * (p->v[d] - v[d]) / o->number[1] - p->f[d]);
  for (int d = 0; d < 3; d++) add[d] = x[d] * f[d];
  add[3] = x[0] * f[1];
  add[4] = x[0] * f[2];
  add[5] = x[1] * f[2];
}

/* Vector from the center of mass to the particle. */
DS_FUNC void ds_body_offset(const ds_step_context *c, const ds_body *b, double r[3])
{
  double axis[3][3];
  ds_body_axes(b->quaternion, axis);
  ds_body_to_space(axis, c->anchor, r);
}

DS_FUNC void ds_set_velocity_in_body(const ds_body *b, const double r[3], ds_particle *p)
{
  ds_cross(b->omega, r, p->v);
  for (int d = 0; d < 3; d++) p->v[d] += b->v[d];
}

DS_FUNC void ds_body_velocity(const ds_step_context *c, const ds_operation *o, ds_particle *p, double *add)
{
  const ds_body *const b = c->bodies + p->body;
  const double v[3] = {p->v[0], p->v[1], p->v[2]};
  double r[3], x[3];
  ds_body_offset(c, b, r);
  ds_set_velocity_in_body(b, r, p);
  ds_body_shift(c, b, p, x);
  for (int d = 0; d < 3; d++) x[d] += p->x[d];
  ds_body_virial(o, p, x, v, add);
}

DS_FUNC void ds_body_place(const ds_step_context *c, const ds_operation *o, ds_particle *p, double *add)
{
  const ds_body *const b = c->bodies + p->body;
  const double v[3] = {p->v[0], p->v[1], p->v[2]};
  double r[3], x[3], shift[3];
  ds_body_offset(c, b, r);
  ds_set_velocity_in_body(b, r, p);
  ds_body_shift(c, b, p, shift);
  for (int d = 0; d < 3; d++) {
    x[d] = p->x[d] + shift[d];
    p->x[d] = b->x[d] - shift[d] + r[d];
  }
  ds_body_virial(o, p, x, v, add);
}

#endif
