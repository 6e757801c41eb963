/* The scheme block on the GPU: a block of threads per molecule, with its coordinates and forces in shared memory, makes all
   steps of a call in one launch.   SPDX-License-Identifier: GPL-2.0-or-later

   A step has two phases. First, warps take pairs, 32 at a time, and add their forces to sums in shared memory by integer
   atomics, whose order does not matter. Then one thread per bead moves it. Pairs are ordered along diagonals (i, i + d):
   so the i of a warp's pairs are consecutive, and the j are, and no two lanes meet in a bank of shared memory. Noise is
   made for some steps ahead, by all threads, so that none is idle and no step waits for it. */
#include "noise_cuda.cuh"

struct block_topology {
  const ds_sop_bond_f *bond;
  const ds_sop_contact_f *contact;
  const uint32_t *pair[DS_SOP_LISTED];
  int count[DS_SOP_LISTED];
  const uint32_t *candidate;
  int candidates, room; /* of the list in shared memory */
  int ahead;            /* steps that noise is made for at a time */
  float list2, moved2;
};

/* A molecule of at most SIZE beads. The size is a constant, so that the arrays of a bead lie at fixed distances. Forces are
   summed twice, on the first beads of pairs and, opposite, on the second ones. */
template <int SIZE> struct shared_molecule {
  int32_t x[SIZE], y[SIZE], z[SIZE];
  int32_t fx[SIZE], fy[SIZE], fz[SIZE], gx[SIZE], gy[SIZE], gz[SIZE];
  int counter;
};

/* Memory whose size is known at the launch: positions of pulled beads, three each; normal numbers, three per bead of a step,
   steps one after the other, components in rows of all beads; the list. */
extern __shared__ __align__(16) char more_memory[];

__host__ __device__ __forceinline__ size_t pulled_bytes(int count)
{
  return count > 1 ? 24 * (size_t) count : 0;
}

__device__ __forceinline__ int64_t *pulled_positions()
{
  return (int64_t *) more_memory;
}

__device__ __forceinline__ float *shared_normals(const ds_sop_kernel_motion &m)
{
  return (float *) (more_memory + pulled_bytes(m.pulled_count));
}

__device__ __forceinline__ uint32_t *shared_list(const ds_sop_kernel_motion &m,
                                                 const block_topology &t)
{
  return (uint32_t *) (shared_normals(m) + 3 * t.ahead * m.beads);
}

/* The element of an array at an offset in bytes. */
__device__ __forceinline__ int32_t *at(int32_t *array, uint32_t offset)
{
  return (int32_t *) ((char *) array + offset);
}

struct pair_separation {
  uint32_t i, j; /* offsets */
  float x, y, z, r2;
};

template <int SIZE>
__device__ __forceinline__ pair_separation separate(shared_molecule<SIZE> &s, uint32_t packed)
{
  pair_separation p;
  p.i = packed & 0xFFFFu;
  p.j = packed >> 16;
  p.x = (float) ds_diff32(*at(s.x, p.i), *at(s.x, p.j));
  p.y = (float) ds_diff32(*at(s.y, p.i), *at(s.y, p.j));
  p.z = (float) ds_diff32(*at(s.z, p.i), *at(s.z, p.j));
  p.r2 = ds_square(p.x, p.y, p.z);
  return p;
}

/* The force of a pair in units, on both of its beads. */
template <int SIZE>
__device__ __forceinline__ void add_quanta(shared_molecule<SIZE> &s, const pair_separation &p,
                                           int32_t qx, int32_t qy, int32_t qz)
{
  atomicAdd(at(s.fx, p.i), qx);
  atomicAdd(at(s.fy, p.i), qy);
  atomicAdd(at(s.fz, p.i), qz);
  atomicAdd(at(s.gx, p.j), qx);
  atomicAdd(at(s.gy, p.j), qy);
  atomicAdd(at(s.gz, p.j), qz);
}

