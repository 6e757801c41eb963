/* Resident atoms of the host backend in arrays of its own, as the GPU has them.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_OWN_COPIES_HOST_H
#define DPDSOP_OWN_COPIES_HOST_H

#include "../core/buffer.h"
#include "resident_state.h"

typedef struct {
  ds_resident_atoms theirs; /* the caller's arrays; those in ds_resident are then the engine's */
  ds_buffer own[DS_OWN_ARRAYS];
  ds_buffer spare; /* room for one field */
  ds_buffer keyed, work, order, composed;
} ds_own_copies_host;

/* The caller's arrays have been set: arrays of r->atoms become the engine's. */
ds_status ds_own_copies_host_set(ds_own_copies_host *p, ds_pool *pool, ds_resident *r, ds_error *err);
void ds_own_copies_host_copy(const ds_own_copies_host *p, int fields, int to_host);
ds_status ds_own_copies_host_sort(ds_own_copies_host *p, ds_pool *pool, ds_resident *r,
                             const ds_sort_bins *bins, int composed, ds_error *err);

#endif
