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
  ds_mirror x, type, mask, tag, kind, of_special[2], of_excluded[2]; /* of the caller's, where stages work */
  ds_buffer key[2], value[2], scratch; /* work space of the sort: cells, and numbers of particles */
  ds_buffer point, start;
  ds_buffer count, host_count; /* int64: all histograms, then the number of particles without a place */
};

/* rdf_host.c, rdf_cuda.cu; queued. Particles of the group in the order of cells, into `search`; and their pairs into
   `count`. */
typedef ds_status ds_rdf_sort_stage(ds_rdf *r, const ds_rdf_view *a, ds_error *err);
typedef ds_status ds_rdf_count_stage(ds_rdf *r, ds_error *err);
ds_rdf_sort_stage ds_rdf_sort_host, ds_rdf_sort_cuda;
ds_rdf_count_stage ds_rdf_count_host, ds_rdf_count_cuda;

DS_FUNC int32_t ds_rdf_cells(const ds_rdf_grid *g)
{
  return g->cells[0] * g->cells[1] * g->cells[2];
}

/* Counters of all histograms. */
static inline int32_t ds_rdf_bins(const ds_rdf_search *s)
{
  return s->nkinds * s->nbins;
}

DS_FUNC void ds_rdf_read_place(const ds_rdf_view *a, int i, double to[3])
{
  for (int k = 0; k < 3; k++) to[k] = ds_array_get(&a->x, i, k);
}

/* The cell of particle i, or, of one that is not in the group or has no place (*is_wrong), the number of cells. */
DS_FUNC int32_t ds_rdf_cell_of(const ds_rdf_view *a, const ds_rdf_grid *g, int i, int *is_wrong)
{
  double x[3];
  int32_t wraps, cell = -1;
  const int is_member = (ds_array_int(&a->mask, i, 0) & a->group) != 0;
  ds_rdf_read_place(a, i, x);
  if (is_member) cell = ds_rdf_place(g, x, &wraps);
  *is_wrong = is_member && cell < 0;
  return cell < 0 ? ds_rdf_cells(g) : cell;
}

DS_FUNC ds_rdf_point ds_rdf_point_of(const ds_rdf_view *a, const ds_rdf_grid *g, int i)
{
  ds_rdf_point p;
  ds_rdf_read_place(a, i, p.x);
  p.type = (int32_t) ds_array_int(&a->type, i, 0) - 1;
  p.wraps = 0;
  ds_rdf_place(g, p.x, &p.wraps);
  return p;
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

/* ------------------------------------------------------------------------------- pairs of one particle */

/* Counters of a thread on the host; on the GPU those of all, and of a block in shared memory, or NULL: they do not fit. */
typedef struct {
  unsigned long long *count;
  uint32_t *shared;
} ds_rdf_tally;

DS_FUNC void ds_rdf_add(const ds_rdf_tally *to, int32_t bin)
{
#ifdef __CUDA_ARCH__
  if (to->shared)
    atomicAdd(&to->shared[bin], 1u);
  else
    atomicAdd(&to->count[bin], 1ull);
#else
  to->count[bin]++;
#endif
}

/* Cells from .. to of a row along x, in each image of the box that they reach. `row`: the number of its first cell. A row that
   begins with the particle's own cell does so with what is behind the particle. */
DS_FUNC void ds_rdf_add_row(const ds_rdf_search *s, const ds_rdf_point *p, int slot, int32_t from, int32_t to, int32_t row,
                            int32_t boxes, int begins_with_own, const ds_rdf_tally *tally)
{
  const int32_t n = s->grid.cells[0];
  for (int32_t x = from; x <= to;) {
    const int32_t image = ds_rdf_image_of(x, n), begin = image * n;
    const int32_t last = to < begin + n - 1 ? to : begin + n - 1;
    const int32_t first = begins_with_own && x == from ? slot + 1 : s->start[row + x - begin];
    const int32_t end = s->grid.periodic[0] || image == 0 ? s->start[row + last - begin + 1] : first;
    for (int32_t other = first; other < end; other++) {
      const int32_t bin = ds_rdf_bin_of(s, p, slot, other, boxes + ds_rdf_boxes(image, 0, 0));
      if (bin >= 0) ds_rdf_add(tally, bin);
    }
    x = last + 1;
  }
}

/* Those of a particle of this process, with the particles that are in its rows of cells. */
DS_FUNC void ds_rdf_add_pairs(const ds_rdf_search *s, int slot, const ds_rdf_tally *tally)
{
  const int32_t *const n = s->grid.cells;
  const int32_t atom = s->atom[slot];
  if (atom < s->first || atom >= s->end) return;
  const ds_rdf_point p = s->point[slot];
  const int32_t cell = s->cell[slot], x = cell % n[0], y = cell / n[0] % n[1], z = cell / (n[0] * n[1]);
  for (int k = 0; k < s->nrows; k++) {
    const ds_rdf_row r = s->row[k];
    const int32_t iy = ds_rdf_image_of(y + r.dy, n[1]), iz = ds_rdf_image_of(z + r.dz, n[2]);
    if ((iy && !s->grid.periodic[1]) || (iz && !s->grid.periodic[2])) continue;
    const int32_t row = n[0] * (y + r.dy - iy * n[1] + n[1] * (z + r.dz - iz * n[2]));
    ds_rdf_add_row(s, &p, slot, x + r.from, x + r.to, row, ds_rdf_boxes(0, iy, iz) + p.wraps, k == 0, tally);
  }
}

DS_C_END
#endif
