/* Host backend: C with OpenMP.   SPDX-License-Identifier: GPL-2.0-or-later

   Data's way: the caller's arrays -> packed atoms in the caller's order (load.h) -> ghosts -> packed
   atoms by slot, the sorted order -> sweep -> integer sums by row -> the caller's force array. */
#include "host_state.h"

#include <stdlib.h>
#include <string.h>

static ds_status host_open(ds_dpd *dpd, ds_error *err)
{
  ds_host_state *h = calloc(1, sizeof *h);
  if (!h) return ds_fail(err, DS_ERR_MEMORY, "no host memory for the host backend");
  const ds_status s = ds_isa_choose(dpd->options.isa, &h->isa, err);
  if (s) {
    free(h);
    return s;
  }
  h->wide = dpd->options.precision == DS_PRECISION_DOUBLE;
  dpd->state = h;
  return DS_OK;
}

static ds_buffer *buffer_of(ds_host_state *h, int k)
{
  ds_buffer *const all[] = {
      &h->position,      &h->velocity,      &h->position64, &h->velocity64,    &h->tag,
      &h->type,          &h->owner,         &h->image,      &h->special_count, &h->special_tag,
      &h->slot_position, &h->slot_velocity, &h->force,      &h->energy,        &h->virial};
  return k < (int) (sizeof all / sizeof *all) ? all[k] : NULL;
}

static void host_close(ds_dpd *dpd)
{
  ds_host_state *h = dpd->state;
  for (int k = 0; buffer_of(h, k); k++) ds_buffer_free(buffer_of(h, k));
  ds_list_host_free(&h->list);
  free(h);
}

ds_status ds_host_space_only(const ds_array *a, const char *what, ds_error *err)
{
  if (!a->data || a->space == DS_SPACE_HOST) return DS_OK;
  return ds_fail(err, DS_ERR_ARGUMENT, "%s lies in device memory; the host backend cannot read it",
                 what);
}

static ds_status reserve_atoms(ds_host_state *h, size_t n, ds_error *err)
{
  const size_t word = h->wide ? 8 : 4;
  ds_status s = ds_buffer_reserve(&h->position, 4 * n, 4, "positions", err);
  if (!s) s = ds_buffer_reserve(&h->velocity, 4 * n, 4, "velocities", err);
  if (!s && h->wide) s = ds_buffer_reserve(&h->position64, 4 * n, 8, "positions", err);
  if (!s && h->wide) s = ds_buffer_reserve(&h->velocity64, 4 * n, 8, "velocities", err);
  if (!s) s = ds_buffer_reserve(&h->slot_position, 4 * n, word, "sorted positions", err);
  if (!s) s = ds_buffer_reserve(&h->slot_velocity, 4 * n, word, "sorted velocities", err);
  if (!s) s = ds_buffer_reserve(&h->tag, n, sizeof(int64_t), "atom IDs", err);
  if (!s) s = ds_buffer_reserve(&h->type, n, sizeof(int32_t), "atom types", err);
  return s;
}

static ds_status reserve_rows(ds_host_state *h, size_t n, ds_error *err)
{
  ds_status s = ds_buffer_reserve(&h->force, 3 * n, sizeof(int64_t), "force sums", err);
  if (!s) s = ds_buffer_reserve(&h->energy, n, sizeof(int64_t), "energy sums", err);
  if (!s) s = ds_buffer_reserve(&h->virial, 6 * n, sizeof(int64_t), "virial sums", err);
  return s;
}

static ds_status copy_special(ds_dpd *dpd, ds_host_state *h, const ds_atoms *atoms, ds_error *err)
{
  const size_t n = (size_t) dpd->nlocal;
  int most = 0;
  h->special.max_special = 0;
  if (!atoms->nspecial.data) return DS_OK;
  ds_status s =
      ds_buffer_reserve(&h->special_count, 3 * n + 3, sizeof(int32_t), "special counts", err);
  if (s) return s;
  int32_t *count = ARRAY(int32_t, h->special_count);
  for (size_t i = 0; i < n; i++)
    for (int c = 0; c < 3; c++) {
      count[3 * i + (size_t) c] = (int32_t) ds_array_int(&atoms->nspecial, (ptrdiff_t) i, c);
      if (count[3 * i + (size_t) c] > most) most = count[3 * i + (size_t) c];
    }
  if (most == 0) return DS_OK;
  s = ds_buffer_reserve(&h->special_tag, n * (size_t) most, sizeof(int64_t), "special partners",
                        err);
  if (s) return s;
  int64_t *partner = ARRAY(int64_t, h->special_tag);
  for (size_t i = 0; i < n; i++, partner += most)
    for (int c = 0; c < count[3 * i + 2]; c++)
      partner[c] = ds_array_int(&atoms->special, (ptrdiff_t) i, c);
  h->special.max_special = most;
  h->special.counts = count;
  h->special.partners = ARRAY(int64_t, h->special_tag);
  return DS_OK;
}

