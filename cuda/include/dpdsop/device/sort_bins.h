/* Bins that a program sorts its atoms by, as LAMMPS does in Atom::sort(): rows of bins along x, those behind each other
   along y, and such layers along z. No sum follows a product, so with fused operations or without, the bin is the same.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SORT_BINS_H
#define DPDSOP_SORT_BINS_H

#include "dpdsop/device/base.h"
#include "dpdsop/resident.h"

/* Bin of a position; what lies beyond the first or the last one belongs to it. */
DS_FUNC int ds_sort_bin(const ds_sort_bins *b, const double x[3])
{
  int bin = 0;
  for (int d = 2; d >= 0; d--) {
    const double k = (x[d] - b->lo[d]) * b->inverse[d]; /* may be more than an int holds */
    bin = bin * b->n[d] + (k < 0.0 ? 0 : k < b->n[d] ? (int) k : b->n[d] - 1);
  }
  return bin;
}

/* Middle of a bin. */
DS_FUNC void ds_sort_bin_middle(const ds_sort_bins *b, int bin, double x[3])
{
  for (int d = 0; d < 3; d++) {
    x[d] = b->lo[d] + (bin % b->n[d] + 0.5) / b->inverse[d];
    bin /= b->n[d];
  }
}

#endif
