/* Stages of a mesh on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later

   A block transforms some neighboring lines in shared memory, where a group of elements is a thread's. Along z it goes from
   charges to fields at once. A warp takes some charged atoms at a time: their places are found by a thread for each axis, then
   all of its threads spread one charge after the other, or interpolate. */
#include "../core/launch.cuh"
#include "mesh.h"

#include <cub/block/block_scan.cuh>

namespace {
enum { MODE_THREADS = 128, MOST_LINE_THREADS = 256, MODES_BLOCKS = 3 /* that share a multiprocessor, at least */ };
enum { ATOM_THREADS = 256, WARPS = ATOM_THREADS / 32, TEAM = 8 /* threads of a pair of fields */ };
enum { CHARGES = 8 /* of a warp at a time, at most */, SPREAD_BLOCKS = 6, INTERPOLATION_BLOCKS = 5 /* of a multiprocessor */ };

/* ------------------------------------------------------------------------------------------ transforms */

extern __shared__ double shared_lines[];

/* Array k of shared memory, of lines of n elements. */
template <int LINES> __device__ ds_fourier_lines lines_of_block(int n, int k)
{
  double *const first = shared_lines + (size_t) 2 * k * n * LINES;
  return {first, first + (size_t) n * LINES};
}

template <int LINES, int RADIX>
__device__ void groups(const ds_fourier &f, int before, double sign, ds_fourier_lines from, ds_fourier_lines to)
{
  const int all = f.n / RADIX * LINES;
  for (int k = threadIdx.x; k < all; k += blockDim.x)
    ds_fourier_group(&f, RADIX, before, sign, k / LINES, k % LINES, LINES, from, to);
}

/* Of lines that all threads of the block have written; afterwards both arrays may have changed places, and all may read. */
template <int LINES>
__device__ void transform(const ds_fourier &f, double sign, ds_fourier_lines &lines, ds_fourier_lines &spare)
{
  for (int pass = 0, before = 1; pass < f.passes; before *= f.radix[pass++]) {
    const ds_fourier_lines from = lines, to = spare;
    __syncthreads();
    switch (f.radix[pass]) {
      case 2: groups<LINES, 2>(f, before, sign, from, to); break;
      case 3: groups<LINES, 3>(f, before, sign, from, to); break;
      case 4: groups<LINES, 4>(f, before, sign, from, to); break;
      default: groups<LINES, 5>(f, before, sign, from, to); break;
    }
    lines = to;
    spare = from;
  }
  __syncthreads();
}

/* Along x: neighbors in memory are elements of a line. CHARGES: from charges to the spectrum; else a pair of fields, which is
   blockIdx.y, in place. */
template <int LINES, bool CHARGES> __global__ void rows_kernel(const __grid_constant__ ds_mesh_view v, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int n = v.grid.n[0], rows = v.grid.n[1] * v.grid.n[2], first = blockIdx.x * LINES, all = min(LINES, rows - first) * n;
  ds_complex *const mesh = (CHARGES ? v.spectrum : v.field[blockIdx.y]) + (size_t) first * n;
  const int64_t *const charge = v.charge + (size_t) first * n;
  ds_fourier_lines a = lines_of_block<LINES>(n, 0), b = lines_of_block<LINES>(n, 1);
  for (int k = threadIdx.x; k < LINES * n; k += blockDim.x) {
    const int at = k % n * LINES + k / n;
    ds_complex element = {0.0, 0.0};
    if (k < all && CHARGES) element.re = v.density * (double) charge[k];
    if (k < all && !CHARGES) element = mesh[k];
    a.re[at] = element.re;
    a.im[at] = element.im;
  }
  transform<LINES>(v.line[0], CHARGES ? -1.0 : 1.0, a, b);
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
  ds_fourier_lines a = lines_of_block<LINES>(ny, 0), b = lines_of_block<LINES>(ny, 1);
  load<LINES>(at, nx, ny, nx - first, a);
  transform<LINES>(v.line[1], FORTH ? -1.0 : 1.0, a, b);
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
  const ds_fourier_lines potential = lines_of_block<LINES>(nz, 2);
  ds_fourier_lines a = lines_of_block<LINES>(nz, 0), b = lines_of_block<LINES>(nz, 1);
  load<LINES>(v.spectrum + begin, plane, nz, count, a);
  transform<LINES>(v.line[2], -1.0, a, b);
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
    transform<LINES>(v.line[2], 1.0, a, b);
    store<LINES>(a, plane, nz, count, v.field[pair] + begin);
  }
}

__global__ void sums_kernel(const __grid_constant__ ds_mesh_view v, ds_launch_id launch)
{
  const int k = blockIdx.x * MODE_THREADS + threadIdx.x, nx = v.grid.n[0];
  if (ds_stopped(launch) || k >= DS_MESH_SUMS * nx) return;
  ds_mesh_add_columns(&v, k / nx, k % nx);
}

