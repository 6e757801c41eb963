/* The scheme block on the GPU: a block of threads per molecule, with its coordinates and forces in shared memory, makes all
   steps of a call in one launch.   SPDX-License-Identifier: GPL-2.0-or-later

   A step has two phases. First, warps take pairs, 32 at a time, and add their forces to sums in shared memory by integer
   atomics, whose order does not matter; meanwhile the first warps make the noise of their beads. Then these warps, one
   thread per bead, move them. Pairs are ordered along diagonals (i, i + d): so the i of a warp's pairs are consecutive,
   and the j are, and no two lanes meet in a bank of shared memory. */
#include "noise_cuda.cuh"

/* Tasks of pairs that a warp could do in the time in which it makes noise. */
#define NOISE_TASKS 4

struct block_topology {
  const ds_sop_bond_f *bond;
  const ds_sop_contact_f *contact;
  const uint32_t *pair[DS_SOP_LISTED];
  int count[DS_SOP_LISTED];
  const uint32_t *candidate;
  int candidates, room; /* of the list in shared memory */
  float list2, moved2;
};

struct shared_molecule {
  int32_t *x, *y, *z, *fx, *fy, *fz;
  int64_t *pulled; /* positions of pulled beads, three each */
  uint32_t *list;
};

__device__ __forceinline__ size_t pulled_bytes(int count)
{
  return count > 1 ? 24 * (size_t) count : 0;
}

__device__ __forceinline__ shared_molecule place_molecule(char *memory, int beads, int pulled)
{
  shared_molecule s;
  s.pulled = (int64_t *) memory;
  s.x = (int32_t *) (memory + pulled_bytes(pulled));
  s.y = s.x + beads;
  s.z = s.y + beads;
  s.fx = s.z + beads;
  s.fy = s.fx + beads;
  s.fz = s.fy + beads;
  s.list = (uint32_t *) (s.fz + beads);
  return s;
}

struct pair_separation {
  int i, j;
  float x, y, z, r2;
};

__device__ __forceinline__ pair_separation separate(const shared_molecule &s, uint32_t packed)
{
  pair_separation p;
  p.i = (int) (packed & 0xFFFFu);
  p.j = (int) (packed >> 16);
  p.x = (float) ds_diff32(s.x[p.i], s.x[p.j]);
  p.y = (float) ds_diff32(s.y[p.i], s.y[p.j]);
  p.z = (float) ds_diff32(s.z[p.i], s.z[p.j]);
  p.r2 = ds_square(p.x, p.y, p.z);
  return p;
}

__device__ __forceinline__ int add_force(const shared_molecule &s, const pair_separation &p,
                                         float f)
{
  int fault = 0;
  const int32_t qx = ds_sop_quanta(f, p.x, &fault), qy = ds_sop_quanta(f, p.y, &fault),
                qz = ds_sop_quanta(f, p.z, &fault);
  atomicAdd(s.fx + p.i, qx);
  atomicAdd(s.fy + p.i, qy);
  atomicAdd(s.fz + p.i, qz);
  atomicAdd(s.fx + p.j, -qx);
  atomicAdd(s.fy + p.j, -qy);
  atomicAdd(s.fz + p.j, -qz);
  return fault;
}

/* One task: 32 pairs of a kind. Returns whether a force is out of range. */
__device__ __forceinline__ int do_task(const ds_sop_kernel_motion &m, const block_topology &t,
                                       const shared_molecule &s, const uint32_t *list, int listed,
                                       int task)
{
  const int lane = threadIdx.x & 31;
  int k = 32 * task + lane;
#define ROUND_UP(n) (((n) + 31) & ~31)
  if (k - lane < ROUND_UP(t.count[DS_SOP_BONDS])) {
    if (k >= t.count[DS_SOP_BONDS]) return 0;
    const pair_separation p = separate(s, t.pair[DS_SOP_BONDS][k]);
    float room;
    const float f = ds_sop_bond_force_f(t.bond + k, p.r2, &room);
    return add_force(s, p, f) | !(room > 0.0f);
  }
  k -= ROUND_UP(t.count[DS_SOP_BONDS]);
  if (k - lane < ROUND_UP(t.count[DS_SOP_CONTACTS])) {
    if (k >= t.count[DS_SOP_CONTACTS]) return 0;
    const pair_separation p = separate(s, t.pair[DS_SOP_CONTACTS][k]);
    return add_force(s, p, ds_sop_contact_force_f(t.contact + k, p.r2));
  }
  k -= ROUND_UP(t.count[DS_SOP_CONTACTS]);
  if (k - lane < ROUND_UP(t.count[DS_SOP_ANGLES])) {
    if (k >= t.count[DS_SOP_ANGLES]) return 0;
    const pair_separation p = separate(s, t.pair[DS_SOP_ANGLES][k]);
    return add_force(s, p, ds_sop_repulsion_force_f(&m.angle, p.r2));
  }
  k -= ROUND_UP(t.count[DS_SOP_ANGLES]);
  if (k >= listed) return 0;
  const pair_separation p = separate(s, list[k]);
  if (!(p.r2 < m.cut2)) return 0;
  return add_force(s, p, ds_sop_repulsion_force_f(&m.other, p.r2));
}

