/* Charges on the GPU: spread on a mesh, and forces interpolated from it.   SPDX-License-Identifier: GPL-2.0-or-later

   A warp takes some charged atoms at a time: their places are found by a thread for each axis, then all of its threads spread
   one charge after the other, or interpolate. What comes between is in solve_cuda.cu. */
#include "../core/launch.cuh"
#include "mesh.h"

#include <cub/block/block_scan.cuh>

namespace {
enum { ATOM_THREADS = 256, WARPS = ATOM_THREADS / 32, TEAM = 8 /* threads of a pair of fields */ };
enum { CHARGES = 8 /* of a warp at a time, at most */, SPREAD_BLOCKS = 6, INTERPOLATION_BLOCKS = 5 /* of a multiprocessor */ };

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

const ds_mesh_stages ds_mesh_stages_cuda = {find_charged, ds_mesh_tabulate_cuda, spread, ds_mesh_solve_cuda, interpolate};
