/* Neighbor list of both backends: inputs and layout.   SPDX-License-Identifier: GPL-2.0-or-later

   Atoms, own and ghost together, are sorted by their two-level Morton key, so that a cell's atoms are
   consecutive and every stencil lists atoms in increasing order. A row belongs to an own atom; its
   entries are positions in the sorted order, core (within the cutoff when built) before skin, each
   part increasing (Tang & Karniadakis 2014, 3.3.2), with a special code in the upper two bits. */
#ifndef DPDSOP_NEIGHBOR_H
#define DPDSOP_NEIGHBOR_H

#include "dpdsop/cell_grid.h"
#include "dpdsop/frame.h"
#include "dpdsop/status.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  DS_INDEX_BITS = 30,
  DS_INDEX_MASK = (1 << DS_INDEX_BITS) - 1,
  DS_ROW_STEP = 32 /* rows are padded to, and grow by, whole tiles */
};

/* Which pairs belong in the list; squares of lengths in units of the largest cutoff. */
typedef struct {
  int ntypes;
  const float *core2; /* ntypes^2: cutoff^2; 0: the pair does not interact */
  const float *list2; /* ntypes^2: (cutoff + skin)^2; 0 likewise */
} ds_list_range;

/* Special partners of own atoms in the caller's numbering; NULL arrays: none. */
typedef struct {
  int max_special;         /* row length of partners */
  const int32_t *counts;   /* 3 per own atom: cumulative counts of 1-2, 1-3, 1-4 */
  const int64_t *partners; /* tags */
} ds_special;

/* Fractional and integer frame of a box: edge lengths in units, range of own atoms. cutoff is the
   largest one and the unit of length of the kernels. Fails where ghosts reach too far (more than 2^20
   boxes), and on an empty or inverted box. */
ds_status ds_frame_init(ds_frame *frame, const ds_box *box, double cutoff, ds_error *err);

/* Cells for a frame: at least `range` (cutoff + skin, length units) wide. natoms bounds their number
   in near-empty boxes. */
ds_status ds_grid_init(ds_grid *grid, const ds_frame *frame, double range, int natoms,
                       ds_error *err);

/* Code (0-3) of tag among the special partners of an own atom. */
DS_FUNC int ds_special_code(const ds_special *s, int atom, int64_t tag)
{
  const int32_t *n = s->counts + 3 * (int64_t) atom;
  const int64_t *p = s->partners + (int64_t) s->max_special * atom;
  for (int k = 0; k < n[2]; k++)
    if (p[k] == tag) return k < n[0] ? 1 : k < n[1] ? 2 : 3;
  return 0;
}

/* 1 where d, the separation along axis k, is at most half the box's width there, or the box is not periodic. */
DS_FUNC int ds_within_half(const ds_frame *f, int k, double d)
{
  return !f->periodic[k] || fabs(d) <= 0.5 * (f->edge[k] * f->units[k]);
}

/* A partner further than half a periodic box away, along x, y or z, is another image of it, and not special: as
   LAMMPS's lists have it, in tilted boxes too. */
DS_FUNC int ds_is_own_image(const ds_frame *f, int32_t lx, int32_t ly, int32_t lz)
{
  const double x = lx, y = ly, z = lz;
  return ds_within_half(f, 0, fma(f->edge[4], z, fma(f->edge[5], y, f->edge[0] * x))) &&
         ds_within_half(f, 1, fma(f->edge[3], z, f->edge[1] * y)) &&
         ds_within_half(f, 2, f->edge[2] * z);
}

#ifdef __cplusplus
}
#endif
#endif
