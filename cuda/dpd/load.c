/* Marshalling of the caller's coordinates on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "load.h"

void ds_chunk_read(ds_chunk *c, const ds_array *a, int first, int n)
{
  const ptrdiff_t step = a->atom_stride, component = a->component_stride;
  c->n = n;
  if (a->type == DS_F64) {
    const double *p = (const double *) a->data + first * step;
    for (int k = 0; k < n; k++) {
      c->x[k] = p[k * step];
      c->y[k] = p[k * step + component];
      c->z[k] = p[k * step + 2 * component];
    }
  } else {
    const float *p = (const float *) a->data + first * step;
    for (int k = 0; k < n; k++) {
      c->x[k] = p[k * step];
      c->y[k] = p[k * step + component];
      c->z[k] = p[k * step + 2 * component];
    }
  }
}

int ds_positions64(const ds_frame *f, const ds_chunk *x, int64_t *out)
{
  int good = 1;
  for (int k = 0; k < x->n; k++) {
    double lambda[3];
    ds_fraction(f, x->x[k], x->y[k], x->z[k], lambda);
    if (!ds_fraction_ok(f, lambda)) {
      good = 0;
      continue;
    }
    const ds_position64 p = ds_position64_of(f, lambda);
    out[4 * k] = p.x;
    out[4 * k + 1] = p.y;
    out[4 * k + 2] = p.z;
  }
  return good;
}
