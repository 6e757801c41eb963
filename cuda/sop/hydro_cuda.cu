/* Steps with hydrodynamic interactions on the GPU. The scheme block: a block of threads makes all steps of a molecule. The
   others: one cooperative launch for all beads, with barriers of the whole grid. Both run the same code, over the beads of a
   molecule or over all.   SPDX-License-Identifier: GPL-2.0-or-later

   A step has three phases, with barriers between. First forces, which together with noise say where each bead would go alone.
   Then the sums over the other beads of its molecule, or the factor of the molecule's matrix. Then all beads move. */
#include "bead_step_cuda.cuh"
#include "grid_barrier.cuh"
#include "hydro_factor_cuda.cuh"

#include <stdlib.h>
#include <string.h>

enum { THREADS = 512 };

/* A barrier of the threads of a block, with the interface of grid_barrier. */
struct block_barrier {
  __device__ block_barrier(unsigned long long *) {}
  __device__ int agree(int flags)
  {
    __shared__ int all;
    if (!__syncthreads_or(flags)) return 0;
    if (threadIdx.x == 0) all = 0;
    __syncthreads();
    if (flags) atomicOr(&all, flags);
    __syncthreads();
    const int result = all;
    __syncthreads();
    return result;
  }
};

/* What is moved together: one molecule, by a block, or all of them, by the grid. */
template <bool Block> struct group {
  int first, beads; /* of all beads */
  int first_molecule, molecules;
  int thread, threads; /* of those that move them */

  __device__ group(const ds_sop_kernel_motion &m, int molecule)
  {
    first = Block ? molecule * m.beads : 0;
    beads = Block ? m.beads : m.beads * m.molecules;
    first_molecule = Block ? molecule : 0;
    molecules = Block ? 1 : m.molecules;
    thread = Block ? (int) threadIdx.x : (int) (blockIdx.x * blockDim.x + threadIdx.x);
    threads = Block ? (int) blockDim.x : (int) (gridDim.x * blockDim.x);
  }
  /* Teams of the group's threads. */
  __device__ team teams(int lanes) const
  {
    team t(lanes);
    if (Block) {
      t.number = threadIdx.x / lanes;
      t.count = blockDim.x / lanes;
      t.first = (threadIdx.x & ~31u) / lanes;
      t.offset = t.number - t.first;
    }
    return t;
  }
  __device__ team_bead at(const team &t, int turn) const
  {
    team_bead b = t.at(turn, beads);
    b.number += first;
    return b;
  }
};

/* ------------------------------------------------------------------------------------------- forces */

__device__ __forceinline__ bool beyond(float4 v, float limit)
{
  return !(fabsf(v.x) <= limit && fabsf(v.y) <= limit && fabsf(v.z) <= limit);
}

/* Noise of each bead as it is alone; a thread per bead. */
template <class Noise, bool Block>
__device__ __forceinline__ int make_noise(const ds_sop_kernel_motion &m, const ds_sop_hydro_view &h, const group<Block> &g,
                                          int step)
{
  int flags = 0;
  for (int b = g.first + g.thread; b < g.first + g.beads; b += g.threads) {
    const int local = b - molecule_of(m, b) * m.beads;
    const bool fixed = m.role && m.role[local] == DS_SOP_FIXED;
    const float weight = h.bead[local].w;
    float normal[3];
    make_normals<Noise>(m, b, m.first + step, m.id[b], normal);
    for (int c = 0; c < 3; c++) {
      if (step == m.steps - 1) m.noise[3 * (size_t) b + c] = fixed ? 0 : ds_round32(normal[c] * m.units.whole.noise);
      normal[c] = fixed ? 0.0f : normal[c] * m.units.whole.noise * weight;
    }
    const float4 noise = make_float4(normal[0], normal[1], normal[2], 0.0f);
    if (beyond(noise, h.limit)) {
      report_fault(m, 1, step, 0, DS_SOP_FAULT_FAR | b);
      flags = DS_SOP_FLAG_FAULT;
    }
    h.noise[b] = noise;
  }
  for (int k = g.thread; k < g.molecules && h.tea; k += g.threads) h.entries[g.first_molecule + k] = 0;
  return flags;
}

