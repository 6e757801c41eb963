/* The matrix of a molecule and its Cholesky factor, by the threads of one block; each entry is computed by the operations that
   dpdsop/device/sop_hydro.h names, in their order.   SPDX-License-Identifier: GPL-2.0-or-later

   Eight columns at a time: first all rows subtract the products of columns that are known already, then one warp factors the
   corner, then the rows below it are finished. */
#ifndef DPDSOP_SOP_HYDRO_FACTOR_CUDA_CUH
#define DPDSOP_SOP_HYDRO_FACTOR_CUDA_CUH

#include "../core/gpu.h"
#include "hydro_cuda.h"

enum { PANEL = 8, PART = 4 }; /* PART: columns of a panel that a thread has */

/* What stands in a block's shared memory before the matrix. */
struct factor_memory {
  double corner[PANEL][PANEL]; /* row, column */
  double inverse[PANEL];       /* of the diagonal */
  int bad;                     /* the first row whose pivot is too small; -1: none */
};

/* Shared memory behind that: the known entries of the panel's rows, PANEL to a column. */
__device__ __forceinline__ double *known_rows(factor_memory *f)
{
  return (double *) (f + 1);
}

static size_t factor_bytes(int n)
{
  return sizeof(factor_memory) + sizeof(double) * PANEL * (size_t) n;
}

/* first: of the molecule's beads. */
__device__ __forceinline__ ds_sop_matrix_bead matrix_bead(const ds_sop_hydro_view &h, const int4 *x, int first, int b)
{
  const float4 k = h.bead[b];
  const int4 at = x[first + b];
  const ds_sop_matrix_bead r = {{at.x, at.y, at.z}, k.x, k.y, k.z};
  return r;
}

/* Entry i of column j, i >= j. */
__device__ __forceinline__ double *entry_at(double *a, int n, int i, int j)
{
  return a + ds_sop_triangle_column(n, j) + i;
}