/* Lines side by side of n elements each, for which some arrays of complex numbers fit into 48 KB. */
int lines_for(int n, int arrays)
{
  int lines = DS_MESH_LINES;
  while (lines > 1 && (size_t) arrays * sizeof(ds_complex) * n * lines > 49152) lines /= 2;
  return lines;
}

int line_threads(int n, int lines)
{
  return n * lines > 128 ? (int) MOST_LINE_THREADS : 128;
}

size_t bytes_of(int n, int arrays, int lines)
{
  return (size_t) arrays * sizeof(ds_complex) * n * lines;
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

ds_status tabulate(ds_queue *q, const ds_mesh_view *v, int64_t step, ds_error *err)
{
  return DS_LAUNCH_EACH(err, "kernel of the modes of a mesh", modes_table_kernel, ds_mesh_points(&v->grid), MODE_THREADS,
                        ds_queue_stream(q), *v, ds_queue_launch_id(q, step));
}

ds_status solve(ds_queue *q, const ds_mesh_view *v, const ds_mesh_wanted *w, int64_t step, ds_error *err)
{
  ds_status s = rows(q, v, 0, step, err);
  if (!s) s = columns(q, v, 0, step, err);
  if (!s) s = modes(q, v, w, step, err);
  if (!s && w->sums)
    s = DS_LAUNCH_EACH(err, "kernel of sums of a mesh", sums_kernel, DS_MESH_SUMS * v->grid.n[0], MODE_THREADS,
                       ds_queue_stream(q), *v, ds_queue_launch_id(q, step));
  if (!s) s = columns(q, v, w->pairs, step, err);
  return s ? s : rows(q, v, w->pairs, step, err);
}

/* ----------------------------------------------------------------------------------------------- atoms */

/* In any order. */
__global__ void charged_kernel(const __grid_constant__ ds_mesh_atoms a, int32_t *found, ds_launch_id launch)
{
  typedef cub::BlockScan<int, ATOM_THREADS> scan;
  __shared__ scan::TempStorage space;
  __shared__ int begin;
  const int i = blockIdx.x * ATOM_THREADS + threadIdx.x;
  int place, all;
  if (ds_stopped(launch)) return;
  const bool is_charged = i < a.n && ds_array_get(&a.charge, i, 0) != 0.0;
  scan(space).ExclusiveSum(is_charged, place, all);
  if (threadIdx.x == 0) begin = atomicAdd(found, all);
  __syncthreads();
  if (is_charged) found[1 + begin + place] = i;
}

ds_status find_charged(ds_queue *q, const ds_mesh_atoms *a, int32_t *found, int64_t step, ds_error *err)
{
  if (a->n == 0) return DS_OK;
  const ds_shape shape = {dim3(ds_gpu_blocks(a->n, ATOM_THREADS)), ATOM_THREADS, 0};
  return ds_launch_shaped(err, "kernel of charged atoms", charged_kernel, shape, q, *a, found, ds_queue_launch_id(q, step));
}

__device__ void add_integer(int64_t *to, int64_t part)
{
  atomicAdd((unsigned long long *) to, (unsigned long long) part);
}

/* Of all threads of a warp. */
__device__ int64_t add_warp(int64_t part)
{
  for (int lane = 16; lane > 0; lane /= 2) part += __shfl_down_sync(DS_FULL_WARP, (long long) part, lane);
  return part;
}

/* One charge by one warp: a lane has a row of points along z. */
template <int ORDER> __device__ void spread_charge(const ds_mesh_view &v, const ds_mesh_place &p, double q, int lane)
{
  for (int k = lane; k < ORDER * ORDER; k += 32) {
    const int x = k % ORDER, y = k / ORDER;
#pragma unroll
    for (int z = 0; z < ORDER; z++)
      add_integer(v.charge + ds_mesh_point_of(&p, x, y, z),
                  ds_mesh_share(q * v.scale, p.weight[2][z], p.weight[1][y], p.weight[0][x]));
  }
}

/* Charges that a warp works on together: each lane has one, as far as there are so many, and all have the places. */
struct warp_charges {
  int n, atom;
  double q;
};

template <int ORDER>
__device__ warp_charges take_charges(const ds_mesh_grid &g, const ds_mesh_atoms &a, int first, int n, int lane,
                                     ds_mesh_place place[CHARGES])
{
  const int own = lane < n ? a.charged[first + lane] : 0;
  const warp_charges c = {n, own, lane < n ? ds_array_get(&a.charge, own, 0) : 0.0};
  const int other = __shfl_sync(DS_FULL_WARP, own, lane / 3);
  if (lane < 3 * n) ds_mesh_place_along(&g, ORDER, lane % 3, a.x + 3 * (size_t) other, &place[lane / 3]);
  __syncwarp();
  return c;
}

/* A charge too far out has no part in it: all that follows is stopped. */
__device__ void check_charge(const ds_mesh_view &v, const ds_mesh_atoms &a, const ds_launch_id &launch, warp_charges *c)
{
  if (c->q == 0.0 || ds_mesh_is_near(&v.grid, a.x + 3 * (size_t) c->atom)) return;
  atomicMax(&launch.control->position_fault, (uint32_t) (a.n - c->atom));
  ds_stop(launch);
  c->q = 0.0;
}

__device__ void add_to_dipole(const ds_mesh_view &v, const ds_mesh_atoms &a, const warp_charges &c, int64_t sum[DS_MESH_EXTRA])
{
  int64_t mine[DS_MESH_EXTRA];
  if (c.q == 0.0) return;
  ds_mesh_extra(&v, c.q, a.x[3 * (size_t) c.atom + 2] - v.grid.lo[2], mine);
  for (int k = 0; k < DS_MESH_EXTRA; k++) sum[k] += mine[k];
}

/* `each`: charges of a warp at a time. */
template <int ORDER>
__global__ void __launch_bounds__(ATOM_THREADS, SPREAD_BLOCKS)
    spread_kernel(const __grid_constant__ ds_mesh_view v, const __grid_constant__ ds_mesh_atoms a, int each,
                  ds_launch_id launch)
{
  __shared__ ds_mesh_place places[WARPS][CHARGES];
  if (ds_stopped(launch)) return;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, all = *a.ncharged;
  int64_t dipole[DS_MESH_EXTRA] = {0, 0};
  for (int first = (blockIdx.x * WARPS + warp) * each; first < all; first += gridDim.x * WARPS * each) {
    warp_charges c = take_charges<ORDER>(v.grid, a, first, min(each, all - first), lane, places[warp]);
    check_charge(v, a, launch, &c);
    if (ds_mesh_wants_slab(&v)) add_to_dipole(v, a, c, dipole);
    for (int k = 0; k < c.n; k++) {
      const double q = __shfl_sync(DS_FULL_WARP, c.q, k);
      if (q != 0.0) spread_charge<ORDER>(v, places[warp][k], q, lane);
    }
    __syncwarp();
  }
  for (int k = 0; k < DS_MESH_EXTRA && ds_mesh_wants_slab(&v); k++) {
    const int64_t sum = add_warp(dipole[k]);
    if (lane == 0 && sum) add_integer(v.charge + ds_mesh_points(&v.grid) + k, sum);
  }
}

/* Two pairs of fields at a charge, in the first thread of each of two teams: planes are added up in a tree. */
template <int ORDER>
__device__ ds_complex fields_at(const ds_mesh_view &v, const ds_mesh_place &place, const int pair[2], int lane,
                                ds_complex column[2][ORDER * ORDER])
{
  const int team = lane / TEAM, member = lane % TEAM;
  for (int k = lane; k < ORDER * ORDER; k += 32)
#pragma unroll
    for (int p = 0; p < 2; p++)
      column[p][k] = ds_mesh_column(v.field[pair[p]], &place, ORDER, k % ORDER, k / ORDER);
  __syncwarp();
  ds_complex part = {0.0, 0.0};
  if (team < 2 && member < ORDER) part = ds_mesh_plane(&place, ORDER, member, column[team] + member, ORDER);
  for (int half = 1; half < TEAM; half *= 2) {
    part.re += __shfl_xor_sync(DS_FULL_WARP, part.re, half);
    part.im += __shfl_xor_sync(DS_FULL_WARP, part.im, half);
  }
  __syncwarp();
  return part;
}

/* Of the first thread of the second team, for all. */
__device__ ds_complex of_second_team(const ds_complex &mine)
{
  return {__shfl_sync(DS_FULL_WARP, mine.re, TEAM), __shfl_sync(DS_FULL_WARP, mine.im, TEAM)};
}

template <int ORDER>
__device__ void add_virials(const ds_mesh_view &v, const ds_mesh_place &place, double *vatom, double q, int lane,
                            ds_complex column[2][ORDER * ORDER])
{
  for (int k = 0; k < 3; k += 2) {
    const int pair[2] = {DS_MESH_VIRIALS + k, DS_MESH_VIRIALS + min(k + 1, 2)};
    const ds_complex one = fields_at<ORDER>(v, place, pair, lane, column), other = of_second_team(one);
    const double factor = 0.5 * v.of_charge.strength * q;
    if (lane) continue;
    vatom[2 * k] += factor * one.re;
    vatom[2 * k + 1] += factor * one.im;
    if (k + 1 == 3) continue;
    vatom[2 * k + 2] += factor * other.re;
    vatom[2 * k + 3] += factor * other.im;
  }
}

/* `each`: charges of a warp at a time. */
template <int ORDER, bool TALLY>
__global__ void __launch_bounds__(ATOM_THREADS, INTERPOLATION_BLOCKS)
    interpolate_kernel(const __grid_constant__ ds_mesh_view v, const __grid_constant__ ds_mesh_atoms a, int each,
                       ds_launch_id launch)
{
  const int pair[2] = {DS_MESH_FIELD_XY, DS_MESH_FIELD_Z};
  __shared__ ds_mesh_place places[WARPS][CHARGES];
  __shared__ ds_complex columns[WARPS][2][ORDER * ORDER];
  if (ds_stopped(launch)) return;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, all = *a.ncharged;
  const ds_mesh_dipole d = ds_mesh_dipole_of(&v, v.charge + ds_mesh_points(&v.grid));
  for (int first = (blockIdx.x * WARPS + warp) * each; first < all; first += gridDim.x * WARPS * each) {
    const warp_charges c = take_charges<ORDER>(v.grid, a, first, min(each, all - first), lane, places[warp]);
    for (int k = 0; k < c.n; k++) {
      const ds_mesh_place &place = places[warp][k];
      const size_t atom = __shfl_sync(DS_FULL_WARP, c.atom, k);
      const double q = __shfl_sync(DS_FULL_WARP, c.q, k), z = a.x[3 * atom + 2] - v.grid.lo[2];
      const ds_complex xy = fields_at<ORDER>(v, place, pair, lane, columns[warp]), zp = of_second_team(xy);
      const double e[3] = {xy.re, xy.im, zp.re};
      if (lane == 0) ds_mesh_force(&v.of_charge, &d, q, z, e, a.f + 3 * atom);
      if (TALLY && lane == 0 && a.eatom) a.eatom[atom] += ds_mesh_energy(&v.of_charge, &d, q, z, zp.im);
      if (TALLY && a.vatom) add_virials<ORDER>(v, place, a.vatom + 6 * atom, q, lane, columns[warp]);
    }
    __syncwarp();
  }
}

/* Charges of a warp at a time: of few charges each warp that there is room for has one. */
int charges_of_warp(int about, int warps)
{
  const int each = about / warps;
  return each < 1 ? 1 : each > CHARGES ? (int) CHARGES : each;
}

typedef void (*atom_kernel)(ds_mesh_view, ds_mesh_atoms, int, ds_launch_id);

ds_status launch_atoms(ds_queue *q, const char *name, const atom_kernel kernels[], int blocks_at_a_time, const ds_mesh_view *v,
                       const ds_mesh_atoms *a, int64_t step, ds_error *err)
{
  const int most = q->multiprocessors * blocks_at_a_time, each = charges_of_warp(a->about, most * WARPS);
  const int blocks = (int) ds_gpu_blocks(a->n, each * WARPS);
  if (a->n == 0) return DS_OK;
  return ds_launch_shaped(err, name, kernels[v->grid.order], {dim3(blocks < most ? blocks : most), ATOM_THREADS, 0}, q, *v, *a,
                          each, ds_queue_launch_id(q, step));
}

ds_status spread(ds_queue *q, const ds_mesh_view *v, const ds_mesh_atoms *a, int64_t step, ds_error *err)
{
  static const atom_kernel kernels[DS_MESH_MOST_ORDER + 1] = {
      NULL, NULL, spread_kernel<2>, spread_kernel<3>, spread_kernel<4>, spread_kernel<5>, spread_kernel<6>, spread_kernel<7>};
  return launch_atoms(q, "kernel that spreads charges", kernels, SPREAD_BLOCKS, v, a, step, err);
}

template <bool TALLY>
ds_status launch_interpolation(ds_queue *q, const ds_mesh_view *v, const ds_mesh_atoms *a, int64_t step, ds_error *err)
{
  static const atom_kernel kernels[DS_MESH_MOST_ORDER + 1] = {
      NULL, NULL, interpolate_kernel<2, TALLY>, interpolate_kernel<3, TALLY>, interpolate_kernel<4, TALLY>,
      interpolate_kernel<5, TALLY>, interpolate_kernel<6, TALLY>, interpolate_kernel<7, TALLY>};
  return launch_atoms(q, "kernel that interpolates fields", kernels, INTERPOLATION_BLOCKS, v, a, step, err);
}

ds_status interpolate(ds_queue *q, const ds_mesh_view *v, const ds_mesh_atoms *a, int64_t step, ds_error *err)
{
  return a->eatom || a->vatom ? launch_interpolation<true>(q, v, a, step, err)
                              : launch_interpolation<false>(q, v, a, step, err);
}
}    // namespace

const ds_mesh_stages ds_mesh_stages_cuda = {find_charged, tabulate, spread, solve, interpolate};
