/* Distance check of the host's list builder.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_FILTER_H
#define DPDSOP_FILTER_H

#include "dpdsop/frame.h"

#include <stdint.h>

/* The atoms of a cell's stencil, side by side (the fine stencil, Tang & Karniadakis 2014, 3.3.1). */
typedef struct {
  int n;
  const int32_t *x, *y, *z, *type; /* types 0-based */
  const uint32_t *slot;            /* positions in the sorted order, increasing */
} ds_fine_stencil;

/* Entries of the row of the atom at p: *core within core2, *skin within list2, both in increasing
   order; core2 and list2 are the row of the atom's type, by partner type. self is left out. The
   arrays have room for stencil->n entries. kind is scratch of as many. */
typedef void ds_filter_function(const ds_frame *f, const ds_fine_stencil *s, ds_position p,
                                uint32_t self, int ntypes, const float *core2, const float *list2,
                                int32_t *kind, uint32_t *core, int *ncore, uint32_t *skin,
                                int *nskin);

extern ds_filter_function ds_filter_base, ds_filter_avx2, ds_filter_avx512;

#endif
