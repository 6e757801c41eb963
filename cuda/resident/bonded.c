/* Bonds, angles, dihedrals and impropers of resident atoms: the caller's terms, copied, and sums over them.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "bonded.h"

#include <limits.h>
#include <math.h>
#include <string.h>

void ds_bonded_open(ds_bonded_lists *l, ds_pool *memory)
{
  memset(l, 0, sizeof *l);
  l->memory = memory;
}

void ds_bonded_close(ds_bonded_lists *l, ds_queue *q)
{
  ds_buffer_free(q->pinned.memory, &l->sums_host);
}

void ds_bonded_clear(ds_bonded_lists *l)
{
  for (int kind = 0; kind < DS_BONDED_KINDS; kind++) l->kind[kind].given.n = 0;
}

static const ds_terms *terms_of(const ds_bonded *b, int kind)
{
  return kind == DS_BONDS ? &b->bonds : kind == DS_ANGLES ? &b->angles : kind == DS_DIHEDRALS ? &b->dihedrals : &b->impropers;
}

/* ------------------------------------------------------------------------------------------- checks */

static int is_style(int kind, int style)
{
  static const int first[DS_BONDED_KINDS + 1] = {DS_BOND_STYLE_HARMONIC, DS_ANGLE_STYLE_HARMONIC, DS_DIHEDRAL_STYLE_FOURIER,
                                                 DS_IMPROPER_STYLE_HARMONIC, DS_BONDED_STYLES};
  return style >= first[kind] && style < first[kind + 1];
}

static const char *const kind_names[DS_BONDED_KINDS] = {"bond", "angle", "dihedral", "improper"};

/* Before any array is read. */
static ds_status check_counts(const ds_bonded *b, ds_error *err)
{
  int64_t rows = 0;
  for (int kind = 0; kind < DS_BONDED_KINDS; kind++) {
    const ds_terms *const t = terms_of(b, kind);
    const char *const what = kind_names[kind];
    if (t->style == DS_BOND_STYLE_NONE) continue;
    if (!is_style(kind, t->style)) return ds_fail(err, DS_ERR_ARGUMENT, "%d is no style of %ss", t->style, what);
    if (t->n < 0 || t->n > INT_MAX / 16)
      return ds_fail(err, DS_ERR_ARGUMENT, "%d %ss; allowed: 0 to %d", t->n, what, INT_MAX / 16);
    rows += (int64_t) ds_rows_of(kind) * t->n;
  }
  if (rows <= DS_MOST_ROWS) return DS_OK;
  return ds_fail(err, DS_ERR_ARGUMENT,
                 "bonds, 2 times angles, 4 times dihedrals and impropers are %lld together; allowed: up to %d",
                 (long long) rows, DS_MOST_ROWS);
}

static ds_status check_terms(const ds_terms *t, int kind, int n, ds_error *err)
{
  const char *const what = kind_names[kind];
  const int size = ds_term_size(kind);
  if (t->style == DS_BOND_STYLE_NONE) return DS_OK;
  if (t->ntypes < 0) return ds_fail(err, DS_ERR_ARGUMENT, "%d types of %ss", t->ntypes, what);
  if (t->n && (!t->member || !t->type)) return ds_fail(err, DS_ERR_ARGUMENT, "no array of %ss or of their types (NULL)", what);
  for (int k = 0; k < t->n; k++) {
    const int32_t *const member = t->member + (size_t) size * (size_t) k;
    for (int m = 0; m < size - 1; m++)
      if (member[m] < 0 || member[m] >= n)
        return ds_fail(err, DS_ERR_ARGUMENT, "%s %d has an atom %d; allowed: 0 to %d", what, k, member[m], n - 1);
    if (member[size - 1] < 1 || member[size - 1] > t->ntypes)
      return ds_fail(err, DS_ERR_ARGUMENT, "%s %d has type %d; allowed: 1 to %d", what, k, member[size - 1], t->ntypes);
  }
  for (int k = 1; k <= t->ntypes && t->style == DS_DIHEDRAL_STYLE_FOURIER && t->n; k++)
    if (!(t->type[k].multiplicity >= 0.0 && t->type[k].multiplicity <= INT_MAX))
      return ds_fail(err, DS_ERR_ARGUMENT, "multiplicity %g of dihedrals of type %d; allowed: 0 to %d", t->type[k].multiplicity,
                     k, INT_MAX);
  return DS_OK;
}