template <int SIZE>
__device__ __forceinline__ int add_force(shared_molecule<SIZE> &s, const pair_separation &p,
                                         float f)
{
  int fault = 0;
  const int32_t qx = ds_sop_quanta(f, p.x, &fault), qy = ds_sop_quanta(f, p.y, &fault),
                qz = ds_sop_quanta(f, p.z, &fault);
  add_quanta(s, p, qx, qy, qz);
  return fault;
}

#define ROUND_UP(n) (((n) + 31) & ~31)

/* 32 pairs of one of the kinds that the topology has, the first of them at `first` when each kind is rounded up to
   warps. */
template <int SIZE>
__device__ __forceinline__ int known_pairs(const ds_sop_kernel_motion &m, const block_topology &t,
                                           shared_molecule<SIZE> &s, int first)
{
  const int lane = threadIdx.x & 31;
  if (first < ROUND_UP(t.count[DS_SOP_BONDS])) {
    const int k = first + lane;
    if (k >= t.count[DS_SOP_BONDS]) return 0;
    const pair_separation p = separate(s, t.pair[DS_SOP_BONDS][k]);
    float room;
    const float f = ds_sop_bond_force_f(t.bond + k, p.r2, &room);
    return add_force(s, p, f) | !(room > 0.0f);
  }
  first -= ROUND_UP(t.count[DS_SOP_BONDS]);
  if (first < ROUND_UP(t.count[DS_SOP_CONTACTS])) {
    const int k = first + lane;
    if (k >= t.count[DS_SOP_CONTACTS]) return 0;
    const pair_separation p = separate(s, t.pair[DS_SOP_CONTACTS][k]);
    return add_force(s, p, ds_sop_contact_force_f(t.contact + k, p.r2));
  }
  first -= ROUND_UP(t.count[DS_SOP_CONTACTS]);
  const int k = first + lane;
  if (k >= t.count[DS_SOP_ANGLES]) return 0;
  const pair_separation p = separate(s, t.pair[DS_SOP_ANGLES][k]);
  return add_force(s, p, ds_sop_repulsion_force_f(&m.angle, p.r2));
}

template <int SIZE>
__device__ __forceinline__ int listed_pair(const ds_sop_kernel_motion &m, shared_molecule<SIZE> &s,
                                           uint32_t packed)
{
  const pair_separation p = separate(s, packed);
  if (!(p.r2 < m.cut2)) return 0;
  const float f = ds_sop_repulsion_force_f(&m.other, p.r2);
  if (!(p.r2 > m.soft2)) return add_force(s, p, f); /* seldom */
  add_quanta(s, p, ds_sop_small_quanta(f, p.x), ds_sop_small_quanta(f, p.y),
             ds_sop_small_quanta(f, p.z));
  return 0;
}

/* Which pairs a warp takes. Warps take turns, through the known pairs and on through the list. */
struct warp_share {
  int known_first, listed_first; /* the first pair, of the warp and of this thread */
  int known, stride;             /* known pairs, kinds rounded up; from one turn to the next */
};

__device__ __forceinline__ warp_share share_of_warp(const block_topology &t)
{
  const int warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
  warp_share w;
  w.known = ROUND_UP(t.count[DS_SOP_BONDS]) + ROUND_UP(t.count[DS_SOP_CONTACTS]) +
            ROUND_UP(t.count[DS_SOP_ANGLES]);
  w.stride = blockDim.x;
  w.known_first = 32 * warp;
  w.listed_first = 32 * ((warp + warps - w.known / 32 % warps) % warps) + (threadIdx.x & 31);
  return w;
}

/* What goes on from step to step in a block. list NULL: it does not fit, and all candidates are looked at. */
struct block_list {
  const uint32_t *list;
  int listed;
};

