/* The scheme block on the GPU: a block of threads per molecule, or per some molecules, with their coordinates and forces in
   shared memory, makes all steps of a launch.   SPDX-License-Identifier: GPL-2.0-or-later

   A step has two phases. First, warps add the forces of pairs (block_force_cuda.cuh). Then beads move: a thread has one
   component of a bead, or all three where there are too few threads for that. Noise is made for some steps ahead: by all
   threads, or, where a molecule has a multiprocessor to itself, by warps that do nothing else, so that no step waits for it.

   Warps take 32 pairs, or beads, at a time. A small molecule leaves many of their lanes idle, some molecules together few. */
#include "block_shape_cuda.cuh"
#include "noise_cuda.cuh"

/* What a thread keeps of its bead: PER components of it, 1 or 3. */
template <int PER> struct own_bead {
  int bead, component; /* bead of the block; component: the first of them */
  int molecule;        /* of the block */
  int role, place;     /* place: among the pulled ones of the block */
  bool moves;          /* 0: the thread has no bead */
  bool pushed;         /* something may act besides eq. 1 */
  bool far;            /* it could not make the step */
  int64_t p[PER];
  float other[PER];    /* displacement by what acts besides eq. 1 */
  int32_t before[PER]; /* force at the beginning of a step of second order */
};

template <int SIZE, int PER>
__device__ __forceinline__ void publish(const ds_sop_kernel_motion &m, shared_molecules<SIZE> &s, const own_bead<PER> &o, int k,
                                        int64_t p)
{
  const int c = o.component + k;
  s.x[c][o.bead] = ds_sop_coordinate(p);
  if (ds_sop_is_pulled(o.role)) pulled_positions()[3 * o.place + c] = (int64_t) ((uint64_t) o.role * (uint64_t) p);
}

template <int SIZE, int PER>
__device__ __forceinline__ own_bead<PER> load_bead(const ds_sop_kernel_motion &m, const block_molecules &here,
                                                   shared_molecules<SIZE> &s)
{
  own_bead<PER> o = {};
  const int part = threadIdx.x / here.beads;
  o.moves = part < 3 / PER;
  if (!o.moves) return o;
  o.bead = threadIdx.x - part * here.beads;
  o.component = part;
  o.molecule = o.bead / m.beads;
  const int of_molecule = o.bead - o.molecule * m.beads;
  o.role = m.role ? m.role[of_molecule] : DS_SOP_MOVES;
  o.pushed = m.outside || ds_sop_is_pulled(o.role);
  for (int k = 0; k < m.pulled_count; k++)
    if (m.pulled[k] == of_molecule) o.place = o.molecule * m.pulled_count + k;
  for (int k = 0; k < PER; k++) {
    o.p[k] = m.position[3 * (here.first_bead + o.bead) + o.component + k];
    publish(m, s, o, k, o.p[k]);
  }
  return o;
}

/* The normal number of the thread's component k in the step whose numbers are in this slot, in the order of threads. */
__device__ __forceinline__ float normal_of(const block_molecules &here, const float *slot, int k)
{
  return slot[threadIdx.x + k * here.beads];
}

template <int PER>
__device__ __forceinline__ void store_bead(const ds_sop_kernel_motion &m, const block_molecules &here, const own_bead<PER> &o,
                                           const float *last_slot)
{
  if (!o.moves) return;
  for (int k = 0; k < PER; k++) {
    const size_t at = 3 * (here.first_bead + o.bead) + o.component + k;
    const float normal = o.role == DS_SOP_FIXED ? 0.0f : normal_of(here, last_slot, k);
    m.position[at] = o.p[k];
    m.noise[at] = ds_round32(normal * m.units.whole.noise);
  }
}

/* The pull on a molecule of the block at the positions that are published. */
__device__ __forceinline__ double pull_now(const ds_sop_kernel_motion &m, const ds_sop_pull_step &pull, const ds_sop_anchor &a,
                                           int molecule)
{
  const int64_t *const p = pulled_positions() + 3 * molecule * m.pulled_count;
  uint64_t sum[3] = {0, 0, 0};
  for (int k = 0; k < m.pulled_count; k++)
    for (int c = 0; c < 3; c++) sum[c] += (uint64_t) p[3 * k + c];
  return pull_at_sum(pull, a, sum);
}

