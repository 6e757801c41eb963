/* All operations of a step.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_STEP_OPERATE_H
#define DPDSOP_STEP_OPERATE_H

#include "dpdsop/device/step/anchor.h"
#include "dpdsop/device/step/barostat.h"
#include "dpdsop/device/step/bins.h"
#include "dpdsop/device/step/body_force.h"
#include "dpdsop/device/step/exact_sum.h"
#include "dpdsop/device/step/momentum.h"
#include "dpdsop/device/step/motion_mvv.h"
#include "dpdsop/device/step/motion_nve.h"
#include "dpdsop/device/step/region.h"
#include "dpdsop/device/step/region_bounce.h"
#include "dpdsop/device/step/rigid_body.h"
#include "dpdsop/device/step/rotation.h"
#include "dpdsop/device/step/thermostat.h"
#include "dpdsop/device/step/wall.h"

/* Sets of kinds. A GPU's kernel that knows all of them needs twice the registers of one that knows a set. What nearly every
   step does, and what thermostats add up, are sets of their own. */
enum {
  DS_SET_MOTION = 1, /* of fixes nve, nvt, npt */
  DS_SET_FORCES = 2,
  DS_SET_FORCE_WALLS = 4,
  DS_SET_REFLECTING_WALLS = 8,
  DS_SET_SUMS = 16, /* and what is made of sums of velocities */
  DS_SET_ROTATION = 32,
  DS_SET_BODIES = 64,
  DS_SET_OTHER_MOTION = 128,
  DS_SET_KINETIC = 256, /* sums of kinetic energies */
  DS_ALL_SETS = 511
};

/* 0: there is no such kind. */
DS_FUNC int ds_operation_set(int32_t kind)
{
  switch (kind) {
  case DS_NVE_INITIAL:
  case DS_NVE_FINAL:
  case DS_SCALE_VELOCITY:
  case DS_DRIFT:
  case DS_REMAP: return DS_SET_MOTION;
  case DS_NVE_LIMIT_INITIAL:
  case DS_NVE_LIMIT_FINAL:
  case DS_MOVE_LINEAR_INITIAL:
  case DS_MOVE_LINEAR_FINAL:
  case DS_MVV_INITIAL:
  case DS_MVV_FINAL:
  case DS_TO_FRACTIONS:
  case DS_FROM_FRACTIONS: return DS_SET_OTHER_MOTION;
  case DS_ADD_FORCE:
  case DS_SET_FORCE:
  case DS_SUM_FORCE:
  case DS_AVERAGE_FORCE:
  case DS_GRAVITY:
  case DS_SUM_NOISE:
  case DS_LANGEVIN:
  case DS_SUM_CENTER:
  case DS_SPRING_TETHER:
  case DS_SPRING_SELF: return DS_SET_FORCES;
  case DS_WALL_LJ93:
  case DS_WALL_LJ126:
  case DS_WALL_HARMONIC: return DS_SET_FORCE_WALLS;
  case DS_WALL_REFLECT:
  case DS_WALL_BOUNCE:
  case DS_REGION_BOUNCE: return DS_SET_REFLECTING_WALLS;
  case DS_SUM_KINETIC:
  case DS_SUM_KINETIC_TRACE: return DS_SET_KINETIC;
  case DS_RESCALE_TEMPERATURE:
  case DS_SUM_MOMENTUM:
  case DS_REMOVE_MOMENTUM:
  case DS_RESCALE_ENERGY:
  case DS_SUM_DISPLACEMENT:
  case DS_SUM_WORK: return DS_SET_SUMS;
  case DS_SUM_ROTATION:
  case DS_REMOVE_ROTATION: return DS_SET_ROTATION;
  case DS_BODY_SUM:
  case DS_BODY_VELOCITY:
  case DS_BODY_PLACE: return DS_SET_BODIES;
  default: return 0;
  }
}

/* How many operations, one after the other, it reads the sums of, which are added up. */
DS_FUNC int ds_operations_read(const ds_operation *o)
{
  return o->kind == DS_LANGEVIN && o->number[5] > 1.0 ? (int) o->number[5] : 1;
}

DS_FUNC int ds_operate_motion(const ds_operation *o, ds_particle *p)
{
  switch (o->kind) {
  case DS_NVE_INITIAL: ds_nve(o, p, 1); break;
  case DS_NVE_FINAL: ds_nve(o, p, 0); break;
  case DS_SCALE_VELOCITY: ds_scale_velocity(o, p); break;
  case DS_DRIFT: ds_drift(p->x, p->v, o->number[0]); break;
  case DS_REMAP: ds_remap(o, p); break;
  }
  return 0;
}

DS_FUNC int ds_operate_other_motion(const ds_step_context *c, const ds_operation *o, ds_particle *p, double *add)
{
  switch (o->kind) {
  case DS_NVE_LIMIT_INITIAL: ds_nve_limit(o, p, 1, add); break;
  case DS_NVE_LIMIT_FINAL: ds_nve_limit(o, p, 0, add); break;
  case DS_MOVE_LINEAR_INITIAL: ds_move_linear_initial(c, o, p); break;
  case DS_MOVE_LINEAR_FINAL: ds_move_linear_final(o, p); break;
  case DS_MVV_INITIAL: ds_mvv_initial(c, o, p); break;
  case DS_MVV_FINAL: ds_mvv_final(c, o, p); break;
  case DS_TO_FRACTIONS:
  case DS_FROM_FRACTIONS: ds_halves_of_remap(o, p); break;
  }
  return 0;
}