/* -------------------------------------------------------------------------------------------- lists */

static ds_status copy_terms(ds_bonded_lists *l, ds_queue *q, int kind, const ds_terms *terms, ds_error *err)
{
  static const ds_terms none;
  ds_term_list *const t = &l->kind[kind];
  t->given = terms->style == DS_BOND_STYLE_NONE ? none : *terms;
  const size_t n = (size_t) t->given.n, words = n * (size_t) ds_term_size(kind);
  const size_t types = n ? (size_t) t->given.ntypes + 1 : 0;
  ds_status s = ds_reserve(l->memory, &t->member, words + 1, sizeof(int32_t), "bonds", err);
  if (!s) s = ds_reserve(l->memory, &t->type, types + 1, sizeof(ds_bonded_type), "types of bonds", err);
  if (!s) s = ds_reserve(l->memory, &t->images, n + 1, sizeof(int32_t), "images of bonds", err);
  if (!s) s = ds_queue_copy(q, t->member.data, t->given.member, words * sizeof(int32_t), "copying bonds", err);
  if (!s) s = ds_queue_copy(q, t->type.data, t->given.type, types * sizeof(ds_bonded_type), "copying types of bonds", err);
  t->given.member = NULL;
  t->given.type = NULL;
  return s;
}

enum { SUMS = DS_BONDED_KINDS * DS_TERM_SUMS };

/* Room for positions of copies, and for forces, which stay 0 where there are no terms. */
static ds_status reserve_copies(ds_bonded_lists *l, ds_queue *q, ds_error *err)
{
  const size_t numbers = 3 * (size_t) l->ncopies;
  if (!l->with_copies) return DS_OK;
  ds_status s = ds_reserve(l->memory, &l->copy_x, numbers + 1, sizeof(double), "copies of atoms", err);
  if (!s) s = ds_reserve(l->memory, &l->copy_f, numbers + 1, sizeof(double), "forces of copies", err);
  return s ? s : ds_queue_clear(q, l->copy_f.data, numbers * sizeof(double), "forces of copies", err);
}

/* Those of terms that are off stay 0: they are read, and not taken. */
static ds_status reserve_forces(ds_bonded_lists *l, ds_queue *q, ds_error *err)
{
  const size_t numbers = 3 * (size_t) ds_bonded_rows_before(l, DS_BONDED_KINDS);
  const ds_status s = ds_reserve(l->memory, &l->force, numbers + 1, sizeof(double), "forces of bonds", err);
  return s ? s : ds_queue_clear(q, l->force.data, numbers * sizeof(double), "forces of bonds", err);
}

static ds_status list_entries(ds_bonded_lists *l, ds_queue *q, const ds_bonded_stages *stages, ds_error *err)
{
  ds_status s = ds_reserve(l->memory, &l->first, (size_t) l->natoms + 1, sizeof(uint32_t), "bonds of atoms", err);
  if (!s) s = ds_reserve(l->memory, &l->entry, ds_bonded_entries(l) + 1, sizeof(uint32_t), "bonds of atoms", err);
  if (!s) s = ds_reserve(l->memory, &l->image, ds_bonded_entries(l) + 1, sizeof(uint8_t), "bonds of atoms", err);
  for (int kind = 0; kind < DS_BONDED_KINDS && !s; kind++) /* terms have other numbers now */
    s = ds_queue_clear(q, l->kind[kind].images.data, (size_t) l->kind[kind].given.n * sizeof(int32_t), "images of bonds", err);
  return s ? s : stages->list_entries(q, l, err);
}

