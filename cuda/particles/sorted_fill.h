/* Sorted particles made by whoever moves the atoms, on the way.   SPDX-License-Identifier: GPL-2.0-or-later

   A step that moves atoms has their new positions and velocities in registers. On the GPU it writes what the next sweep reads,
   too, where the order has not changed: then no gather reads the atoms once more. */
#ifndef DPDSOP_SORTED_FILL_H
#define DPDSOP_SORTED_FILL_H

#include "../core/copies.h"
#include "particles.h"

/* Passed to kernels by value. */
typedef struct {
  ds_frame frame; /* these as in ds_atom_source, in the step to come */
  int nlocal, ntypes;
  ds_array type, tag;
  uint32_t seed;
  uint64_t step;
  const int32_t *slot_of_atom;
  void *position, *velocity; /* by slot, of words of 64 bits where is_wide */
  ds_copies copies;          /* of both */
  int32_t *list_type;        /* by slot: types that the list was built for; NULL: it does not depend on them */
  uint32_t list;             /* number of the list */
  int is_wide;
  ds_sweep_sums *sums; /* DS_SUM_SETS of them, which begin at 0 in that sweep; NULL: it has none */
} ds_sorted_fill;

#endif
