/* The host backend's own state.   SPDX-License-Identifier: GPL-2.0-or-later

   Data's way: the caller's arrays, messages or owners of ghosts -> atoms by slot, the sorted order, with integer
   positions and signatures -> sweep -> integer sums by row -> the caller's force array. */
#ifndef DPDSOP_PAIR_HOST_H
#define DPDSOP_PAIR_HOST_H

#include "../particles/atoms_host.h"
#include "../neighbor/list_host.h"
#include "pair_state.h"

typedef struct {
  ds_isa isa;
  int storage64; /* double precision: 64-bit words */
  ds_pool pool;
  ds_atoms_host atoms;
  ds_list_host list;
  /* by slot, 4 words each */
  ds_buffer slot_position, slot_velocity;
  ds_buffer slot_upper;     /* int32: 64-bit positions' upper halves, while a list is built */
  ds_buffer slot_list_type; /* int32: types that the list was built for, where it depends on them */
  int by_type;              /* it does */
  ds_versions gathered;     /* what the arrays by slot are of */
  /* by row */
  ds_buffer force, energy, virial; /* int64: 3, 1, 6 */
  int have_sums;
  ds_sweep_sums sums; /* of the last evaluation that wanted some */
} ds_host_state;

/* Arrays by slot, where they are out of date. */
ds_status ds_host_gather(ds_pair *pair, ds_error *err);

ds_status ds_host_build_list(ds_pair *pair, ds_error *err);

/* forces_host.c */
ds_status ds_host_enqueue(ds_pair *pair, const ds_pair_result *wanted, ds_error *err);

#endif
