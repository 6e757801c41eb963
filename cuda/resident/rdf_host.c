/* Histograms of distances on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../core/sort.h"
#include "rdf.h"

/* Those of the group come first, in the order of cells. */
static void find_cells(const ds_rdf *r, const ds_rdf_view *a, ds_keyed *keyed, int64_t *without_place)
{
  int64_t wrong = 0;
#pragma omp parallel for num_threads(r->threads) reduction(+ : wrong)
  for (int i = 0; i < a->n; i++) {
    int is_wrong;
    keyed[i].key = (uint64_t) ds_rdf_cell_of(a, &r->search.grid, i, &is_wrong);
    keyed[i].index = (uint32_t) i;
    wrong += is_wrong;
  }
  *without_place = wrong;
}

static void gather(ds_rdf *r, const ds_rdf_view *a, const ds_keyed *keyed)
{
  int32_t *const cell = DS_DATA(int32_t, r->key[0]), *const atom = DS_DATA(int32_t, r->value[0]);
#pragma omp parallel for num_threads(r->threads)
  for (int slot = 0; slot < a->n; slot++) {
    cell[slot] = (int32_t) keyed[slot].key;
    atom[slot] = (int32_t) keyed[slot].index;
    DS_DATA(ds_rdf_point, r->point)[slot] = ds_rdf_point_of(a, &r->search.grid, atom[slot]);
  }
}

ds_status ds_rdf_sort_host(ds_rdf *r, const ds_rdf_view *a, ds_error *err)
{
  ds_queue *const q = &r->queue;
  const int32_t cells = ds_rdf_cells(&r->search.grid);
  const size_t room = (size_t) a->n + 1;
  ds_status s = ds_queue_reserve(q, &r->key[1], room, sizeof(ds_keyed), "cells of particles", err);
  if (!s) s = ds_queue_reserve(q, &r->value[1], room, sizeof(ds_keyed), "cells of particles", err);
  if (s) return s;
  ds_keyed *const keyed = DS_DATA(ds_keyed, r->key[1]);
  int32_t *const start = DS_DATA(int32_t, r->start);
  find_cells(r, a, keyed, DS_DATA(int64_t, r->count) + ds_rdf_bins(&r->search));
  ds_sort_host(keyed, DS_DATA(ds_keyed, r->value[1]), a->n, r->threads);
  gather(r, a, keyed);
#pragma omp parallel for num_threads(r->threads)
  for (int32_t c = 0; c <= cells; c++) start[c] = ds_rdf_first_slot(DS_DATA(int32_t, r->key[0]), a->n, c);
  r->search.cell = DS_DATA(int32_t, r->key[0]);
  r->search.atom = DS_DATA(int32_t, r->value[0]);
  return DS_OK;
}

ds_status ds_rdf_count_host(ds_rdf *r, ds_error *err)
{
  enum { SLOTS = 64 }; /* that a thread takes at a time */
  const ds_rdf_search *const search = &r->search;
  const int32_t bins = ds_rdf_bins(search), slots = search->start[ds_rdf_cells(&search->grid)];
  int64_t *const count = DS_DATA(int64_t, r->count);
  ds_status s = ds_queue_reserve(&r->queue, &r->scratch, (size_t) r->threads * (size_t) bins, sizeof *count, "histograms", err);
  if (s) return s;
  unsigned long long *const own = DS_DATA(unsigned long long, r->scratch);
#pragma omp parallel for num_threads(r->threads) schedule(static, 1)
  for (int t = 0; t < r->threads; t++) {
    const ds_rdf_tally tally = {own + (size_t) t * (size_t) bins, NULL};
    memset(tally.count, 0, (size_t) bins * sizeof *count);
    for (int32_t from = t * SLOTS; from < slots; from += r->threads * SLOTS)
      for (int32_t slot = from; slot < from + SLOTS && slot < slots; slot++) ds_rdf_add_pairs(search, slot, &tally);
  }
  for (int32_t k = 0; k < bins; k++)
    for (int t = 0; t < r->threads; t++) count[k] += (int64_t) own[(size_t) t * (size_t) bins + (size_t) k];
  return DS_OK;
}