/* Before a half step: what acts on the bead besides eq. 1. */
template <int HALF, int PER>
__device__ __forceinline__ void find_other(const ds_sop_kernel_motion &m, const block_molecules &here, own_bead<PER> &o,
                                           int step, double *force)
{
  const size_t bead = here.first_bead + o.bead;
  for (int k = 0; k < PER; k++) o.other[k] = outside_push(m, bead, o.component + k);
  if (!ds_sop_is_pulled(o.role)) return;
  const ds_sop_pull_step pull = pull_in_step(m, step);
  const ds_sop_anchor a = m.anchor[here.first + o.molecule];
  const double now = pull_now(m, pull, a, o.molecule);
  *force = HALF == 0 ? now : 0.5 * (*force + now);
  for (int k = 0; k < PER; k++) o.other[k] += ds_sop_pull_displacement(&pull, &a, *force, o.role, o.component + k);
}

/* Moves the bead, or predicts where it goes; one that would go too far stays and says so. */
template <int SIZE, int ORDER, int HALF, int PER>
__device__ __forceinline__ void move_bead(const ds_sop_kernel_motion &m, const block_molecules &here, shared_molecules<SIZE> &s,
                                          own_bead<PER> &o, int step, const float *slot)
{
#pragma unroll
  for (int k = 0; k < PER; k++) {
    const int c = o.component + k, b = o.bead;
    const ds_sop_motion_units u = HALF ? m.units.half : m.units.whole;
    const int32_t force = s.first[c][b] - s.second[c][b];
    const float other = HALF ? fmaf((float) o.before[k], u.mobility, o.other[k]) : o.other[k];
    int fault = 0;
    s.first[c][b] = s.second[c][b] = 0;
    int32_t d = ds_sop_displacement(u, force, normal_of(here, slot, k), other, &fault);
    if (o.role == DS_SOP_FIXED) d = fault = 0;
    if (fault) {
      d = 0;
      o.far = true;
      report_fault(m, ORDER, step, HALF, DS_SOP_FAULT_FAR | ((int) here.first_bead + b));
    }
    publish(m, s, o, k, o.p[k] + d);
    if (ORDER == 2 && HALF == 0)
      o.before[k] = force;
    else
      o.p[k] += d;
  }
}

/* Where beads were when the list was made; by thread, for the bead of its number. */
struct list_reference {
  int32_t x[3];
};

template <int SIZE>
__device__ __forceinline__ list_reference reference_now(const block_molecules &here, const shared_molecules<SIZE> &s)
{
  list_reference r = {{0, 0, 0}};
  if (threadIdx.x < here.beads)
    for (int c = 0; c < 3; c++) r.x[c] = s.x[c][threadIdx.x];
  return r;
}

template <int SIZE>
__device__ __forceinline__ bool is_old(const block_topology &t, const block_molecules &here, const shared_molecules<SIZE> &s,
                                       const list_reference &r)
{
  if (threadIdx.x >= here.beads) return false;
  float d[3];
#pragma unroll
  for (int c = 0; c < 3; c++) d[c] = (float) ds_diff32(s.x[c][threadIdx.x], r.x[c]);
  return !(ds_squaref(d[0], d[1], d[2]) <= t.moved2);
}

/* Normal numbers of the steps from `step` on, by some threads, of which this is number `thread`. One of a generator with a
   state makes its bead's one after the other; of another, a thread makes two at a time, as each is a long chain. */
template <class Noise>
__device__ __forceinline__ void make_noise(const ds_sop_kernel_motion &m, const block_topology &t, const block_molecules &here,
                                           int step, float *normals, int thread, int threads)
{
  enum { AT_ONCE = Noise::counter ? 2 : 1 };
  const int count = min(t.ahead, m.steps - step), n = here.beads, slot = t.stride / 4;
  const size_t base = here.first_bead;
  const int all = Noise::counter ? n * count : n, turns = Noise::counter ? 1 : count;
  for (int q = thread; q < all; q += AT_ONCE * threads)
    for (int turn = 0; turn < turns; turn++) {
      float g[AT_ONCE][3];
      int k[AT_ONCE], b[AT_ONCE];
#pragma unroll
      for (int u = 0; u < AT_ONCE; u++) {
        const int at = min(q + u * threads, all - 1);
        k[u] = at / n;
        b[u] = at - k[u] * n;
        k[u] += turn;
        make_normals<Noise>(m, base + b[u], m.first + step + k[u], m.id[base + b[u]], g[u]);
      }
#pragma unroll
      for (int u = 0; u < AT_ONCE; u++)
        for (int c = 0; c < 3 && q + u * threads < all; c++) normals[k[u] * slot + c * n + b[u]] = g[u][c];
    }
}

/* Producer and consumer warps wait for each other where the consumers have used up the numbers that the producers made.
   Then all numbers of the next steps are there, and the producers go on to those after them; or the consumers stop. Returns
   whether they do. */
