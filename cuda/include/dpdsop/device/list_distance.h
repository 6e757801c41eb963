/* Distances for building a list: single precision, relative to the cell that a row lies in.
   SPDX-License-Identifier: GPL-2.0-or-later

   An atom of a stencil is met by all rows of the cell. Its place relative to one of the cell's own atoms (two ghosts
   may be too far apart for a difference), converted to lengths once, leaves three subtractions and a square per pair,
   or with |p - q|^2 = |p|^2 + |q|^2 - 2 p q three products, instead of three conversions of integers and a product
   with the box's edges. The rounding errors, and those of the positions themselves, are below ds_list_margin, by which
   the list's range is longer: no pair is lost, and the sweep looks at each distance again. */
#ifndef DPDSOP_LIST_DISTANCE_H
#define DPDSOP_LIST_DISTANCE_H

#include "dpdsop/device/cell_grid.h"
#include "dpdsop/device/frame.h"

/* Place of an atom relative to that one, in largest cutoffs. */
DS_FUNC void ds_list_place(const ds_frame *f, ds_position origin, ds_position p, float *x, float *y, float *z)
{
  ds_separation32(f, ds_diff32(p.x, origin.x), ds_diff32(p.y, origin.y), ds_diff32(p.z, origin.z), x, y, z);
}

/* Where positions wrap, a place is that of the image nearest to the origin. It is that nearest to every row of the cell
   where a stencil, two cells either way, is less than half the box. Otherwise each row is an origin of its own. */
DS_FUNC int ds_list_single_rows(const ds_grid *g)
{
  return (g->wraps[0] && g->cells[0] < 5) | (g->wraps[1] && g->cells[1] < 5) | (g->wraps[2] && g->cells[2] < 5);
}

/* Bounds of the errors, in largest cutoffs: of a distance because of its places, and of its square beyond that. */
typedef struct {
  float distance, square;
} ds_list_margins;

/* A place is at most two cells away from the origin on each axis, so |p| <= E, the sum of all edges of two cells. Each of
   its coordinates is the sum of up to three terms, which are converted, multiplied and added with an error of 2^-24 of
   the largest each: 9 roundings per coordinate and one for the difference, for two places and three coordinates. The
   expanded square is summed in 6 roundings of at most 3 E^2. Positions are rounded to 2^-bits of an edge, or, in double
   precision, cut off there or further down: a separation is wrong by less than one such step along each edge where the
   list is built, and by no more where it is used. */
static inline ds_list_margins ds_list_margin(const ds_frame *f, const ds_grid *g)
{
  static const int column[6] = {0, 1, 2, 2, 2, 1};
  ds_list_margins m;
  double extent = 0.0, steps = 0.0;
  for (int k = 0; k < 6; k++) {
    const int d = column[k];
    extent += fabs(f->edge[k]) * 2.0 * (double) g->extent[d] / g->cells[d];
    steps += 2.0 * ldexp(fabs(f->edge[k]), f->shift[d]);
  }
  m.distance = (float) (2.0 * 1.8 * 10.0 * 0x1p-24 * extent + steps);
  m.square = (float) (6.0 * 3.0 * 0x1p-24 * extent * extent);
  return m;
}

/* Squared range of the list with the margins; 0 stays 0: the pair does not interact. */
DS_FUNC float ds_list_widen(float list2, ds_list_margins m)
{
  return list2 > 0.0f ? list2 + (2.0f * sqrtf(list2) + m.distance) * m.distance + m.square : 0.0f;
}

#endif
