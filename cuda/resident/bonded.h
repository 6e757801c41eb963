/* Bonds and angles of resident atoms: the caller's terms, copied, and who has which; sums over them.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_BONDED_LISTS_H
#define DPDSOP_BONDED_LISTS_H

#include "../core/buffer.h"
#include "term.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In host memory. */
typedef struct {
  ds_pool pool;
  ds_bonded given; /* its arrays are the copies below */
  ds_buffer bond, angle, bond_type, angle_type, bond_images, angle_images, atom, first, entry;
  int natoms;
} ds_bonded_lists;

void ds_bonded_open(ds_bonded_lists *l);
void ds_bonded_close(ds_bonded_lists *l);
int ds_bonded_terms(const ds_bonded_lists *l); /* of both kinds */

/* Copies terms, and finds those of each of n atoms. */
ds_status ds_bonded_set(ds_bonded_lists *l, const ds_bonded *b, int n, ds_error *err);

/* With arrays in host memory, but for x and f, which are the caller's. */
ds_bonded_view ds_bonded_view_of(const ds_bonded_lists *l, const ds_wrap *wrap);

/* Sums in the order of the terms. Vectors as ds_term_vectors writes them; images as the view has them. */
void ds_bonded_add_up(const ds_bonded_view *b, const double *vectors, ds_bonded_sums *sums);

#ifdef __cplusplus
}
#endif

#endif
