/* The order of resident atoms.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../force/checks.h"
#include "resident_state.h"

#include <math.h>

static ds_status check_bins(const ds_sort_bins *b, ds_error *err)
{
  double bins = 1.0;
  if (ds_check_pointer(b, "bins to sort by", err)) return DS_ERR_ARGUMENT;
  for (int d = 0; d < 3; d++) {
    if (!isfinite(b->lo[d]))
      return ds_fail(err, DS_ERR_ARGUMENT, "bins from %g along axis %d", b->lo[d], d);
    if (b->n[d] < 1 || !(b->inverse[d] > 0.0) || !isfinite(b->inverse[d]))
      return ds_fail(err, DS_ERR_ARGUMENT, "%d bins of edge 1/%g along axis %d; both must be > 0",
                     b->n[d], b->inverse[d], d);
    bins *= b->n[d];
  }
  return bins < 2147483648.0
             ? DS_OK
             : ds_fail(err, DS_ERR_ARGUMENT, "%g bins to sort by; at most 2^31 - 1", bins);
}

ds_status ds_resident_sort(ds_resident *r, const ds_sort_bins *bins, ds_error *err)
{
  if (!r->backend->own_copies)
    return ds_fail(err, DS_ERR_ARGUMENT, "atoms in the caller's own arrays are his to sort");
  if (!r->have_atoms || !r->atoms.tag.data)
    return ds_fail(err, DS_ERR_ARGUMENT, "no atoms with tags have been set");
  ds_status s = check_bins(bins, err);
  if (!s) s = r->backend->sort(r, bins, r->reordered, err);
  if (!s) r->reordered = r->have_reference = 1;
  ds_bonded_close(&r->bonded);
  return s ? s : ds_succeed(err);
}

ds_status ds_resident_order(ds_resident *r, int32_t *order, ds_error *err)
{
  if (!r->reordered) return ds_fail(err, DS_ERR_ARGUMENT, "atoms have not been sorted");
  if (r->atoms.n > 0 && ds_check_pointer(order, "array of the atoms' order", err))
    return DS_ERR_ARGUMENT;
  const ds_status s = r->backend->order(r, order, err);
  return s ? s : ds_succeed(err);
}

void ds_resident_follow(ds_resident *r)
{
  r->reordered = 0;
}

void ds_resident_identity(const ds_resident *r, ds_array *tag, ds_array *type, ds_array *mask)
{
  r->backend->identity(r, tag, type, mask);
}