/* All tasks of this warp. The first `makers` warps have made noise, and join later. */
__device__ __forceinline__ int do_tasks(const ds_sop_kernel_motion &m, const block_topology &t,
                                        const shared_molecule &s, const uint32_t *list, int listed,
                                        int makers)
{
  const int warp = threadIdx.x >> 5, warps = blockDim.x >> 5, others = warps - makers;
  const int tasks = (ROUND_UP(t.count[DS_SOP_BONDS]) + ROUND_UP(t.count[DS_SOP_CONTACTS]) +
                     ROUND_UP(t.count[DS_SOP_ANGLES]) + ROUND_UP(listed)) >>
                    5;
  const int early = others * NOISE_TASKS; /* tasks that the others alone take */
  int fault = 0;
  if (warp >= makers)
    for (int k = warp - makers; k < early && k < tasks; k += others)
      fault |= do_task(m, t, s, list, listed, k);
  for (int k = early + (warp + others) % warps; k < tasks; k += warps)
    fault |= do_task(m, t, s, list, listed, k);
  return fault;
}

/* The list of pairs that are near; returns its length. The block meets in it. */
__device__ __forceinline__ int make_list(const block_topology &t, const shared_molecule &s,
                                         int *counter)
{
  const int lane = threadIdx.x & 31;
  if (threadIdx.x == 0) *counter = 0;
  __syncthreads();
  for (int first = 0; first < t.candidates; first += blockDim.x) {
    const int k = first + threadIdx.x;
    const uint32_t packed = k < t.candidates ? t.candidate[k] : 0;
    const bool near = k < t.candidates && separate(s, packed).r2 < t.list2;
    const unsigned who = __ballot_sync(0xFFFFFFFFu, near);
    int at = 0;
    if (lane == 0 && who) at = atomicAdd(counter, __popc(who));
    at = __shfl_sync(0xFFFFFFFFu, at, 0) + __popc(who & ((1u << lane) - 1u));
    if (near && at < t.room) s.list[at] = packed;
  }
  __syncthreads();
  return *counter;
}

/* What a thread keeps of its bead. */
struct own_bead {
  int64_t p[3];
  int32_t reference[3];
  float normal[3], outside[3], other[3];
  int32_t before[3], predicted[3]; /* of a step of second order */
  uint64_t id;
  int role;
};

__device__ __forceinline__ void publish(const ds_sop_kernel_motion &m, const shared_molecule &s,
                                        int b, const own_bead &o, const int64_t p[3])
{
  s.x[b] = ds_sop_coordinate(p[0]);
  s.y[b] = ds_sop_coordinate(p[1]);
  s.z[b] = ds_sop_coordinate(p[2]);
  if (o.role == DS_SOP_PULLED && m.pulled_count > 1)
    for (int k = 0; k < m.pulled_count; k++)
      if (m.pulled[k] == b)
        for (int c = 0; c < 3; c++) s.pulled[3 * k + c] = p[c];
}

/* The pull at the positions that are published: of this bead, p, or of all pulled ones. */
__device__ __forceinline__ double pull_now(const ds_sop_kernel_motion &m, const shared_molecule &s,
                                           const ds_sop_pull_step &pull, const ds_sop_anchor &a,
                                           const int64_t p[3])
{
  int64_t sum[3] = {p[0], p[1], p[2]};
  if (m.pulled_count > 1) {
    sum[0] = sum[1] = sum[2] = 0;
    for (int k = 0; k < m.pulled_count; k++)
      for (int c = 0; c < 3; c++) sum[c] += s.pulled[3 * k + c];
  }
  return ds_sop_pull_force(&pull, ds_sop_pull_along(&a, sum, pull.unit));
}

