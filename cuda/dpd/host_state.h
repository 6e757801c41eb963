/* The host backend's own state, and its parts by file: atoms and ghosts in load_host.c, forces in
   forces_host.c, the rest in dpd_host.c.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_HOST_STATE_H
#define DPDSOP_HOST_STATE_H

#include "../common/buffer.h"
#include "../common/isa.h"
#include "../neighbor/list_host.h"
#include "dpd_state.h"

#define ARRAY(type, buffer) ((type *) (buffer).data)

typedef struct {
  ds_isa isa;
  int wide; /* double precision: 64-bit words */
  /* by atom, the caller's order */
  ds_buffer position;               /* 4 x int32: x y z type */
  ds_buffer velocity;               /* 4 x float: x y z signature */
  ds_buffer position64, velocity64; /* the same in 64-bit words; only where wide */
  ds_buffer tag, type;              /* int64; int32, 0-based */
  ds_buffer owner, image;           /* by ghost; int32 and 3 x int32 */
  int have_owners;
  /* special partners */
  ds_special special;
  ds_buffer special_count, special_tag;
  /* by slot */
  ds_buffer slot_position, slot_velocity;
  ds_list_host list;
  /* by row */
  ds_buffer force, energy, virial; /* int64: 3, 1, 6 */
} ds_host_state;

/* An error where the array lies in device memory. */
ds_status ds_host_space_only(const ds_array *a, const char *what, ds_error *err);

/* load_host.c */
ds_status ds_host_load(ds_dpd *dpd, const ds_array *x, const ds_array *v, ds_error *err);
ds_status ds_host_get_velocities(ds_dpd *dpd, const ds_array *v, ds_error *err);
ds_status ds_host_pack(ds_dpd *dpd, int n, const int *list, const int shift[3], void *buffer,
                       ds_error *err);
ds_status ds_host_unpack(ds_dpd *dpd, int first, int n, const void *buffer, ds_error *err);
ds_status ds_host_set_owners(ds_dpd *dpd, const int *owner, const int *image, ds_error *err);

/* forces_host.c */
ds_status ds_host_compute(ds_dpd *dpd, ds_dpd_result *result, ds_error *err);

#endif
