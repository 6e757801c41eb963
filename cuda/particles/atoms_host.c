/* What the host backend keeps of the caller's atoms.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "atoms_host.h"

#include <string.h>

ds_status ds_host_space_only(const ds_array *a, const char *what, ds_error *err)
{
  if (!a->data || a->space == DS_SPACE_HOST) return DS_OK;
  return ds_fail(err, DS_ERR_ARGUMENT, "%s lies in device memory; the host backend cannot read it",
                 what);
}

static ds_status copy_special(ds_atoms_host *h, const ds_atoms *atoms, int threads, ds_error *err)
{
  const size_t n = (size_t) atoms->nlocal;
  const int most = atoms->max_special;
  h->special.max_special = 0;
  if (!atoms->nspecial.data || n == 0 || most == 0) return DS_OK;
  ds_status s =
      ds_reserve(h->pool, &h->special_count, 3 * n, sizeof(int32_t), "special counts", err);
  if (!s)
    s = ds_reserve(h->pool, &h->special_tag, n * (size_t) most, sizeof(int64_t), "special partners",
                   err);
  if (s) return s;
  int32_t *const count = DS_DATA(int32_t, h->special_count);
  int64_t *const partner = DS_DATA(int64_t, h->special_tag);
  (void) threads;
#pragma omp parallel for num_threads(threads)
  for (int i = 0; i < atoms->nlocal; i++) {
    int32_t *const own = count + 3 * (size_t) i;
    for (int c = 0; c < 3; c++) own[c] = (int32_t) ds_array_int(&atoms->nspecial, i, c);
    for (int c = 0; c < own[2]; c++)
      partner[(size_t) most * (size_t) i + (size_t) c] = ds_array_int(&atoms->special, i, c);
  }
  h->special.max_special = most;
  h->special.counts = count;
  h->special.partners = partner;
  return DS_OK;
}

static ds_status copy_exclusions(ds_atoms_host *h, const ds_atoms *atoms, int threads,
                                 ds_error *err)
{
  const int n = atoms->nlocal + atoms->nghost;
  const size_t rules = (size_t) atoms->nexclusions, room = (size_t) n + 1;
  h->excluded.n = h->excludes_types = 0;
  if (rules == 0) return DS_OK;
  ds_status s = ds_reserve(h->pool, &h->rule, rules, sizeof(ds_exclusion), "exclusions", err);
  if (!s) s = ds_reserve(h->pool, &h->mask, room, sizeof(int32_t), "group masks", err);
  if (!s) s = ds_reserve(h->pool, &h->molecule, room, sizeof(int64_t), "molecules", err);
  if (s) return s;
  memcpy(h->rule.data, atoms->exclusion, rules * sizeof(ds_exclusion));
  for (size_t k = 0; k < rules; k++)
    h->excludes_types |= atoms->exclusion[k].kind == DS_EXCLUDE_TYPES;
  (void) threads;
#pragma omp parallel for num_threads(threads)
  for (int i = 0; i < n; i++) {
    DS_DATA(int32_t, h->mask)[i] = (int32_t) ds_array_int(&atoms->mask, i, 0);
    DS_DATA(int64_t, h->molecule)
    [i] = atoms->molecule.data ? ds_array_int(&atoms->molecule, i, 0) : 0;
  }
  h->excluded.n = atoms->nexclusions;
  h->excluded.rule = DS_DATA(ds_exclusion, h->rule);
  h->excluded.mask = DS_DATA(int32_t, h->mask);
  h->excluded.molecule = DS_DATA(int64_t, h->molecule);
  return DS_OK;
}

ds_status ds_atoms_host_set(ds_atoms_host *h, const ds_atoms *atoms, int threads, ds_error *err)
{
  ds_status s = ds_host_space_only(&atoms->tag, "atom IDs", err);
  if (!s) s = ds_host_space_only(&atoms->type, "atom types", err);
  if (!s) s = ds_host_space_only(&atoms->nspecial, "special counts", err);
  if (!s && atoms->nspecial.data) s = ds_host_space_only(&atoms->special, "special partners", err);
  if (!s && atoms->nexclusions) s = ds_host_space_only(&atoms->mask, "group masks", err);
  if (!s && atoms->nexclusions) s = ds_host_space_only(&atoms->molecule, "molecules", err);
  if (s) return s;
  const size_t bytes = ds_source_message_bytes(&h->source) * (size_t) atoms->nghost;
  h->source.nlocal = atoms->nlocal;
  h->source.tag = atoms->tag;
  h->source.type = atoms->type;
  h->source.owner = NULL;
  s = ds_reserve(h->pool, &h->message, bytes + 1, 1, "ghosts", err);
  if (!s && bytes)
    memset(h->message.data, 0, bytes); /* ghosts that never arrive have a place all the same */
  h->source.message = h->message.data;
  if (!s) s = copy_special(h, atoms, threads, err);
  return s ? s : copy_exclusions(h, atoms, threads, err);
}

ds_status ds_atoms_host_owners(ds_atoms_host *h, int nghost, const int *owner, const int *image,
                               ds_error *err)
{
  const size_t n = (size_t) nghost;
  ds_status s = ds_reserve(h->pool, &h->owner, n + 1, sizeof(int32_t), "ghost owners", err);
  if (!s) s = ds_reserve(h->pool, &h->image, 3 * n + 3, sizeof(int32_t), "ghost images", err);
  if (s) return s;
  if (n) { /* memcpy takes no null pointers, not even for nothing */
    memcpy(h->owner.data, owner, n * sizeof *owner);
    memcpy(h->image.data, image, 3 * n * sizeof *image);
  }
  h->source.owner = DS_DATA(int32_t, h->owner);
  h->source.image = DS_DATA(int32_t, h->image);
  return DS_OK;
}

void ds_atoms_host_unpack(ds_atoms_host *h, int first, int n, const void *buffer)
{
  const size_t bytes = ds_source_message_bytes(&h->source);
  if (n)
    memcpy(DS_DATA(char, h->message) + bytes * (size_t) (first - h->source.nlocal), buffer,
           bytes * (size_t) n);
}
