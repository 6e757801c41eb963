/* What the host backend keeps of the caller's atoms between two renumberings.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_ATOMS_HOST_H
#define DPDSOP_ATOMS_HOST_H

#include "../core/buffer.h"
#include "dpdsop/device/neighbor.h"
#include "dpdsop/pair.h"
#include "host_reader.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  ds_pool *pool;
  ds_atom_source source; /* with the ghosts' messages or owners */
  ds_special special;
  ds_exclusions excluded;
  int excludes_types; /* some rule asks for them */
  ds_buffer message, owner, image;
  ds_buffer special_count, special_tag, rule, mask, molecule;
} ds_atoms_host;

/* Tags, types, special partners and exclusions. All arrays are in host memory. */
ds_status ds_atoms_host_set(ds_atoms_host *h, const ds_atoms *atoms, int threads, ds_error *err);
ds_status ds_atoms_host_owners(ds_atoms_host *h, int nghost, const int *owner, const int *image,
                               ds_error *err);
void ds_atoms_host_unpack(ds_atoms_host *h, int first, int n, const void *buffer);

/* An error where the array lies in device memory. */
ds_status ds_host_space_only(const ds_array *a, const char *what, ds_error *err);

#ifdef __cplusplus
}
#endif
#endif
