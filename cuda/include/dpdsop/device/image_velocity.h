/* Velocities of periodic images in a box whose edges move with the flow (Lees & Edwards, J. Phys. C 5, 1921 (1972)).
   SPDX-License-Identifier: GPL-2.0-or-later

   An image that is n edges away from its atom moves faster by n times the rate at which these edges change, which is
   what LAMMPS's fix deform means by remap v. An atom that has left the box since the program wrapped its atoms last has
   the velocity of the place where it is. So velocities are first taken into the box, with the operations of LAMMPS's
   Domain::pbc(), and the number of edges between two atoms of a pair is that between their places in the box. Both are
   read from the integer positions: nothing depends on whether a neighbor is an own atom or a ghost, or on who wrapped
   it and when.

   Of the two atoms of a pair each sees the other's image at the same distance, so the relative velocity is
   antisymmetric to the bit. */
#ifndef DPDSOP_IMAGE_VELOCITY_H
#define DPDSOP_IMAGE_VELOCITY_H

#include "dpdsop/device/edge_rate.h"
#include "dpdsop/device/frame.h"

/* Boxes that a fractional coordinate is away from the first one, as the integer position has it. */
DS_FUNC int ds_boxes32(const ds_frame *f, int d, double lambda)
{
  return (int) (ds_unit32(lambda * f->units[d]) >> f->bits[d]);
}

DS_FUNC int ds_boxes64(const ds_frame *f, int d, double lambda)
{
  return (int) (ds_unit64(lambda * f->units[d] * 4294967296.0) >> (f->bits[d] + 32));
}

/* The velocity that an atom has after it was taken back by `boxes`; in LAMMPS's order, x first. */
DS_FUNC void ds_velocity_in_box(const ds_frame *f, const int boxes[3], double v[3])
{
  for (int d = 0; d < 3; d++) ds_wrap_velocity(f->image_rate, d, boxes[d], v);
}

/* Edges along axis d between the place of b in the box and the image of it that a sees: where positions wrap, whether
   the nearest image is beyond a face; else what the positions say. */
DS_FUNC int ds_edges_between32(const ds_frame *f, int d, int32_t a, int32_t b)
{
  const int wrapped = (ds_diff32(a, b) < 0) - ((uint32_t) a < (uint32_t) b);
  const int counted = (int) (b >> f->bits[d]) - (int) (a >> f->bits[d]);
  return f->shift[d] ? wrapped : counted;
}

DS_FUNC int ds_edges_between64(const ds_frame *f, int d, int64_t a, int64_t b)
{
  const int wrapped = (ds_diff64(a, b) < 0) - ((uint64_t) a < (uint64_t) b);
  const int counted = (int) (b >> (f->bits[d] + 32)) - (int) (a >> (f->bits[d] + 32));
  return f->shift[d] ? wrapped : counted;
}

/* Along an axis where positions wrap: < 0 where a sees b beyond a face, which is where edges between them are not 0. Few
   pairs do, and this is a test of the borrow of a difference against its sign. */
DS_FUNC int32_t ds_across_face32(int32_t a, int32_t b)
{
  const uint32_t i = (uint32_t) a, j = (uint32_t) b, diff = i - j, borrow = (~i & j) | (~(i ^ j) & diff);
  return (int32_t) (borrow ^ diff);
}

DS_FUNC int64_t ds_across_face64(int64_t a, int64_t b)
{
  const uint64_t i = (uint64_t) a, j = (uint64_t) b, diff = i - j, borrow = (~i & j) | (~(i ^ j) & diff);
  return (int64_t) (borrow ^ diff);
}

#endif
