/* Hydrodynamic interactions on the host: sums over beads, and the Cholesky factor of a molecule's matrix; compiled once for
   each instruction set.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "batch_normals.h"
#include "hydro_host.h"

#include <string.h>

/* -------------------------------------------------------------------------------- push and noise */

static float masked(float value, int32_t moves)
{
  return ds_uint_as_float(ds_float_as_uint(value) & (uint32_t) moves);
}

int DS_KERNEL(ds_sop_hydro_begin)(const ds_sop_hydro_start *s, int n)
{
  const ds_sop_motion_units u = s->units;
  const int32_t *restrict const moves = s->moves;
  const float *restrict const weight = s->weight;
  const float limit = s->limit;
  float g[3][DS_SOP_BATCH];
  int fault = 0;
  ds_sop_batch_normals(s->words, n, g);
  for (int c = 0; c < 3; c++) {
    const int32_t *restrict const force = s->force[c];
    const float *restrict const other = s->other[c];
    float *restrict const push = s->push[c], *restrict const noise = s->noise[c];
    DS_VECTOR_LOOP
    for (int k = 0; k < n; k++) {
      const float p = masked(fmaf((float) force[k], u.mobility, other[k]), moves[k]);
      const float y = masked(g[c][k] * u.noise * weight[k], moves[k]);
      push[k] = p;
      noise[k] = y;
      fault |= !(fabsf(p) <= limit) | !(fabsf(y) <= limit);
    }
  }
  return fault;
}

void DS_KERNEL(ds_sop_hydro_own_noise)(const ds_sop_hydro_start *s, int n, int32_t *const noise[3])
{
  float g[3][DS_SOP_BATCH];
  ds_sop_batch_normals(s->words, n, g);
  for (int c = 0; c < 3; c++)
    for (int k = 0; k < n; k++) noise[c][k] = ds_round32(g[c][k] * s->units.noise) & s->moves[k];
}

/* ------------------------------------------------------------------------------- sums over beads */

/* Bead j of a molecule. */
DS_FUNC ds_sop_hydro_bead bead_of(const ds_sop_hydro_molecule *m, int32_t j)
{
  const ds_sop_hydro_bead b = {m->radius[j],
                               m->inverse[j],
                               m->root[j],
                               {m->push[0][j], m->push[1][j], m->push[2][j]},
                               {m->noise[0][j], m->noise[1][j], m->noise[2][j]}};
  return b;
}

/* Sums of the pairs of bead i with all, itself included: so that there is one loop; what it adds itself is taken off. `tea` is
   a constant wherever this is used. */
DS_FUNC void sum_pairs(const ds_sop_hydro_molecule *m, int tea, int32_t i)
{
  const int32_t *restrict const x = m->x[0], *restrict const y = m->x[1], *restrict const z = m->x[2];
  const ds_sop_hydro_molecule all = *m;
  const ds_sop_hydro_bead own = bead_of(m, i);
  const ds_sop_hydro_pair self = ds_sop_hydro_pair_of(&own, &own, 0.0f, 0.0f, 0.0f, tea);
  const int32_t xi = x[i], yi = y[i], zi = z[i], n = m->beads;
  const float unit = m->unit;
  int64_t d0 = 0, d1 = 0, d2 = 0, n0 = 0, n1 = 0, n2 = 0, s0 = 0, s1 = 0, s2 = 0, e = 0;
  DS_VECTOR_LOOP
  for (int32_t j = 0; j < n; j++) {
    const ds_sop_hydro_bead other = bead_of(&all, j);
    const ds_sop_hydro_pair p =
        ds_sop_hydro_pair_of(&own, &other, (float) ds_diff32(xi, x[j]) * unit, (float) ds_diff32(yi, y[j]) * unit,
                             (float) ds_diff32(zi, z[j]) * unit, tea);
    d0 += p.drift[0];
    d1 += p.drift[1];
    d2 += p.drift[2];
    n0 += p.noise[0];
    n1 += p.noise[1];
    n2 += p.noise[2];
    s0 += p.square[0];
    s1 += p.square[1];
    s2 += p.square[2];
    e += p.entries;
  }
  const int64_t sum[10] = {d0 - self.drift[0],  d1 - self.drift[1], d2 - self.drift[2],  n0 - self.noise[0],
                           n1 - self.noise[1],  n2 - self.noise[2], s0 - self.square[0], s1 - self.square[1],
                           s2 - self.square[2], e - self.entries};
  for (int k = 0; k < (tea ? 10 : 3); k++) m->sum[k][i] = sum[k];
}

