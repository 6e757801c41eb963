/* The host's pair sweep.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SWEEP_HOST_H
#define DPDSOP_SWEEP_HOST_H

#include "../core/isa.h"
#include "dpdsop/device/frame.h"
#include "dpdsop/pair.h"
#include "tables.h"

#include <stddef.h>

/* Atoms by slot: position x y z and type (0-based), 4 words each; velocity x y z and signature, 4
   words each (32 bits; in double precision the words are 64 bits wide and the signature is the low
   half of the fourth). Rows as in dpdsop/device/neighbor.h. Integer sums by row. */
typedef struct {
  const ds_frame *frame;
  const ds_sweep_tables *tables;
  const void *position;
  const void *velocity;
  const uint32_t *first; /* by row */
  const int32_t *count;
  const uint32_t *entries;
  int64_t *force;  /* 3 by row */
  int64_t *energy; /* 1 by row; NULL: neither energy nor virial */
  int64_t *virial; /* 6 by row */
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

/* The sweep of a style. */
typedef ds_sweep_function *ds_host_sweep_function(const ds_pair_style *style, ds_precision precision);
extern ds_host_sweep_function ds_host_sweep_base, ds_host_sweep_avx2, ds_host_sweep_avx512;

#endif