/* One component of what a bead's displacement would be without the others and without noise. */
__device__ __forceinline__ float push_of(const ds_sop_kernel_motion &m, const ds_sop_particle_lists &l, int bead, int c,
                                         int step, int32_t force)
{
  const int molecule = molecule_of(m, bead);
  const int role = m.role ? m.role[bead - molecule * m.beads] : DS_SOP_MOVES;
  float other = outside_push(m, bead, c);
  if (role == DS_SOP_FIXED) return 0.0f;
  if (ds_sop_is_pulled(role)) {
    const ds_sop_pull_step pull = pull_in_step(m, step);
    const double force = pull_on(m, l, pull, l.position[0], molecule, 0);
    other += ds_sop_pull_displacement(&pull, m.anchor + molecule, force, role, c);
  }
  return fmaf((float) force, m.units.whole.mobility, other);
}

template <bool Block>
__device__ __forceinline__ int make_pushes(const ds_sop_kernel_motion &m, const ds_sop_particle_lists &l,
                                           const ds_sop_hydro_view &h, const group<Block> &g, const team &t, int step)
{
  int flags = 0;
  for (int turn = t.first; turn < g.beads; turn += t.count) {
    const team_bead b = g.at(t, turn);
    int fault = 0;
    const pair_force share = share_of_force<true>(m, l, t, l.x[0], b.number, &fault);
    int32_t force[3] = {share.x, share.y, share.z};
    t.sum(force);
    if (m.tip) fault |= indenter_force(m, molecule_of(m, b.number), l.x[0][b.number], b.has && t.lane == 0, force);
    const bool broken = t.which(fault) != 0;
    if (!b.has || t.lane != 0) continue;
    const float4 push = make_float4(push_of(m, l, b.number, 0, step, force[0]), push_of(m, l, b.number, 1, step, force[1]),
                                    push_of(m, l, b.number, 2, step, force[2]), 0.0f);
    h.push[b.number] = push;
    if (!broken && !beyond(push, h.limit)) continue;
    report_fault(m, 1, step, 0, broken ? molecule_of(m, b.number) : DS_SOP_FAULT_FAR | b.number);
    flags = DS_SOP_FLAG_FAULT;
  }
  return flags;
}

/* ------------------------------------------------------------------------------------- other beads */

__device__ __forceinline__ ds_sop_hydro_bead hydro_bead(const ds_sop_hydro_view &h, int bead, int local)
{
  const float4 k = h.bead[local], push = h.push[bead], noise = h.noise[bead];
  const ds_sop_hydro_bead b = {k.x, k.y, k.z, {push.x, push.y, push.z}, {noise.x, noise.y, noise.z}};
  return b;
}

template <int COUNT> __device__ __forceinline__ void sum_of_team(const team &t, long long sum[COUNT])
{
#pragma unroll
  for (int k = 16; k > 0; k /= 2) {
    if (k >= t.size) continue;
#pragma unroll
    for (int s = 0; s < COUNT; s++) sum[s] += __shfl_xor_sync(DS_FULL_WARP, sum[s], k);
  }
}

/* Sums of one bead over the others of its molecule, by a team. */
template <bool TEA>
__device__ __forceinline__ void sum_others(const ds_sop_kernel_motion &m, const ds_sop_particle_lists &l,
                                           const ds_sop_hydro_view &h, const team &t, team_bead b)
{
  constexpr int COUNT = TEA ? 10 : 3;
  const int molecule = molecule_of(m, b.number), base = molecule * m.beads, local = b.number - base;
  const int4 own = l.x[0][b.number];
  const ds_sop_hydro_bead bead = hydro_bead(h, b.number, local);
  long long sum[COUNT] = {};
  for (int j = t.lane; j < m.beads; j += t.size) {
    if (j == local) continue;
    const int4 x = l.x[0][base + j];
    const ds_sop_hydro_bead other = hydro_bead(h, base + j, j);
    const ds_sop_hydro_pair p =
        ds_sop_hydro_pair_of(&bead, &other, (float) ds_diff32(own.x, x.x) * h.unit, (float) ds_diff32(own.y, x.y) * h.unit,
                             (float) ds_diff32(own.z, x.z) * h.unit, TEA);
    for (int c = 0; c < 3; c++) sum[c] += p.drift[c];
    if constexpr (TEA) {
      for (int c = 0; c < 3; c++) sum[3 + c] += p.noise[c];
      for (int c = 0; c < 3; c++) sum[6 + c] += p.square[c];
      sum[9] += p.entries;
    }
  }
  sum_of_team<COUNT>(t, sum);
  if (!b.has || t.lane != 0) return;
  for (int k = 0; k < (TEA ? 9 : 3); k++) h.sum[9 * (size_t) b.number + k] = sum[k];
  if constexpr (TEA) atomicAdd(h.entries + molecule, (unsigned long long) sum[9]);
}

