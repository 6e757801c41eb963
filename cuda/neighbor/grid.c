/* Frame and cell grid of a box.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/neighbor.h"

#include <math.h>

static const char *const axis_name[3] = {"x", "y", "z"};

/* Inverse of the upper triangular edge matrix, in its own order. */
static void invert_edges(const double h[6], double inverse[6])
{
  inverse[0] = 1.0 / h[0];
  inverse[1] = 1.0 / h[1];
  inverse[2] = 1.0 / h[2];
  inverse[3] = -h[3] / (h[1] * h[2]);
  inverse[4] = (h[3] * h[5] - h[1] * h[4]) / (h[0] * h[1] * h[2]);
  inverse[5] = -h[5] / (h[0] * h[1]);
}

/* Fractions of an edge that a length spans at most: 1 / distance of the two faces. */
static void face_densities(const double inverse[6], double density[3])
{
  density[0] = sqrt(inverse[0] * inverse[0] + inverse[5] * inverse[5] + inverse[4] * inverse[4]);
  density[1] = sqrt(inverse[1] * inverse[1] + inverse[3] * inverse[3]);
  density[2] = fabs(inverse[2]);
}

/* 2^bits units an edge such that every coordinate a process sees and every difference of one with an
   own atom's, at most 1 + reach edges, stays below 2^31 units: 30 bits, fewer where ghosts reach round
   the box. */
static int edge_bits(double reach)
{
  int bits = 30;
  while (bits > 0 && ldexp(1.0 + reach, bits) > 2147483647.0) bits--;
  return bits;
}

ds_status ds_frame_init(ds_frame *frame, const ds_box *box, double cutoff, ds_error *err)
{
  static const int column[6] = {0, 1, 2, 2, 2, 1};
  double density[3];
  for (int d = 0; d < 3; d++)
    if (!(box->h[d] > 0.0) || !isfinite(box->h[d]))
      return ds_fail(err, DS_ERR_ARGUMENT, "box edge %s = %g must be positive", axis_name[d],
                     box->h[d]);
  invert_edges(box->h, frame->inverse);
  face_densities(frame->inverse, density);
  for (int d = 0; d < 3; d++) {
    const double slack = box->slack * density[d] + 1e-9;
    const double reach = box->ghost_reach[d] + slack;
    if (!(reach >= 0.0 && reach < 1048576.0))
      return ds_fail(err, DS_ERR_ARGUMENT,
                     "ghosts reach %g box edges in %s; at most 2^20 are supported", reach,
                     axis_name[d]);
    frame->lo[d] = box->lo[d];
    frame->bits[d] = edge_bits(reach + slack);
    frame->units[d] = ldexp(1.0, frame->bits[d]);
    frame->periodic[d] = box->periodic[d];
    frame->low[d] = box->sublo[d] - slack;
    frame->high[d] = box->subhi[d] + slack;
  }
  for (int k = 0; k < 6; k++) {
    frame->edge[k] = ldexp(box->h[k] / cutoff, -frame->bits[column[k]]);
    frame->edgef[k] = (float) frame->edge[k];
  }
  return DS_OK;
}

static int bits_for(uint32_t n)
{
  int bits = 0;
  while (((uint32_t) 1 << bits) < n) bits++;
  return bits;
}

/* Halve the finest dimension until a cell table is no more than a few times the atoms. */
static void limit_cells(int32_t cells[3], int natoms)
{
  const double most = fmin(64.0 + 4.0 * natoms, 1073741824.0);
  while ((double) cells[0] * cells[1] * cells[2] > most) {
    int d = cells[0] >= cells[1] ? 0 : 1;
    if (cells[2] > cells[d]) d = 2;
    cells[d] = (cells[d] + 1) / 2;
  }
}

ds_status ds_grid_init(ds_grid *grid, const ds_frame *frame, double range, int natoms,
                       ds_error *err)
{
  enum { MOST_CELLS = 1 << 18 };
  double density[3];
  uint32_t most = 1;
  if (!(range > 0.0))
    return ds_fail(err, DS_ERR_ARGUMENT, "neighbor range %g must be positive", range);
  face_densities(frame->inverse, density);
  for (int d = 0; d < 3; d++) {
    /* one unit more than the range: positions are rounded */
    const double width = ceil(range * density[d] * frame->units[d]) + 2.0;
    const double low = floor(frame->low[d] * frame->units[d]) - width;
    const double high = ceil(frame->high[d] * frame->units[d]) + width;
    const double cells = floor((high - low) / width);
    grid->origin[d] = (int64_t) low;
    grid->extent[d] = (int64_t) (high - low);
    grid->cells[d] = (int32_t) fmin(fmax(cells, 1.0), MOST_CELLS);
  }
  limit_cells(grid->cells, natoms);
  for (int d = 0; d < 3; d++)
    if ((uint32_t) grid->cells[d] > most) most = (uint32_t) grid->cells[d];
  /* 3 bits a dimension order a cell of some ten atoms well; more would only lengthen the sort */
  grid->fine_bits = 3;
  grid->key_bits = 3 * (bits_for(most) + grid->fine_bits);
  for (int d = 0; d < 3; d++) {
    const double fine = ldexp((double) grid->cells[d], grid->fine_bits);
    grid->inverse[d] = (uint64_t) floor(ldexp(fine, DS_GRID_SHIFT) / (double) grid->extent[d]);
  }
  return ds_succeed(err);
}
