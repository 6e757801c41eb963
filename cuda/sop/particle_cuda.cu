/* The schemes particle and pair on the GPU: some threads per bead sum the forces on it, and one cooperative launch makes many
   steps, with a barrier of the whole grid after each.   SPDX-License-Identifier: GPL-2.0-or-later

   Lists have two levels. The outer one is made by kernels of its own (outer_cuda.cu), for a wide range, so seldom. From it
   the threads of a bead take its inner row, of cutoff and skin, whenever some bead has moved by half a skin: no launch,
   no other thread's row. When a bead has moved so far that the outer list may lack something, the launch ends.

   Coordinates and positions are kept twice, for this step and the next, so that one barrier per step is enough. */
#include "grid_barrier.cuh"
#include "thread_per_bead_cuda.cuh"

/* Where a launch is. */
struct progress {
  int step, half; /* that come next */
  int now, which; /* of x and of position */
};

__device__ __forceinline__ void set_coordinates(const ds_sop_particle_lists &l, const team &t, int beads, int half)
{
  for (int b = t.number; b < beads; b += t.count)
    for (int c = t.lane; c < 3; c += t.size) {
      const size_t at = 3 * (size_t) b + c;
      const int64_t p = l.position[0][at] + (half ? l.predicted[at] : 0);
      ((int32_t *) (l.x[0] + b))[c] = ds_sop_coordinate(p);
    }
}

template <bool Single>
__device__ __forceinline__ void leave(const ds_sop_kernel_motion &m, const ds_sop_particle_lists &l, const team &t, int beads,
                                      const progress &p, const own_component &o, bool fault, bool far)
{
  for (int b = t.number; b < beads; b += t.count)
    for (int c = t.lane; c < 3; c += t.size) {
      const size_t at = 3 * (size_t) b + c;
      if (fault) m.coordinate[at] = ((const int32_t *) (l.x[p.now] + b))[c];
      if (Single)
        l.position[0][at] = o.position - (fault ? o.moved : 0);
      else if (p.which == 1)
        l.position[0][at] = l.position[1][at];
    }
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    m.report->done = p.step;
    m.report->half = p.half;
    m.report->far = far && !*(volatile int *) &m.report->full;
  }
}

/* Threads of a block: fewer where they keep more in registers. */
__host__ __device__ constexpr int most_threads(launch_kind kind)
{
  return kind == SINGLE ? 448 : kind == THREAD_PER_BEAD ? 896 : 1024;
}

/* What a team keeps from step to step, or a thread that has a bead of its own. */
struct team_memory {
  float made[3]; /* normal numbers */
  own_component own;
  kept_rows rows;
  bonded_row bonded; /* entry NULL: it stays where it is */
};

/* Rows of all beads. Returns flags. */
template <launch_kind KIND>
__device__ __forceinline__ int prune_all(const ds_sop_kernel_motion &m, const ds_sop_particle_lists &l, const team &t,
                                         const int4 *x, int beads)
{
  int flags = 0;
  constexpr bool ThreadPerBead = KIND == THREAD_PER_BEAD;
  for (int turn = ThreadPerBead ? t.number : t.first; turn < beads; turn += t.count)
    flags |= prune<ThreadPerBead>(l, t, x, ThreadPerBead ? team_bead{turn, true} : t.at(turn, beads), m.report);
  return flags;
}

/* Slots of all pairs, for the scheme pair. Returns flags. */
template <int ORDER>
__device__ __forceinline__ int fill_all(const ds_sop_kernel_motion &m, const ds_sop_particle_lists &l, const team &t, int beads,
                                        const int4 *x, int step, int half)
{
  int flags = 0;
  for (int b = t.number; b < beads; b += t.count)
    if (fill_slots(m, l, t, x, b)) {
      report_fault(m, ORDER, step, half, molecule_of(m, b));
      flags = DS_SOP_FLAG_FAULT;
    }
  return flags;
}

/* Normal numbers of a step that is to come, of those who have one bead: they are made while others are waited for. Generators
   with a state wait for the step itself, as it may not be made. noise_from: first step of this launch whose noise is not
   known. */