template <int SIZE>
__device__ __forceinline__ int add_forces(const ds_sop_kernel_motion &m, const block_topology &t,
                                          shared_molecule<SIZE> &s, const block_list &l,
                                          const warp_share &w)
{
  int fault = 0;
  for (int first = w.known_first; first < w.known; first += w.stride)
    fault |= known_pairs(m, t, s, first);
  if (l.list) {
    const uint32_t *const list = shared_list(m, t);
#pragma unroll 2
    for (int k = w.listed_first; k < l.listed; k += w.stride) fault |= listed_pair(m, s, list[k]);
  } else {
    for (int k = w.listed_first; k < t.candidates; k += w.stride)
      fault |= listed_pair(m, s, t.candidate[k]);
  }
  return fault;
}

/* The list of pairs that are near; returns its length. The block meets in it. */
template <int SIZE>
__device__ __forceinline__ int make_list(const block_topology &t, shared_molecule<SIZE> &s,
                                         uint32_t *list)
{
  const int lane = threadIdx.x & 31;
  if (threadIdx.x == 0) s.counter = 0;
  __syncthreads();
  for (int first = 0; first < t.candidates; first += blockDim.x) {
    const int k = first + threadIdx.x;
    const uint32_t packed = k < t.candidates ? t.candidate[k] : 0;
    const bool near = k < t.candidates && separate(s, packed).r2 < t.list2;
    const unsigned who = __ballot_sync(0xFFFFFFFFu, near);
    int place = 0;
    if (lane == 0 && who) place = atomicAdd(&s.counter, __popc(who));
    place = __shfl_sync(0xFFFFFFFFu, place, 0) + __popc(who & ((1u << lane) - 1u));
    if (near && place < t.room) list[place] = packed;
  }
  __syncthreads();
  return s.counter;
}

/* What a thread keeps of its bead. */
struct own_bead {
  int64_t p[3];
  int32_t reference[3];
  float normal[3], outside[3], other[3];
  int32_t before[3], predicted[3]; /* of a step of second order */
  int role;
};

template <int SIZE>
__device__ __forceinline__ void publish(const ds_sop_kernel_motion &m, shared_molecule<SIZE> &s,
                                        int b, const own_bead &o, const int64_t p[3], int32_t x[3])
{
  for (int c = 0; c < 3; c++) x[c] = ds_sop_coordinate(p[c]);
  s.x[b] = x[0];
  s.y[b] = x[1];
  s.z[b] = x[2];
  if (o.role == DS_SOP_PULLED && m.pulled_count > 1)
    for (int k = 0; k < m.pulled_count; k++)
      if (m.pulled[k] == b)
        for (int c = 0; c < 3; c++) pulled_positions()[3 * k + c] = p[c];
}

/* The pull at the positions that are published: of this bead, p, or of all pulled ones. */
__device__ __forceinline__ double pull_now(const ds_sop_kernel_motion &m,
                                           const ds_sop_pull_step &pull, const ds_sop_anchor &a,
                                           const int64_t p[3])
{
  int64_t sum[3] = {p[0], p[1], p[2]};
  if (m.pulled_count > 1) {
    sum[0] = sum[1] = sum[2] = 0;
    for (int k = 0; k < m.pulled_count; k++)
      for (int c = 0; c < 3; c++) sum[c] += pulled_positions()[3 * k + c];
  }
  return ds_sop_pull_force(&pull, ds_sop_pull_along(&a, sum, pull.unit));
}

/* Before a half step: what acts on the bead besides eq. 1. */
template <int HALF>
__device__ __forceinline__ void find_other(const ds_sop_kernel_motion &m, own_bead &o, int step,
                                           double *force)
{
  for (int c = 0; c < 3; c++) o.other[c] = o.outside[c];
  if (o.role != DS_SOP_PULLED) return;
  const ds_sop_pull_step pull = pull_in_step(m, step);
  const ds_sop_anchor a = m.anchor[blockIdx.x];
  if (HALF == 0) {
    *force = pull_now(m, pull, a, o.p);
  } else {
    const int64_t p[3] = {o.p[0] + o.predicted[0], o.p[1] + o.predicted[1],
                          o.p[2] + o.predicted[2]};
    *force = 0.5 * (*force + pull_now(m, pull, a, p));
  }
  for (int c = 0; c < 3; c++) o.other[c] += ds_sop_pull_push(&pull, &a, *force, c);
}

