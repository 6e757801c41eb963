/* Making the integer frame of a box (dpdsop/device/frame.h).   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_PARTICLES_FRAME_H
#define DPDSOP_PARTICLES_FRAME_H

#include "dpdsop/device/frame.h"
#include "dpdsop/pair.h"
#include "dpdsop/status.h"

DS_C_BEGIN

/* cutoff: the largest one, the kernels' unit of length; range: the longest separation of a pair in a list, cutoff
   and skin. Fails where ghosts reach too far (more than 2^20 boxes), and on an empty or inverted box. */
ds_status ds_frame_init(ds_frame *frame, const ds_box *box, double cutoff, double range, ds_error *err);

/* Axes of a box without images, as ds_frame.wrapped. */
int ds_frame_wrapped(const ds_box *box, double range);

/* Length of the largest unit of positions: the longest of edge / 2^bits. In double precision there are 2^32 in one. */
double ds_frame_unit(const ds_frame *frame, const ds_box *box);

/* Fractions of an edge that a length spans at most: 1 / distance of the two faces. `inverse` as in ds_frame. */
void ds_frame_face_densities(const double inverse[6], double density[3]);

DS_C_END
#endif