ds_status ds_bonded_set(ds_bonded_lists *l, ds_queue *q, const ds_bonded_stages *stages, const ds_bonded *b, int n,
                        ds_error *err)
{
  if (b->with_copies && (b->ncopies < 0 || b->ncopies > INT_MAX - n))
    return ds_fail(err, DS_ERR_ARGUMENT, "%d copies of %d atoms", b->ncopies, n);
  const int natoms = b->with_copies ? n + b->ncopies : n;
  ds_status s = check_counts(b, err);
  for (int kind = 0; kind < DS_BONDED_KINDS && !s; kind++) s = check_terms(terms_of(b, kind), kind, natoms, err);
  if (!s && !(b->unit > 0.0 && isfinite(b->unit)))
    s = ds_fail(err, DS_ERR_ARGUMENT, "unit %g of sums over bonds must be > 0", b->unit);
  if (!s) s = ds_queue_wait(q, "bonds", err); /* nothing may be under way in what grows */
  if (s) return s;
  l->own = n;
  l->natoms = natoms;
  l->with_copies = b->with_copies;
  l->ncopies = natoms - n;
  l->shared = b->shared;
  l->unit = b->unit;
  memcpy(l->reach, b->reach, sizeof l->reach);
  for (int kind = 0; kind < DS_BONDED_KINDS && !s; kind++) s = copy_terms(l, q, kind, terms_of(b, kind), err);
  if (!s) s = reserve_copies(l, q, err);
  if (!s) s = reserve_forces(l, q, err);
  if (!s) s = ds_reserve(l->memory, &l->sums, SUMS, sizeof(ds_exact_sum), "sums of bonds", err);
  if (!s) s = ds_buffer_reserve(q->pinned.memory, &l->sums_host, SUMS, sizeof(ds_exact_sum), "sums of bonds", err);
  if (!s) s = list_entries(l, q, stages, err);
  return s ? s : ds_queue_wait(q, "bonds", err);
}

ds_status ds_bonded_sort(ds_bonded_lists *l, ds_queue *q, const ds_bonded_stages *stages, const int32_t *order, ds_error *err)
{
  const ds_status s = stages->renumber(q, l, order, err);
  return s ? s : list_entries(l, q, stages, err);
}

static ds_terms_view view_of(const ds_term_list *t)
{
  const ds_terms_view v = {t->given.style, t->given.n, t->type.data, t->member.data, t->images.data};
  return v;
}

ds_bonded_view ds_bonded_view_of(const ds_bonded_lists *l, const ds_wrap *wrap, int threads)
{
  ds_bonded_view b;
  memset(&b, 0, sizeof b);
  b.threads = threads;
  b.shared = l->shared;
  b.box = *wrap;
  ds_reach_in_box(wrap, l->reach, b.reach);
  b.near2 = ds_nearest_within(wrap) * ds_nearest_within(wrap);
  b.own = l->with_copies ? l->own : INT32_MAX;
  b.copy_x = l->copy_x.data;
  b.copy_f = l->copy_f.data;
  b.bond = view_of(&l->kind[DS_BONDS]);
  b.angle = view_of(&l->kind[DS_ANGLES]);
  b.dihedral = view_of(&l->kind[DS_DIHEDRALS]);
  b.improper = view_of(&l->kind[DS_IMPROPERS]);
  b.natoms = l->shared ? l->natoms : l->own; /* else nothing acts on copies */
  b.first = l->first.data;
  b.entry = l->entry.data;
  b.image = l->image.data;
  b.force = l->force.data;
  b.sums = l->sums.data;
  b.unit = l->unit;
  return b;
}

/* --------------------------------------------------------------------------------------------- sums */

ds_status ds_bonded_add_up(ds_bonded_lists *l, ds_queue *q, const ds_bonded_stages *stages, const ds_bonded_view *b,
                           int64_t step, ds_error *err)
{
  const size_t bytes = SUMS * sizeof(ds_exact_sum);
  ds_status s = ds_queue_clear(q, l->sums.data, bytes, "clearing sums of bonds", err);
  if (!s) s = stages->add_up(q, b, step, err);
  return s ? s : ds_queue_copy(q, l->sums_host.data, l->sums.data, bytes, "copying sums of bonds", err);
}

static ds_bonded_sum sum_of(const ds_exact_sum *sums, double unit)
{
  ds_bonded_sum sum;
  sum.energy = ds_exact_value(sums, unit);
  for (int k = 0; k < 6; k++) sum.virial[k] = ds_exact_value(sums + 1 + k, unit);
  return sum;
}

void ds_bonded_take_sums(const ds_bonded_lists *l, ds_bonded_sums *sums)
{
  const ds_exact_sum *const all = l->sums_host.data;
  sums->bonds = sum_of(all + DS_BONDS * DS_TERM_SUMS, l->unit);
  sums->angles = sum_of(all + DS_ANGLES * DS_TERM_SUMS, l->unit);
  sums->dihedrals = sum_of(all + DS_DIHEDRALS * DS_TERM_SUMS, l->unit);
  sums->impropers = sum_of(all + DS_IMPROPERS * DS_TERM_SUMS, l->unit);
}