template <class Noise, launch_kind KIND>
__device__ __forceinline__ void make_next_noise(const ds_sop_kernel_motion &m, const ds_sop_particle_lists &l, const team &t,
                                                int beads, int noise_from, int step, team_memory &k)
{
  if (!Noise::counter || step >= m.steps) return;
  if (KIND == SINGLE) make_normals_ahead<Noise>(m, t, t.at(t.first, beads).number, step, noise_from, k.made);
  if (KIND == THREAD_PER_BEAD && l.no_turns && t.number < beads)
    make_normals<Noise>(m, t.number, m.first + step, m.id[t.number], k.made);
}

/* A half step of all beads. Returns flags. */
template <class Noise, int ORDER, launch_kind KIND, bool HasTips, bool HasPulls>
__device__ __forceinline__ int step_all(const ds_sop_kernel_motion &m, const ds_sop_particle_lists &l, const team &t,
                                        const phase &now, int beads, int noise_from, team_memory &k)
{
  const bool noise = ORDER == 1 || now.half == 0;
  int flags = 0;
  if (KIND == THREAD_PER_BEAD) {
    const bool made = l.no_turns && Noise::counter;
    for (int b = t.number; b < beads; b += t.count) {
      if (noise && !made) make_normals<Noise>(m, b, m.first + now.step, m.id[b], k.made);
      flags |= step_by_thread<ORDER, HasPulls>(m, l, now, b, k.bonded.entry ? k.bonded : bonded_of(m, l, b), k.made);
    }
  } else if (KIND == SINGLE && Noise::counter) {
    flags = step_bead<Noise, ORDER, KIND, HasTips>(m, l, t, now, t.at(t.first, beads), (now.step - noise_from) & (t.size - 1),
                                                   k.made, k.own, k.rows);
  } else {
    for (int first = t.first; first < beads; first += t.count * t.size) {
      if (noise) make_normals_of_team<Noise>(m, t, first, beads, now.step, k.made);
      for (int made_by = 0, at = first; made_by < t.size && at < beads; made_by++, at += t.count)
        flags |= step_bead<Noise, ORDER, KIND, HasTips>(m, l, t, now, t.at(at, beads), made_by, k.made, k.own, k.rows);
    }
  }
  return flags;
}

/* SINGLE: each team has one bead, or none, and keeps what it knows of it. MANY: teams take beads in turns. PAIRED: the scheme
   pair, likewise. THREAD_PER_BEAD: a thread per bead, likewise; lanes is 1. HasTips: there are tips, which are moved when the
   forces of all beads on them have been added up. HasPulls, of THREAD_PER_BEAD: some beads are pulled; without, a thread keeps
   fewer registers, which is a tenth of a step. */
