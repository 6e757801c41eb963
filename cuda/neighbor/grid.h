/* Cells of a box.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_NEIGHBOR_GRID_H
#define DPDSOP_NEIGHBOR_GRID_H

#include "dpdsop/device/cell_grid.h"
#include "dpdsop/status.h"

DS_C_BEGIN

/* Cells for a frame: at least `range` (cutoff + skin, length units) wide. natoms bounds their number
   in near-empty boxes. */
ds_status ds_grid_init(ds_grid *grid, const ds_frame *frame, double range, int natoms, ds_error *err);

DS_C_END
#endif