/* Before a half step: what acts on the bead besides eq. 1. */
template <int HALF>
__device__ __forceinline__ void find_other(const ds_sop_kernel_motion &m, const shared_molecule &s,
                                           own_bead &o, int step, double *force)
{
  for (int c = 0; c < 3; c++) o.other[c] = o.outside[c];
  if (o.role != DS_SOP_PULLED) return;
  const ds_sop_pull_step pull = pull_in_step(m, step);
  const ds_sop_anchor a = m.anchor[blockIdx.x];
  if (HALF == 0) {
    *force = pull_now(m, s, pull, a, o.p);
  } else {
    const int64_t p[3] = {o.p[0] + o.predicted[0], o.p[1] + o.predicted[1],
                          o.p[2] + o.predicted[2]};
    *force = 0.5 * (*force + pull_now(m, s, pull, a, p));
  }
  for (int c = 0; c < 3; c++) o.other[c] += ds_sop_pull_push(&pull, &a, *force, c);
}

/* Moves the bead, or predicts where it goes; returns whether too far. */
template <int ORDER, int HALF>
__device__ __forceinline__ int move_bead(const ds_sop_kernel_motion &m, const shared_molecule &s,
                                         int b, own_bead &o)
{
  int32_t force[3] = {s.fx[b], s.fy[b], s.fz[b]}, d[3];
  int64_t p[3];
  int fault = 0;
  s.fx[b] = s.fy[b] = s.fz[b] = 0;
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
  if (fault && o.role != DS_SOP_HELD) return 1;
  publish(m, s, b, o, p);
  if (HALF == ORDER - 1)
    for (int c = 0; c < 3; c++) o.p[c] = p[c];
  return 0;
}

__device__ __forceinline__ int has_moved(const block_topology &t, const shared_molecule &s, int b,
                                         const own_bead &o)
{
  const float dx = (float) ds_diff32(s.x[b], o.reference[0]),
              dy = (float) ds_diff32(s.y[b], o.reference[1]),
              dz = (float) ds_diff32(s.z[b], o.reference[2]);
  return !(ds_square(dx, dy, dz) <= t.moved2);
}

/* What goes on from step to step in a block. */
struct block_list {
  const uint32_t *list;
  int listed;
};

__device__ __forceinline__ block_list renew_list(const block_topology &t, const shared_molecule &s,
                                                 bool moves, own_bead &o, int *counter)
{
  block_list l = {s.list, make_list(t, s, counter)};
  if (l.listed > t.room) { /* all pairs are looked at instead */
    l.list = t.candidate;
    l.listed = t.candidates;
  }
  if (moves) {
    o.reference[0] = s.x[threadIdx.x];
    o.reference[1] = s.y[threadIdx.x];
    o.reference[2] = s.z[threadIdx.x];
  }
  return l;
}

/* Forces are out of range: the coordinates tell which. */
__device__ __forceinline__ void leave_forces(const ds_sop_kernel_motion &m,
                                             const shared_molecule &s, size_t bead, int step)
{
  if (threadIdx.x < m.beads) {
    m.coordinate[3 * bead] = s.x[threadIdx.x];
    m.coordinate[3 * bead + 1] = s.y[threadIdx.x];
    m.coordinate[3 * bead + 2] = s.z[threadIdx.x];
  }
  if (threadIdx.x == 0) report_fault(m, step, 2 * (unsigned) bead);
}

template <class Noise, int ORDER, int HALF>
__device__ __forceinline__ bool half_step(const ds_sop_kernel_motion &m, const block_topology &t,
                                          const shared_molecule &s, block_list &l, own_bead &o,
                                          size_t bead, int step, double *pull, int *counter)
{
  const int makers = (m.beads + 31) / 32;
  const bool moves = threadIdx.x < m.beads;
  if (moves) {
    if (HALF == 0) make_normals<Noise>(m, bead, m.first + step, o.id, o.normal);
    find_other<HALF>(m, s, o, step, pull);
  }
  const int fault = do_tasks(m, t, s, l.list, l.listed, makers);
  if (__syncthreads_or(fault)) {
    leave_forces(m, s, bead, step);
    return false;
  }
  int far = 0, old = 0;
  if (moves) {
    far = move_bead<ORDER, HALF>(m, s, threadIdx.x, o);
    old = has_moved(t, s, threadIdx.x, o);
  }
  if (!__syncthreads_or(far | old)) return true;
  if (__syncthreads_or(far)) {
    if (far) report_fault(m, step, 2 * (unsigned) bead + 1);
    return false;
  }
  l = renew_list(t, s, moves, o, counter);
  return true;
}

