/* test_morton.c: Morton codes against interleaving one bit at a time, and numbers of cells along the curve.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "check.h"
#include "dpdsop/device/cell_grid.h"

#include <stdlib.h>
#include <string.h>

static uint64_t reference(uint32_t x, uint32_t y, uint32_t z)
{
  uint64_t code = 0;
  for (int k = 0; k < 21; k++)
    code |= (uint64_t) (x >> k & 1u) << (3 * k) | (uint64_t) (y >> k & 1u) << (3 * k + 1) |
            (uint64_t) (z >> k & 1u) << (3 * k + 2);
  return code;
}

static void try_point(uint32_t x, uint32_t y, uint32_t z)
{
  uint32_t a, b, c;
  const uint64_t code = ds_morton_encode(x, y, z);
  CHECK_HEX(code, reference(x, y, z));
  ds_morton_decode(code, &a, &b, &c);
  CHECK(a == (x & 0x1FFFFFu) && b == (y & 0x1FFFFFu) && c == (z & 0x1FFFFFu));
}

static uint64_t code_of_cell(const ds_grid *g, int32_t cell)
{
  return ds_morton_encode((uint32_t) (cell % g->cells[0]), (uint32_t) (cell / g->cells[0] % g->cells[1]),
                          (uint32_t) (cell / (g->cells[0] * g->cells[1])));
}

/* Each cell has another number, from 0 on, and codes grow with them. */
static void try_grid(int32_t x, int32_t y, int32_t z)
{
  ds_grid g;
  memset(&g, 0, sizeof g);
  g.cells[0] = x;
  g.cells[1] = y;
  g.cells[2] = z;
  const int32_t cells = ds_grid_count(&g);
  int32_t *const of_number = malloc((size_t) cells * sizeof *of_number);
  for (int32_t k = 0; k < cells; k++) of_number[k] = -1;
  for (int32_t cell = 0; cell < cells; cell++) {
    const int32_t number = ds_grid_number_on_curve(&g, cell);
    CHECK_MSG(number >= 0 && number < cells && of_number[number] < 0, "cell %d of %d x %d x %d: number %d", (int) cell, (int) x,
              (int) y, (int) z, (int) number);
    if (number >= 0 && number < cells) of_number[number] = cell;
  }
  for (int32_t k = 1; k < cells; k++) CHECK(code_of_cell(&g, of_number[k]) > code_of_cell(&g, of_number[k - 1]));
  free(of_number);
}

static void test_numbers_of_cells(void)
{
  static const int32_t edges[][3] = {{1, 1, 1}, {2, 1, 1},    {1, 3, 1},  {4, 4, 4},   {8, 8, 8},     {5, 7, 3},
                                     {13, 13, 13}, {21, 20, 19}, {1, 1, 300}, {262144, 1, 1}, {1, 262144, 1}, {3, 2, 20000}};
  for (size_t k = 0; k < sizeof edges / sizeof *edges; k++) try_grid(edges[k][0], edges[k][1], edges[k][2]);
}

static void test_points(void)
{
  const uint32_t edge[] = {0,        1,         2,         0xFFFFu,   0x10000u,
                           0xFFFFFu, 0x100000u, 0x1FFFFFu, 0x200000u, 0xFFFFFFFFu};
  const int edges = (int) (sizeof edge / sizeof edge[0]);
  for (int i = 0; i < edges; i++)
    for (int j = 0; j < edges; j++)
      for (int k = 0; k < edges; k++) try_point(edge[i], edge[j], edge[k]);
  for (int k = 0; k < 21; k++) {
    try_point(1u << k, 0, 0);
    try_point(0, 1u << k, 0);
    try_point(0, 0, 1u << k);
  }
  uint64_t seed = 1;
  for (int k = 0; k < 1000000; k++) {
    const uint64_t r = check_random(&seed);
    try_point((uint32_t) r, (uint32_t) (r >> 21), (uint32_t) (r >> 42));
  }
}

/* Codes of a 16^3 box are the numbers 0..4095, each once. */
static void test_curve_fills_box(void)
{
  char seen[4096] = {0};
  for (uint32_t k = 0; k < 4096; k++) {
    const uint64_t code = ds_morton_encode(k & 15u, k >> 4 & 15u, k >> 8);
    CHECK(code < 4096 && !seen[code]);
    if (code < 4096) seen[code] = 1;
  }
}

/* Within one coordinate the order is kept, which the neighbor list's stencil needs. */
static void test_order(void)
{
  for (uint32_t k = 1; k < 100000; k++) {
    CHECK(ds_morton_encode(k, 5, 9) > ds_morton_encode(k - 1, 5, 9));
    CHECK(ds_morton_encode(5, k, 9) > ds_morton_encode(5, k - 1, 9));
    CHECK(ds_morton_encode(5, 9, k) > ds_morton_encode(5, 9, k - 1));
  }
}

int main(int argc, char **argv)
{
  check_open(argc, argv);
  CHECK_CASE(test_points());
  CHECK_CASE(test_curve_fills_box());
  CHECK_CASE(test_order());
  CHECK_CASE(test_numbers_of_cells());
  return check_result();
}
