/* Stages of a mesh on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later

   A block transforms some neighboring lines in shared memory, where a group of elements is a thread's. Along z it goes from
   charges to fields at once. The atoms of a block that are charged are collected first, as they may be few; then a warp spreads
   one of them, and eight neighboring threads interpolate at one. */
#include "../core/launch.cuh"
#include "mesh.h"

namespace {
enum { LINE_THREADS = 128, ATOM_THREADS = 256, TEAM = 8, TEAMS = ATOM_THREADS / TEAM, WARPS = ATOM_THREADS / 32 };

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
  for (int k = threadIdx.x; k < all; k += LINE_THREADS)
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
  for (int k = threadIdx.x; k < LINES * n; k += LINE_THREADS) {
    const int at = k % n * LINES + k / n;
    ds_complex element = {0.0, 0.0};
    if (k < all && CHARGES) element.re = v.density * (double) charge[k];
    if (k < all && !CHARGES) element = mesh[k];
    a.re[at] = element.re;
    a.im[at] = element.im;
  }
  transform<LINES>(v.line[0], CHARGES ? -1.0 : 1.0, a, b);
  for (int k = threadIdx.x; k < all; k += LINE_THREADS) {
    const int at = k % n * LINES + k / n;
    mesh[k] = {a.re[at], a.im[at]};
  }
}

/* Lines that are neighbors in x, with elements `stride` apart. */
template <int LINES> __device__ void load(const ds_complex *from, size_t stride, int n, int count, ds_fourier_lines to)
{
  for (int k = threadIdx.x; k < n * LINES; k += LINE_THREADS) {
    const int w = k % LINES;
    const ds_complex none = {0.0, 0.0}, element = w < count ? from[k / LINES * stride + w] : none;
    to.re[k] = element.re;
    to.im[k] = element.im;
  }
}

