/* Stages of bonds, angles, dihedrals and impropers on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "bonded.h"
#include "term_images.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------- lists */

/* Counts become where the entries begin. */
static void begin_each(uint32_t *count, int n)
{
  uint32_t begin = 0;
  for (int i = 0; i <= n; i++) {
    const uint32_t own = i < n ? count[i] : 0;
    count[i] = begin;
    begin += own;
  }
}

/* New numbers of all members; then terms in the order of their owners, those of one owner as before. */
static ds_status renumber_kind(ds_bonded_lists *l, int kind, const int32_t *place, ds_error *err)
{
  ds_term_list *const t = &l->kind[kind];
  const size_t n = (size_t) t->given.n, size = (size_t) ds_term_size(kind);
  int32_t *const member = t->member.data;
  ds_status s = ds_reserve(l->memory, &l->spare, size * n + 1, sizeof(int32_t), "sorted bonds", err);
  if (!s) s = ds_reserve(l->memory, &l->key[0], (size_t) l->natoms + 1, sizeof(uint32_t), "sorted bonds", err);
  if (s || n == 0) return s;
  int32_t *const sorted = l->spare.data;
  uint32_t *const next = l->key[0].data;
  memset(next, 0, ((size_t) l->natoms + 1) * sizeof *next);
  for (size_t k = 0; k < n; k++) {
    for (size_t m = 0; m + 1 < size; m++) member[size * k + m] = place[member[size * k + m]];
    next[member[size * k]]++;
  }
  begin_each(next, l->natoms);
  for (size_t k = 0; k < n; k++) memcpy(sorted + size * next[member[size * k]]++, member + size * k, size * sizeof *member);
  memcpy(member, sorted, size * n * sizeof *member);
  return DS_OK;
}

static ds_status renumber(ds_queue *q, ds_bonded_lists *l, const int32_t *order, ds_error *err)
{
  (void) q;
  ds_status s = ds_reserve(l->memory, &l->place, (size_t) l->natoms + 1, sizeof(int32_t), "places of atoms", err);
  if (s) return s;
  int32_t *const place = l->place.data;
  for (int i = 0; i < l->natoms; i++) place[order[i]] = i;
  for (int kind = 0; kind < DS_BONDED_KINDS && !s; kind++) s = renumber_kind(l, kind, place, err);
  return s;
}

/* Calls for each member of each term, in the order of the list; all owners but those of bonds are no members of their own. */
typedef void member_function(ds_bonded_lists *l, uint32_t *at, uint32_t entry);

static void for_members(ds_bonded_lists *l, uint32_t *of_atom, member_function *visit)
{
  for (int kind = 0; kind < DS_BONDED_KINDS; kind++) {
    const int size = ds_term_size(kind), first = ds_first_member(kind), n = l->kind[kind].given.n;
    const int row = ds_bonded_rows_before(l, kind);
    const int32_t *member = l->kind[kind].member.data;
    for (int k = 0; k < n; k++, member += size)
      for (int m = 0; m < ds_members_of(kind); m++) visit(l, of_atom + member[first + m], ds_entry_of(kind, row, k, m));
  }
}

static void count_member(ds_bonded_lists *l, uint32_t *count, uint32_t entry)
{
  (void) l, (void) entry;
  ++*count;
}

static void put_member(ds_bonded_lists *l, uint32_t *next, uint32_t entry)
{
  DS_DATA(uint32_t, l->entry)[(*next)++] = entry;
}

static ds_status list_entries(ds_queue *q, ds_bonded_lists *l, ds_error *err)
{
  uint32_t *const first = l->first.data;
  (void) q, (void) err;
  memset(first, 0, ((size_t) l->natoms + 1) * sizeof *first);
  for_members(l, first, count_member);
  begin_each(first, l->natoms);
  for_members(l, first, put_member); /* after which each atom's place is where the next one's entries begin */
  memmove(first + 1, first, (size_t) l->natoms * sizeof *first);
  first[0] = 0;
  return DS_OK;
}

/* ------------------------------------------------------------------------------------------- steps */