static ds_status host_set_atoms(ds_dpd *dpd, const ds_atoms *atoms, ds_error *err)
{
  ds_host_state *h = dpd->state;
  const int n = dpd->nlocal + dpd->nghost;
  int bad = -1;
  ds_status s = ds_host_space_only(&atoms->tag, "atom IDs", err);
  if (!s) s = ds_host_space_only(&atoms->type, "atom types", err);
  if (!s) s = ds_host_space_only(&atoms->nspecial, "special counts", err);
  if (!s && atoms->nspecial.data) s = ds_host_space_only(&atoms->special, "special partners", err);
  if (!s) s = reserve_atoms(h, (size_t) n + 1, err);
  if (!s) s = reserve_rows(h, (size_t) dpd->nlocal + 1, err);
  if (!s) s = copy_special(dpd, h, atoms, err);
  if (s) return s;
  h->have_owners = 0;
#pragma omp parallel for num_threads(dpd->options.threads) reduction(max : bad)
  for (int i = 0; i < n; i++) {
    const int64_t type = ds_array_int(&atoms->type, i, 0) - 1;
    if (type < 0 || type >= dpd->params.ntypes) bad = i;
    ARRAY(int64_t, h->tag)[i] = ds_array_int(&atoms->tag, i, 0);
    ARRAY(int32_t, h->type)[i] = (int32_t) type;
    ARRAY(int32_t, h->position)[4 * (size_t) i + 3] = (int32_t) type;
    if (h->wide) ARRAY(int64_t, h->position64)[4 * (size_t) i + 3] = type;
  }
  if (bad >= 0)
    return ds_fail(err, DS_ERR_ARGUMENT, "atom %lld has type %d; allowed: 1 to %d",
                   (long long) ARRAY(int64_t, h->tag)[bad], ARRAY(int32_t, h->type)[bad] + 1,
                   dpd->params.ntypes);
  return ds_succeed(err);
}

/* --------------------------------------------------------------------------------------- lists */

static ds_status host_build_list(ds_dpd *dpd, ds_error *err)
{
  ds_host_state *h = dpd->state;
  const ds_dpd_params *p = &dpd->params;
  ds_list_input in;
  in.frame = &dpd->frame;
  in.grid = &dpd->grid;
  in.range.ntypes = p->ntypes;
  in.range.core2 = p->core2;
  in.range.list2 = p->list2;
  in.special = h->special.max_special ? &h->special : NULL;
  in.nlocal = dpd->nlocal;
  in.nall = dpd->nlocal + dpd->nghost;
  in.positions = h->position.data;
  in.type = h->type.data;
  in.tag = h->tag.data;
  in.threads = dpd->options.threads;
  in.isa = h->isa;
  return ds_list_host_build(&h->list, &in, err);
}

static ds_status host_set_list(ds_dpd *dpd, const ds_dpd_list *list, ds_error *err)
{
  ds_host_state *h = dpd->state;
  return ds_list_host_set(&h->list, dpd->nlocal + dpd->nghost, list->rows, list->atom, list->count,
                          list->entries, dpd->options.threads, err);
}

static ds_status host_read_list(ds_dpd *dpd, int *atom, int *core, int *count, uint32_t *entries,
                                ds_error *err)
{
  const ds_host_state *h = dpd->state;
  const uint32_t *order = ARRAY(uint32_t, h->list.order);
  for (int r = 0; r < h->list.rows; r++) {
    const size_t base = (size_t) r * (size_t) h->list.capacity;
    const uint32_t *from = ARRAY(uint32_t, h->list.entries) + base;
    atom[r] = (int) order[ARRAY(uint32_t, h->list.row_slot)[r]];
    core[r] = ARRAY(int32_t, h->list.core)[r];
    count[r] = ARRAY(int32_t, h->list.count)[r];
    for (int k = 0; k < count[r]; k++)
      entries[base + (size_t) k] =
          order[from[k] & DS_INDEX_MASK] | (from[k] & ~(uint32_t) DS_INDEX_MASK);
  }
  return ds_succeed(err);
}

static void host_info(const ds_dpd *dpd, ds_dpd_info *info)
{
  const ds_host_state *h = dpd->state;
  info->variant = ds_isa_name(h->isa);
  info->rows = dpd->have_list ? h->list.rows : 0;
  info->row_capacity = h->list.capacity;
  for (int r = 0; r < info->rows; r++) {
    info->neighbors += ARRAY(int32_t, h->list.count)[r];
    info->core += ARRAY(int32_t, h->list.core)[r];
  }
  info->bytes_host = ds_list_host_bytes(&h->list);
  for (int k = 0; buffer_of((ds_host_state *) h, k); k++)
    info->bytes_host += buffer_of((ds_host_state *) h, k)->bytes;
}

const ds_dpd_backend ds_dpd_host_backend = {"host",          host_open,      host_close,
                                            host_set_atoms,  ds_host_load,   ds_host_get_velocities,
                                            ds_host_pack,    ds_host_unpack, ds_host_set_owners,
                                            host_build_list, host_set_list,  ds_host_compute,
                                            host_read_list,  host_info};
