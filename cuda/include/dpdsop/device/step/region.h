/* Whether a position is in a region: the comparisons of LAMMPS's region styles of these names, borders included.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_STEP_REGION_H
#define DPDSOP_STEP_REGION_H

#include "dpdsop/device/step/particle.h"

DS_FUNC int ds_in_block(const double b[7], const double x[3])
{
  return x[0] >= b[0] && x[0] <= b[1] && x[1] >= b[2] && x[1] <= b[3] && x[2] >= b[4] && x[2] <= b[5];
}

DS_FUNC int ds_in_sphere(const double s[7], const double x[3])
{
  const double a = x[0] - s[0], b = x[1] - s[1], c = x[2] - s[2];
  return sqrt(a * a + b * b + c * c) <= s[3];
}

DS_FUNC int ds_in_cylinder(const double c[7], const double x[3])
{
  const int axis = (int) c[0];
  const double a = (axis == 0 ? x[1] : x[0]) - c[1], b = (axis == 2 ? x[1] : x[2]) - c[2];
  const double along = ds_component(x, axis);
  return sqrt(a * a + b * b) <= c[3] && along >= c[4] && along <= c[5];
}

DS_FUNC int ds_in_plane(const double p[7], const double x[3])
{
  return (x[0] - p[0]) * p[3] + (x[1] - p[1]) * p[4] + (x[2] - p[2]) * p[5] >= 0.0;
}

DS_FUNC int ds_in_simple_region(const ds_region *r, const double x[3])
{
  const int inside = r->kind == DS_REGION_BLOCK      ? ds_in_block(r->number, x)
                     : r->kind == DS_REGION_SPHERE   ? ds_in_sphere(r->number, x)
                     : r->kind == DS_REGION_CYLINDER ? ds_in_cylinder(r->number, x)
                                                     : ds_in_plane(r->number, x);
  return inside != r->outside;
}

/* Parts of a union or an intersection are simple ones. */
DS_FUNC int ds_in_region(const ds_region *all, int32_t number, const double x[3])
{
  const ds_region *const r = all + number;
  if (r->kind != DS_REGION_UNION && r->kind != DS_REGION_INTERSECT) return ds_in_simple_region(r, x);
  int found = 0;
  for (int k = 0; k < r->count; k++) found += ds_in_simple_region(all + r->first + k, x);
  return (r->kind == DS_REGION_UNION ? found > 0 : found == r->count) != r->outside;
}

#endif
