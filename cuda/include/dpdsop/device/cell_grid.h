/* Cells over the integer positions, and the two-level Morton key (Tang & Karniadakis 2014, 3.2.2 and
   fig. 3): a fine grid that divides every cell by a power of two; the Morton code of the fine
   coordinates is the cell's code followed by the code inside the cell, so one sort orders both
   levels and the boundaries of the cells are those of the curve.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_CELL_GRID_H
#define DPDSOP_CELL_GRID_H

#include "dpdsop/device/frame.h"
#include "dpdsop/device/morton.h"

#include <stdint.h>

enum {
  DS_STENCIL = 27,      /* a cell and the cells that touch it */
  DS_GRID_SHIFT = 40,   /* fraction bits of ds_grid.inverse */
  DS_MAX_FINE_BITS = 21, /* fine coordinates a Morton code can hold */
  DS_FINE_BITS = 3      /* a cell is 8 fine cells wide: they order a cell of some ten atoms well */
};

/* Cells at least one neighbor cutoff wide. They cover the subdomain and one cutoff around it, and what lies further
   out is counted to the outermost cell; or, along an axis where positions wrap, the box, and the first touches the
   last. */
typedef struct {
  int64_t origin[3];   /* lowest corner, units */
  int64_t extent[3];   /* units covered */
  uint64_t inverse[3]; /* fine cells per unit, times 2^DS_GRID_SHIFT */
  int32_t cells[3];
  int32_t wraps[3];
} ds_grid;

DS_FUNC uint32_t ds_grid_fine(const ds_grid *g, int d, int32_t position)
{
  int64_t u = g->wraps[d] ? (int64_t) (uint32_t) position : (int64_t) position - g->origin[d];
  u = u < 0 ? 0 : u;
  u = u >= g->extent[d] ? g->extent[d] - 1 : u;
  return (uint32_t) (((uint64_t) u * g->inverse[d]) >> DS_GRID_SHIFT);
}

DS_FUNC uint64_t ds_grid_key(const ds_grid *g, ds_position p)
{
  return ds_morton_encode(ds_grid_fine(g, 0, p.x), ds_grid_fine(g, 1, p.y), ds_grid_fine(g, 2, p.z));
}

/* Row-major number of the cell that a key lies in. */
DS_FUNC int32_t ds_grid_cell_of_key(const ds_grid *g, uint64_t key)
{
  uint32_t x, y, z;
  ds_morton_decode(key >> (3 * DS_FINE_BITS), &x, &y, &z);
  return (int32_t) x + g->cells[0] * ((int32_t) y + g->cells[1] * (int32_t) z);
}

DS_FUNC int32_t ds_grid_count(const ds_grid *g)
{
  return g->cells[0] * g->cells[1] * g->cells[2];
}

/* Code of a key inside its cell. */
DS_FUNC uint32_t ds_grid_code_inside(uint64_t key)
{
  return (uint32_t) key & ((1u << (3 * DS_FINE_BITS)) - 1);
}

/* Cells from `from` on, at most `most`, along one axis. */
DS_FUNC int32_t ds_grid_cells_from(const ds_grid *g, int d, int32_t from, int32_t most)
{
  const int32_t left = g->cells[d] - from;
  return left < 0 ? 0 : left < most ? left : most;
}

/* How many cells come before this one along the curve, where some of the curve's cells are outside the grid: those of the
   octants before its own, in each cube of 2^bit cells that it lies in. */
DS_FUNC int32_t ds_grid_number_on_curve(const ds_grid *g, int32_t cell)
{
  const int32_t at[3] = {cell % g->cells[0], cell / g->cells[0] % g->cells[1], cell / (g->cells[0] * g->cells[1])};
  int32_t number = 0;
  for (int bit = 20; bit >= 0; bit--) {
    const int32_t edge = 1 << bit, cube = ~(2 * edge - 1);
    const int own = (at[0] >> bit & 1) | (at[1] >> bit & 1) << 1 | (at[2] >> bit & 1) << 2;
    for (int octant = 0; octant < own; octant++) {
      const int32_t x = ds_grid_cells_from(g, 0, (at[0] & cube) + (octant & 1 ? edge : 0), edge);
      const int32_t y = ds_grid_cells_from(g, 1, (at[1] & cube) + (octant & 2 ? edge : 0), edge);
      number += x * y * ds_grid_cells_from(g, 2, (at[2] & cube) + (octant & 4 ? edge : 0), edge);
    }
  }
  return number;
}

/* The same where several GPUs have parts of the curve: the grid is cut into so many slabs of layers along z, and each has a
   curve of its own. In that order a part of the cells touches few of other parts. LAMMPS, too, sorts its atoms by z first. */
DS_FUNC int32_t ds_grid_number_in_slabs(const ds_grid *g, int slabs, int32_t cell)
{
  enum { FEWEST = 4 };
  const int32_t layer = g->cells[0] * g->cells[1], z = cell / layer, layers = g->cells[2];
  ds_grid slab = *g;
  if (layers < FEWEST * slabs) return ds_grid_number_on_curve(g, cell);
  int32_t k = (int32_t) ((int64_t) z * slabs / layers);
  while ((int64_t) (k + 1) * layers / slabs <= z) k++;
  const int32_t begin = (int32_t) ((int64_t) k * layers / slabs);
  slab.cells[2] = (int32_t) ((int64_t) (k + 1) * layers / slabs) - begin;
  return begin * layer + ds_grid_number_on_curve(&slab, cell - begin * layer);
}

/* Cells along one axis that touch cell c, and itself: at most 3, each once. */
DS_FUNC int ds_grid_touching(const ds_grid *g, int d, int32_t c, int32_t out[3])
{
  const int32_t n = g->cells[d];
  int m = 0;
  for (int32_t k = c - 1; k <= c + 1; k++) {
    const int32_t cell = !g->wraps[d] ? k : k < 0 ? n - 1 : k >= n ? 0 : k;
    int known = cell < 0 || cell >= n;
    for (int j = 0; j < m; j++) known |= out[j] == cell; /* fewer than 3 cells round the box */
    if (!known) out[m++] = cell;
  }
  return m;
}

/* Coarse stencil of a cell (3.3.1, fig. 6): the cells that touch it and itself, ordered along the
   Morton curve, so that the atoms found through it come in increasing order. Returns how many. */
DS_FUNC int ds_grid_stencil(const ds_grid *g, int32_t cell, int32_t stencil[DS_STENCIL])
{
  const int32_t at[3] = {cell % g->cells[0], cell / g->cells[0] % g->cells[1], cell / (g->cells[0] * g->cells[1])};
  int32_t near[3][3];
  uint64_t codes[DS_STENCIL];
  int count[3], n = 0;
  for (int d = 0; d < 3; d++) count[d] = ds_grid_touching(g, d, at[d], near[d]);
  for (int c = 0; c < count[2]; c++)
    for (int b = 0; b < count[1]; b++)
      for (int a = 0; a < count[0]; a++) {
        const int32_t x = near[0][a], y = near[1][b], z = near[2][c];
        const uint64_t code = ds_morton_encode((uint32_t) x, (uint32_t) y, (uint32_t) z);
        int k = n++;
        for (; k > 0 && codes[k - 1] > code; k--) {
          codes[k] = codes[k - 1];
          stencil[k] = stencil[k - 1];
        }
        codes[k] = code;
        stencil[k] = x + g->cells[0] * (y + g->cells[1] * z);
      }
  return n;
}

#endif
