/* Cell grid of a box.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../particles/frame.h"
#include "list.h"

#include <math.h>

static int bits_for(uint32_t n)
{
  int bits = 0;
  while (((uint32_t) 1 << bits) < n) bits++;
  return bits;
}

void ds_grid_limit_cells(int32_t cells[3], int natoms)
{
  const double most = fmin(64.0 + 4.0 * natoms, 1073741824.0);
  while ((double) cells[0] * cells[1] * cells[2] > most) {
    int d = cells[0] >= cells[1] ? 0 : 1;
    if (cells[2] > cells[d]) d = 2;
    cells[d] = (cells[d] + 1) / 2;
  }
}

/* 3 bits per dimension order a cell of some ten atoms well, and 1 nearly as well. A radix sort takes 8 bits of a
   key at a time: as many as fit without one pass more. */
static int fine_bits(int cell_bits)
{
  const int passes = (3 * (cell_bits + 1) + 7) / 8;
  int fine = 1;
  while (fine < 3 && 3 * (cell_bits + fine + 1) <= 8 * passes) fine++;
  return fine;
}

ds_status ds_grid_init(ds_grid *grid, const ds_frame *frame, double range, int natoms, ds_error *err)
{
  enum { MAX_CELLS = 1 << 18 };
  double density[3];
  uint32_t most = 1;
  if (!(range > 0.0)) return ds_fail(err, DS_ERR_ARGUMENT, "neighbor range %g must be positive", range);
  ds_frame_face_densities(frame->inverse, density);
  for (int d = 0; d < 3; d++) {
    /* more than the range by what the rounding of positions adds, a unit before the shift, and by one */
    const double edge = ldexp(frame->units[d], frame->shift[d]);
    const double width = ceil(range * density[d] * edge) + ldexp(1.0, frame->shift[d]) + 1.0;
    const int wraps = frame->shift[d] > 0;
    const double low = wraps ? 0.0 : floor(frame->low[d] * edge) - width;
    const double high = wraps ? edge : ceil(frame->high[d] * edge) + width;
    const double cells = floor((high - low) / width);
    grid->wraps[d] = wraps;
    grid->origin[d] = (int64_t) low;
    grid->extent[d] = (int64_t) (high - low);
    grid->cells[d] = (int32_t) fmin(fmax(cells, 1.0), MAX_CELLS);
  }
  ds_grid_limit_cells(grid->cells, natoms);
  for (int d = 0; d < 3; d++)
    if ((uint32_t) grid->cells[d] > most) most = (uint32_t) grid->cells[d];
  grid->fine_bits = fine_bits(bits_for(most));
  grid->key_bits = 3 * (bits_for(most) + grid->fine_bits);
  for (int d = 0; d < 3; d++) {
    const double fine = ldexp((double) grid->cells[d], grid->fine_bits);
    grid->inverse[d] = (uint64_t) floor(ldexp(fine, DS_GRID_SHIFT) / (double) grid->extent[d]);
  }
  return ds_succeed(err);
}