enum { FAR = 1, OLD = 2 };

/* Moves the bead, or predicts where it goes. Returns FAR where that is too far for a step, OLD where the list is too old
   for it. */
template <int SIZE, int ORDER, int HALF>
__device__ __forceinline__ int move_bead(const ds_sop_kernel_motion &m, const block_topology &t,
                                         shared_molecule<SIZE> &s, int b, own_bead &o)
{
  const int32_t force[3] = {s.fx[b] - s.gx[b], s.fy[b] - s.gy[b], s.fz[b] - s.gz[b]};
  int32_t d[3], x[3];
  int64_t p[3];
  int fault = 0;
  s.fx[b] = s.fy[b] = s.fz[b] = s.gx[b] = s.gy[b] = s.gz[b] = 0;
  for (int c = 0; c < 3; c++) {
    const ds_sop_motion_units u = HALF ? m.units.half : m.units.whole;
    const float other = HALF ? fmaf((float) o.before[c], u.mobility, o.other[c]) : o.other[c];
    d[c] = ds_sop_displacement(u, force[c], o.normal[c], other, &fault);
    if (o.role == DS_SOP_HELD) d[c] = 0;
    p[c] = o.p[c] + d[c];
    if (ORDER == 2 && HALF == 0) {
      o.before[c] = force[c];
      o.predicted[c] = d[c];
    }
  }
  if (fault && o.role != DS_SOP_HELD) return FAR;
  publish(m, s, b, o, p, x);
  if (HALF == ORDER - 1)
    for (int c = 0; c < 3; c++) o.p[c] = p[c];
  const float dx = (float) ds_diff32(x[0], o.reference[0]),
              dy = (float) ds_diff32(x[1], o.reference[1]),
              dz = (float) ds_diff32(x[2], o.reference[2]);
  return ds_square(dx, dy, dz) <= t.moved2 ? 0 : OLD;
}

template <int SIZE>
__device__ __forceinline__ block_list renew_list(const ds_sop_kernel_motion &m,
                                                 const block_topology &t, shared_molecule<SIZE> &s,
                                                 bool moves, own_bead &o)
{
  uint32_t *const list = shared_list(m, t);
  const int listed = make_list(t, s, list);
  const block_list l = {listed <= t.room ? list : NULL, listed};
  if (moves) {
    o.reference[0] = s.x[threadIdx.x];
    o.reference[1] = s.y[threadIdx.x];
    o.reference[2] = s.z[threadIdx.x];
  }
  return l;
}

/* Normal numbers of the steps from `step` on. One of a generator with a state makes its bead's one after the other. */
template <class Noise>
__device__ __forceinline__ void make_noise(const ds_sop_kernel_motion &m, const block_topology &t,
                                           int step)
{
  const int count = min(t.ahead, m.steps - step), n = m.beads;
  const size_t base = (size_t) blockIdx.x * n;
  float *const normals = shared_normals(m);
  const int all = Noise::counter ? n * count : n;
  for (int q = threadIdx.x; q < all; q += blockDim.x) {
    const int first = Noise::counter ? q / n : 0, last = Noise::counter ? first : count - 1;
    const int b = Noise::counter ? q - first * n : q;
    for (int k = first; k <= last; k++) {
      float g[3];
      make_normals<Noise>(m, base + b, m.first + step + k, m.id[base + b], g);
      for (int c = 0; c < 3; c++) normals[(3 * k + c) * n + b] = g[c];
    }
  }
  __syncthreads();
}