template <class Noise, int ORDER, launch_kind KIND, bool HasTips, bool HasPulls>
__global__ void __launch_bounds__(most_threads(KIND))
    sop_particles(const __grid_constant__ ds_sop_kernel_motion m, const __grid_constant__ ds_sop_particle_lists l, int lanes,
                  int begin, int half)
{
  constexpr bool Single = KIND == SINGLE;
  grid_barrier barrier(l.barrier);
  const team t(KIND == THREAD_PER_BEAD ? 1 : lanes);
  const int beads = m.beads * m.molecules;
  progress p = {begin, half, 0, 0};
  int flags = DS_SOP_FLAG_NEAR;
  team_memory kept = {};
  set_coordinates(l, t, beads, half);
  if (KIND == THREAD_PER_BEAD && l.bonded_in_shared) kept.bonded = bring_bonded(m, l, beads);
  if (Single && t.number < beads && t.lane < 3)
    kept.own = load_component(m, l, l.position[0], t.number, t.lane, ORDER == 2 && half, true);
  const int noise_from = begin + half; /* the noise of a step that is half made is known */
  barrier.agree(0, [&] { make_next_noise<Noise, KIND>(m, l, t, beads, noise_from, noise_from, kept); });
  while (p.step < m.steps) {
    if (flags & DS_SOP_FLAG_NEAR) {
      flags = barrier.agree(prune_all<KIND>(m, l, t, l.x[p.now], beads));
      if (flags & DS_SOP_FLAG_FAR) break;
      if (Single) {
        if (t.number < beads && t.lane < 3) kept.own.reference = ((const int32_t *) (l.near_reference + t.number))[t.lane];
        kept.rows = keep_rows(m, l, t, t.at(t.first, beads));
      }
      if (KIND == PAIRED)
        for (int b = t.number; b < beads; b += t.count) find_mates(l, t, b);
    }
    if (KIND == PAIRED) {
      flags = barrier.agree(fill_all<ORDER>(m, l, t, beads, l.x[p.now], p.step, p.half));
      if (flags & DS_SOP_FLAG_FAULT) break;
    }
    const phase now = {p.step, p.half, l.x[p.now], l.x[1 - p.now], l.position[p.which], l.position[1 - p.which]};
    flags = barrier.agree(step_all<Noise, ORDER, KIND, HasTips, HasPulls>(m, l, t, now, beads, noise_from, kept), [&] {
      if (p.half == ORDER - 1) make_next_noise<Noise, KIND>(m, l, t, beads, noise_from, p.step + 1, kept);
    });
    if (flags & DS_SOP_FLAG_FAULT) break;
    if (HasTips) {
      flags |= barrier.agree(blockIdx.x == 0 && move_tips(m, ORDER, p.step, p.half) ? DS_SOP_FLAG_FAULT : 0);
      if (flags & DS_SOP_FLAG_FAULT) break;
    }
    p.now = 1 - p.now;
    p.half++;
    if (p.half == ORDER) {
      p.half = 0;
      p.which = 1 - p.which;
      p.step++;
    }
  }
  leave<Single>(m, l, t, beads, p, kept.own, flags & DS_SOP_FLAG_FAULT, flags & DS_SOP_FLAG_FAR);
}

/* Forces without a step, from outer rows. */
__global__ void sop_particle_forces(ds_sop_kernel_motion m, ds_sop_particle_lists l, int32_t *force)
{
  const team t(8);
  const int beads = m.beads * m.molecules;
  for (int turn = t.first; turn < beads; turn += t.count) {
    const team_bead b = t.at(turn, beads);
    int fault = 0;
    const pair_force share = share_of_force<false>(m, l, t, l.x[0], b.number, &fault);
    int32_t sum[3] = {share.x, share.y, share.z};
    t.sum(sum);
    if (fault) report_fault(m, 1, 0, 0, molecule_of(m, b.number));
    if (!b.has || t.lane >= 3) continue;
    const size_t at = 3 * (size_t) b.number + t.lane;
    force[at] = t.lane == 0 ? sum[0] : t.lane == 1 ? sum[1] : sum[2];
    m.coordinate[at] = ((const int32_t *) (l.x[0] + b.number))[t.lane];
  }
}

/* --------------------------------------------------------------------------------------------- host */

/* How a launch is shared out. */
struct shape {
  int lanes; /* per bead */
  unsigned blocks, threads;
  size_t shared; /* bytes per block, for bonded pairs of threads that have a bead each */
};

template <class Noise, int ORDER, launch_kind KIND, bool HasTips = false, bool HasPulls = true>
static ds_status launch(ds_sop_cuda *g, const ds_sop_kernel_motion *m, const ds_sop_particle_lists *l, shape how, int begin,
                        int half, ds_error *err)
{
  const ds_status s = how.shared
                          ? ds_gpu_check(cudaFuncSetAttribute(sop_particles<Noise, ORDER, KIND, HasTips, HasPulls>,
                                                              cudaFuncAttributeMaxDynamicSharedMemorySize, (int) how.shared),
                                         "shared memory of sop_particles", err)
                          : DS_OK;
  if (s) return s;
  void *arguments[] = {(void *) m, (void *) l, &how.lanes, &begin, &half};
  return ds_gpu_check(cudaLaunchCooperativeKernel((void *) sop_particles<Noise, ORDER, KIND, HasTips, HasPulls>, how.blocks,
                                                  how.threads, arguments, how.shared, g->s.stream),
                      "sop_particles", err);
}