template <bool Block>
__device__ __forceinline__ int sum_all(const ds_sop_kernel_motion &m, const ds_sop_particle_lists &l,
                                       const ds_sop_hydro_view &h, const group<Block> &g, const team &t, int step,
                                       factor_memory *f)
{
  int flags = 0;
  for (int turn = t.first; turn < g.beads; turn += t.count)
    if (h.tea)
      sum_others<true>(m, l, h, t, g.at(t, turn));
    else
      sum_others<false>(m, l, h, t, g.at(t, turn));
  for (int k = Block ? 0 : blockIdx.x; k < g.molecules && !h.tea; k += Block ? 1 : gridDim.x) {
    const int bad = noise_by_factor(h, l.x[0], (g.first_molecule + k) * m.beads, f);
    if (bad < 0) continue;
    if (threadIdx.x == 0) report_fault(m, 1, step, 0, DS_SOP_FAULT_PIVOT | bad);
    flags = DS_SOP_FLAG_FAULT;
  }
  if (m.tip && blockIdx.x == 0 && move_tips(m, 1, step, 0)) flags = DS_SOP_FLAG_FAULT;
  return flags;
}

/* --------------------------------------------------------------------------------------------- moves */

/* A thread per bead. Returns flags. */
template <bool Block>
__device__ __forceinline__ int move_all(const ds_sop_kernel_motion &m, const ds_sop_particle_lists &l,
                                        const ds_sop_hydro_view &h, const group<Block> &g, int step)
{
  int flags = 0;
  for (int b = g.first + g.thread; b < g.first + g.beads; b += g.threads) {
    const int molecule = molecule_of(m, b), local = b - molecule * m.beads;
    const float4 k = h.bead[local];
    if (m.role && m.role[local] == DS_SOP_FIXED) continue;
    const float *const push = (const float *) (h.push + b), *const noise = (const float *) (h.noise + b);
    const long long *const sum = h.sum + 9 * (size_t) b;
    const double beta = h.tea ? ds_sop_tea_beta((int64_t) h.entries[molecule], h.moving) : 0.0;
    int32_t d[3], x[3];
    int fault = 0;
    for (int c = 0; c < 3; c++) {
      const double y =
          h.tea ? ds_sop_tea_noise(beta, noise[c], k.x, k.y, sum[3 + c], sum[6 + c]) : h.product[3 * (size_t) b + c];
      d[c] = ds_sop_hydro_move(push[c], k.y, sum[c], y, &fault);
    }
    if (fault) {
      report_fault(m, 1, step, 0, DS_SOP_FAULT_FAR | b);
      flags |= DS_SOP_FLAG_FAULT;
      continue;
    }
    for (int c = 0; c < 3; c++) {
      const int64_t p = l.position[0][3 * (size_t) b + c] + d[c];
      l.position[0][3 * (size_t) b + c] = p;
      x[c] = ds_sop_coordinate(p);
    }
    l.x[0][b] = make_int4(x[0], x[1], x[2], 0);
    const separation s = separation_of(l.x[0][b], l.near_reference[b]);
    if (!(s.r2 <= l.near_moved2)) flags |= DS_SOP_FLAG_NEAR;
  }
  return flags;
}