static ds_status choose_images(ds_queue *q, const ds_bonded_view *b, int64_t step, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  (void) err;
  if (ds_stage_stopped(&launch)) return DS_OK;
#pragma omp parallel for num_threads(b->threads)
  for (int term = 0; term < ds_count_terms(b); term++) ds_reneighbor_term(b, term);
#pragma omp parallel for num_threads(b->threads)
  for (int torsion = 0; torsion < ds_count_torsions(b); torsion++) ds_reneighbor_torsion(b, torsion);
  return DS_OK;
}

static void make_torsions(const ds_bonded_view *b, int kind, int n)
{
#pragma omp parallel for num_threads(b->threads)
  for (int k = 0; k < n; k++) ds_torsion_forces_of(b, kind, k);
}

static ds_status make_forces(ds_queue *q, const ds_bonded_view *b, int64_t step, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  int too_long = 0;
  (void) err;
  if (ds_stage_stopped(&launch)) return DS_OK;
#pragma omp parallel for num_threads(b->threads) reduction(| : too_long)
  for (int term = 0; term < ds_count_terms(b); term++) too_long |= ds_term_forces(b, term);
  if (too_long) {
    launch.control->bonded = 1;
    ds_stage_stop(&launch);
    return DS_OK;
  }
  make_torsions(b, DS_DIHEDRALS, b->dihedral.n);
  make_torsions(b, DS_IMPROPERS, b->improper.n);
  return DS_OK;
}

static ds_status add_forces(ds_queue *q, const ds_bonded_view *b, int64_t step, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  (void) err;
  if (ds_stage_stopped(&launch)) return DS_OK;
#pragma omp parallel for num_threads(b->threads)
  for (int i = 0; i < b->natoms; i++) ds_add_bonded_forces(b, i);
  return DS_OK;
}

static void add_up_kind(const ds_bonded_view *b, int kind)
{
  const int n = ds_terms_of_kind(b, kind)->n;
  ds_exact_sum *const sums = b->sums + kind * DS_TERM_SUMS;
#pragma omp parallel num_threads(b->threads)
  {
    ds_exact_sum mine[DS_TERM_SUMS];
    memset(mine, 0, sizeof mine);
#pragma omp for
    for (int k = 0; k < n; k++) {
      double add[DS_TERM_SUMS];
      ds_term_sums(b, kind, k, add);
      for (int j = 0; j < DS_TERM_SUMS; j++) ds_exact_add_number(mine + j, add[j], b->unit);
    }
#pragma omp critical
    for (int j = 0; j < DS_TERM_SUMS; j++) ds_exact_add(sums + j, mine + j);
  }
}

static ds_status add_up(ds_queue *q, const ds_bonded_view *b, int64_t step, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  (void) err;
  if (ds_stage_stopped(&launch)) return DS_OK;
  for (int kind = 0; kind < DS_BONDED_KINDS; kind++) add_up_kind(b, kind);
  return DS_OK;
}

static ds_status tally(ds_queue *q, const ds_bonded_view *b, const ds_bonded_tallies *to, int64_t step, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  (void) err;
  if (ds_stage_stopped(&launch)) return DS_OK;
  for (int kind = 0; kind < DS_BONDED_KINDS; kind++) {
    if (!ds_wants_kind(to, kind)) continue;
#pragma omp parallel for num_threads(b->threads)
    for (int i = 0; i < ds_own_atoms(b); i++) ds_tally_atom(b, to, kind, i);
  }
  return DS_OK;
}

static ds_status sum_copies(ds_queue *q, const ds_bonded_view *b, int kind, ds_exact_sum *sums, int64_t step, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  (void) err;
  if (ds_stage_stopped(&launch)) return DS_OK;
#pragma omp parallel for num_threads(b->threads)
  for (int i = 0; i < b->natoms - b->own; i++) ds_sum_copy(b, kind, i, sums);
  return DS_OK;
}

const ds_bonded_stages ds_bonded_stages_host = {renumber,   list_entries, choose_images, make_forces,
                                                add_forces, add_up,       tally,         sum_copies};