/* Whether each team has one bead, or none. */
static bool has_no_turns(const ds_sop_kernel_motion *m, shape how)
{
  const int64_t beads = (int64_t) m->beads * m->molecules;
  return beads * how.lanes <= (int64_t) how.blocks * how.threads;
}

/* Entries of bonded pairs of the beads before this one. */
static int64_t bonded_before(const ds_sop_model *m, int64_t bead)
{
  const int64_t beads = m->topology.beads, molecule = bead / beads;
  int64_t n = 0;
  for (int kind = 0; kind < DS_SOP_LISTED; kind++)
    n += molecule * m->rows[kind].first[beads] + m->rows[kind].first[bead % beads];
  return n;
}

/* Shared memory for the bonded pairs of each block's beads, a thread each; 0 where they have no room. */
static size_t bonded_bytes(const ds_sop *sop, const ds_sop_cuda *g, int64_t beads, shape how)
{
  enum { FOR_CACHE = 64 << 10 };
  int64_t most = 0;
  for (int64_t first = 0; first < beads; first += how.threads) {
    const int64_t end = first + how.threads < beads ? first + how.threads : beads;
    const int64_t n = bonded_before(&sop->model, end) - bonded_before(&sop->model, first);
    most = n > most ? n : most;
  }
  const size_t bytes = (size_t) most * sizeof(int4);
  return bytes + FOR_CACHE <= (size_t) g->block_shared ? bytes : 0;
}

/* Beads per multiprocessor from which on a thread each is faster than teams that take turns. */
enum { MANY_BEADS = 256 };

/* One block on each multiprocessor, with beads shared out evenly: each has a team, of as many lanes as there is room for. Few
   beads take few blocks. Where there is no room for all, teams take turns, or, beads being very many, each has a thread. */
static shape shape_of(const ds_sop *sop, const ds_sop_cuda *g, const ds_sop_kernel_motion *m)
{
  enum { FEW = 256 }; /* threads of a block that is worth a multiprocessor */
  const int64_t beads = (int64_t) m->beads * m->molecules;
  const bool threads_may = g->scheme == DS_SOP_PARTICLE && !m->tip;
  shape s = {32, (unsigned) g->multiprocessors, (unsigned) most_threads(MANY), 0};
  if (beads * s.lanes < (int64_t) s.blocks * FEW) s.blocks = (unsigned) ((beads * s.lanes + FEW - 1) / FEW);
  const int64_t each = (beads + s.blocks - 1) / s.blocks;
  int most = most_threads(SINGLE);
  while (s.lanes > 4 && each * s.lanes > most) s.lanes /= 2;
  if (each >= MANY_BEADS && threads_may) {
    s.lanes = 1;
    s.threads = most = most_threads(THREAD_PER_BEAD);
  }
  if (each * s.lanes <= most) s.threads = (unsigned) ((each * s.lanes + 31) / 32 * 32);
  if (s.lanes == 1 && has_no_turns(m, s)) s.shared = bonded_bytes(sop, g, beads, s);
  return s;
}

template <class Noise, int ORDER>
static ds_status launch_shape(ds_sop_cuda *g, const ds_sop_kernel_motion *m, const ds_sop_particle_lists *l, shape how,
                              int begin, int half, ds_error *err)
{
  if (g->scheme == DS_SOP_PAIR)
    return m->tip ? launch<Noise, ORDER, PAIRED, true>(g, m, l, how, begin, half, err)
                  : launch<Noise, ORDER, PAIRED>(g, m, l, how, begin, half, err);
  if (m->tip) return launch<Noise, ORDER, MANY, true>(g, m, l, how, begin, half, err);
  if (how.lanes == 1)
    return m->pulled_count ? launch<Noise, ORDER, THREAD_PER_BEAD>(g, m, l, how, begin, half, err)
                           : launch<Noise, ORDER, THREAD_PER_BEAD, false, false>(g, m, l, how, begin, half, err);
  if (how.threads <= (unsigned) most_threads(SINGLE) && has_no_turns(m, how))
    return launch<Noise, ORDER, SINGLE>(g, m, l, how, begin, half, err);
  return launch<Noise, ORDER, MANY>(g, m, l, how, begin, half, err);
}

