/* All operations of a step.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_STEP_OPERATE_H
#define DPDSOP_STEP_OPERATE_H

#include "dpdsop/device/step/anchor.h"
#include "dpdsop/device/step/body_force.h"
#include "dpdsop/device/step/exact_sum.h"
#include "dpdsop/device/step/momentum.h"
#include "dpdsop/device/step/motion_nve.h"
#include "dpdsop/device/step/region.h"
#include "dpdsop/device/step/region_bounce.h"
#include "dpdsop/device/step/thermostat.h"
#include "dpdsop/device/step/wall.h"

/* Acts on the particle; add[0 .. nsums - 1] are its terms, 0 before. Returns 1 where it cannot. */
DS_FUNC int ds_operate(const ds_step_context *c, const ds_operation *o, ds_particle *p, double *add)
{
  switch (o->kind) {
    case DS_NVE_INITIAL: ds_nve(o, p, 1); return 0;
    case DS_NVE_FINAL: ds_nve(o, p, 0); return 0;
    case DS_NVE_LIMIT_INITIAL: ds_nve_limit(o, p, 1); return 0;
    case DS_NVE_LIMIT_FINAL: ds_nve_limit(o, p, 0); return 0;
    case DS_ADD_FORCE: ds_add_force(c, o, p, add); return 0;
    case DS_SET_FORCE: ds_set_force(o, p, add); return 0;
    case DS_SUM_FORCE: ds_sum_force(o, p, add); return 0;
    case DS_AVERAGE_FORCE: ds_average_force(c, o, p); return 0;
    case DS_GRAVITY: ds_gravity(o, p, add); return 0;
    case DS_LANGEVIN: ds_langevin(c, o, p, add); return 0;
    case DS_SUM_CENTER: ds_sum_center(c, o, p, add); return 0;
    case DS_SPRING_TETHER: ds_spring_tether(c, o, p); return 0;
    case DS_WALL_REFLECT: ds_wall_reflect(o, p); return 0;
    case DS_WALL_BOUNCE: return ds_wall_bounce(o, p);
    case DS_REGION_BOUNCE: return ds_region_bounce(c, o, p);
    case DS_WALL_LJ93: return ds_wall_lj93(o, p, add);
    case DS_WALL_LJ126: return ds_wall_lj126(o, p, add);
    case DS_WALL_HARMONIC: return ds_wall_harmonic(o, p, add);
    case DS_SUM_KINETIC: ds_sum_kinetic(p, add); return 0;
    case DS_SUM_KINETIC_TRACE: ds_sum_kinetic_trace(p, add); return 0;
    case DS_RESCALE_TEMPERATURE: ds_rescale_temperature(c, o, p); return 0;
    case DS_SUM_MOMENTUM: ds_sum_momentum(p, add); return 0;
    case DS_REMOVE_MOMENTUM: ds_remove_momentum(c, o, p); return 0;
    case DS_RESCALE_ENERGY: ds_rescale_energy(c, o, p); return 0;
    case DS_SPRING_SELF: ds_spring_self(c, o, p, add); return 0;
    case DS_SUM_DISPLACEMENT: ds_sum_displacement(c, o, p, add); return 0;
    case DS_MOVE_LINEAR_INITIAL: ds_move_linear_initial(c, o, p); return 0;
    case DS_MOVE_LINEAR_FINAL: ds_move_linear_final(o, p); return 0;
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
