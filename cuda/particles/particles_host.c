/* Stages of particles on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "particles.h"

#include "../core/sort_host.h"

static ds_status copy_special(ds_particles *p, const ds_array *counts, const ds_array *partners, ds_error *err)
{
  const size_t most = (size_t) p->special.max_special;
  int32_t *const count = DS_DATA(int32_t, p->special_counts.data);
  int64_t *const partner = DS_DATA(int64_t, p->special_partners.data);
  (void) err;
#pragma omp parallel for num_threads(p->threads)
  for (int i = 0; i < p->source.nlocal; i++) {
    int32_t *const own = count + 3 * (size_t) i;
    for (int c = 0; c < 3; c++) own[c] = (int32_t) ds_array_int(counts, i, c);
    for (int c = 0; c < own[2]; c++) partner[most * (size_t) i + (size_t) c] = ds_array_int(partners, i, c);
  }
  return DS_OK;
}

static ds_status copy_groups(ds_particles *p, const ds_array *mask, const ds_array *molecule, ds_error *err)
{
  int32_t *const out_mask = DS_DATA(int32_t, p->mask.data);
  int64_t *const out_molecule = DS_DATA(int64_t, p->molecule.data);
  (void) err;
#pragma omp parallel for num_threads(p->threads)
  for (int i = 0; i < p->source.nlocal + p->nghost; i++) {
    out_mask[i] = (int32_t) ds_array_int(mask, i, 0);
    out_molecule[i] = molecule->data ? ds_array_int(molecule, i, 0) : 0;
  }
  return DS_OK;
}

static ds_status pack(ds_particles *p, const ds_packing *what, ds_error *err)
{
  (void) err;
  ds_source_pack(&p->source, what->n, what->list, what->shift, p->threads, (char *) what->out);
  return DS_OK;
}

static int batch_end(int first, int n)
{
  return n - first < DS_ATOM_BATCH ? n : first + DS_ATOM_BATCH;
}

/* ---------------------------------------------------------------------------------- keys and gather */

/* The first atom with each fault. */
static void report_faults(ds_particles *p, const ds_launch_id *launch)
{
  ds_control *const r = launch->control;
  const int own = p->source.nlocal;
  for (int i = own + p->nghost - 1; i >= 0; i--) {
    ds_position_words position;
    const int bad = ds_source_read(&p->source, i, NULL, 1, &position, NULL);
    if (i < own && bad & DS_BAD_POSITION) r->position_fault = (uint32_t) (own - i);
    if (i < own && bad & DS_BAD_TYPE) r->type_fault = (uint32_t) (own - i);
    if (i >= own && !p->source.owner && bad & DS_BAD_ATOM && !r->ghost_fault) r->ghost_fault = (uint32_t) (i - own) + 1;
  }
  ds_stage_stop(launch);
}

static ds_status keys(ds_particles *p, const ds_keys *k, ds_error *err)
{
  const int n = p->source.nlocal + p->nghost;
  const ds_launch_id launch = ds_queue_launch_id(p->queue, p->step);
  ds_keyed *const keyed = k->key;
  int bad = 0;
  (void) err;
  if (ds_stage_stopped(&launch)) return DS_OK;
#pragma omp parallel for num_threads(p->threads) reduction(| : bad)
  for (int first = 0; first < n; first += DS_ATOM_BATCH) {
    const int end = batch_end(first, n);
    ds_position_words position;
    int32_t upper[4 * DS_ATOM_BATCH];
    bad |= ds_source_read(&p->source, first, NULL, end - first, &position, NULL);
    ds_source_upper(&p->source, &position, end - first, upper);
    for (int i = first; i < end; i++) {
      const int32_t *const u = upper + 4 * (i - first);
      const ds_position at = {u[0], u[1], u[2]};
      keyed[i].key = ds_grid_key(k->grid, at);
      keyed[i].index = (uint32_t) i;
    }
  }
  if (bad & DS_BAD_ATOM) report_faults(p, &launch);
  return DS_OK;
}

/* Once per list: it has been kept longer than it is good for. */
static void report_outlived_list(ds_control *r, uint32_t list)
{
  if (r->outlived_list == list) return;
  r->outlived_list = list;
  r->outlived_lists++;
}

static int type_of_slot(const ds_particles *p, const void *position, size_t slot)
{
  return p->source.storage64 ? (int) ((const int64_t *) position)[4 * slot + 3] : ((const int32_t *) position)[4 * slot + 3];
}

/* What is written where the order is new. */
static void fill_new_order(const ds_particles *p, const ds_sorted *to, const ds_gather *how, int first, int end)
{
  const void *const position = to->position.data;
  for (int s = first; s < end; s++) {
    DS_DATA(int64_t, to->tag)[s] = ds_array_int(&p->source.tag, how->atom_of_slot[s], 0);
    if (how->by_type) DS_DATA(int32_t, to->list_type)[s] = type_of_slot(p, position, (size_t) s);
  }
  if (p->source.storage64)
    ds_source_upper(&p->source, DS_DATA(char, to->position) + 32 * (size_t) first, end - first,
                    DS_DATA(int32_t, to->upper) + 4 * (size_t) first);
}

static int has_other_types(const ds_particles *p, const ds_sorted *to, int first, int end)
{
  int differ = 0;
  for (int s = first; s < end; s++)
    differ |= type_of_slot(p, to->position.data, (size_t) s) != DS_DATA(int32_t, to->list_type)[s];
  return differ;
}

static ds_status gather(ds_particles *p, const ds_sorted *to, const ds_gather *how, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(p->queue, p->step);
  const size_t bytes = p->source.storage64 ? 32 : 16;
  int bad = 0, other_types = 0;
  (void) err;
  if (ds_stage_stopped(&launch)) return DS_OK;
#pragma omp parallel for num_threads(p->threads) reduction(| : bad, other_types)
  for (int first = 0; first < how->slots; first += DS_ATOM_BATCH) {
    const int end = batch_end(first, how->slots);
    bad |= ds_source_read(&p->source, 0, how->atom_of_slot + first, end - first,
                          DS_DATA(char, to->position) + bytes * (size_t) first,
                          DS_DATA(char, to->velocity) + bytes * (size_t) first);
    if (how->new_order)
      fill_new_order(p, to, how, first, end);
    else if (how->by_type)
      other_types |= has_other_types(p, to, first, end);
  }
  if (bad & DS_FAR_POSITION) report_outlived_list(launch.control, how->list);
  if (bad & DS_BAD_ATOM) report_faults(p, &launch);
  if (other_types) {
    launch.control->other_types = 1;
    ds_stage_stop(&launch);
  }
  return DS_OK;
}

const ds_particle_stages ds_particle_stages_host = {copy_special, copy_groups, pack, keys, gather};