DS_FUNC int ds_operate_forces(const ds_step_context *c, const ds_operation *o, ds_particle *p, double *add)
{
  switch (o->kind) {
  case DS_ADD_FORCE: ds_add_force(c, o, p, add); break;
  case DS_SET_FORCE: ds_set_force(o, p, add); break;
  case DS_SUM_FORCE: ds_sum_force(o, p, add); break;
  case DS_AVERAGE_FORCE: ds_average_force(c, o, p); break;
  case DS_GRAVITY: ds_gravity(o, p, add); break;
  case DS_SUM_NOISE: ds_sum_noise(c, o, p, add); break;
  case DS_LANGEVIN: ds_langevin(c, o, p, add); break;
  case DS_SUM_CENTER: ds_sum_center(c, o, p, add); break;
  case DS_SPRING_TETHER: ds_spring_tether(c, o, p); break;
  case DS_SPRING_SELF: ds_spring_self(c, o, p, add); break;
  }
  return 0;
}

DS_FUNC int ds_operate_reflecting_walls(const ds_step_context *c, const ds_operation *o, ds_particle *p)
{
  switch (o->kind) {
  case DS_WALL_REFLECT: ds_wall_reflect(o, p); return 0;
  case DS_WALL_BOUNCE: return ds_wall_bounce(o, p);
  default: return ds_region_bounce(c, o, p);
  }
}

DS_FUNC int ds_operate_kinetic(const ds_step_context *c, const ds_operation *o, ds_particle *p, double *add)
{
  if (o->kind == DS_SUM_KINETIC)
    ds_sum_kinetic(c, o, p, add);
  else
    ds_sum_kinetic_trace(c, o, p, add);
  return 0;
}

DS_FUNC int ds_operate_sums(const ds_step_context *c, const ds_operation *o, ds_particle *p, double *add)
{
  switch (o->kind) {
  case DS_RESCALE_TEMPERATURE: ds_rescale_temperature(c, o, p, add); break;
  case DS_SUM_MOMENTUM: ds_sum_momentum(p, add); break;
  case DS_REMOVE_MOMENTUM: ds_remove_momentum(c, o, p); break;
  case DS_RESCALE_ENERGY: ds_rescale_energy(c, p); break;
  case DS_SUM_DISPLACEMENT: ds_sum_displacement(c, o, p, add); break;
  case DS_SUM_WORK: ds_sum_work(c, o, p, add); break;
  }
  return 0;
}

DS_FUNC int ds_operate_rotation(const ds_step_context *c, const ds_operation *o, ds_particle *p, double *add)
{
  if (o->kind == DS_SUM_ROTATION)
    ds_sum_rotation(c, o, p, add);
  else
    ds_remove_rotation(c, o, p);
  return 0;
}

DS_FUNC int ds_operate_bodies(const ds_step_context *c, const ds_operation *o, ds_particle *p, double *add)
{
  if (p->body < 0) return 0;
  switch (o->kind) {
  case DS_BODY_SUM: ds_body_sum(c, p, add); break;
  case DS_BODY_VELOCITY: ds_body_velocity(c, o, p, add); break;
  case DS_BODY_PLACE: ds_body_place(c, o, p, add); break;
  }
  return 0;
}

/* Acts on the particle; add[0 .. nsums - 1] are its terms, 0 before. Returns 1 where it cannot. The operation is of one of
   these sets, which the compiler knows. */
DS_FUNC int ds_operate(int sets, const ds_step_context *c, const ds_operation *o, ds_particle *p, double *add)
{
  switch (ds_operation_set(o->kind) & sets) {
  case DS_SET_MOTION: return ds_operate_motion(o, p);
  case DS_SET_OTHER_MOTION: return ds_operate_other_motion(c, o, p, add);
  case DS_SET_KINETIC: return ds_operate_kinetic(c, o, p, add);
  case DS_SET_FORCES: return ds_operate_forces(c, o, p, add);
  case DS_SET_FORCE_WALLS: return ds_wall_add_force(o, p, add);
  case DS_SET_REFLECTING_WALLS: return ds_operate_reflecting_walls(c, o, p);
  case DS_SET_SUMS: return ds_operate_sums(c, o, p, add);
  case DS_SET_ROTATION: return ds_operate_rotation(c, o, p, add);
  case DS_SET_BODIES: return ds_operate_bodies(c, o, p, add);
  default: return 1;
  }
}

/* Whether it acts on this particle. */
DS_FUNC int ds_is_concerned(const ds_region *regions, const ds_operation *o, const ds_particle *p)
{
  const int inside = (o->flags & DS_OUTSIDE_REGION) == 0;
  return (p->mask & o->group) != 0 && (o->region < 0 || ds_in_region(regions, o->region, p->x) == inside);
}

#endif
