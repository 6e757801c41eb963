/* Histograms of distances on either backend.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_RESIDENT_RDF_H
#define DPDSOP_RESIDENT_RDF_H

#include "../core/queue.h"
#include "dpdsop/device/rdf.h"
#include "dpdsop/rdf.h"

DS_C_BEGIN

/* Particles where stages work. */
typedef struct {
  int n, group;
  ds_array x, type, mask;
} ds_rdf_view;

struct ds_rdf {
  ds_queue queue;
  int threads;
  ds_rdf_search search;
  ds_mirror x, type, mask, tag, kind, counts_of_special, partners, rule, molecule; /* of the caller's, where stages work */
  ds_buffer key[2], value[2], scratch; /* work space of the sort: cells, and numbers of particles */
  ds_buffer point, start;
  ds_buffer count, host_count; /* int64: all histograms, then the number of particles without a place */
};

/* rdf_host.c, rdf_cuda.cu; queued. Particles of the group in the order of cells, into `search`; and their pairs into `count`. */
typedef ds_status ds_rdf_sort_stage(ds_rdf *r, const ds_rdf_view *a, ds_error *err);
typedef ds_status ds_rdf_count_stage(ds_rdf *r, ds_error *err);
ds_rdf_sort_stage ds_rdf_sort_host, ds_rdf_sort_cuda;
ds_rdf_count_stage ds_rdf_count_host, ds_rdf_count_cuda;

static inline int32_t ds_rdf_cells(const ds_rdf_grid *g)
{
  return g->cells[0] * g->cells[1] * g->cells[2];
}

/* Counters of all histograms. */
static inline int32_t ds_rdf_bins(const ds_rdf_search *s)
{
  return s->nkinds * s->nbins;
}

/* First slot in cell c or behind it. */
DS_FUNC int32_t ds_rdf_first_slot(const int32_t *cell, int32_t slots, int32_t c)
{
  int32_t low = 0, high = slots;
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    if (cell[middle] < c)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

DS_C_END
#endif
