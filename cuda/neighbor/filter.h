/* Distance check of the host's list builder.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_FILTER_H
#define DPDSOP_FILTER_H

#include "dpdsop/device/frame.h"

#include <stdint.h>

/* Places of n atoms relative to an origin (list_distance.h), from integer positions, side by side. */
typedef void ds_places_function(const ds_frame *f, ds_position origin, int n, const int32_t *ix, const int32_t *iy,
                                const int32_t *iz, float *x, float *y, float *z);
extern ds_places_function ds_places_base, ds_places_avx2, ds_places_avx512;

/* The atoms of a cell's stencil, side by side (the fine stencil, Tang & Karniadakis 2014, 3.3.1); places relative to
   the cell (list_distance.h), types 0-based, slots increasing. */
typedef struct {
  int n;
  float *x, *y, *z;
  int32_t *type;
  uint32_t *slot;
} ds_fine_stencil;

/* Entries of the row of the atom at (x, y, z): slots closer than list2, increasing. list2 is the row of the atom's
   type, by partner type. self is left out. entries and hit, which is scratch, have room for stencil->n words. Returns
   how many. */
typedef int ds_filter_function(const ds_fine_stencil *s, float x, float y, float z, uint32_t self, int ntypes,
                               const float *list2, int32_t *hit, uint32_t *entries);

extern ds_filter_function ds_filter_base, ds_filter_avx2, ds_filter_avx512;

#endif