template <bool Block>
__device__ __forceinline__ int prune_group(const ds_sop_kernel_motion &m, const ds_sop_particle_lists &l, const group<Block> &g,
                                           const team &t)
{
  int flags = 0;
  for (int turn = t.first; turn < g.beads; turn += t.count) flags |= prune<false>(l, t, l.x[0], g.at(t, turn), m.report);
  return flags;
}

/* All steps of a group, from the one on that comes next; or until the outer list has to be made anew, or something is out of
   range. */
template <class Noise, bool Block, class Barrier>
__device__ __forceinline__ void advance(const ds_sop_kernel_motion &m, const ds_sop_particle_lists &l,
                                        const ds_sop_hydro_view &h, const group<Block> &g, Barrier &barrier, int lanes,
                                        factor_memory *f)
{
  const team t = g.teams(lanes);
  int step = h.made[g.first_molecule], flags = DS_SOP_FLAG_NEAR;
  if (step == m.steps) return;
  for (int b = g.first + g.thread; b < g.first + g.beads; b += g.threads) {
    const int64_t *const p = l.position[0] + 3 * (size_t) b;
    l.x[0][b] = make_int4(ds_sop_coordinate(p[0]), ds_sop_coordinate(p[1]), ds_sop_coordinate(p[2]), 0);
  }
  barrier.agree(0);
  while (step < m.steps) {
    if (flags & DS_SOP_FLAG_NEAR) {
      flags = barrier.agree(prune_group(m, l, g, t));
      if (flags & DS_SOP_FLAG_FAR) break;
    }
    flags = make_noise<Noise>(m, h, g, step);
    flags = barrier.agree(flags | make_pushes(m, l, h, g, t, step));
    if (flags & DS_SOP_FLAG_FAULT) break;
    flags = barrier.agree(sum_all(m, l, h, g, t, step, f));
    if (flags & DS_SOP_FLAG_FAULT) break;
    flags = barrier.agree(move_all(m, l, h, g, step));
    if (flags & DS_SOP_FLAG_FAULT) break;
    step++;
  }
  const bool fault = flags & DS_SOP_FLAG_FAULT;
  for (int b = g.first + g.thread; b < g.first + g.beads && fault; b += g.threads)
    for (int c = 0; c < 3; c++) m.coordinate[3 * (size_t) b + c] = ((const int32_t *) (l.x[0] + b))[c];
  if (g.thread != 0) return;
  h.made[g.first_molecule] = step;
  if (step < m.steps) m.report->far = 1;
}

extern __shared__ double2 hydro_shared[]; /* of 16 bytes */

template <class Noise, bool Block>
__global__ void __launch_bounds__(THREADS)
    sop_hydro(const __grid_constant__ ds_sop_kernel_motion m, const __grid_constant__ ds_sop_particle_lists l,
              const __grid_constant__ ds_sop_hydro_view h, int lanes)
{
  factor_memory *const f = (factor_memory *) hydro_shared;
  if (Block) {
    block_barrier barrier(l.barrier);
    for (int molecule = blockIdx.x; molecule < m.molecules; molecule += gridDim.x) {
      const group<Block> g(m, molecule);
      advance<Noise>(m, l, h, g, barrier, lanes, f);
      __syncthreads();
    }
  } else {
    grid_barrier barrier(l.barrier);
    const group<Block> g(m, 0);
    advance<Noise>(m, l, h, g, barrier, lanes, f);
  }
}

/* --------------------------------------------------------------------------------------------- host */

/* How a launch is shared out. */
struct hydro_shape {
  int lanes; /* per bead */
  unsigned blocks, threads;
  size_t shared;
};

static bool is_exact(const ds_sop *sop)
{
  return sop->hydro.kind == DS_SOP_HYDRO_EXACT;
}

/* Shared memory of a block with and without its matrix. */
static size_t matrix_bytes(const ds_sop *sop)
{
  const int n = 3 * sop->model.topology.beads;
  return factor_bytes(n) + sizeof(double) * ds_sop_triangle_size(n);
}

