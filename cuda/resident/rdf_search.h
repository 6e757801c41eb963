/* The pairs of one particle.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_RDF_SEARCH_H
#define DPDSOP_RDF_SEARCH_H

#include "rdf.h"

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

/* Slots first .. end - 1, whose cells are so many boxes up from the particle. */
DS_FUNC void ds_rdf_add_slots(const ds_rdf_search *s, const ds_rdf_point *p, int slot, int32_t first, int32_t end,
                              int32_t boxes, const ds_rdf_tally *to)
{
  for (int32_t other = first; other < end; other++) {
    const int32_t bin = ds_rdf_bin_of(s, p, slot, other, boxes);
    if (bin >= 0) ds_rdf_add(to, bin);
  }
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
    if (s->grid.periodic[0] || image == 0)
      ds_rdf_add_slots(s, p, slot, first, s->start[row + last - begin + 1], boxes + ds_rdf_boxes(image, 0, 0), tally);
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

#endif
