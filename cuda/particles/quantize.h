/* Some of the caller's atoms at a time, side by side, as vector loops want them.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_PARTICLES_QUANTIZE_H
#define DPDSOP_PARTICLES_QUANTIZE_H

#include "dpdsop/array.h"
#include "dpdsop/device/frame.h"

enum { DS_ATOM_BATCH = 256 };

/* Three components of n <= DS_ATOM_BATCH atoms. */
typedef struct {
  int n;
  double x[DS_ATOM_BATCH], y[DS_ATOM_BATCH], z[DS_ATOM_BATCH];
} ds_atom_batch;

/* Atoms first .. first+n-1 of a strided array, or atoms list[0] .. list[n-1] where list is not NULL. */
typedef void ds_atom_batch_read_function(ds_atom_batch *batch, const ds_array *a, int first, const int32_t *list, int n);
extern ds_atom_batch_read_function ds_atom_batch_read_base, ds_atom_batch_read_avx2, ds_atom_batch_read_avx512;

/* What is wrong with atoms that were read; DS_FAR_POSITION: further outside than the slack, which is allowed. */
enum { DS_BAD_POSITION = 1, DS_BAD_TYPE = 2, DS_FAR_POSITION = 4, DS_BAD_ATOM = DS_BAD_POSITION | DS_BAD_TYPE };

/* Integer positions; `out` has 4 words per atom, of which 3 are written. Returns what is wrong with them. */
typedef int ds_position_function(const ds_frame *f, const ds_atom_batch *x, int32_t *out);
extern ds_position_function ds_positions_base, ds_positions_avx2, ds_positions_avx512;

/* Signatures from tags and single velocities. */
typedef void ds_signature_function(const ds_atom_batch *v, const int64_t *tag, uint32_t seed, uint64_t step, uint32_t *out);
extern ds_signature_function ds_signatures_base, ds_signatures_avx2, ds_signatures_avx512;

#endif