__device__ __forceinline__ bool sync_for_noise(bool stops)
{
  enum { NOISE_BARRIER = 2 };
  return ds_part_barrier_or(NOISE_BARRIER, blockDim.x, stops);
}

template <class Noise>
__device__ __forceinline__ void serve_noise(const ds_sop_kernel_motion &m, const block_topology &t, const block_molecules &here)
{
  const int thread = threadIdx.x + t.producers - blockDim.x;
  int half = 0;
  for (int step = 0; step < m.steps; step += t.ahead, half = 1 - half) {
    make_noise<Noise>(m, t, here, step, shared_normals(t, half), thread, t.producers);
    if (sync_for_noise(false)) return;
  }
}

/* Numbers for a step that the consumer warps have none for yet. Returns them. */
template <class Noise, bool PRODUCERS>
__device__ __forceinline__ const float *next_noise(const ds_sop_kernel_motion &m, const block_topology &t,
                                                   const block_molecules &here, const consumers<PRODUCERS> &all, int step)
{
  if (PRODUCERS) {
    sync_for_noise(false);
    return shared_normals(t, step / t.ahead & 1);
  }
  make_noise<Noise>(m, t, here, step, shared_normals(t, 0), threadIdx.x, all.threads);
  all.sync();
  return shared_normals(t, 0);
}

/* A force is out of range, `lowest` is the offset of the first bead in one of the thread's: says which molecule it is of first.
   Its coordinates tell which force it is. */
template <class Consumers, int SIZE>
__device__ __forceinline__ int leave_forces(const ds_sop_kernel_motion &m, const block_molecules &here, const Consumers &all,
                                            shared_molecules<SIZE> &s, uint32_t lowest)
{
  if (threadIdx.x == 0) s.lowest = NO_FAULT;
  all.sync();
  if (lowest != NO_FAULT) atomicMin(&s.lowest, lowest);
  for (int b = threadIdx.x; b < here.beads; b += all.threads)
    for (int c = 0; c < 3; c++) m.coordinate[3 * (here.first_bead + b) + c] = s.x[c][b];
  all.sync();
  return here.first + (int) (s.lowest / (4u * m.beads));
}

/* What goes on from step to step. */
template <int PER> struct consumer_memory {
  block_list list;
  warp_share share;
  list_reference reference;
  own_bead<PER> own;
  double pull;
};

template <class Consumers, int SIZE, int PER>
__device__ __forceinline__ void reneighbor_list(const ds_sop_kernel_motion &m, const block_topology &t,
                                                const block_molecules &here, const Consumers &all, shared_molecules<SIZE> &s,
                                                consumer_memory<PER> &k)
{
  clear_forces(all, s, here.beads);
  all.sync();
  k.list = make_list(m, t, here, all, s);
  k.share = share_of_warp(t, here, all, k.list);
  k.reference = reference_now(here, s);
}

/* Returns false where the block cannot go on: its molecules stay where they were before the step. */
template <int ORDER, int HALF, class Consumers, int SIZE, int PER>
__device__ __forceinline__ bool half_step(const ds_sop_kernel_motion &m, const block_topology &t, const block_molecules &here,
                                          const Consumers &all, shared_molecules<SIZE> &s, consumer_memory<PER> &k, int step,
                                          const float *slot)
{
  if (k.own.pushed) find_other<HALF>(m, here, k.own, step, &k.pull);
  for (;;) {
    const bool old = is_old(t, here, s, k.reference);
    const uint32_t lowest = add_forces(m, t, here, all, s, k.list, k.share);
    if (!all.any(lowest != NO_FAULT || old || k.own.far)) break;
    if (all.any(k.own.far)) return false;
    if (!all.any(old)) { /* else the list may lack the first pair in a fault */
      const int molecule = leave_forces(m, here, all, s, lowest);
      if (threadIdx.x == 0) report_fault(m, ORDER, step, HALF, molecule);
      return false;
    }
    reneighbor_list(m, t, here, all, s, k);
  }
  if (k.own.moves) move_bead<SIZE, ORDER, HALF>(m, here, s, k.own, step, slot);
  all.sync();
  return true;
}