static ds_status launch_steps(ds_sop *sop, ds_sop_cuda *g, const ds_sop_kernel_motion *m, ds_sop_particle_lists *l, int begin,
                              int half, ds_error *err)
{
  const shape how = shape_of(sop, g, m);
  l->no_turns = how.lanes == 1 && has_no_turns(m, how);
  l->bonded_in_shared = how.shared > 0;
  return with_noise(sop->generator->kind, [&](auto noise) {
    return sop->options.order == 1 ? launch_shape<decltype(noise), 1>(g, m, l, how, begin, half, err)
                                   : launch_shape<decltype(noise), 2>(g, m, l, how, begin, half, err);
  });
}

/* The fourth word of coordinates is read with the others, and never written. */
static ds_status reserve_cleared(ds_sop_cuda *g, ds_buffer *b, size_t n, ds_error *err)
{
  if (b->bytes >= n * sizeof(int4)) return DS_OK;
  const ds_status s = ds_reserve(&g->s.memory, b, n, sizeof(int4), "coordinates", err);
  return s ? s : ds_gpu_check(cudaMemsetAsync(b->data, 0, b->bytes, g->s.stream), "clearing coordinates", err);
}

ds_status ds_sop_cuda_particle_reserve(ds_sop *sop, ds_sop_cuda *g, size_t n, ds_error *err)
{
  ds_pool *const pool = &g->s.memory;
  ds_status s = ds_reserve(pool, &g->position2, 3 * n, sizeof(int64_t), "positions", err);
  for (int k = 0; k < 2 && !s; k++) s = reserve_cleared(g, &g->x[k], n, err);
  for (int k = 0; k < 2 && !s; k++) s = ds_reserve(pool, &g->reference[k], n, sizeof(int4), "coordinates", err);
  if (!s && g->scheme == DS_SOP_PAIR)
    s = ds_reserve(pool, &g->bonded_slot, (size_t) sop->molecules * (size_t) g->bonded_entries + 1, sizeof(int4),
                   "slots of forces", err);
  if (!s) s = ds_reserve(pool, &g->barrier, DS_BARRIER_WORDS, sizeof(unsigned long long), "a barrier", err);
  if (!s) s = ds_reserve(pool, &g->inner_count, n, sizeof(int32_t), "lists", err);
  if (!s) s = ds_reserve(pool, &g->outer_count, n, sizeof(int32_t), "lists", err);
  if (!s && sop->options.order == 2)
    for (int k = 0; k < 3 && !s; k++) s = ds_reserve(pool, &g->half[k], 3 * n, sizeof(int32_t), "steps of second order", err);
  return s;
}

ds_sop_particle_lists ds_sop_cuda_particle_view(const ds_sop *sop, const ds_sop_cuda *g)
{
  const double unit = sop->model.coordinate_unit, near = sop->model.cutoff + sop->options.skin;
  ds_sop_particle_lists l;
  memset(&l, 0, sizeof l);
  ds_sop_cuda_view_outer(g, &l);
  l.position[0] = (int64_t *) g->position.data;
  l.position[1] = (int64_t *) g->position2.data;
  l.bonded_first = (const int32_t *) g->bonded_first.data;
  l.bonded = (const int4 *) g->bonded.data;
  l.inner = (int32_t *) g->inner.data;
  l.inner_count = (int32_t *) g->inner_count.data;
  l.inner_room = g->inner_room;
  l.near_reference = (int4 *) g->reference[0].data;
  l.far_reference = (int4 *) g->reference[1].data;
  l.before = (int32_t *) g->half[0].data;
  l.predicted = (int32_t *) g->half[1].data;
  l.normal = (float *) g->half[2].data;
  l.barrier = (unsigned long long *) g->barrier.data;
  l.bonded_entries = g->bonded_entries;
  l.bonded_mate = (const int32_t *) g->bonded_mate.data;
  l.bonded_slot = (int4 *) g->bonded_slot.data;
  l.mate = (int32_t *) g->mate.data;
  l.slot = (int4 *) g->slot.data;
  l.near2 = (float) (near / unit * (near / unit));
  const double moved = 0.5 * sop->options.skin / unit;
  l.near_moved2 = (float) (moved * moved);
  const double far = 0.5 * (ds_sop_outer_range(sop) - near) / unit;
  l.far_moved2 = (float) (far * far);
  return l;
}

