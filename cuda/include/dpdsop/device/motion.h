/* Velocity Verlet of one atom, and its place in a periodic box: the operations of LAMMPS's fix nve, Domain::pbc() and
   Neighbor::check_distance(), in their order, each rounded by itself. No product is fused with a sum, as in a LAMMPS that
   was compiled for any CPU of its kind.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_MOTION_H
#define DPDSOP_MOTION_H

#include "dpdsop/device/edge_rate.h"
#include "dpdsop/device/frame.h"
#include "dpdsop/resident.h"

#include <math.h>
#include <stdint.h>

DS_FUNC void ds_kick(double v[3], const double f[3], double half_by_mass)
{
  for (int d = 0; d < 3; d++) v[d] += half_by_mass * f[d];
}

DS_FUNC void ds_drift(double x[3], const double v[3], double dt)
{
  for (int d = 0; d < 3; d++) x[d] += dt * v[d];
}

DS_FUNC double ds_dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

DS_FUNC void ds_cross(const double a[3], const double b[3], double c[3])
{
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

/* Square of the distance from x to `x_ref`. */
DS_FUNC double ds_distance2(const double x[3], const double x_ref[3])
{
  const double moved[3] = {x[0] - x_ref[0], x[1] - x_ref[1], x[2] - x_ref[2]};
  return ds_dot(moved, moved);
}

/* ----------------------------------------------------------------------------------- periodic boxes */

DS_FUNC void ds_to_fractions(const ds_wrap *w, double x[3])
{
  const double *const i = w->inverse;
  const double a = x[0] - w->origin[0], b = x[1] - w->origin[1], c = x[2] - w->origin[2];
  x[0] = i[0] * a + i[5] * b + i[4] * c;
  x[1] = i[1] * b + i[3] * c;
  x[2] = i[2] * c;
}

DS_FUNC void ds_from_fractions(const ds_wrap *w, double x[3])
{
  const double *const h = w->edge;
  const double a = x[0], b = x[1], c = x[2];
  x[0] = h[0] * a + h[5] * b + h[4] * c + w->origin[0];
  x[1] = h[1] * b + h[3] * c + w->origin[1];
  x[2] = h[2] * c + w->origin[2];
}

/* How far images along each axis reach into the box, in the units in which it has its periods: as Comm::setup() has it. */
DS_FUNC void ds_reach_in_box(const ds_wrap *w, const double lengths[3], double reach[3])
{
  double density[3];
  ds_face_densities(w->inverse, density);
  for (int d = 0; d < 3; d++) reach[d] = w->tilted ? lengths[d] * density[d] : lengths[d];
}

/* Of two atoms that are nearer to each other than this, none has an image that is nearer: half of the least distance between
   faces of the box, with a margin for the rounding of positions. */
DS_FUNC double ds_nearest_within(const ds_wrap *w)
{
  double density[3], largest = 1e-150;
  ds_face_densities(w->inverse, density);
  for (int d = 0; d < 3; d++)
    if (w->periodic[d]) largest = fmax(largest, w->tilted ? density[d] : 1.0 / w->period[d]);
  return 0.49 / largest;
}

/* What a program changes in positions that converts all of them to fractions and back. */
DS_FUNC void ds_to_fractions_and_back(const ds_wrap *w, double x[3], double fraction[3])
{
  ds_to_fractions(w, x);
  for (int d = 0; d < 3; d++) fraction[d] = x[d];
  ds_from_fractions(w, x);
}

/* An image flag with the counter of one axis changed by `step`, modulo its range. */
DS_FUNC int64_t ds_image_moved(int64_t image, int bits, int axis, int step)
{
  const int64_t range = ((int64_t) 1 << bits) - 1;
  const int64_t counter = ((image >> (axis * bits)) + step) & range;
  return (image & ~(range << (axis * bits))) | counter << (axis * bits);
}

/* Into the box along its periodic axes. `v` follows where edges move; NULL: it is not wanted. `fraction`: what x is made of in
   a tilted box. Returns 1 where the atom has crossed a face. */
DS_FUNC int ds_wrap_atom(const ds_wrap *w, double x[3], double v[3], int64_t *image, double fraction[3])
{
  int has_crossed = 0;
  if (w->tilted) ds_to_fractions(w, x);
  for (int d = 0; d < 3; d++) {
    if (!w->periodic[d]) continue;
    if (x[d] < w->lo[d]) {
      x[d] += w->period[d];
      if (w->moving && v) ds_wrap_velocity(w->rate, d, -1, v);
      has_crossed = 1;
      *image = ds_image_moved(*image, w->image_bits, d, -1);
    }
    if (x[d] >= w->hi[d]) {
      x[d] -= w->period[d];
      if (!(x[d] > w->lo[d])) x[d] = w->lo[d];
      if (w->moving && v) ds_wrap_velocity(w->rate, d, 1, v);
      has_crossed = 1;
      *image = ds_image_moved(*image, w->image_bits, d, 1);
    }
  }
  for (int d = 0; d < 3; d++) fraction[d] = x[d];
  if (w->tilted) ds_from_fractions(w, x);
  return has_crossed;
}

/* A tilted box that has been flipped: some tilts have changed by a whole edge, as `flips` of xy xz yz say. Image counters
   follow, the atom is taken into the box as it is now, where edges move with its velocity, and its position is converted once
   more: as Domain::image_flip() and remap_all() have it, and a program that then sends atoms to their processes. `v` is read
   where edges move only. */
DS_FUNC void ds_flip_atom(const ds_wrap *w, const int flips[3], double x[3], double v[3], int64_t *image)
{
  const int bits = w->image_bits, none = 1 << (bits - 1);
  const int64_t range = ((int64_t) 1 << bits) - 1;
  const int k = (int) (*image >> 2 * bits & range) - none, j = (int) (*image >> bits & range) - none - flips[2] * k;
  double fraction[3];
  *image = ds_image_moved(*image, bits, 1, -flips[2] * k);
  *image = ds_image_moved(*image, bits, 0, -(flips[0] * j + flips[1] * k));
  ds_to_fractions(w, x);
  for (int d = 0; d < 3; d++) {
    int periods = 0;
    if (!w->periodic[d]) continue;
    for (; x[d] < w->lo[d]; x[d] += w->period[d]) periods--;
    for (; x[d] >= w->hi[d]; x[d] -= w->period[d]) periods++;
    if (!(x[d] > w->lo[d])) x[d] = w->lo[d];
    if (periods) *image = ds_image_moved(*image, bits, d, periods);
    if (w->moving) ds_wrap_velocity(w->rate, d, periods, v);
  }
  ds_from_fractions(w, x);
  ds_to_fractions_and_back(w, x, fraction);
}

/* 1 where an atom has left the box along an axis that is not periodic. */
DS_FUNC int ds_outside(const ds_wrap *w, const double at[3])
{
  double x[3] = {at[0], at[1], at[2]};
  int outside = 0;
  if (w->tilted) ds_to_fractions(w, x);
  for (int d = 0; d < 3; d++) outside |= !w->periodic[d] && (x[d] < w->lo[d] || x[d] >= w->hi[d]);
  return outside;
}

#endif
