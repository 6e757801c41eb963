/* Integer positions of 64 bits.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "quantize.h"

int ds_positions64(const ds_frame *f, const ds_atom_batch *x, int64_t *out)
{
  int bad = 0;
  for (int k = 0; k < x->n; k++) {
    double lambda[3];
    ds_fraction(f, x->x[k], x->y[k], x->z[k], lambda);
    if (!ds_fraction_ok(f, lambda)) {
      bad |= DS_BAD_POSITION;
      continue;
    }
    if (!ds_fraction_near(f, lambda)) bad |= DS_FAR_POSITION;
    const ds_position64 p = ds_position64_of(f, lambda);
    out[4 * k] = p.x;
    out[4 * k + 1] = p.y;
    out[4 * k + 2] = p.z;
  }
  return bad;
}