ds_status ds_sop_cuda_reserve_inner(ds_sop_cuda *g, size_t beads, int full, ds_error *err)
{
  const size_t n = (beads + 31) / 32 * 32;
  if (g->inner_room >= full && g->inner.bytes >= n * (size_t) g->inner_room * sizeof(int32_t) && g->inner_room) return DS_OK;
  g->inner_room = full > 0 ? (full + full / 2 + 31) / 32 * 32 : 128;
  const size_t entries = n * (size_t) g->inner_room;
  ds_status s = DS_OK;
  if (g->scheme == DS_SOP_PAIR) {
    s = ds_reserve(&g->s.memory, &g->mate, entries, sizeof(int32_t), "pairs", err);
    if (!s) s = ds_reserve(&g->s.memory, &g->slot, entries, sizeof(int4), "slots of forces", err);
  }
  if (s) return s;
  return ds_reserve(&g->s.memory, &g->inner, n * (size_t) g->inner_room, sizeof(int32_t), "lists", err);
}

ds_status ds_sop_cuda_clear_flags(ds_sop_cuda *g, ds_error *err)
{
  const ds_status s =
      ds_gpu_check(cudaMemsetAsync(g->barrier.data, 0, g->barrier.bytes, g->s.stream), "clearing a barrier", err);
  if (s) return s;
  const size_t at = offsetof(ds_sop_report, done);
  return ds_gpu_check(cudaMemsetAsync((char *) g->report.data + at, 0, sizeof(ds_sop_report) - at, g->s.stream),
                      "clearing a report", err);
}

ds_status ds_sop_cuda_read_flags(ds_sop_cuda *g, ds_sop_report *r, ds_error *err)
{
  const ds_status s = ds_queue_copy(&g->s, r, g->report.data, sizeof *r, "sop_particles", err);
  return s ? s : ds_queue_wait(&g->s, "sop_particles", err);
}

ds_status ds_sop_cuda_particles(ds_sop *sop, ds_sop_cuda *g, const ds_sop_kernel_motion *m, ds_error *err)
{
  const size_t n = (size_t) m->beads * (size_t) m->molecules;
  ds_sop_report r;
  memset(&r, 0, sizeof r);
  ds_status s = ds_sop_cuda_particle_reserve(sop, g, n, err);
  while (!s && r.done < m->steps) {
    if (!g->outer_is_made) s = ds_sop_cuda_outer_list(sop, g, m, err);
    if (!s) s = ds_sop_cuda_reserve_inner(g, n, r.full, err);
    if (!s) s = ds_sop_cuda_clear_flags(g, err);
    if (s) break;
    ds_sop_particle_lists l = ds_sop_cuda_particle_view(sop, g);
    s = launch_steps(sop, g, m, &l, r.done, r.half, err);
    if (!s) s = ds_sop_cuda_read_flags(g, &r, err);
    if (!s && r.fault != ~0ull) break;
    g->outer_is_made = !r.far;
  }
  return s;
}

ds_status ds_sop_cuda_particle_forces(ds_sop *sop, ds_sop_cuda *g, const ds_sop_kernel_motion *m, ds_error *err)
{
  const size_t n = (size_t) m->beads * (size_t) m->molecules;
  ds_status s = ds_sop_cuda_particle_reserve(sop, g, n, err);
  if (!s) s = ds_sop_cuda_outer_list(sop, g, m, err);
  if (s) return s;
  const ds_sop_particle_lists l = ds_sop_cuda_particle_view(sop, g);
  return DS_LAUNCH(err, "sop_particle_forces", sop_particle_forces, ds_gpu_blocks(8 * n, 256), 256, g->s.stream, *m, l,
                   (int32_t *) g->force.data);
}
