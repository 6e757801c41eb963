/* Host side of the CUDA backend for arrays in host memory: what crosses the bus, and how it is packed
   and added. Plain C, so that it is compiled and tested like the rest of the host code.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_OFFLOAD_H
#define DPDSOP_OFFLOAD_H

#include "../common/isa.h"
#include "dpd_state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An own atom on its way to the device; the second in double precision. */
typedef struct {
  int32_t x, y, z;
  float vx, vy, vz;
} ds_record;

typedef struct {
  int64_t x, y, z;
  double vx, vy, vz;
} ds_record64;

/* Tags and 0-based types of n atoms; returns one whose type is not among 0 .. ntypes-1, or -1. */
int ds_offload_atoms(const ds_atoms *atoms, int n, int ntypes, int threads, int64_t *tag,
                     int32_t *type);

/* Counts of special partners, 3 an atom; returns the largest. Then the partners, `most` words an atom. */
int ds_offload_special_counts(const ds_array *counts, int n, int threads, int32_t *out);
void ds_offload_special_tags(const ds_array *partners, int n, int most, const int32_t *counts,
                             int threads, int64_t *out);

/* Records of atoms first .. last-1 from the caller's arrays; returns 0 where a position is not a number or
   too far outside the subdomain. wide: ds_record64. */
int ds_offload_records(const ds_frame *frame, ds_isa isa, int wide, const ds_array *x,
                       const ds_array *v, int first, int last, int threads, void *records);

/* Velocities of n records. */
void ds_offload_velocities(const void *records, int wide, int n, int threads, const ds_array *v);

/* The first atom whose position is refused, or -1. */
int ds_offload_find_fault(const ds_frame *frame, const ds_array *x, int n);

/* What ghost messages are made from. Ghosts' own messages are sent on. */
typedef struct {
  const ds_frame *frame;
  ds_isa isa;
  int wide, nlocal, threads;
  const void *records;  /* by own atom */
  const char *messages; /* by ghost */
  const int64_t *tag;   /* by atom */
  uint32_t seed;
  uint64_t step;
} ds_offload_source;

void ds_offload_pack(const ds_offload_source *source, int n, const int *list, const int shift[3],
                     char *out);

/* Add the `components` values of atoms first .. last-1, or of atoms atom[first] .. atom[last-1]. */
void ds_offload_add(const ds_array *to, int components, const double *values, const int32_t *atom,
                    int first, int last, int threads);

/* The same for forces as integer sums, times the power of two that is their unit. */
void ds_offload_add_sums(const ds_array *to, const int32_t *sums, double unit, const int32_t *atom,
                         int first, int last, int threads);

/* Rows of somebody else's list in the layout of list_cuda.h; `entries` has room for whole groups. Returns
   the special codes that occur, ored. */
uint32_t ds_offload_list(const ds_dpd_list *list, int capacity, int threads, uint32_t *atom,
                         int32_t *count, uint32_t *entries);

#ifdef __cplusplus
}
#endif
#endif
