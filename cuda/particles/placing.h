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
  int32_t
      *noted;           /* 4 by atom: number of its cell along the curve, place among the cell's atoms, code inside it, 0 */
  uint32_t *count;      /* atoms, by cell along the curve; clear at first; each GPU has those of its cells */
  int count_stride;     /* from one GPU's table of counts to the next one's */
  int cells_of_gpu;     /* along the curve: the first GPU has the first of them */
  const int32_t *curve; /* number along the curve of each cell; each GPU has a copy */
  int curve_stride;
} ds_placing;

/* On the GPU: atoms that lie in their cells, in any order. What has them in order, an atom for each slot, comes after all of
   them have been put there. */
typedef struct {
  const uint64_t *members; /* by slot: code inside the cell and atom; NULL: they are in order */
  const int32_t *cell_of_slot, *cell_range; /* 2 by cell: first slot, slot after the last */
  int range_stride;                         /* from one GPU's ranges to the next one's */
  int32_t *order, *slot_of_atom;            /* what comes of it */
  const uint32_t *cell_readers;             /* of several GPUs: those that read a cell's atoms (core/copies.h) */
  int readers_stride;
} ds_ranking;

#ifdef __CUDACC__
/* Of the atom that lies in a slot: the slot that it gets, behind those of its cell that come before it by code, then number. */
__device__ __forceinline__ int ds_rank(const ds_ranking &r, int gpu, int slot, int *atom)
{
  const int2 range = ((const int2 *) r.cell_range)[(size_t) gpu * r.range_stride + r.cell_of_slot[slot]];
  const uint64_t mine = r.members[slot];
  int to = range.x;
  for (int k = range.x; k < range.y; k++) to += r.members[k] < mine;
  *atom = (int) (uint32_t) mine;
  r.order[to] = *atom;
  r.slot_of_atom[*atom] = to;
  return to;
}

/* Which GPUs read the atom that lies in a slot. */
__device__ __forceinline__ uint32_t ds_readers_of_member(const ds_ranking &r, int gpu, int slot)
{
  return r.cell_readers ? r.cell_readers[(size_t) gpu * r.readers_stride + r.cell_of_slot[slot]] : 1u;
}

/* Which of a cell's atoms comes first may differ from run to run: the list puts them into order. */
__device__ __forceinline__ void ds_note_place(const ds_placing &to, int gpu, int atom, const ds_position &p)
{
  const uint64_t key = ds_grid_key(&to.grid, p);
  const int32_t cell = to.curve[(size_t) gpu * to.curve_stride + ds_grid_cell_of_key(&to.grid, key)];
  const int owner = cell / to.cells_of_gpu;
  const uint32_t place = atomicAdd_system(to.count + (size_t) owner * to.count_stride + cell, 1u);
  ((int4 *) to.noted)[atom] = make_int4(cell, (int) place, (int) ds_grid_code_inside(key), 0);
}
#else
static inline void ds_note_key(const ds_placing *to, int atom, ds_position p)
{
  to->keyed[atom].key = ds_grid_key(&to->grid, p);
  to->keyed[atom].index = (uint32_t) atom;
}
#endif

#endif