/* Forces are out of range: the coordinates tell which. */
template <int SIZE>
__device__ __forceinline__ void leave_forces(const ds_sop_kernel_motion &m,
                                             shared_molecule<SIZE> &s, size_t bead, int step)
{
  if (threadIdx.x < m.beads) {
    m.coordinate[3 * bead] = s.x[threadIdx.x];
    m.coordinate[3 * bead + 1] = s.y[threadIdx.x];
    m.coordinate[3 * bead + 2] = s.z[threadIdx.x];
  }
  if (threadIdx.x == 0) report_fault(m, step, 2 * (unsigned) bead);
}

template <int SIZE, int ORDER, int HALF>
__device__ __forceinline__ bool half_step(const ds_sop_kernel_motion &m, const block_topology &t,
                                          shared_molecule<SIZE> &s, block_list &l,
                                          const warp_share &w, own_bead &o, size_t bead, int step,
                                          int slot, double *pull)
{
  const bool moves = threadIdx.x < m.beads;
  if (moves) {
    if (HALF == 0)
      for (int c = 0; c < 3; c++)
        o.normal[c] = shared_normals(m)[(3 * slot + c) * m.beads + threadIdx.x];
    find_other<HALF>(m, o, step, pull);
  }
  const int fault = add_forces(m, t, s, l, w);
  if (__syncthreads_or(fault)) {
    leave_forces(m, s, bead, step);
    return false;
  }
  const int why = moves ? move_bead<SIZE, ORDER, HALF>(m, t, s, threadIdx.x, o) : 0;
  if (!__syncthreads_or(why)) return true;
  if (__syncthreads_or(why == FAR)) {
    if (why == FAR) report_fault(m, step, 2 * (unsigned) bead + 1);
    return false;
  }
  l = renew_list(m, t, s, moves, o);
  return true;
}

template <class Noise, int SIZE, int ORDER>
__global__ void __launch_bounds__(1024) sop_block(const __grid_constant__ ds_sop_kernel_motion m,
                                                  const __grid_constant__ block_topology t)
{
  __shared__ shared_molecule<SIZE> s;
  const bool moves = threadIdx.x < m.beads;
  const size_t bead = (size_t) blockIdx.x * m.beads + threadIdx.x;
  const warp_share w = share_of_warp(t);
  own_bead o = {};
  double pull = 0.0;
  if (moves) {
    const int b = threadIdx.x;
    int32_t x[3];
    for (int c = 0; c < 3; c++) {
      o.p[c] = m.position[3 * bead + c];
      o.outside[c] = outside_push(m, bead, c);
    }
    o.role = m.role ? m.role[b] : DS_SOP_MOVES;
    publish(m, s, b, o, o.p, x);
    s.fx[b] = s.fy[b] = s.fz[b] = s.gx[b] = s.gy[b] = s.gz[b] = 0;
  }
  __syncthreads();
  block_list l = renew_list(m, t, s, moves, o);
  bool good = true;
  for (int step = 0, slot = 0; step < m.steps && good; step++) {
    if (slot == 0) make_noise<Noise>(m, t, step);
    good = half_step<SIZE, ORDER, 0>(m, t, s, l, w, o, bead, step, slot, &pull);
    if (ORDER == 2 && good)
      good = half_step<SIZE, ORDER, 1>(m, t, s, l, w, o, bead, step, slot, &pull);
    if (++slot == t.ahead) slot = 0;
  }
  if (moves)
    for (int c = 0; c < 3; c++) {
      m.position[3 * bead + c] = o.p[c];
      m.noise[3 * bead + c] =
          o.role == DS_SOP_HELD ? 0 : ds_round32(o.normal[c] * m.units.whole.noise);
    }
}

/* --------------------------------------------------------------------------------------------- host */

/* Sizes that there are kernels for. */
enum { SMALL = 128, LARGE = 512 };

/* Steps that noise is made for at a time; more where threads would be idle otherwise. */
enum { LEAST_AHEAD = 8 };

/* Of the memory that a launch asks for. */
static size_t shared_bytes(const ds_sop *sop, int room, int ahead)
{
  return pulled_bytes(sop->pull.spec.mode ? sop->pull.spec.pulled : 0) +
         12 * (size_t) ahead * (size_t) sop->model.topology.beads + 4 * (size_t) room;
}

