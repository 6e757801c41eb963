/* Distance check of the host's list builder; compiled once for each instruction set.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../core/isa.h"
#include "dpdsop/device/list_distance.h"
#include "filter.h"

void DS_KERNEL(ds_places)(const ds_frame *f, ds_position origin, int n, const int32_t *restrict ix, const int32_t *restrict iy,
                          const int32_t *restrict iz, float *restrict x, float *restrict y, float *restrict z)
{
  const ds_frame frame = *f;
  DS_VECTOR_LOOP
  for (int k = 0; k < n; k++) {
    const ds_position p = {ix[k], iy[k], iz[k]};
    float px, py, pz;
    ds_list_place(&frame, origin, p, &px, &py, &pz);
    x[k] = px;
    y[k] = py;
    z[k] = pz;
  }
}

static void classify(const ds_fine_stencil *s, float px, float py, float pz, int ntypes, const float *list2,
                     int32_t *restrict hit)
{
  const int n = s->n;
  const float *restrict x = s->x, *restrict y = s->y, *restrict z = s->z;
  const int32_t *restrict type = s->type;
  const float only = list2[0];
  if (ntypes == 1) {
    DS_VECTOR_LOOP
    for (int k = 0; k < n; k++) hit[k] = ds_squaref(px - x[k], py - y[k], pz - z[k]) < only;
  } else {
    DS_VECTOR_LOOP
    for (int k = 0; k < n; k++) hit[k] = ds_squaref(px - x[k], py - y[k], pz - z[k]) < list2[type[k]];
  }
}

int DS_KERNEL(ds_filter)(const ds_fine_stencil *s, float x, float y, float z, uint32_t self, int ntypes, const float *list2,
                         int32_t *hit, uint32_t *entries)
{
  int n = 0;
  classify(s, x, y, z, ntypes, list2, hit);
  /* branch-free: every slot is written, the counter decides which stay */
  for (int k = 0; k < s->n; k++) {
    entries[n] = s->slot[k];
    n += hit[k] & (s->slot[k] != self);
  }
  return n;
}
