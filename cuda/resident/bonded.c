/* Bonds and angles of resident atoms: the caller's terms, copied, and sums over them.
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
  l->kind[0].given.n = l->kind[1].given.n = 0;
}

int ds_bonded_terms(const ds_bonded_lists *l)
{
  return l->kind[0].given.n + l->kind[1].given.n;
}

/* ------------------------------------------------------------------------------------------- checks */

static ds_status check_terms(const ds_terms *t, int is_angle, int n, ds_error *err)
{
  const char *const what = is_angle ? "angle" : "bond";
  const int size = is_angle ? DS_ANGLE_SIZE : DS_BOND_SIZE;
  if (t->style == DS_BOND_STYLE_NONE) return DS_OK;
  if (is_angle ? t->style != DS_ANGLE_STYLE_HARMONIC && t->style != DS_ANGLE_STYLE_COSINE &&
                     t->style != DS_ANGLE_STYLE_HARMONIC_EXACT
               : t->style != DS_BOND_STYLE_HARMONIC && t->style != DS_BOND_STYLE_FENE)
    return ds_fail(err, DS_ERR_ARGUMENT, "%d is no style of %ss", t->style, what);
  if (t->n < 0 || t->n > INT_MAX / 16)
    return ds_fail(err, DS_ERR_ARGUMENT, "%d %ss; allowed: 0 to %d", t->n, what, INT_MAX / 16);
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
  return DS_OK;
}

/* -------------------------------------------------------------------------------------------- lists */

static ds_status copy_terms(ds_bonded_lists *l, ds_queue *q, int is_angle, const ds_terms *terms, ds_error *err)
{
  static const ds_terms none;
  ds_term_list *const t = &l->kind[is_angle];
  t->given = terms->style == DS_BOND_STYLE_NONE ? none : *terms;
  const size_t n = (size_t) t->given.n, words = n * (size_t) ds_term_size(is_angle);
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

static ds_status reserve_sums(ds_bonded_lists *l, ds_queue *q, ds_error *err)
{
  const ds_status s = ds_reserve(l->memory, &l->sums, 2 * DS_TERM_SUMS, sizeof(ds_exact_sum), "sums of bonds", err);
  return s ? s
           : ds_buffer_reserve(q->pinned.memory, &l->sums_host, 2 * DS_TERM_SUMS, sizeof(ds_exact_sum), "sums of bonds", err);
}

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
  const size_t numbers = 3 * (size_t) l->kind[0].given.n + 6 * (size_t) l->kind[1].given.n;
  const ds_status s = ds_reserve(l->memory, &l->force, numbers + 1, sizeof(double), "forces of bonds", err);
  return s ? s : ds_queue_clear(q, l->force.data, numbers * sizeof(double), "forces of bonds", err);
}

static ds_status list_entries(ds_bonded_lists *l, ds_queue *q, const ds_bonded_stages *stages, ds_error *err)
{
  ds_status s = ds_reserve(l->memory, &l->first, (size_t) l->natoms + 1, sizeof(uint32_t), "bonds of atoms", err);
  if (!s) s = ds_reserve(l->memory, &l->entry, ds_bonded_entries(l) + 1, sizeof(uint32_t), "bonds of atoms", err);
  return s ? s : stages->list_entries(q, l, err);
}

ds_status ds_bonded_set(ds_bonded_lists *l, ds_queue *q, const ds_bonded_stages *stages, const ds_bonded *b, int n,
                        ds_error *err)
{
  if (b->with_copies && (b->ncopies < 0 || b->ncopies > INT_MAX - n))
    return ds_fail(err, DS_ERR_ARGUMENT, "%d copies of %d atoms", b->ncopies, n);
  const int natoms = b->with_copies ? n + b->ncopies : n;
  ds_status s = check_terms(&b->bonds, 0, natoms, err);
  if (!s) s = check_terms(&b->angles, 1, natoms, err);
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
  s = copy_terms(l, q, 0, &b->bonds, err);
  if (!s) s = copy_terms(l, q, 1, &b->angles, err);
  if (!s) s = reserve_copies(l, q, err);
  if (!s) s = reserve_forces(l, q, err);
  if (!s) s = reserve_sums(l, q, err);
  if (!s) s = list_entries(l, q, stages, err);
  return s ? s : ds_queue_wait(q, "bonds", err);
}

ds_status ds_bonded_sort(ds_bonded_lists *l, ds_queue *q, const ds_bonded_stages *stages, const int32_t *order, ds_error *err)
{
  const ds_status s = stages->renumber(q, l, order, err);
  return s ? s : list_entries(l, q, stages, err);
}

ds_bonded_view ds_bonded_view_of(const ds_bonded_lists *l, const ds_wrap *wrap, int threads)
{
  const ds_term_list *const bonds = &l->kind[0], *const angles = &l->kind[1];
  ds_bonded_view b;
  memset(&b, 0, sizeof b);
  b.threads = threads;
  b.shared = l->shared;
  b.box = *wrap;
  ds_reach_in_box(wrap, l->reach, b.reach);
  b.own = l->with_copies ? l->own : INT32_MAX;
  b.copy_x = l->copy_x.data;
  b.copy_f = l->copy_f.data;
  b.bond_style = bonds->given.style;
  b.nbonds = bonds->given.n;
  b.bond_type = bonds->type.data;
  b.bond = bonds->member.data;
  b.bond_images = bonds->images.data;
  b.angle_style = angles->given.style;
  b.nangles = angles->given.n;
  b.angle_type = angles->type.data;
  b.angle = angles->member.data;
  b.angle_images = angles->images.data;
  b.natoms = l->shared ? l->natoms : l->own; /* else nothing acts on copies */
  b.first = l->first.data;
  b.entry = l->entry.data;
  b.force = l->force.data;
  b.sums = l->sums.data;
  b.unit = l->unit;
  return b;
}

/* --------------------------------------------------------------------------------------------- sums */

ds_status ds_bonded_add_up(ds_bonded_lists *l, ds_queue *q, const ds_bonded_stages *stages, const ds_bonded_view *b,
                           int64_t step, ds_error *err)
{
  const size_t bytes = 2 * DS_TERM_SUMS * sizeof(ds_exact_sum);
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
  sums->bonds = sum_of(all, l->unit);
  sums->angles = sum_of(all + DS_TERM_SUMS, l->unit);
}