static bool matrix_fits(const ds_sop *sop, const ds_sop_cuda *g)
{
  enum { STATIC = 1024 };
  return matrix_bytes(sop) + STATIC <= (size_t) g->block_shared;
}

static hydro_shape shape_of(const ds_sop *sop, const ds_sop_cuda *g)
{
  const bool block = g->scheme == DS_SOP_BLOCK;
  const int64_t n = sop->model.topology.beads, beads = block ? n : n * sop->molecules;
  hydro_shape s = {32, (unsigned) g->multiprocessors, THREADS, 0};
  const int64_t room = block ? THREADS : (int64_t) s.blocks * THREADS;
  while (s.lanes > 4 && beads * s.lanes > room) s.lanes /= 2;
  if (is_exact(sop)) {
    s.shared = matrix_fits(sop, g) ? matrix_bytes(sop) : factor_bytes(3 * (int) n);
  } else if (beads * s.lanes < room) {
    if (block)
      s.threads = (unsigned) ((beads * s.lanes + 31) / 32 * 32);
    else
      s.blocks = (unsigned) ((beads * s.lanes + THREADS - 1) / THREADS);
  }
  if (block) { /* those with a matrix in global memory take molecules in turns */
    s.blocks = (unsigned) sop->molecules;
    if (is_exact(sop) && !matrix_fits(sop, g) && s.blocks > (unsigned) g->multiprocessors)
      s.blocks = (unsigned) g->multiprocessors;
  }
  return s;
}

/* So many that a launch lasts for some tenths of a second. Microseconds of a step, estimated: barriers, pairs, and factors of
   matrices, of which each multiprocessor makes one after the other. */
int32_t ds_sop_cuda_hydro_steps(const ds_sop *sop, const ds_sop_cuda *g)
{
  const double n = sop->model.topology.beads, rounds = ceil((double) sop->molecules / g->multiprocessors);
  const double pairs = 2e-4 * n * n * sop->molecules, factors = is_exact(sop) ? 5.0 + 3e-4 * n * n * n * rounds : 0.0;
  const double steps = 200000.0 / (10.0 + pairs + factors);
  return steps > 1.0 ? (int32_t) steps : 1;
}

ds_status ds_sop_cuda_hydro_beads(const ds_sop *sop, ds_sop_cuda *g, ds_error *err)
{
  const ds_sop_hydro_state *const h = &sop->hydro;
  const size_t n = (size_t) sop->model.topology.beads;
  ds_status s = ds_reserve(&g->s.memory, &g->hydro_bead, n, sizeof(float4), "radii", err);
  if (s) return s;
  float4 *const bead = (float4 *) malloc(n * sizeof *bead);
  if (!bead) return ds_fail(err, DS_ERR_MEMORY, "no host memory for radii of %zu beads", n);
  for (size_t b = 0; b < n; b++) bead[b] = make_float4(h->radius[b], h->inverse[b], h->root[b], h->weight[b]);
  s = ds_queue_copy(&g->s, g->hydro_bead.data, bead, n * sizeof *bead, "radii", err);
  if (!s) s = ds_queue_wait(&g->s, "radii", err);
  free(bead);
  return s;
}

static ds_status reserve(const ds_sop *sop, ds_sop_cuda *g, hydro_shape how, ds_error *err)
{
  const size_t n = (size_t) sop->model.topology.beads * (size_t) sop->molecules, molecules = (size_t) sop->molecules;
  ds_pool *const pool = &g->s.memory;
  ds_status s = ds_reserve(pool, &g->push, n, sizeof(float4), "displacements", err);
  if (!s) s = ds_reserve(pool, &g->own_noise, n, sizeof(float4), "noise", err);
  if (!s) s = ds_reserve(pool, &g->hydro_sum, 9 * n, sizeof(long long), "sums", err);
  if (!s) s = ds_reserve(pool, &g->entries, molecules, sizeof(unsigned long long), "sums", err);
  if (!s) s = ds_reserve(pool, &g->made, molecules, sizeof(int), "numbers of steps", err);
  if (s || !is_exact(sop)) return s;
  s = ds_reserve(pool, &g->product, 3 * n, sizeof(double), "noise", err);
  if (s || matrix_fits(sop, g)) return s;
  return ds_reserve(pool, &g->triangle, how.blocks * ds_sop_triangle_size(3 * sop->model.topology.beads), sizeof(double),
                    "mobility matrices", err);
}

