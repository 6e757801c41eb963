/* Marshalling of the caller's coordinates on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_LOAD_H
#define DPDSOP_LOAD_H

#include "dpdsop/array.h"
#include "dpdsop/frame.h"

enum { DS_LOAD_CHUNK = 256 };

/* Atoms first .. first+n-1 of a strided array as three dense components; n <= DS_LOAD_CHUNK. */
typedef struct {
  int n;
  double x[DS_LOAD_CHUNK], y[DS_LOAD_CHUNK], z[DS_LOAD_CHUNK];
} ds_chunk;

typedef void ds_read_function(ds_chunk *c, const ds_array *a, int first, int n);
extern ds_read_function ds_chunk_read_base, ds_chunk_read_avx2, ds_chunk_read_avx512;

/* Integer positions; `out` has 4 words an atom, of which 3 are written. Returns 0 where one is not a
   number or too far outside the subdomain. */
typedef int ds_position_function(const ds_frame *f, const ds_chunk *x, int32_t *out);
extern ds_position_function ds_positions_base, ds_positions_avx2, ds_positions_avx512;

int ds_positions64(const ds_frame *f, const ds_chunk *x, int64_t *out);

/* Signatures from tags and single velocities. */
typedef void ds_signature_function(const ds_chunk *v, const int64_t *tag, uint32_t seed,
                                   uint64_t step, uint32_t *out);
extern ds_signature_function ds_signatures_base, ds_signatures_avx2, ds_signatures_avx512;

#endif
