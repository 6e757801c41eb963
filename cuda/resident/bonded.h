/* Bonds and angles of resident atoms: the caller's terms, copied, and who has which; sums over them.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_BONDED_LISTS_H
#define DPDSOP_BONDED_LISTS_H

#include "../core/queue.h"
#include "term.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The caller's terms, and who has which, in host memory; and copies of all that where stages work. */
typedef struct {
  ds_pool pool;    /* host memory */
  ds_pool *memory; /* that stages work in */
  ds_bonded given; /* its arrays are the copies below */
  ds_buffer bond, angle, bond_type, angle_type, bond_images, angle_images, atom, first, entry;
  struct {
    ds_buffer bond, angle, bond_type, angle_type, bond_images, angle_images, atom, first, entry;
    ds_buffer vectors;
    ds_buffer copy_x, copy_f; /* of copies */
  } sent;
  ds_buffer vectors; /* of the terms, in host memory, for sums */
  int natoms, own;      /* with terms, of atoms or copies; and how many atoms are no copies */
} ds_bonded_lists;

void ds_bonded_open(ds_bonded_lists *l, ds_pool *memory);
void ds_bonded_close(ds_bonded_lists *l);
int ds_bonded_terms(const ds_bonded_lists *l); /* of both kinds */

/* Copies terms, and finds those of each of n atoms. */
ds_status ds_bonded_set(ds_bonded_lists *l, const ds_bonded *b, int n, ds_error *err);

/* Copies where stages work; waits. */
ds_status ds_bonded_send(ds_bonded_lists *l, ds_queue *q, ds_error *err);

/* As stages see them, but for x and f, which are the caller's. */
ds_bonded_view ds_bonded_view_of(const ds_bonded_lists *l, const ds_wrap *wrap, int threads);

/* Sums in the order of the terms, of vectors that stages have written to sent.vectors; waits. */
ds_status ds_bonded_add_up(ds_bonded_lists *l, ds_queue *q, ds_bonded_sums *sums, ds_error *err);

#ifdef __cplusplus
}
#endif

#endif
