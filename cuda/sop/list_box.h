/* The box that the neighbor engine sees around beads: the smallest whose edges are powers of two of their units.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOP_LIST_BOX_H
#define DPDSOP_SOP_LIST_BOX_H

#include "dpdsop/device/frame.h"
#include "dpdsop/device/sop_step.h"
#include "dpdsop/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  int32_t low[3]; /* lowest corner: coordinates */
  int bits[3];    /* an edge is 2^bits units of coordinates */
} ds_sop_list_box;

/* How far beads reach from one of them, least to most along each axis; differences of coordinates. */
typedef struct {
  int32_t least[3], most[3];
} ds_sop_extent;

/* first: coordinates of that bead. Returns 0 where beads reach as far as coordinates wrap: there is no box around them. */
static inline int ds_sop_list_box_of(const int32_t first[3], const ds_sop_extent *e, ds_sop_list_box *box)
{
  int fits = 1;
  for (int c = 0; c < 3; c++) {
    box->low[c] = (int32_t) ((uint32_t) first[c] + (uint32_t) e->least[c]);
    box->bits[c] = DS_SOP_COORDINATE_BITS;
    while ((int64_t) 1 << box->bits[c] <= (int64_t) e->most[c] - e->least[c]) box->bits[c]++;
    fits &= box->bits[c] <= 31;
  }
  return fits;
}

DS_FUNC int32_t ds_sop_list_place(const ds_sop_list_box *box, int c, int32_t x)
{
  const uint32_t u = (uint32_t) x - (uint32_t) box->low[c];
  return (int32_t) (box->bits[c] <= 30 ? u << (30 - box->bits[c]) : u >> (box->bits[c] - 30));
}

/* The position of a bead in the box, whose edges have 2^30 units. */
DS_FUNC ds_position ds_sop_in_list_box(const ds_sop_list_box *box, int32_t x, int32_t y, int32_t z)
{
  const ds_position p = {ds_sop_list_place(box, 0, x), ds_sop_list_place(box, 1, y), ds_sop_list_place(box, 2, z)};
  return p;
}

struct ds_sop;

/* range: of the list, length. */
ds_status ds_sop_list_frame(const struct ds_sop *sop, const ds_sop_list_box *box, double range, ds_frame *frame, ds_error *err);

#ifdef __cplusplus
}
#endif
#endif