/* Room for the near pairs of a compact molecule: at a bead per 110 cubic angstrom, half of what a sphere of 15 holds. */
static int list_room(const ds_sop *sop, const ds_sop_cuda *g)
{
  const int usual = 64 * sop->model.topology.beads;
  return g->candidates < usual ? g->candidates : usual;
}

int ds_sop_block_fits(const ds_sop *sop, const ds_sop_cuda *g)
{
  return sop->model.topology.beads <= LARGE && !sop->options.inter &&
         shared_bytes(sop, list_room(sop, g), LEAST_AHEAD) + sizeof(shared_molecule<LARGE>) +
                 1024 <=
             (size_t) g->block_shared;
}

/* Threads per block. Where every molecule has a multiprocessor to itself, so many that warps take one or two turns; with
   more of them, as many as there is room for, but no fewer than beads. */
static int threads_of(const ds_sop *sop, const ds_sop_cuda *g)
{
  const int makers = (sop->model.topology.beads + 31) / 32;
  const int each = (sop->molecules + g->multiprocessors - 1) / g->multiprocessors;
  int warps = 32 / each;
  if (warps > 8 * makers) warps = 8 * makers;
  if (warps < 2) warps = 2;
  if (warps < makers) warps = makers;
  if (warps > 32) warps = 32;
  return 32 * warps;
}

template <class Noise, int SIZE, int ORDER>
static ds_status launch(ds_sop *sop, ds_sop_cuda *g, const ds_sop_kernel_motion *m, ds_error *err)
{
  const double range = (sop->model.cutoff + sop->options.skin) / sop->model.coordinate_unit,
               half = 0.5 * sop->options.skin / sop->model.coordinate_unit;
  block_topology t;
  t.bond = DS_DATA(const ds_sop_bond_f, g->bond);
  t.contact = DS_DATA(const ds_sop_contact_f, g->contact);
  for (int kind = 0; kind < DS_SOP_LISTED; kind++) {
    t.pair[kind] = DS_DATA(const uint32_t, g->pair[kind]);
    t.count[kind] = sop->model.pairs[kind].count;
  }
  t.candidate = DS_DATA(const uint32_t, g->candidate);
  t.candidates = g->candidates;
  t.room = list_room(sop, g);
  const int threads = threads_of(sop, g);
  t.ahead = threads / m->beads > LEAST_AHEAD ? threads / m->beads : LEAST_AHEAD;
  t.list2 = (float) (range * range);
  t.moved2 = (float) (half * half);
  const size_t shared = shared_bytes(sop, t.room, t.ahead);
  const ds_status s =
      ds_gpu_check(cudaFuncSetAttribute(sop_block<Noise, SIZE, ORDER>,
                                        cudaFuncAttributeMaxDynamicSharedMemorySize, (int) shared),
                   "shared memory of sop_block", err);
  if (s) return s;
  sop_block<Noise, SIZE, ORDER><<<sop->molecules, threads, shared, g->s.stream>>>(*m, t);
  return ds_gpu_check(cudaGetLastError(), "sop_block", err);
}

template <class Noise, int ORDER>
static ds_status launch_size(ds_sop *sop, ds_sop_cuda *g, const ds_sop_kernel_motion *m,
                             ds_error *err)
{
  return m->beads <= SMALL ? launch<Noise, SMALL, ORDER>(sop, g, m, err)
                           : launch<Noise, LARGE, ORDER>(sop, g, m, err);
}

ds_status ds_sop_cuda_blocks(ds_sop *sop, ds_sop_cuda *g, const ds_sop_kernel_motion *m,
                             ds_error *err)
{
  return with_noise(sop->generator->kind, [&](auto noise) {
    return sop->options.order == 1 ? launch_size<decltype(noise), 1>(sop, g, m, err)
                                   : launch_size<decltype(noise), 2>(sop, g, m, err);
  });
}