template <class Noise, int SIZE, int ORDER, int PER, bool PRODUCERS>
__global__ void __launch_bounds__(most_of_block(PRODUCERS))
    sop_block(const __grid_constant__ ds_sop_kernel_motion m, const __grid_constant__ block_topology t)
{
  __shared__ shared_molecules<SIZE> s;
  const consumers<PRODUCERS> all(t);
  const block_molecules here(m, t);
  if (PRODUCERS && threadIdx.x >= all.threads) {
    serve_noise<Noise>(m, t, here);
    return;
  }
  consumer_memory<PER> k = {};
  k.own = load_bead<SIZE, PER>(m, here, s);
  reneighbor_list(m, t, here, all, s, k);
  const float *slot = NULL;
  bool good = true;
  int step = 0, left = 0; /* steps whose noise there is */
  for (; step < m.steps && good; step++, left--) {
    if (left == 0) {
      slot = next_noise<Noise>(m, t, here, all, step);
      left = t.ahead;
    } else {
      slot = (const float *) ((const char *) slot + t.stride);
    }
    good = half_step<ORDER, 0>(m, t, here, all, s, k, step, slot);
    if (ORDER == 2 && good) good = half_step<ORDER, 1>(m, t, here, all, s, k, step, slot);
  }
  store_bead(m, here, k.own, slot);
  /* the producers are at the noise of the steps after those there is noise for */
  if (PRODUCERS && !good && step + left < m.steps) sync_for_noise(true);
}

/* --------------------------------------------------------------------------------------------- host */

template <class Noise, int SIZE, int ORDER, int PER, bool PRODUCERS>
static ds_status launch(ds_sop *sop, ds_sop_cuda *g, const ds_sop_kernel_motion *m, block_shape how, ds_error *err)
{
  const double range = (sop->model.cutoff + sop->options.skin) / sop->model.coordinate_unit,
               half = 0.5 * sop->options.skin / sop->model.coordinate_unit;
  block_topology t;
  memset(&t, 0, sizeof t);
  t.molecules = how.group;
  t.bonded = DS_DATA(const int4, g->block_bonded);
  t.contact_turn = turns_of(how.group * sop->model.pairs[DS_SOP_BONDS].count);
  t.angle_turn = t.contact_turn + turns_of(how.group * sop->model.pairs[DS_SOP_CONTACTS].count);
  t.bonded_turns = t.angle_turn + turns_of(how.group * sop->model.pairs[DS_SOP_ANGLES].count);
  t.candidate = DS_DATA(const uint32_t, g->candidate);
  t.candidates = g->candidates;
  t.room = list_room(sop, g, how.group);
  t.ahead = how.ahead;
  t.producers = how.producers;
  t.normals_at = (int) pulled_bytes(sop, how.group);
  t.stride = 12 * how.group * m->beads;
  t.half = how.ahead * t.stride;
  t.list_at = t.normals_at + (how.producers ? 2 : 1) * t.half;
  t.list2 = (float) (range * range);
  t.moved2 = (float) (half * half);
  const size_t shared = (size_t) t.list_at + 4 * (size_t) t.room;
  const ds_status s = ds_gpu_check(cudaFuncSetAttribute(sop_block<Noise, SIZE, ORDER, PER, PRODUCERS>,
                                                        cudaFuncAttributeMaxDynamicSharedMemorySize, (int) shared),
                                   "shared memory of sop_block", err);
  if (s) return s;
  sop_block<Noise, SIZE, ORDER, PER, PRODUCERS>
      <<<(sop->molecules + how.group - 1) / how.group, how.consumers + how.producers, shared, g->s.stream>>>(*m, t);
  return ds_gpu_check(cudaGetLastError(), "sop_block", err);
}

/* A component of a bead per thread where there are so many threads. */
template <class Noise, int ORDER>
static ds_status launch_shape(ds_sop *sop, ds_sop_cuda *g, const ds_sop_kernel_motion *m, ds_error *err)
{
  const block_shape how = shape_of_block(sop, g);
  const ds_status s = ds_sop_cuda_block_pairs(sop, g, how.group, err);
  if (s) return s;
  const int beads = how.group * m->beads;
  if (how.producers) return launch<Noise, SMALL, ORDER, 1, true>(sop, g, m, how, err);
  if (beads > MIDDLE) return launch<Noise, LARGE, ORDER, 3, false>(sop, g, m, how, err);
  return 3 * beads <= how.consumers ? launch<Noise, MIDDLE, ORDER, 1, false>(sop, g, m, how, err)
                                    : launch<Noise, MIDDLE, ORDER, 3, false>(sop, g, m, how, err);
}

int ds_sop_block_fits(const ds_sop *sop, const ds_sop_cuda *g)
{
  return sop->model.topology.beads <= LARGE && !sop->options.inter && block_has_room(sop, g, 1, LEAST_AHEAD);
}

ds_status ds_sop_cuda_blocks(ds_sop *sop, ds_sop_cuda *g, const ds_sop_kernel_motion *m, ds_error *err)
{
  return with_noise(sop->generator->kind, [&](auto noise) {
    return sop->options.order == 1 ? launch_shape<decltype(noise), 1>(sop, g, m, err)
                                   : launch_shape<decltype(noise), 2>(sop, g, m, err);
  });
}