void DS_KERNEL(ds_sop_hydro_sums)(const ds_sop_hydro_molecule *m, int32_t first, int32_t last)
{
  for (int32_t i = first; i < last; i++)
    if (m->tea)
      sum_pairs(m, 1, i);
    else
      sum_pairs(m, 0, i);
}

/* -------------------------------------------------------------------------------- Cholesky factor */

static ds_sop_matrix_bead matrix_bead(const ds_sop_hydro_molecule *m, int32_t b)
{
  const ds_sop_matrix_bead r = {{m->x[0][b], m->x[1][b], m->x[2][b]}, m->radius[b], m->inverse[b], m->root[b]};
  return r;
}

/* The three columns of bead j. */
static void fill_columns(const ds_sop_hydro_molecule *m, int32_t j, double *a)
{
  static const int entry[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
  const ds_sop_matrix_bead own = matrix_bead(m, j);
  const int n = 3 * m->beads;
  double *const column[3] = {a + ds_sop_triangle_column(n, 3 * j), a + ds_sop_triangle_column(n, 3 * j + 1),
                             a + ds_sop_triangle_column(n, 3 * j + 2)};
  for (int c = 0; c < 3; c++)
    for (int r = c; r < 3; r++) column[c][3 * j + r] = r == c ? (double) own.inverse : 0.0;
  DS_VECTOR_LOOP
  for (int32_t i = j + 1; i < m->beads; i++) {
    const ds_sop_matrix_bead other = matrix_bead(m, i);
    double h[6];
    ds_sop_matrix_block(&other, &own, (double) m->unit, h);
    for (int c = 0; c < 3; c++)
      for (int r = 0; r < 3; r++) column[c][3 * i + r] = h[entry[r][c]];
  }
}

/* Columns of a panel, and rows that are worked on at a time: so many sums as there are registers for. */
#if defined(__AVX512F__)
enum { PANEL = 8, ROWS = 8 };
#else
enum { PANEL = 8, ROWS = 4 };
#endif

/* A panel: rows and columns `at` to at + width - 1, of which the factor's columns 0 to at - 1 are known. */
typedef struct {
  int n, at, width;
  double *a;
  /* Entries of these rows in known columns, row by row: so the compiler reads numbers that fill a vector each, not vectors that
     have to be taken apart. */
  double known[PANEL][3 * DS_SOP_EXACT_BEADS];
  double corner[PANEL][PANEL]; /* [c][r]: the factor in the panel's own rows r */
  double inverse[PANEL];       /* of its diagonal */
} panel;

static double *column_of(const panel *p, int c)
{
  return p->a + ds_sop_triangle_column(p->n, p->at + c);
}

static void take_known(panel *p)
{
  for (int k = 0; k < p->at; k++) {
    const double *const column = p->a + ds_sop_triangle_column(p->n, k) + p->at;
    for (int c = 0; c < PANEL; c++) p->known[c][k] = c < p->width ? column[c] : 0.0;
  }
}

/* What is left of some rows in the panel's columns when the products of the known columns are subtracted. `rows` is a constant.
   Above the diagonal it means nothing. */
DS_FUNC void subtract_known(const panel *p, int first, int rows, double s[PANEL][ROWS])
{
  const double *restrict x = p->a + first;
  for (int c = 0; c < PANEL; c++)
    for (int l = 0; l < rows; l++) s[c][l] = c < p->width ? column_of(p, c)[first + l] : 0.0;
  for (int k = 0; k < p->at; k++) {
    DS_UNROLL(8)
    for (int c = 0; c < PANEL; c++)
      for (int l = 0; l < rows; l++) s[c][l] = fma(-x[l], p->known[c][k], s[c][l]);
    x += p->n - 1 - k; /* the next column */
  }
}

/* Copies what is left of the corner's rows. `rows` is a constant. */
DS_FUNC void subtract_in_corner(const panel *p, int row, int rows, double s[PANEL][PANEL])
{
  double left[PANEL][ROWS];
  subtract_known(p, p->at + row, rows, left);
  for (int c = 0; c < PANEL; c++)
    for (int l = 0; l < rows; l++) s[c][row + l] = left[c][l];
}

/* The corner. Returns the first of its rows whose pivot is too small, -1: none. */
static int factor_corner(panel *p)
{
  double s[PANEL][PANEL], diagonal[PANEL];
  int row = 0;
  for (int c = 0; c < p->width; c++) diagonal[c] = column_of(p, c)[p->at + c];
  for (; row + ROWS <= p->width; row += ROWS) subtract_in_corner(p, row, ROWS, s);
  for (; row < p->width; row++) subtract_in_corner(p, row, 1, s);
  for (int c = 0; c < p->width; c++) {
    for (int k = 0; k < c; k++)
      for (int i = c; i < p->width; i++) s[c][i] = fma(-s[k][i], s[k][c], s[c][i]);
    if (!(s[c][c] > DS_SOP_LEAST_PIVOT * diagonal[c])) return p->at + c;
    s[c][c] = sqrt(s[c][c]);
    p->inverse[c] = 1.0 / s[c][c];
    for (int i = c + 1; i < p->width; i++) s[c][i] *= p->inverse[c];
    for (int i = c; i < p->width; i++) column_of(p, c)[p->at + i] = s[c][i];
  }
  memcpy(p->corner, s, sizeof s);
  return -1;
}

/* Some rows below the corner, of a whole panel; `rows` is a constant. */
DS_FUNC void factor_rows(const panel *p, int first, int rows)
{
  double s[PANEL][ROWS];
  subtract_known(p, first, rows, s);
  for (int c = 0; c < PANEL; c++) {
    for (int k = 0; k < c; k++)
      for (int l = 0; l < rows; l++) s[c][l] = fma(-s[k][l], p->corner[k][c], s[c][l]);
    for (int l = 0; l < rows; l++) s[c][l] *= p->inverse[c];
  }
  for (int c = 0; c < PANEL; c++)
    for (int l = 0; l < rows; l++) column_of(p, c)[first + l] = s[c][l];
}

int DS_KERNEL(ds_sop_hydro_factor)(const ds_sop_hydro_molecule *m, double *triangle)
{
  panel p;
  p.n = 3 * m->beads;
  p.a = triangle;
  for (int32_t j = 0; j < m->beads; j++) fill_columns(m, j, triangle);
  for (p.at = 0; p.at < p.n; p.at += PANEL) {
    p.width = p.n - p.at < PANEL ? p.n - p.at : PANEL;
    take_known(&p);
    const int bad = factor_corner(&p);
    if (bad >= 0) return bad;
    int row = p.at + p.width;
    for (; row + ROWS <= p.n; row += ROWS) factor_rows(&p, row, ROWS);
    for (; row < p.n; row++) factor_rows(&p, row, 1);
  }
  return -1;
}

void DS_KERNEL(ds_sop_hydro_product)(int n, const double *triangle, const double *from, double *to)
{
  for (int i = 0; i < n; i++) to[i] = 0.0;
  for (int k = 0; k < n; k++) {
    const double *restrict const column = triangle + ds_sop_triangle_column(n, k);
    const double y = from[k];
    double *restrict const sum = to;
    DS_VECTOR_LOOP
    for (int i = k; i < n; i++) sum[i] = fma(column[i], y, sum[i]);
  }
}
