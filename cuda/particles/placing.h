/* Atoms noted by their places along the curve, before a list puts them into order.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_PLACING_H
#define DPDSOP_PLACING_H

#include "../core/sort.h"
#include "dpdsop/device/cell_grid.h"

typedef struct {
  ds_grid grid;
  ds_keyed *keyed; /* on the host, by atom */
  /* On the GPU: */
  int32_t *noted;       /* 4 by atom: number of its cell along the curve, place among the cell's atoms of this GPU, code inside it, GPU */
  uint32_t *count;      /* atoms, by cell along the curve; clear at first; of each GPU, which places a part of the atoms */
  int count_stride;     /* from the counts of one GPU to those of the next */
  const int32_t *curve; /* number along the curve of each cell; each GPU has a copy */
  int curve_stride;
} ds_placing;

#ifdef __CUDACC__
/* Which of a cell's atoms comes first may differ from run to run: the list puts them into order. */
__device__ __forceinline__ void ds_note_place(const ds_placing &to, int gpu, int atom, const ds_position &p)
{
  const uint64_t key = ds_grid_key(&to.grid, p);
  const int32_t cell = to.curve[(size_t) gpu * to.curve_stride + ds_grid_cell_of_key(&to.grid, key)];
  const uint32_t place = atomicAdd(to.count + (size_t) gpu * to.count_stride + cell, 1u);
  ((int4 *) to.noted)[atom] = make_int4(cell, (int) place, (int) ds_grid_code_inside(key), gpu);
}
#else
static inline void ds_note_key(const ds_placing *to, int atom, ds_position p)
{
  to->keyed[atom].key = ds_grid_key(&to->grid, p);
  to->keyed[atom].index = (uint32_t) atom;
}
#endif

#endif
