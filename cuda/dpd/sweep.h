/* The host's force sweep.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SWEEP_H
#define DPDSOP_SWEEP_H

#include "dpd_state.h"

/* Atoms by slot: position x y z and type (0-based), 4 words each; velocity x y z and signature, 4
   words each (single; in double precision the words are 64 bits wide and the signature is the low
   half of the fourth). Rows as in dpdsop/neighbor.h. Integer sums by row. */
typedef struct {
  const ds_frame *frame;
  const ds_dpd_params *params;
  const void *position;
  const void *velocity;
  const uint32_t *row_slot;
  const int32_t *count;
  const uint32_t *entries;
  size_t capacity;
  int64_t *force;  /* 3 a row */
  int64_t *energy; /* 1 a row; NULL: neither energy nor virial */
  int64_t *virial; /* 6 a row */
  int tally;       /* energy and virial are wanted */
  int special;     /* some pair may have a factor other than 1 */
} ds_sweep;

/* A force out of range: slots of one such pair and the force. */
typedef struct {
  int found;
  uint32_t i, j;
  double force;
} ds_sweep_fault;

/* Rows first .. last-1. */
typedef void ds_sweep_function(const ds_sweep *s, int first, int last, ds_sweep_fault *fault);

extern ds_sweep_function ds_sweep_mixed_base, ds_sweep_mixed_avx2, ds_sweep_mixed_avx512;
extern ds_sweep_function ds_sweep_single_base, ds_sweep_single_avx2, ds_sweep_single_avx512;
extern ds_sweep_function ds_sweep_double_base, ds_sweep_double_avx2, ds_sweep_double_avx512;

#endif