__device__ __forceinline__ void fill_matrix(const ds_sop_hydro_view &h, const int4 *x, int first, double *a)
{
  constexpr int entry[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
  const int beads = h.n / 3;
  for (int q = threadIdx.x; q < beads * beads; q += blockDim.x) {
    const int i = q % beads, j = q / beads;
    if (i < j) continue;
    const ds_sop_matrix_bead one = matrix_bead(h, x, first, i), other = matrix_bead(h, x, first, j);
    double e[6];
    ds_sop_matrix_block(&one, &other, (double) h.unit, e);
    for (int c = 0; c < 3; c++)
      for (int r = i == j ? c : 0; r < 3; r++)
        *entry_at(a, h.n, 3 * i + r, 3 * j + c) = i != j ? e[entry[r][c]] : r == c ? (double) one.inverse : 0.0;
  }
}

/* What a diagonal entry was before anything was subtracted from it. */
__device__ __forceinline__ double diagonal_of(const ds_sop_hydro_view &h, int row)
{
  return (double) h.bead[row / 3].y;
}

/* Rows `at` and on, of the panel's columns: less the products of columns 0 to at - 1. A thread has PART columns of a row. */
__device__ __forceinline__ void subtract_known(int n, int at, int width, double *a, const double *known)
{
  const int rows = (n - at + 31) / 32 * 32;
  for (int q = threadIdx.x; q < rows * (PANEL / PART); q += blockDim.x) {
    const int i = at + q % rows, part = q / rows * PART;
    if (i >= n) continue;
    double s[PART];
#pragma unroll
    for (int c = 0; c < PART; c++) s[c] = part + c < width && i >= at + part + c ? *entry_at(a, n, i, at + part + c) : 0.0;
    const double *l = a + i;
    for (int k = 0; k < at; k++) { /* l: entry i of column k */
      const double v = *l;
      l += n - 1 - k;
#pragma unroll
      for (int c = 0; c < PART; c++) s[c] = fma(-v, known[PANEL * k + part + c], s[c]);
    }
#pragma unroll
    for (int c = 0; c < PART; c++)
      if (part + c < width && i >= at + part + c) *entry_at(a, n, i, at + part + c) = s[c];
  }
}

/* The corner, by the first warp: lane r has row r. */
__device__ __forceinline__ void factor_corner(const ds_sop_hydro_view &h, int at, int width, double *a, factor_memory *f)
{
  const int r = threadIdx.x;
  if (r >= 32) return;
  double s[PANEL];
#pragma unroll
  for (int c = 0; c < PANEL; c++) s[c] = r < width && c <= r ? *entry_at(a, h.n, at + r, at + c) : 0.0;
  int bad = -1;
#pragma unroll
  for (int c = 0; c < PANEL; c++) {
    const double pivot = __shfl_sync(DS_FULL_WARP, s[c], c);
    if (c < width && bad < 0 && !(pivot > DS_SOP_LEAST_PIVOT * diagonal_of(h, at + c))) bad = at + c;
    const double root = c < width && bad < 0 ? sqrt(pivot) : 1.0, inverse = 1.0 / root;
    if (r == c) s[c] = root;
    if (r > c) s[c] *= inverse;
    if (r == 0) f->inverse[c] = inverse;
#pragma unroll
    for (int d = c + 1; d < PANEL; d++) {
      const double other = __shfl_sync(DS_FULL_WARP, s[c], d);
      if (r >= d) s[d] = fma(-s[c], other, s[d]);
    }
  }
  if (r < PANEL)
#pragma unroll
    for (int c = 0; c < PANEL; c++) f->corner[r][c] = s[c];
#pragma unroll
  for (int c = 0; c < PANEL; c++)
    if (r < width && c <= r) *entry_at(a, h.n, at + r, at + c) = s[c];
  if (r == 0) f->bad = bad;
}

/* Rows below the corner; there are some only if the panel has all its columns. */
__device__ __forceinline__ void finish_rows(int n, int at, double *a, const factor_memory *f)
{
  for (int i = at + PANEL + threadIdx.x; i < n; i += blockDim.x) {
    double s[PANEL];
#pragma unroll
    for (int c = 0; c < PANEL; c++) s[c] = *entry_at(a, n, i, at + c);
#pragma unroll
    for (int c = 0; c < PANEL; c++) {
#pragma unroll
      for (int k = 0; k < c; k++) s[c] = fma(-s[k], f->corner[c][k], s[c]);
      s[c] *= f->inverse[c];
    }
#pragma unroll
    for (int c = 0; c < PANEL; c++) *entry_at(a, n, i, at + c) = s[c];
  }
}

/* Returns the first row whose pivot is too small; -1: none. All threads of the block. */
__device__ __forceinline__ int factor(const ds_sop_hydro_view &h, double *a, factor_memory *f)
{
  double *const known = known_rows(f);
  const int n = h.n;
  for (int at = 0; at < n; at += PANEL) {
    const int width = min(PANEL, n - at);
    for (int q = threadIdx.x; q < PANEL * at; q += blockDim.x)
      known[q] = q % PANEL < width ? *entry_at(a, n, at + q % PANEL, q / PANEL) : 0.0;
    __syncthreads();
    subtract_known(n, at, width, a, known);
    __syncthreads();
    factor_corner(h, at, width, a, f);
    __syncthreads();
    if (f->bad >= 0) return f->bad;
    finish_rows(n, at, a, f);
    __syncthreads();
  }
  return -1;
}

/* Noise of a molecule: the product of the factor with that of its beads alone, row by row. */
__device__ __forceinline__ void multiply(const ds_sop_hydro_view &h, const double *a, int first, double *known)
{
  const int n = h.n;
  for (int q = threadIdx.x; q < n; q += blockDim.x) known[q] = (double) ((const float *) (h.noise + first + q / 3))[q % 3];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const double *l = a + i;
    double s = 0.0;
    for (int k = 0; k <= i; k++) {
      s = fma(*l, known[k], s);
      l += n - 1 - k;
    }
    h.product[3 * (size_t) first + i] = s;
  }
}

/* Returns the bead at which the matrix is not positive, of all; -1: it is. first: of the molecule's beads. */
__device__ __forceinline__ int noise_by_factor(const ds_sop_hydro_view &h, const int4 *x, int first, factor_memory *f)
{
  double *const a = h.in_shared ? known_rows(f) + PANEL * h.n : h.triangle + blockIdx.x * ds_sop_triangle_size(h.n);
  __syncthreads(); /* the memory is that of the molecule before */
  fill_matrix(h, x, first, a);
  __syncthreads();
  const int row = factor(h, a, f);
  if (row >= 0) return first + row / 3;
  multiply(h, a, first, known_rows(f));
  return -1;
}

#endif
