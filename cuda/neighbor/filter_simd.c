/* Distance check of the host's list builder; compiled once for each instruction set.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../common/isa.h"
#include "filter.h"

/* 0 outside the list's range, 1 skin, 2 core. */
DS_FUNC int32_t kind_of(float r2, float core2, float list2)
{
  return (r2 < list2) + (r2 < core2);
}

static void classify(const ds_frame *f, const ds_fine_stencil *s, ds_position p, int ntypes,
                     const float *core2, const float *list2, int32_t *restrict kind)
{
  const int n = s->n;
  const int32_t *restrict x = s->x, *restrict y = s->y, *restrict z = s->z;
  const int32_t *restrict type = s->type;
  const ds_frame frame = *f;
  if (ntypes == 1) {
    const float c2 = core2[0], l2 = list2[0];
    DS_VECTOR_LOOP
    for (int k = 0; k < n; k++) {
      float dx, dy, dz;
      ds_separation(&frame, ds_diff32(p.x, x[k]), ds_diff32(p.y, y[k]), ds_diff32(p.z, z[k]), &dx,
                    &dy, &dz);
      kind[k] = kind_of(ds_square(dx, dy, dz), c2, l2);
    }
  } else {
    DS_VECTOR_LOOP
    for (int k = 0; k < n; k++) {
      float dx, dy, dz;
      ds_separation(&frame, ds_diff32(p.x, x[k]), ds_diff32(p.y, y[k]), ds_diff32(p.z, z[k]), &dx,
                    &dy, &dz);
      kind[k] = kind_of(ds_square(dx, dy, dz), core2[type[k]], list2[type[k]]);
    }
  }
}

void DS_KERNEL(ds_filter)(const ds_frame *f, const ds_fine_stencil *s, ds_position p, uint32_t self,
                          int ntypes, const float *core2, const float *list2, int32_t *kind,
                          uint32_t *core, int *ncore, uint32_t *skin, int *nskin)
{
  int nc = 0, ns = 0;
  classify(f, s, p, ntypes, core2, list2, kind);
  /* branch-free: every entry is written, the counters decide which stay */
  for (int k = 0; k < s->n; k++) {
    const uint32_t slot = s->slot[k];
    const int other = slot != self;
    core[nc] = slot;
    skin[ns] = slot;
    nc += (kind[k] == 2) & other;
    ns += (kind[k] == 1) & other;
  }
  *ncore = nc;
  *nskin = ns;
}