static ds_sop_hydro_view view_of(const ds_sop *sop, const ds_sop_cuda *g)
{
  ds_sop_hydro_view h;
  memset(&h, 0, sizeof h);
  h.tea = !is_exact(sop);
  h.unit = sop->hydro.unit;
  h.limit = sop->hydro.limit;
  h.moving = sop->model.topology.beads - sop->hydro.fixed;
  h.n = 3 * sop->model.topology.beads;
  h.in_shared = matrix_fits(sop, g);
  h.bead = DS_DATA(const float4, g->hydro_bead);
  h.push = DS_DATA(float4, g->push);
  h.noise = DS_DATA(float4, g->own_noise);
  h.sum = DS_DATA(long long, g->hydro_sum);
  h.entries = DS_DATA(unsigned long long, g->entries);
  h.product = DS_DATA(double, g->product);
  h.triangle = DS_DATA(double, g->triangle);
  h.made = DS_DATA(int, g->made);
  return h;
}

template <class Noise, bool Block>
static ds_status launch(ds_sop_cuda *g, const ds_sop_kernel_motion *m, const ds_sop_particle_lists *l,
                        const ds_sop_hydro_view *h, hydro_shape how, ds_error *err)
{
  const ds_status s =
      ds_gpu_check(cudaFuncSetAttribute(sop_hydro<Noise, Block>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int) how.shared),
                   "shared memory of sop_hydro", err);
  if (s) return s;
  void *arguments[] = {(void *) m, (void *) l, (void *) h, &how.lanes};
  const void *const kernel = (const void *) sop_hydro<Noise, Block>;
  return ds_gpu_check(Block ? cudaLaunchKernel(kernel, how.blocks, how.threads, arguments, how.shared, g->s.stream)
                            : cudaLaunchCooperativeKernel(kernel, how.blocks, how.threads, arguments, how.shared, g->s.stream),
                      "sop_hydro", err);
}

static ds_status launch_steps(const ds_sop *sop, ds_sop_cuda *g, const ds_sop_kernel_motion *m, const ds_sop_particle_lists *l,
                              hydro_shape how, ds_error *err)
{
  const ds_sop_hydro_view h = view_of(sop, g);
  return with_noise(sop->generator->kind, [&](auto noise) {
    return g->scheme == DS_SOP_BLOCK ? launch<decltype(noise), true>(g, m, l, &h, how, err)
                                     : launch<decltype(noise), false>(g, m, l, &h, how, err);
  });
}

ds_status ds_sop_cuda_hydro(ds_sop *sop, ds_sop_cuda *g, const ds_sop_kernel_motion *m, ds_error *err)
{
  const size_t n = (size_t) m->beads * (size_t) m->molecules;
  const hydro_shape how = shape_of(sop, g);
  ds_sop_report r;
  memset(&r, 0, sizeof r);
  ds_status s = ds_sop_cuda_particle_reserve(sop, g, n, err);
  if (!s) s = reserve(sop, g, how, err);
  if (!s)
    s = ds_gpu_check(cudaMemsetAsync(g->made.data, 0, (size_t) m->molecules * sizeof(int), g->s.stream),
                     "clearing numbers of steps", err);
  do {
    if (!s && !g->outer_is_made) s = ds_sop_cuda_outer_list(sop, g, m, err);
    if (!s) s = ds_sop_cuda_reserve_inner(g, n, r.full, err);
    if (!s) s = ds_sop_cuda_clear_flags(g, err);
    if (s) break;
    const ds_sop_particle_lists l = ds_sop_cuda_particle_view(sop, g);
    s = launch_steps(sop, g, m, &l, how, err);
    if (!s) s = ds_sop_cuda_read_flags(g, &r, err);
    g->outer_is_made = !s && !r.far;
  } while (!s && r.fault == ~0ull && r.far);
  return s;
}
