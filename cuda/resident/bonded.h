/* Bonds, angles, dihedrals and impropers of resident atoms where stages work: the terms, who has which, and sums over them.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_BONDED_LISTS_H
#define DPDSOP_BONDED_LISTS_H

#include "../core/queue.h"
#include "term_values.h"

DS_C_BEGIN

/* Terms of one kind. */
typedef struct {
  ds_terms given; /* its arrays are the caller's, and are not kept */
  ds_buffer member, type, images;
} ds_term_list;

typedef struct {
  ds_pool *memory;                  /* that stages work in */
  ds_term_list kind[DS_BONDED_KINDS];
  int shared, with_copies, ncopies; /* these five are the caller's, too */
  double reach[3], unit;
  int own, natoms;          /* atoms; and with copies */
  ds_buffer copy_x, copy_f; /* of copies */
  ds_buffer copy_sums, returned; /* of what they get; and own atoms from them */
  ds_buffer first, entry, image; /* of each atom: the terms that it is a member of */
  ds_buffer force;          /* of all terms: ds_first_row */
  ds_buffer sums, sums_host;
  ds_buffer place, key[2], value[2], scratch, spare; /* work space where terms are sorted */
} ds_bonded_lists;

/* Stages, on either backend: bonded_host.c, bonded_cuda.cu. The first two are for terms that nobody uses yet. */
typedef struct {
  /* Terms of atoms that have been put in another order, `order` as in ds_order: with new numbers, in the order of their
     owners. */
  ds_status (*renumber)(ds_queue *q, ds_bonded_lists *l, const int32_t *order, ds_error *err);
  /* Entries of each atom. */
  ds_status (*list_entries)(ds_queue *q, ds_bonded_lists *l, ds_error *err);
  ds_status (*choose_images)(ds_queue *q, const ds_bonded_view *b, int64_t step, ds_error *err);
  /* Forces of terms, which stop where a bond is too long; and what is added to atoms of them. */
  ds_status (*make_forces)(ds_queue *q, const ds_bonded_view *b, int64_t step, ds_error *err);
  ds_status (*add_forces)(ds_queue *q, const ds_bonded_view *b, int64_t step, ds_error *err);
  ds_status (*add_up)(ds_queue *q, const ds_bonded_view *b, int64_t step, ds_error *err);
  ds_status (*tally)(ds_queue *q, const ds_bonded_view *b, const ds_bonded_tallies *to, int64_t step,
                     ds_error *err); /* own atoms */
  ds_status (*sum_copies)(ds_queue *q, const ds_bonded_view *b, int kind, ds_exact_sum *sums, int64_t step, ds_error *err);
} ds_bonded_stages;

extern const ds_bonded_stages ds_bonded_stages_host, ds_bonded_stages_cuda;

/* Entries of all atoms together. */
static inline size_t ds_bonded_entries(const ds_bonded_lists *l)
{
  size_t n = 0;
  for (int kind = 0; kind < DS_BONDED_KINDS; kind++) n += (size_t) ds_members_of(kind) * (size_t) l->kind[kind].given.n;
  return n;
}

/* Terms of all kinds. */
static inline int ds_bonded_terms(const ds_bonded_lists *l)
{
  int n = 0;
  for (int kind = 0; kind < DS_BONDED_KINDS; kind++) n += l->kind[kind].given.n;
  return n;
}

/* Rows of forces of the kinds before that one: the first row of the kind. Of DS_BONDED_KINDS: all rows. */
static inline int ds_bonded_rows_before(const ds_bonded_lists *l, int kind)
{
  int n = 0;
  for (int k = 0; k < kind; k++) n += ds_rows_of(k) * l->kind[k].given.n;
  return n;
}

void ds_bonded_open(ds_bonded_lists *l, ds_pool *memory);
void ds_bonded_close(ds_bonded_lists *l, ds_queue *q); /* what stages work in is the pool's */
void ds_bonded_clear(ds_bonded_lists *l);              /* no terms; memory stays for the next ones */

/* Copies the terms of n atoms, and finds those of each; waits. */
ds_status ds_bonded_set(ds_bonded_lists *l, ds_queue *q, const ds_bonded_stages *stages, const ds_bonded *b, int n,
                        ds_error *err);

/* Atoms have been put in another order. */
ds_status ds_bonded_sort(ds_bonded_lists *l, ds_queue *q, const ds_bonded_stages *stages, const int32_t *order, ds_error *err);

/* As stages see them, but for x and f. */
ds_bonded_view ds_bonded_view_of(const ds_bonded_lists *l, const ds_wrap *wrap, int threads);

/* Sums over the terms, queued; and when the queue has been waited for, as the caller wants them. */
ds_status ds_bonded_add_up(ds_bonded_lists *l, ds_queue *q, const ds_bonded_stages *stages, const ds_bonded_view *b,
                           int64_t step, ds_error *err);
void ds_bonded_take_sums(const ds_bonded_lists *l, ds_bonded_sums *sums);

DS_C_END

#endif
