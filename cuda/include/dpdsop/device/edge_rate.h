/* Edges of a periodic box that move with the flow, and what they do to velocities.   SPDX-License-Identifier: GPL-2.0-or-later

   The rates at which the six numbers of the edge matrix change are in its order: xx yy zz yz xz xy. Whoever is moved by an
   edge has the velocity of its new place: that of the old one and the edge's rate. */
#ifndef DPDSOP_EDGE_RATE_H
#define DPDSOP_EDGE_RATE_H

#include "dpdsop/device/base.h"

/* The velocity after a move back by `boxes` edges along axis d. */
DS_FUNC void ds_wrap_velocity(const double rate[6], int d, int boxes, double v[3])
{
  if (d == 0) {
    v[0] -= boxes * rate[0];
  } else if (d == 1) {
    v[0] -= boxes * rate[5];
    v[1] -= boxes * rate[1];
  } else {
    v[0] -= boxes * rate[4];
    v[1] -= boxes * rate[3];
    v[2] -= boxes * rate[2];
  }
}

#endif