template <class Noise, int ORDER>
__global__ void __launch_bounds__(1024) sop_block(ds_sop_kernel_motion m, block_topology t)
{
  extern __shared__ __align__(16) char memory[];
  __shared__ int counter;
  const shared_molecule s = place_molecule(memory, m.beads, m.pulled_count);
  const bool moves = threadIdx.x < m.beads;
  const size_t bead = (size_t) blockIdx.x * m.beads + threadIdx.x;
  own_bead o = {};
  double pull = 0.0;
  if (moves) {
    for (int c = 0; c < 3; c++) {
      o.p[c] = m.position[3 * bead + c];
      o.outside[c] = outside_push(m, bead, c);
    }
    o.id = m.id[bead];
    o.role = m.role ? m.role[threadIdx.x] : DS_SOP_MOVES;
    publish(m, s, threadIdx.x, o, o.p);
    s.fx[threadIdx.x] = s.fy[threadIdx.x] = s.fz[threadIdx.x] = 0;
  }
  __syncthreads();
  block_list l = renew_list(t, s, moves, o, &counter);
  bool good = true;
  for (int step = 0; step < m.steps && good; step++) {
    good = half_step<Noise, ORDER, 0>(m, t, s, l, o, bead, step, &pull, &counter);
    if (ORDER == 2 && good)
      good = half_step<Noise, ORDER, 1>(m, t, s, l, o, bead, step, &pull, &counter);
  }
  if (moves)
    for (int c = 0; c < 3; c++) {
      m.position[3 * bead + c] = o.p[c];
      m.noise[3 * bead + c] =
          o.role == DS_SOP_HELD ? 0 : ds_round32(o.normal[c] * m.units.whole.noise);
    }
}

/* --------------------------------------------------------------------------------------------- host */

static size_t shared_bytes(const ds_sop *sop, int room)
{
  const int pulled = sop->pull.spec.mode ? sop->pull.spec.pulled : 0;
  return (pulled > 1 ? 24 * (size_t) pulled : 0) + 24 * (size_t) sop->model.topology.beads +
         4 * (size_t) room;
}

/* Room for the near pairs of a compact molecule: at a bead per 110 cubic angstrom, half of what a sphere of 15 holds. */
static int list_room(const ds_sop *sop, const ds_sop_cuda *g)
{
  const int usual = 64 * sop->model.topology.beads;
  return g->candidates < usual ? g->candidates : usual;
}

int ds_sop_block_fits(const ds_sop *sop, const ds_sop_cuda *g)
{
  enum { MOST_BEADS = 512 };
  return sop->model.topology.beads <= MOST_BEADS && !sop->options.inter &&
         shared_bytes(sop, list_room(sop, g)) + 1024 <= (size_t) g->block_shared;
}

/* Threads per block. Where every molecule has a multiprocessor to itself, a thread per pair, as far as a block goes; with
   more of them, as many as there is room for, but no fewer than beads. */
static int threads_of(const ds_sop *sop, const ds_sop_cuda *g)
{
  const ds_sop_model *const m = &sop->model;
  const int makers = (m->topology.beads + 31) / 32;
  const int each = (sop->molecules + g->multiprocessors - 1) / g->multiprocessors;
  int tasks = (list_room(sop, g) + 31) / 32;
  for (int kind = 0; kind < DS_SOP_LISTED; kind++) tasks += (m->pairs[kind].count + 31) / 32;
  int warps = 64 / each;
  if (warps > makers + tasks) warps = makers + tasks;
  if (warps < 4) warps = 4;
  if (warps < makers + 1) warps = makers + 1;
  if (warps > 32) warps = 32;
  return 32 * warps;
}

template <class Noise, int ORDER>
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
  t.list2 = (float) (range * range);
  t.moved2 = (float) (half * half);
  const size_t shared = shared_bytes(sop, t.room);
  const ds_status s =
      ds_gpu_check(cudaFuncSetAttribute(sop_block<Noise, ORDER>,
                                        cudaFuncAttributeMaxDynamicSharedMemorySize, (int) shared),
                   "shared memory of sop_block", err);
  if (s) return s;
  sop_block<Noise, ORDER><<<sop->molecules, threads_of(sop, g), shared, g->s.stream>>>(*m, t);
  return ds_gpu_check(cudaGetLastError(), "sop_block", err);
}

ds_status ds_sop_cuda_blocks(ds_sop *sop, ds_sop_cuda *g, const ds_sop_kernel_motion *m,
                             ds_error *err)
{
  return with_noise(sop->generator->name, [&](auto noise) {
    return sop->options.order == 1 ? launch<decltype(noise), 1>(sop, g, m, err)
                                   : launch<decltype(noise), 2>(sop, g, m, err);
  });
}