template <int LINES> __device__ void store(ds_fourier_lines from, size_t stride, int n, int count, ds_complex *to)
{
  for (int k = threadIdx.x; k < n * LINES; k += LINE_THREADS) {
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

/* Along z: charges, potential, fields. Where there are few lines, blockIdx.y is a pair of fields: to find the potential for each
   of them takes less time than to make one after the other. */
template <int LINES>
__global__ void modes_kernel(const __grid_constant__ ds_mesh_view v, ds_mesh_wanted wanted, int parts, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int nx = v.grid.n[0], nz = v.grid.n[2], first = blockIdx.x % parts * LINES, y = blockIdx.x / parts;
  const int count = min(LINES, nx - first);
  const size_t plane = (size_t) v.grid.n[1] * nx, begin = (size_t) y * nx + first;
  const ds_fourier_lines potential = lines_of_block<LINES>(nz, 2);
  ds_fourier_lines a = lines_of_block<LINES>(nz, 0), b = lines_of_block<LINES>(nz, 1);
  load<LINES>(v.spectrum + begin, plane, nz, count, a);
  transform<LINES>(v.line[2], -1.0, a, b);
  for (int k = threadIdx.x; k < nz * LINES; k += LINE_THREADS) {
    const int w = k % LINES;
    if (w >= count) continue;
    const ds_complex p = ds_mesh_potential(&v, first + w, y, k / LINES, a.re[k], a.im[k]);
    potential.re[k] = p.re;
    potential.im[k] = p.im;
  }
  __syncthreads();
  if (wanted.sums && blockIdx.y == 0 && (int) threadIdx.x < count) ds_mesh_add_modes(&v, first + threadIdx.x, y, threadIdx.x, LINES, a, potential);
  const int pairs = gridDim.y > 1 ? (int) blockIdx.y + 1 : wanted.pairs;
  for (int pair = blockIdx.y; pair < pairs; pair++) {
    __syncthreads();
    for (int k = threadIdx.x; k < nz * LINES; k += LINE_THREADS) {
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
  const int k = blockIdx.x * LINE_THREADS + threadIdx.x, nx = v.grid.n[0];
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
                          {blocks, LINE_THREADS, bytes}, q, *v, ds_queue_launch_id(q, step));
}

template <int LINES> ds_status launch_columns(ds_queue *q, const ds_mesh_view *v, int pairs, int64_t step, ds_error *err)
{
  const int parts = (v->grid.n[0] + LINES - 1) / LINES;
  const dim3 blocks(parts * v->grid.n[2], pairs ? pairs : 1);
  const size_t bytes = bytes_of(v->grid.n[1], 2, LINES);
  return ds_launch_shaped(err, "kernel along y of a mesh", pairs ? columns_kernel<LINES, false> : columns_kernel<LINES, true>,
                          {blocks, LINE_THREADS, bytes}, q, *v, parts, ds_queue_launch_id(q, step));
}

template <int LINES>
ds_status launch_modes(ds_queue *q, const ds_mesh_view *v, const ds_mesh_wanted *w, int64_t step, ds_error *err)
{
  const int parts = (v->grid.n[0] + LINES - 1) / LINES;
  const int lines = parts * v->grid.n[1], are_few = lines < 2 * q->multiprocessors && w->pairs > 1;
  return ds_launch_shaped(err, "kernel along z of a mesh", modes_kernel<LINES>,
                          {dim3(lines, are_few ? w->pairs : 1), LINE_THREADS, bytes_of(v->grid.n[2], 3, LINES)}, q, *v, *w, parts,
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

ds_status solve(ds_queue *q, const ds_mesh_view *v, const ds_mesh_wanted *w, int64_t step, ds_error *err)
{
  ds_status s = rows(q, v, 0, step, err);
  if (!s) s = columns(q, v, 0, step, err);
  if (!s) s = modes(q, v, w, step, err);
  if (!s && w->sums)
    s = DS_LAUNCH_EACH(err, "kernel of sums of a mesh", sums_kernel, DS_MESH_SUMS * v->grid.n[0], LINE_THREADS,
                       ds_queue_stream(q), *v, ds_queue_launch_id(q, step));
  if (!s) s = columns(q, v, w->pairs, step, err);
  return s ? s : rows(q, v, w->pairs, step, err);
}

/* ----------------------------------------------------------------------------------------------- atoms */

/* The charged atoms of a block, in any order; each thread has the charge of its own atom. All threads call it. */
struct charged_atoms {
  int atom[ATOM_THREADS], n;
};

__device__ void collect(charged_atoms *all, int i, bool mine)
{
  if (threadIdx.x == 0) all->n = 0;
  __syncthreads();
  if (mine) all->atom[atomicAdd(&all->n, 1)] = i;
  __syncthreads();
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

__device__ void spread_dipole(const ds_mesh_view &v, const ds_mesh_atoms &a, int i, double q)
{
  int64_t mine[DS_MESH_EXTRA] = {0, 0};
  if (q != 0.0) ds_mesh_extra(&v, q, a.x[3 * (size_t) i + 2] - v.grid.lo[2], mine);
  for (int k = 0; k < DS_MESH_EXTRA; k++) {
    const int64_t sum = add_warp(mine[k]);
    if (threadIdx.x % 32 == 0 && sum) add_integer(v.charge + ds_mesh_points(&v.grid) + k, sum);
  }
}

/* One charge by one warp. */
template <int ORDER> __device__ void spread_charge(const ds_mesh_view &v, const ds_mesh_place &p, double q, int lane)
{
  for (int k = lane; k < ORDER * ORDER * ORDER; k += 32) {
    const int x = k % ORDER, y = k / ORDER % ORDER, z = k / (ORDER * ORDER);
    add_integer(v.charge + ds_mesh_row_of(v.grid.n, &p, y, z) + p.point[0][x],
                ds_mesh_share(q * v.scale, p.weight[2][z], p.weight[1][y], p.weight[0][x]));
  }
}

/* A block has `each` atoms. */
template <int ORDER>
__global__ void spread_kernel(const __grid_constant__ ds_mesh_view v, const __grid_constant__ ds_mesh_atoms a, int each,
                              ds_launch_id launch)
{
  __shared__ charged_atoms charged;
  __shared__ ds_mesh_place place[WARPS];
  if (ds_stopped(launch)) return;
  const int i = blockIdx.x * each + threadIdx.x, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  double q = (int) threadIdx.x < each && i < a.n ? ds_array_get(&a.charge, i, 0) : 0.0;
  if (q != 0.0 && !ds_mesh_is_near(&v.grid, a.x + 3 * (size_t) i)) {
    atomicMax(&launch.control->position_fault, (uint32_t) (a.n - i));
    ds_stop(launch);
    q = 0.0;
  }
  if (ds_mesh_wants_slab(&v)) spread_dipole(v, a, i, q);
  collect(&charged, i, q != 0.0);
  for (int k = warp; k < charged.n; k += WARPS) {
    const int atom = charged.atom[k];
    ds_mesh_place *const p = &place[warp];
    if (lane < 3) ds_mesh_place_along(&v.grid, ORDER, lane, a.x + 3 * (size_t) atom, p);
    __syncwarp();
    spread_charge<ORDER>(v, *p, ds_array_get(&a.charge, atom, 0), lane);
    __syncwarp();
  }
}

/* A pair of fields at a charge, by a team: planes are added up in a tree. */
template <int ORDER> __device__ ds_complex field_at(const ds_mesh_view &v, const ds_mesh_place &p, int pair, int member)
{
  ds_complex part = {0.0, 0.0};
  if (member < ORDER) part = ds_mesh_plane(v.field[pair], v.grid.n, &p, ORDER, member);
  for (int half = 1; half < TEAM; half *= 2) {
    part.re += __shfl_xor_sync(DS_FULL_WARP, part.re, half);
    part.im += __shfl_xor_sync(DS_FULL_WARP, part.im, half);
  }
  return part;
}

template <int ORDER, bool TALLY>
__global__ void interpolate_kernel(const __grid_constant__ ds_mesh_view v, const __grid_constant__ ds_mesh_atoms a,
                                   ds_launch_id launch)
{
  __shared__ charged_atoms charged;
  __shared__ ds_mesh_place place[TEAMS];
  if (ds_stopped(launch)) return;
  const int i = blockIdx.x * ATOM_THREADS + threadIdx.x, team = threadIdx.x / TEAM, member = threadIdx.x % TEAM;
  collect(&charged, i, i < a.n && ds_array_get(&a.charge, i, 0) != 0.0);
  const ds_mesh_dipole d = ds_mesh_dipole_of(&v, v.charge + ds_mesh_points(&v.grid));
  for (int first = 0; first < charged.n; first += TEAMS) { /* the same for all threads of a warp */
    const bool has_one = first + team < charged.n;
    const size_t atom = charged.atom[has_one ? first + team : 0];
    ds_mesh_place *const p = &place[team];
    const double *const x = a.x + 3 * atom;
    if (member < 3) ds_mesh_place_along(&v.grid, ORDER, member, x, p);
    __syncwarp();
    const ds_complex xy = field_at<ORDER>(v, *p, DS_MESH_FIELD_XY, member),
                     zp = field_at<ORDER>(v, *p, DS_MESH_FIELD_Z, member);
    const double q = ds_array_get(&a.charge, atom, 0), z = x[2] - v.grid.lo[2], e[3] = {xy.re, xy.im, zp.re};
    if (has_one && member == 0) ds_mesh_force(&v.of_charge, &d, q, z, e, a.f + 3 * atom);
    if (TALLY && has_one && member == 0 && a.eatom) a.eatom[atom] += ds_mesh_energy(&v.of_charge, &d, q, z, zp.im);
    for (int k = 0; k < 3 && TALLY && a.vatom; k++) {
      const ds_complex w = field_at<ORDER>(v, *p, DS_MESH_VIRIALS + k, member);
      const double factor = 0.5 * v.of_charge.strength * q;
      if (!has_one || member) continue;
      a.vatom[6 * atom + 2 * k] += factor * w.re;
      a.vatom[6 * atom + 2 * k + 1] += factor * w.im;
    }
    __syncwarp();
  }
}

/* Of few atoms a block has so few that its warps seldom wait for one another, as mostly not all are charged. */
ds_status spread(ds_queue *q, const ds_mesh_view *v, const ds_mesh_atoms *a, int64_t step, ds_error *err)
{
  static void (*const kernels[DS_MESH_MOST_ORDER + 1])(ds_mesh_view, ds_mesh_atoms, int, ds_launch_id) = {
      NULL, NULL, spread_kernel<2>, spread_kernel<3>, spread_kernel<4>, spread_kernel<5>, spread_kernel<6>, spread_kernel<7>};
  const int each = a->n < q->multiprocessors * 1024 ? ATOM_THREADS / 4 : ATOM_THREADS;
  if (a->n == 0) return DS_OK;
  return ds_launch_shaped(err, "kernel that spreads charges", kernels[v->grid.order],
                          {dim3(ds_gpu_blocks(a->n, each)), ATOM_THREADS, 0}, q, *v, *a, each, ds_queue_launch_id(q, step));
}

template <bool TALLY>
ds_status launch_interpolation(ds_queue *q, const ds_mesh_view *v, const ds_mesh_atoms *a, int64_t step, ds_error *err)
{
  static void (*const kernels[DS_MESH_MOST_ORDER + 1])(ds_mesh_view, ds_mesh_atoms, ds_launch_id) = {
      NULL, NULL, interpolate_kernel<2, TALLY>, interpolate_kernel<3, TALLY>, interpolate_kernel<4, TALLY>,
      interpolate_kernel<5, TALLY>, interpolate_kernel<6, TALLY>, interpolate_kernel<7, TALLY>};
  if (a->n == 0) return DS_OK;
  return ds_launch_shaped(err, "kernel that interpolates fields", kernels[v->grid.order],
                          {dim3(ds_gpu_blocks(a->n, ATOM_THREADS)), ATOM_THREADS, 0}, q, *v, *a, ds_queue_launch_id(q, step));
}

ds_status interpolate(ds_queue *q, const ds_mesh_view *v, const ds_mesh_atoms *a, int64_t step, ds_error *err)
{
  return a->eatom || a->vatom ? launch_interpolation<true>(q, v, a, step, err)
                              : launch_interpolation<false>(q, v, a, step, err);
}
}    // namespace

const ds_mesh_stages ds_mesh_stages_cuda = {spread, solve, interpolate};
