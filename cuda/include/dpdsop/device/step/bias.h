/* The part of a velocity that is heat: LAMMPS's computes temp/partial and temp/deform.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_STEP_BIAS_H
#define DPDSOP_STEP_BIAS_H

#include "dpdsop/device/step/particle.h"

/* Velocity of the flow where the particle is. */
DS_FUNC void ds_flow_at(const ds_step_context *c, const double x[3], double v[3])
{
  const double *const a = c->flow;
  v[0] = a[0] * x[0] + a[5] * x[1] + a[4] * x[2] + a[6];
  v[1] = a[1] * x[1] + a[3] * x[2] + a[7];
  v[2] = a[2] * x[2] + a[8];
}

/* Whether the first number of the operation's four says this kind of bias (DS_BIAS_...). */
DS_FUNC int ds_bias_is(const double *bias, double kind)
{
  return bias[0] == kind;
}

/* `bias`: four numbers of the operation. Nothing is left of an axis that has no heat. */
DS_FUNC void ds_thermal_velocity(const ds_step_context *c, const double *bias, const ds_particle *p, double v[3])
{
  double flow[3] = {0.0, 0.0, 0.0};
  for (int d = 0; d < 3; d++) v[d] = ds_bias_is(bias, DS_BIAS_AXES) && bias[1 + d] != 0.0 ? 0.0 : p->v[d];
  if (!ds_bias_is(bias, DS_BIAS_FLOW)) return;
  ds_flow_at(c, p->x, flow);
  for (int d = 0; d < 3; d++) v[d] -= flow[d];
}

/* The heat is scaled, and the rest stays. */
DS_FUNC void ds_scale_thermal_velocity(const ds_step_context *c, const double *bias, double factor, ds_particle *p)
{
  double flow[3] = {0.0, 0.0, 0.0};
  if (ds_bias_is(bias, DS_BIAS_FLOW)) ds_flow_at(c, p->x, flow);
  for (int d = 0; d < 3; d++) {
    if (ds_bias_is(bias, DS_BIAS_AXES) && bias[1 + d] != 0.0) continue;
    p->v[d] = ds_bias_is(bias, DS_BIAS_FLOW) ? (p->v[d] - flow[d]) * factor + flow[d] : p->v[d] * factor;
  }
}

#endif
