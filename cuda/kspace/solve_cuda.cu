/* From charges on a mesh to fields, on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later

   A block transforms some neighboring lines in shared memory, where a group of elements is a thread's; or a whole plane, along
   x and y, where that fits. Along z it goes from charges to fields at once. */
#include "../core/launch.cuh"
#include "mesh.h"

namespace {
enum { MODE_THREADS = 128, MOST_LINE_THREADS = 256, MODES_BLOCKS = 3 /* that share a multiprocessor, at least */ };
enum { PLANE_THREADS = 512, MOST_SHARED = 49152 /* bytes of a block */, MOST_ROOTS = 256 /* of a line, in them */ };

/* ------------------------------------------------------------------------------------- lines in shared memory */

extern __shared__ __align__(16) double shared_lines[];

/* Some lines side by side: how many, and how far the elements of one are apart. */
template <int LINES> struct few_lines {
  static constexpr int count = LINES, stride = LINES;
};

struct many_lines {
  int count, stride;
};

/* Array k of shared memory, of so many elements. */
__device__ ds_fourier_lines array_of_block(int elements, int k)
{
  double *const first = shared_lines + (size_t) 2 * k * elements;
  return {first, first + elements};
}

/* Roots of short lines are in shared memory, too, behind the arrays: a pass that finds them elsewhere waits longer for them
   than it works. How many. */
__device__ __host__ inline int shared_roots(int n)
{
  return n <= MOST_ROOTS ? n : 0;
}

/* All may read them after __syncthreads(). */
__device__ const ds_complex *bring_roots(const ds_fourier &f, void *room)
{
  ds_complex *const root = (ds_complex *) room;
  for (int k = threadIdx.x; k < shared_roots(f.n); k += blockDim.x) root[k] = f.root[k];
  return shared_roots(f.n) ? root : f.root;
}

template <int RADIX, class Lines>
__device__ void groups(const ds_fourier &f, int before, double sign, const Lines &side, ds_fourier_lines from,
                       ds_fourier_lines to)
{
  const int all = f.n / RADIX * side.count;
  for (int k = threadIdx.x; k < all; k += blockDim.x)
    ds_fourier_group(&f, RADIX, before, sign, k / side.count, k % side.count, side.stride, from, to);
}

/* Of lines that all threads of the block have written; afterwards both arrays may have changed places, and all may read. */
template <class Lines>
__device__ void transform(const ds_fourier &f, const ds_complex *root, double sign, const Lines &side, ds_fourier_lines &lines,
                          ds_fourier_lines &spare)
{
  ds_fourier here;
  here.n = f.n;
  here.root = root;
  for (int pass = 0, before = 1; pass < f.passes; before *= f.radix[pass++]) {
    const ds_fourier_lines from = lines, to = spare;
    __syncthreads();
    switch (f.radix[pass]) {
      case 2: groups<2>(here, before, sign, side, from, to); break;
      case 3: groups<3>(here, before, sign, side, from, to); break;
      case 4: groups<4>(here, before, sign, side, from, to); break;
      default: groups<5>(here, before, sign, side, from, to); break;
    }
    lines = to;
    spare = from;
  }
  __syncthreads();
}

/* ------------------------------------------------------------------------------------ a plane at a time */

/* Lines along x side by side in y, then lines along y side by side in x, or the other way around. Strides are odd: neighbors
   along either axis are in different banks of shared memory. */
struct plane {
  many_lines along_x, along_y;
  ds_fourier_lines lines, spare;
  const ds_complex *x_root, *y_root;
};

__device__ __host__ inline int plane_elements(int nx, int ny)
{
  const int along_x = nx * (ny | 1), along_y = ny * (nx | 1);
  return along_x > along_y ? along_x : along_y;
}

__device__ plane plane_of_block(const ds_mesh_view &v)
{
  const int nx = v.grid.n[0], ny = v.grid.n[1], elements = plane_elements(nx, ny);
  ds_complex *const roots = (ds_complex *) array_of_block(elements, 2).re;
  return {{ny, ny | 1},
          {nx, nx | 1},
          array_of_block(elements, 0),
          array_of_block(elements, 1),
          bring_roots(v.line[0], roots),
          bring_roots(v.line[1], roots + shared_roots(nx))};
}

/* Each line becomes an element of the lines along the other axis. */
__device__ void turn(plane &p, const many_lines &from, const many_lines &to)
{
  const ds_fourier_lines lines = p.spare;
  for (int k = threadIdx.x; k < from.count * to.count; k += blockDim.x) {
    const int line = k % from.count, element = k / from.count;
    lines.re[line * to.stride + element] = p.lines.re[element * from.stride + line];
    lines.im[line * to.stride + element] = p.lines.im[element * from.stride + line];
  }
  p.spare = p.lines;
  p.lines = lines;
}

/* Charges of plane z to the spectrum, along x and y; they are 0 afterwards. */
__global__ void __launch_bounds__(PLANE_THREADS)
    charge_planes_kernel(const __grid_constant__ ds_mesh_view v, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int nx = v.grid.n[0], ny = v.grid.n[1];
  const size_t first = (size_t) blockIdx.x * nx * ny;
  plane p = plane_of_block(v);
  for (int k = threadIdx.x; k < nx * ny; k += blockDim.x) {
    const int at = k % nx * p.along_x.stride + k / nx;
    p.lines.re[at] = v.density * (double) v.charge[first + k];
    p.lines.im[at] = 0.0;
    v.charge[first + k] = 0;
  }
  transform(v.line[0], p.x_root, -1.0, p.along_x, p.lines, p.spare);
  turn(p, p.along_x, p.along_y);
  transform(v.line[1], p.y_root, -1.0, p.along_y, p.lines, p.spare);
  for (int k = threadIdx.x; k < nx * ny; k += blockDim.x) {
    const int at = k / nx * p.along_y.stride + k % nx;
    v.spectrum[first + k] = {p.lines.re[at], p.lines.im[at]};
  }
}

/* Plane z of a pair of fields, which is blockIdx.y, back along y and x, in place. */
__global__ void __launch_bounds__(PLANE_THREADS)
    field_planes_kernel(const __grid_constant__ ds_mesh_view v, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int nx = v.grid.n[0], ny = v.grid.n[1];
  ds_complex *const mesh = v.field[blockIdx.y] + (size_t) blockIdx.x * nx * ny;
  plane p = plane_of_block(v);
  for (int k = threadIdx.x; k < nx * ny; k += blockDim.x) {
    const int at = k / nx * p.along_y.stride + k % nx;
    const ds_complex element = mesh[k];
    p.lines.re[at] = element.re;
    p.lines.im[at] = element.im;
  }
  transform(v.line[1], p.y_root, 1.0, p.along_y, p.lines, p.spare);
  turn(p, p.along_y, p.along_x);
  transform(v.line[0], p.x_root, 1.0, p.along_x, p.lines, p.spare);
  for (int k = threadIdx.x; k < nx * ny; k += blockDim.x) {
    const int at = k % nx * p.along_x.stride + k / nx;
    mesh[k] = {p.lines.re[at], p.lines.im[at]};
  }
}

/* ------------------------------------------------------------------------------------ some lines at a time */

template <int LINES> __device__ ds_fourier_lines lines_of_block(int n, int k)
{
  return array_of_block(n * LINES, k);
}

/* Along x: neighbors in memory are elements of a line. CHARGES: from charges, which are 0 afterwards, to the spectrum; else a
   pair of fields, which is blockIdx.y, in place. */
template <int LINES, bool CHARGES> __global__ void rows_kernel(const __grid_constant__ ds_mesh_view v, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int n = v.grid.n[0], rows = v.grid.n[1] * v.grid.n[2], first = blockIdx.x * LINES, all = min(LINES, rows - first) * n;
  ds_complex *const mesh = (CHARGES ? v.spectrum : v.field[blockIdx.y]) + (size_t) first * n;
  int64_t *const charge = v.charge + (size_t) first * n;
  const ds_complex *const root = bring_roots(v.line[0], lines_of_block<LINES>(n, 2).re);
  ds_fourier_lines a = lines_of_block<LINES>(n, 0), b = lines_of_block<LINES>(n, 1);
  for (int k = threadIdx.x; k < LINES * n; k += blockDim.x) {
    const int at = k % n * LINES + k / n;
    ds_complex element = {0.0, 0.0};
    if (k < all && CHARGES) {
      element.re = v.density * (double) charge[k];
      charge[k] = 0;
    }
    if (k < all && !CHARGES) element = mesh[k];
    a.re[at] = element.re;
    a.im[at] = element.im;
  }
  transform(v.line[0], root, CHARGES ? -1.0 : 1.0, few_lines<LINES>(), a, b);
  for (int k = threadIdx.x; k < all; k += blockDim.x) {
    const int at = k % n * LINES + k / n;
    mesh[k] = {a.re[at], a.im[at]};
  }
}

/* Lines that are neighbors in x, with elements `stride` apart. */
template <int LINES> __device__ void load(const ds_complex *from, size_t stride, int n, int count, ds_fourier_lines to)
{
  for (int k = threadIdx.x; k < n * LINES; k += blockDim.x) {
    const int w = k % LINES;
    const ds_complex none = {0.0, 0.0}, element = w < count ? from[k / LINES * stride + w] : none;
    to.re[k] = element.re;
    to.im[k] = element.im;
  }
}

template <int LINES> __device__ void store(ds_fourier_lines from, size_t stride, int n, int count, ds_complex *to)
{
  for (int k = threadIdx.x; k < n * LINES; k += blockDim.x) {
    const int w = k % LINES;
    if (w < count) to[k / LINES * stride + w] = {from.re[k], from.im[k]};
  }
}

/* Along y: the spectrum, forth, or back a pair of fields, which is blockIdx.y. */
template <int LINES, bool FORTH>
__global__ void columns_kernel(const __grid_constant__ ds_mesh_view v, int parts, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int nx = v.grid.n[0], ny = v.grid.n[1], first = blockIdx.x % parts * LINES, z = blockIdx.x / parts;
  ds_complex *const at = (FORTH ? v.spectrum : v.field[blockIdx.y]) + (size_t) z * ny * nx + first;
  const ds_complex *const root = bring_roots(v.line[1], lines_of_block<LINES>(ny, 2).re);
  ds_fourier_lines a = lines_of_block<LINES>(ny, 0), b = lines_of_block<LINES>(ny, 1);
  load<LINES>(at, nx, ny, nx - first, a);
  transform(v.line[1], root, FORTH ? -1.0 : 1.0, few_lines<LINES>(), a, b);
  store<LINES>(a, nx, ny, nx - first, at);
}

/* A thread for each mode. */
__global__ void modes_table_kernel(const __grid_constant__ ds_mesh_view v, ds_launch_id launch)
{
  const int nx = v.grid.n[0], ny = v.grid.n[1], k = blockIdx.x * MODE_THREADS + threadIdx.x;
  if (ds_stopped(launch) || k >= nx * ny * v.grid.n[2]) return;
  ds_mesh_tabulate(&v, k % nx, k / nx % ny, k / (nx * ny));
}

/* Along z: charges, potential, fields. Where there are few lines, blockIdx.y is a pair of fields: to find the potential for
   each of them takes less time than to make one after the other. */
template <int LINES>
__global__ void __launch_bounds__(MOST_LINE_THREADS, MODES_BLOCKS)
    modes_kernel(const __grid_constant__ ds_mesh_view v, ds_mesh_wanted wanted, int parts, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int nx = v.grid.n[0], nz = v.grid.n[2], first = blockIdx.x % parts * LINES, y = blockIdx.x / parts;
  const int count = min(LINES, nx - first);
  const size_t plane = (size_t) v.grid.n[1] * nx, begin = (size_t) y * nx + first;
  const ds_complex *const root = bring_roots(v.line[2], lines_of_block<LINES>(nz, 3).re);
  const ds_fourier_lines potential = lines_of_block<LINES>(nz, 2);
  ds_fourier_lines a = lines_of_block<LINES>(nz, 0), b = lines_of_block<LINES>(nz, 1);
  load<LINES>(v.spectrum + begin, plane, nz, count, a);
  transform(v.line[2], root, -1.0, few_lines<LINES>(), a, b);
  for (int k = threadIdx.x; k < nz * LINES; k += blockDim.x) {
    const int w = k % LINES;
    if (w >= count) continue;
    const ds_complex p = ds_mesh_potential(&v, first + w, y, k / LINES, a.re[k], a.im[k]);
    potential.re[k] = p.re;
    potential.im[k] = p.im;
  }
  __syncthreads();
  if (wanted.sums && blockIdx.y == 0 && (int) threadIdx.x < count)
    ds_mesh_add_modes(&v, first + threadIdx.x, y, threadIdx.x, LINES, a, potential);
  const int pairs = gridDim.y > 1 ? (int) blockIdx.y + 1 : wanted.pairs;
  for (int pair = blockIdx.y; pair < pairs; pair++) {
    __syncthreads();
    for (int k = threadIdx.x; k < nz * LINES; k += blockDim.x) {
      const int w = k % LINES;
      ds_complex both = {0.0, 0.0};
      if (w < count) both = ds_mesh_pair(&v, pair, first + w, y, k / LINES, potential.re[k], potential.im[k]);
      a.re[k] = both.re;
      a.im[k] = both.im;
    }
    transform(v.line[2], root, 1.0, few_lines<LINES>(), a, b);
    store<LINES>(a, plane, nz, count, v.field[pair] + begin);
  }
}

__global__ void sums_kernel(const __grid_constant__ ds_mesh_view v, ds_launch_id launch)
{
  const int k = blockIdx.x * MODE_THREADS + threadIdx.x, nx = v.grid.n[0];
  if (ds_stopped(launch) || k >= DS_MESH_SUMS * nx) return;
  ds_mesh_add_columns(&v, k / nx, k % nx);
}

size_t bytes_of(int n, int arrays, int lines)
{
  return sizeof(ds_complex) * ((size_t) arrays * n * lines + shared_roots(n));
}

/* Lines side by side of n elements each, for which some arrays of complex numbers fit into a block's memory. */
int lines_for(int n, int arrays)
{
  int lines = DS_MESH_LINES;
  while (lines > 1 && bytes_of(n, arrays, lines) > MOST_SHARED) lines /= 2;
  return lines;
}

int line_threads(int n, int lines)
{
  return n * lines > 128 ? (int) MOST_LINE_THREADS : 128;
}

template <int LINES> ds_status launch_rows(ds_queue *q, const ds_mesh_view *v, int pairs, int64_t step, ds_error *err)
{
  const int rows = v->grid.n[1] * v->grid.n[2];
  const dim3 blocks((rows + LINES - 1) / LINES, pairs ? pairs : 1);
  const size_t bytes = bytes_of(v->grid.n[0], 2, LINES);
  return ds_launch_shaped(err, "kernel along x of a mesh", pairs ? rows_kernel<LINES, false> : rows_kernel<LINES, true>,
                          {blocks, line_threads(v->grid.n[0], LINES), bytes}, q, *v, ds_queue_launch_id(q, step));
}

template <int LINES> ds_status launch_columns(ds_queue *q, const ds_mesh_view *v, int pairs, int64_t step, ds_error *err)
{
  const int parts = (v->grid.n[0] + LINES - 1) / LINES;
  const dim3 blocks(parts * v->grid.n[2], pairs ? pairs : 1);
  const size_t bytes = bytes_of(v->grid.n[1], 2, LINES);
  return ds_launch_shaped(err, "kernel along y of a mesh", pairs ? columns_kernel<LINES, false> : columns_kernel<LINES, true>,
                          {blocks, line_threads(v->grid.n[1], LINES), bytes}, q, *v, parts, ds_queue_launch_id(q, step));
}

template <int LINES>
ds_status launch_modes(ds_queue *q, const ds_mesh_view *v, const ds_mesh_wanted *w, int64_t step, ds_error *err)
{
  const int parts = (v->grid.n[0] + LINES - 1) / LINES;
  const int lines = parts * v->grid.n[1], are_few = lines < 2 * q->multiprocessors && w->pairs > 1;
  return ds_launch_shaped(err, "kernel along z of a mesh", modes_kernel<LINES>,
                          {dim3(lines, are_few ? w->pairs : 1), line_threads(v->grid.n[2], LINES),
                           bytes_of(v->grid.n[2], 3, LINES)}, q, *v, *w, parts,
                          ds_queue_launch_id(q, step));
}

/* pairs 0: the spectrum, forth. */
ds_status rows(ds_queue *q, const ds_mesh_view *v, int pairs, int64_t step, ds_error *err)
{
  switch (lines_for(v->grid.n[0], 2)) {
    case 8: return launch_rows<8>(q, v, pairs, step, err);
    case 4: return launch_rows<4>(q, v, pairs, step, err);
    case 2: return launch_rows<2>(q, v, pairs, step, err);
    default: return launch_rows<1>(q, v, pairs, step, err);
  }
}

ds_status columns(ds_queue *q, const ds_mesh_view *v, int pairs, int64_t step, ds_error *err)
{
  switch (lines_for(v->grid.n[1], 2)) {
    case 8: return launch_columns<8>(q, v, pairs, step, err);
    case 4: return launch_columns<4>(q, v, pairs, step, err);
    case 2: return launch_columns<2>(q, v, pairs, step, err);
    default: return launch_columns<1>(q, v, pairs, step, err);
  }
}

ds_status modes(ds_queue *q, const ds_mesh_view *v, const ds_mesh_wanted *w, int64_t step, ds_error *err)
{
  switch (lines_for(v->grid.n[2], 3)) {
    case 8: return launch_modes<8>(q, v, w, step, err);
    case 4: return launch_modes<4>(q, v, w, step, err);
    case 2: return launch_modes<2>(q, v, w, step, err);
    default: return launch_modes<1>(q, v, w, step, err);
  }
}

size_t plane_bytes(const ds_mesh_view *v)
{
  const int nx = v->grid.n[0], ny = v->grid.n[1];
  return sizeof(ds_complex) * ((size_t) 2 * plane_elements(nx, ny) + shared_roots(nx) + shared_roots(ny));
}

ds_status launch_planes(ds_queue *q, const ds_mesh_view *v, int pairs, int64_t step, ds_error *err)
{
  const ds_shape shape = {dim3(v->grid.n[2], pairs ? pairs : 1), PLANE_THREADS, plane_bytes(v)};
  return ds_launch_shaped(err, "kernel of planes of a mesh", pairs ? field_planes_kernel : charge_planes_kernel, shape, q, *v,
                          ds_queue_launch_id(q, step));
}

/* Along x and y, in this order forth (pairs 0), and in the other one back. */
ds_status planes(ds_queue *q, const ds_mesh_view *v, int pairs, int64_t step, ds_error *err)
{
  if (plane_bytes(v) <= MOST_SHARED) return launch_planes(q, v, pairs, step, err);
  const ds_status s = pairs ? columns(q, v, pairs, step, err) : rows(q, v, 0, step, err);
  if (s) return s;
  return pairs ? rows(q, v, pairs, step, err) : columns(q, v, 0, step, err);
}
}    // namespace

ds_status ds_mesh_tabulate_cuda(ds_queue *q, const ds_mesh_view *v, int64_t step, ds_error *err)
{
  return DS_LAUNCH_EACH(err, "kernel of the modes of a mesh", modes_table_kernel, ds_mesh_points(&v->grid), MODE_THREADS,
                        ds_queue_stream(q), *v, ds_queue_launch_id(q, step));
}

ds_status ds_mesh_solve_cuda(ds_queue *q, const ds_mesh_view *v, const ds_mesh_wanted *w, int64_t step, ds_error *err)
{
  ds_status s = planes(q, v, 0, step, err);
  if (!s) s = modes(q, v, w, step, err);
  if (!s && w->sums)
    s = DS_LAUNCH_EACH(err, "kernel of sums of a mesh", sums_kernel, DS_MESH_SUMS * v->grid.n[0], MODE_THREADS,
                       ds_queue_stream(q), *v, ds_queue_launch_id(q, step));
  return s ? s : planes(q, v, w->pairs, step, err);
}
