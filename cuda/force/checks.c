/* What is checked of a caller's arguments.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "pair_state.h"

/* ---------------------------------------------------------------------------------------- arrays */

static const char *type_name(ds_type type)
{
  static const char *const names[] = {"F64", "F32", "I32", "I64"};
  return (int) type >= DS_F64 && type <= DS_I64 ? names[type] : "no known type";
}

ds_status ds_check_array(const ds_queue *q, const ds_array *a, int n, ds_type type, ds_type or_type, const char *what,
                         ds_error *err)
{
  if (!a || (n > 0 && !a->data)) return ds_fail(err, DS_ERR_ARGUMENT, "no array of %s (NULL)", what);
  if (n <= 0) return DS_OK;
  if (a->type != type && a->type != or_type)
    return ds_fail(err, DS_ERR_ARGUMENT, "an array of %s has elements of %s, which is not allowed; allowed: %s%s%s", what,
                   type_name(a->type), type_name(type), type == or_type ? "" : " and ",
                   type == or_type ? "" : type_name(or_type));
  if (a->space != DS_SPACE_HOST && a->space != DS_SPACE_DEVICE)
    return ds_fail(err, DS_ERR_ARGUMENT, "an array of %s lies in memory %d; allowed: %d and %d", what, (int) a->space,
                   DS_SPACE_HOST, DS_SPACE_DEVICE);
  if (a->space == DS_SPACE_DEVICE && ds_queue_is_host(q))
    return ds_fail(err, DS_ERR_ARGUMENT, "an array of %s lies in device memory, which the host backend cannot read", what);
  return DS_OK;
}

/* ----------------------------------------------------------------------------------------- atoms */

static ds_status check_exclusions(const ds_queue *q, const ds_atoms *a, int ntypes, ds_error *err)
{
  const int nall = a->nlocal + a->nghost;
  int molecules = 0;
  if (a->nexclusions < 0) return ds_fail(err, DS_ERR_ARGUMENT, "%d exclusions", a->nexclusions);
  if (a->nexclusions == 0) return DS_OK;
  if (ds_check_pointer(a->exclusion, "array of exclusions", err)) return DS_ERR_ARGUMENT;
  for (int k = 0; k < a->nexclusions; k++) {
    const ds_exclusion *const e = &a->exclusion[k];
    if (e->kind < DS_EXCLUDE_GROUPS || e->kind > DS_EXCLUDE_OUTSIDE_GROUP)
      return ds_fail(err, DS_ERR_ARGUMENT, "exclusion %d is of kind %d; allowed: 0 to %d", k, e->kind,
                     DS_EXCLUDE_OUTSIDE_GROUP);
    if (e->kind == DS_EXCLUDE_TYPES && (e->a < 1 || e->a > ntypes || e->b < 1 || e->b > ntypes))
      return ds_fail(err, DS_ERR_ARGUMENT, "exclusion %d is of types %d and %d; allowed: 1 to %d", k, e->a, e->b, ntypes);
    molecules |= ds_excludes_by_molecule(e);
  }
  if (ds_check_array(q, &a->mask, nall, DS_I32, DS_I32, "group masks, which exclusions ask for", err)) return DS_ERR_ARGUMENT;
  if (!molecules && !a->molecule.data) return DS_OK;
  return ds_check_array(q, &a->molecule, nall, DS_I32, DS_I64, "molecules, which exclusions ask for", err);
}

/* Own atom with counts that are no counts up to 1-2, 1-3 and 1-4 partners, or n; and the largest count. */
static int first_bad_counts(const ds_array *counts, int n, int threads, int *largest)
{
  int bad = n, most = 0;
  (void) threads;
#pragma omp parallel for num_threads(threads) reduction(min : bad) reduction(max : most)
  for (int i = 0; i < n; i++) {
    int64_t before = 0;
    for (int c = 0; c < 3; c++) {
      const int64_t count = ds_array_int(counts, i, c);
      if (count < before && i < bad) bad = i;
      before = count;
    }
    if (before > most) most = (int) before;
  }
  *largest = most;
  return bad;
}

static ds_status check_special(const ds_queue *q, ds_atoms *a, int threads, ds_error *err)
{
  int most;
  if (!a->nspecial.data || a->nlocal == 0) return DS_OK;
  if (ds_check_array(q, &a->nspecial, a->nlocal, DS_I32, DS_I32, "special counts", err)) return DS_ERR_ARGUMENT;
  if (a->nspecial.space == DS_SPACE_DEVICE && a->max_special < 1)
    return ds_fail(err, DS_ERR_ARGUMENT, "max_special %d of special partners in device memory must be > 0", a->max_special);
  if (a->nspecial.space == DS_SPACE_DEVICE)
    return ds_check_array(q, &a->special, a->nlocal, DS_I32, DS_I64, "special partners", err);
  const int bad = first_bad_counts(&a->nspecial, a->nlocal, threads, &most);
  if (bad < a->nlocal)
    return ds_fail(err, DS_ERR_ARGUMENT,
                   "own atom %d has %lld, %lld and %lld special partners up to 1-2, 1-3 and 1-4; "
                   "none may be below the one before it, or 0",
                   bad, (long long) ds_array_int(&a->nspecial, bad, 0), (long long) ds_array_int(&a->nspecial, bad, 1),
                   (long long) ds_array_int(&a->nspecial, bad, 2));
  a->max_special = most;
  return most == 0 ? DS_OK : ds_check_array(q, &a->special, a->nlocal, DS_I32, DS_I64, "special partners", err);
}

ds_status ds_check_atoms(const ds_queue *q, ds_atoms *a, int ntypes, int threads, ds_error *err)
{
  if (check_exclusions(q, a, ntypes, err) ||
      ds_check_array(q, &a->tag, a->nlocal + a->nghost, DS_I32, DS_I64, "atom IDs", err) ||
      ds_check_array(q, &a->type, a->nlocal, DS_I32, DS_I32, "types", err))
    return DS_ERR_ARGUMENT;
  return check_special(q, a, threads, err);
}
