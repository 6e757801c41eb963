/* The scheme particle on the GPU: some threads per bead sum the forces on it, and one cooperative launch makes many steps,
   with a barrier of the whole grid after each.   SPDX-License-Identifier: GPL-2.0-or-later

   Lists have two levels. The outer one is made by kernels of its own (outer_cuda.cu), for a wide range, so seldom. From it
   the threads of a bead take its inner row, of cutoff and skin, whenever some bead has moved by half a skin: no launch,
   no other thread's row. When a bead has moved so far that the outer list may lack something, the launch ends.

   Coordinates and positions are kept twice, for this step and the next, so that one barrier per step is enough. */
#include "noise_cuda.cuh"
#include "particle_cuda.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

/* The threads of one bead: `size` neighboring lanes of a warp, a power of two from 4 on. */
struct team {
  int size, lane, number, count;
  unsigned mask;

  __device__ team(int lanes)
  {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    size = lanes;
    lane = thread & (lanes - 1);
    number = thread / lanes;
    count = gridDim.x * blockDim.x / lanes;
    const int first = (threadIdx.x & 31) & ~(lanes - 1);
    mask = (lanes == 32 ? 0xFFFFFFFFu : (1u << lanes) - 1u) << first;
  }
  __device__ int32_t sum(int32_t v) const
  {
    for (int k = size / 2; k > 0; k /= 2) v += __shfl_xor_sync(mask, v, k, size);
    return v;
  }
  __device__ float from(float v, int source) const { return __shfl_sync(mask, v, source, size); }
  __device__ double from(double v, int source) const { return __shfl_sync(mask, v, source, size); }
};

struct pair_force {
  int32_t x, y, z;
};

/* A pair that is known: its kind stands in the upper two bits of the partner. */
__device__ __forceinline__ float known_force(const ds_sop_kernel_motion &m, int4 e, float r2,
                                             int *fault)
{
  const uint32_t kind = (uint32_t) e.x >> 30;
  if (kind == DS_SOP_BONDS) {
    const ds_sop_bond_f b = {__int_as_float(e.y), __int_as_float(e.z), __int_as_float(e.w)};
    float room;
    const float f = ds_sop_bond_force_f(&b, r2, &room);
    *fault |= !(room > 0.0f);
    return f;
  }
  if (kind == DS_SOP_CONTACTS) {
    const ds_sop_contact_f c = {__int_as_float(e.y), __int_as_float(e.z)};
    return ds_sop_contact_force_f(&c, r2);
  }
  return ds_sop_repulsion_force_f(&m.angle, r2);
}

struct separation {
  float x, y, z, r2;
};

__device__ __forceinline__ separation separate(int4 a, int4 b)
{
  separation s;
  s.x = (float) ds_diff32(a.x, b.x);
  s.y = (float) ds_diff32(a.y, b.y);
  s.z = (float) ds_diff32(a.z, b.z);
  s.r2 = ds_square(s.x, s.y, s.z);
  return s;
}

__device__ __forceinline__ void add_pair(pair_force &sum, float f, const separation &s, int *fault)
{
  sum.x += ds_sop_quanta(f, s.x, fault);
  sum.y += ds_sop_quanta(f, s.y, fault);
  sum.z += ds_sop_quanta(f, s.z, fault);
}

/* The force on a bead, this thread's share of it; row: partners within reach. */
__device__ __forceinline__ pair_force share_of_force(const ds_sop_kernel_motion &m,
                                                     const ds_sop_particle_lists &l, const team &t,
                                                     const int4 *x, int bead, const int32_t *row,
                                                     int count, int *fault)
{
  const int4 own = x[bead];
  const int local = bead % m.beads, base = bead - local;
  pair_force sum = {0, 0, 0};
  for (int k = l.known_first[local] + t.lane; k < l.known_first[local + 1]; k += t.size) {
    const int4 e = l.known[k];
    const separation s = separate(own, x[base + (e.x & DS_INDEX_MASK)]);
    add_pair(sum, known_force(m, e, s.r2, fault), s, fault);
  }
  for (int k = t.lane; k < count; k += t.size) {
    const separation s = separate(own, x[row[k]]);
    if (s.r2 < m.cut2) add_pair(sum, ds_sop_repulsion_force_f(&m.other, s.r2), s, fault);
  }
  return sum;
}

/* The inner row of a bead, from its outer one; returns whether the outer one may lack a bead by now. */
__device__ __forceinline__ int prune(const ds_sop_particle_lists &l, const team &t, const int4 *x,
                                     int bead, ds_sop_report *report)
{
  const int4 own = x[bead];
  const int32_t *const outer = l.outer + (size_t) bead * l.outer_room;
  int32_t *const inner = l.inner + (size_t) bead * l.inner_room;
  const int outers = l.outer_count[bead];
  int count = 0;
  for (int first = 0; first < outers; first += t.size) {
    const int k = first + t.lane;
    const int j = k < outers ? outer[k] : bead;
    const bool near = k < outers && separate(own, x[j]).r2 < l.near2;
    const unsigned who = __ballot_sync(t.mask, near) & t.mask;
    const int at = count + __popc(who & ((1u << (threadIdx.x & 31)) - 1u));
    if (near && at < l.inner_room) inner[at] = j;
    count += __popc(who);
  }
  if (t.lane == 0) {
    l.inner_count[bead] = count < l.inner_room ? count : l.inner_room;
    l.near_reference[bead] = own;
    if (count > l.inner_room) atomicMax(&report->full, count);
  }
  return separate(own, l.far_reference[bead]).r2 > l.far_moved2;
}

/* Normal numbers of a bead in a step: one thread makes them, and tells the others. Or every thread makes those of
   another step to come, when the first of them is wanted. */
template <class Noise, bool Ahead>
__device__ __forceinline__ float normal_of(const ds_sop_kernel_motion &m, const team &t, int bead,
                                           uint64_t id, int step, int begin, float mine[3])
{
  const int turn = Ahead ? (step - begin) % t.size : 0;
  if (Ahead) {
    if (turn == 0) make_normals<Noise>(m, bead, m.first + step + t.lane, id, mine);
  } else if (t.lane == 0) {
    make_normals<Noise>(m, bead, m.first + step, id, mine);
  }
  const float x = t.from(mine[0], turn), y = t.from(mine[1], turn), z = t.from(mine[2], turn);
  return t.lane == 0 ? x : t.lane == 1 ? y : z;
}

/* The pull on a molecule: at its positions now, or, half 1, the mean with that at the predicted ones. */
__device__ __forceinline__ double pull_on(const ds_sop_kernel_motion &m,
                                          const ds_sop_particle_lists &l,
                                          const ds_sop_pull_step &pull, const int64_t *position,
                                          int molecule, int half)
{
  const size_t base = (size_t) molecule * m.beads;
  int64_t now[3] = {0, 0, 0}, then[3] = {0, 0, 0};
  for (int k = 0; k < m.pulled_count; k++)
    for (int c = 0; c < 3; c++) {
      const size_t at = 3 * (base + m.pulled[k]) + c;
      now[c] += position[at];
      if (half) then[c] += position[at] + l.predicted[at];
    }
  const ds_sop_anchor *const a = m.anchor + molecule;
  const double force = ds_sop_pull_force(&pull, ds_sop_pull_along(a, now, pull.unit));
  if (!half) return force;
  return 0.5 * (force + ds_sop_pull_force(&pull, ds_sop_pull_along(a, then, pull.unit)));
}

__device__ __forceinline__ float other_of(const ds_sop_kernel_motion &m,
                                          const ds_sop_particle_lists &l, const int64_t *position,
                                          int bead, int role, int step, int half, int c)
{
  float other = outside_push(m, bead, c);
  if (role == DS_SOP_PULLED) {
    const ds_sop_pull_step pull = pull_in_step(m, step);
    const int molecule = bead / m.beads;
    const double force = pull_on(m, l, pull, position, molecule, half);
    other += ds_sop_pull_push(&pull, m.anchor + molecule, force, c);
  }
  return other;
}

/* What the phases of a launch share. */
struct phase {
  int step, half;
  const int4 *x;
  int4 *x_next;
  const int64_t *position;
  int64_t *position_next;
};

/* A half step of one bead. Returns flags. */
template <class Noise, int ORDER, bool Ahead>
__device__ __forceinline__ int step_bead(const ds_sop_kernel_motion &m,
                                         const ds_sop_particle_lists &l, const team &t,
                                         const phase &p, int bead, int begin, float mine[3])
{
  int fault = 0;
  const pair_force share = share_of_force(
      m, l, t, p.x, bead, l.inner + (size_t) bead * l.inner_room, l.inner_count[bead], &fault);
  const int32_t fx = t.sum(share.x), fy = t.sum(share.y), fz = t.sum(share.z);
  float normal = 0.0f;
  if (ORDER == 1 || p.half == 0) {
    normal = normal_of<Noise, Ahead>(m, t, bead, m.id[bead], p.step, begin, mine);
    if (ORDER == 2 && t.lane < 3) l.normal[3 * (size_t) bead + t.lane] = normal;
  } else if (t.lane < 3) {
    normal = l.normal[3 * (size_t) bead + t.lane];
  }
  if (fault) {
    report_fault(m, p.step, 2 * (unsigned) (bead - bead % m.beads));
    return DS_SOP_FLAG_FAULT;
  }
  int flags = 0;
  float moved = 0.0f;
  if (t.lane < 3) {
    const int c = t.lane;
    const size_t at = 3 * (size_t) bead + c;
    const int role = m.role ? m.role[bead % m.beads] : DS_SOP_MOVES;
    const int32_t force = c == 0 ? fx : c == 1 ? fy : fz;
    float other = other_of(m, l, p.position, bead, role, p.step, p.half, c);
    const ds_sop_motion_units u = p.half ? m.units.half : m.units.whole;
    if (ORDER == 2 && p.half) other = fmaf((float) l.before[at], u.mobility, other);
    int32_t d = ds_sop_displacement(u, force, normal, other, &fault);
    if (role == DS_SOP_HELD) d = fault = 0;
    if (fault) {
      report_fault(m, p.step, 2 * (unsigned) bead + 1);
      flags = DS_SOP_FLAG_FAULT;
    }
    const int64_t now = p.position[at], then = now + d;
    const int32_t x = ds_sop_coordinate(then);
    ((int32_t *) (p.x_next + bead))[c] = x;
    if (ORDER == 2 && p.half == 0) {
      l.before[at] = force;
      l.predicted[at] = d;
    } else {
      p.position_next[at] = then;
      if (p.step == m.steps - 1)
        m.noise[at] = role == DS_SOP_HELD ? 0 : ds_round32(normal * m.units.whole.noise);
    }
    moved = (float) ds_diff32(x, ((const int32_t *) (l.near_reference + bead))[c]);
  }
  const float mx = t.from(moved, 0), my = t.from(moved, 1), mz = t.from(moved, 2);
  if (!(ds_square(mx, my, mz) <= l.near_moved2)) flags |= DS_SOP_FLAG_NEAR;
  return flags;
}

/* A flag of this phase for all, and what all have said before the barrier. Flags take turns, so that each is cleared by a
   phase in which nobody reads it. */
__device__ __forceinline__ int agree(cg::grid_group &grid, ds_sop_report *report, int flags,
                                     int turn)
{
  if (flags) atomicOr(&report->flag[turn % 3], flags);
  if (grid.thread_rank() == 0) report->flag[(turn + 1) % 3] = 0;
  grid.sync();
  return *(volatile int *) &report->flag[turn % 3];
}

/* Where a launch is. */
struct progress {
  int step, half; /* that come next */
  int now, which; /* of x and of position */
};

__device__ __forceinline__ void set_coordinates(const ds_sop_particle_lists &l, const team &t,
                                                int beads, int half)
{
  for (int b = t.number; b < beads; b += t.count)
    if (t.lane < 3) {
      const size_t at = 3 * (size_t) b + t.lane;
      const int64_t p = l.position[0][at] + (half ? l.predicted[at] : 0);
      ((int32_t *) (l.x[0] + b))[t.lane] = ds_sop_coordinate(p);
    }
}

__device__ __forceinline__ void leave(const ds_sop_kernel_motion &m, const ds_sop_particle_lists &l,
                                      const team &t, int beads, const progress &p, bool fault)
{
  for (int b = t.number; b < beads; b += t.count)
    if (t.lane < 3) {
      const size_t at = 3 * (size_t) b + t.lane;
      if (fault) m.coordinate[at] = ((const int32_t *) (l.x[p.now] + b))[t.lane];
      if (p.which == 1) l.position[0][at] = l.position[1][at];
    }
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    m.report->done = p.step;
    m.report->half = p.half;
  }
}

template <class Noise, int ORDER, bool Ahead>
__global__ void __launch_bounds__(DS_SOP_PARTICLE_THREADS)
    sop_particles(ds_sop_kernel_motion m, ds_sop_particle_lists l, int lanes, int begin, int half)
{
  cg::grid_group grid = cg::this_grid();
  const team t(lanes);
  const int beads = m.beads * m.molecules;
  progress p = {begin, half, 0, 0};
  int turn = 0, flags = DS_SOP_FLAG_NEAR;
  float mine[3] = {0.0f, 0.0f, 0.0f};
  set_coordinates(l, t, beads, half);
  agree(grid, m.report, 0, turn++);
  while (p.step < m.steps) {
    if (flags & DS_SOP_FLAG_NEAR) {
      int far = 0;
      for (int b = t.number; b < beads; b += t.count) far |= prune(l, t, l.x[p.now], b, m.report);
      flags = agree(grid, m.report, far ? DS_SOP_FLAG_FAR : 0, turn++);
      if ((flags & DS_SOP_FLAG_FAR) || *(volatile int *) &m.report->full) break;
    }
    const phase now = {
        p.step, p.half, l.x[p.now], l.x[1 - p.now], l.position[p.which], l.position[1 - p.which]};
    flags = 0;
    for (int b = t.number; b < beads; b += t.count)
      flags |= step_bead<Noise, ORDER, Ahead>(m, l, t, now, b, begin, mine);
    flags = agree(grid, m.report, flags, turn++);
    if (flags & DS_SOP_FLAG_FAULT) break;
    p.now = 1 - p.now;
    p.half++;
    if (p.half == ORDER) {
      p.half = 0;
      p.which = 1 - p.which;
      p.step++;
    }
  }
  leave(m, l, t, beads, p, flags & DS_SOP_FLAG_FAULT);
}

/* Forces alone, from outer rows. */
__global__ void sop_particle_forces(ds_sop_kernel_motion m, ds_sop_particle_lists l, int32_t *force)
{
  const team t(8);
  const int beads = m.beads * m.molecules;
  for (int b = t.number; b < beads; b += t.count) {
    int fault = 0;
    const pair_force share = share_of_force(m, l, t, l.x[0], b, l.outer + (size_t) b * l.outer_room,
                                            l.outer_count[b], &fault);
    const int32_t fx = t.sum(share.x), fy = t.sum(share.y), fz = t.sum(share.z);
    if (fault) report_fault(m, 0, 2 * (unsigned) (b - b % m.beads));
    if (t.lane < 3) {
      force[3 * (size_t) b + t.lane] = t.lane == 0 ? fx : t.lane == 1 ? fy : fz;
      m.coordinate[3 * (size_t) b + t.lane] = ((const int32_t *) (l.x[0] + b))[t.lane];
    }
  }
}

/* --------------------------------------------------------------------------------------------- host */

template <class Noise, int ORDER, bool Ahead>
static ds_status launch(ds_sop_cuda *g, const ds_sop_kernel_motion *m,
                        const ds_sop_particle_lists *l, int lanes, unsigned blocks, int begin,
                        int half, ds_error *err)
{
  void *arguments[] = {(void *) m, (void *) l, &lanes, &begin, &half};
  return ds_gpu_check(cudaLaunchCooperativeKernel((void *) sop_particles<Noise, ORDER, Ahead>,
                                                  blocks, DS_SOP_PARTICLE_THREADS, arguments, 0,
                                                  g->s.stream),
                      "sop_particles", err);
}

/* As many blocks as are on the device at once, and lanes per bead so that all have work. */
template <class Noise, int ORDER>
static ds_status launch_widest(ds_sop *sop, ds_sop_cuda *g, const ds_sop_kernel_motion *m,
                               const ds_sop_particle_lists *l, int begin, int half, ds_error *err)
{
  int each = 0, lanes = 32;
  const ds_status s = ds_gpu_check(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &each, (void *) sop_particles<Noise, ORDER, Noise::counter>, DS_SOP_PARTICLE_THREADS, 0),
      "occupancy of sop_particles", err);
  if (s) return s;
  const int64_t beads = (int64_t) m->beads * m->molecules;
  const int64_t threads = (int64_t) each * g->multiprocessors * DS_SOP_PARTICLE_THREADS;
  while (lanes > 4 && beads * lanes > threads) lanes /= 2;
  const int64_t wanted = (beads * lanes + DS_SOP_PARTICLE_THREADS - 1) / DS_SOP_PARTICLE_THREADS;
  const int64_t most = (int64_t) each * g->multiprocessors;
  const unsigned blocks = (unsigned) (wanted < most ? wanted : most);
  if (Noise::counter && beads * lanes <= (int64_t) blocks * DS_SOP_PARTICLE_THREADS)
    return launch<Noise, ORDER, Noise::counter>(g, m, l, lanes, blocks, begin, half, err);
  return launch<Noise, ORDER, false>(g, m, l, lanes, blocks, begin, half, err);
}

static ds_status launch_steps(ds_sop *sop, ds_sop_cuda *g, const ds_sop_kernel_motion *m,
                              const ds_sop_particle_lists *l, int begin, int half, ds_error *err)
{
  return with_noise(sop->generator->kind, [&](auto noise) {
    return sop->options.order == 1
               ? launch_widest<decltype(noise), 1>(sop, g, m, l, begin, half, err)
               : launch_widest<decltype(noise), 2>(sop, g, m, l, begin, half, err);
  });
}

static ds_status reserve(ds_sop *sop, ds_sop_cuda *g, size_t n, ds_error *err)
{
  ds_pool *const pool = &g->s.memory;
  ds_status s = ds_reserve(pool, &g->position2, 3 * n, sizeof(int64_t), "positions", err);
  for (int k = 0; k < 2 && !s; k++)
    s = ds_reserve(pool, &g->x[k], n, sizeof(int4), "coordinates", err);
  for (int k = 0; k < 2 && !s; k++)
    s = ds_reserve(pool, &g->reference[k], n, sizeof(int4), "coordinates", err);
  if (!s) s = ds_reserve(pool, &g->inner_count, n, sizeof(int32_t), "lists", err);
  if (!s) s = ds_reserve(pool, &g->outer_count, n, sizeof(int32_t), "lists", err);
  if (!s && sop->options.order == 2)
    for (int k = 0; k < 3 && !s; k++)
      s = ds_reserve(pool, &g->half[k], 3 * n, sizeof(int32_t), "steps of second order", err);
  return s;
}

static ds_sop_particle_lists view(const ds_sop *sop, const ds_sop_cuda *g)
{
  const double unit = sop->model.coordinate_unit, near = sop->model.cutoff + sop->options.skin;
  ds_sop_particle_lists l;
  memset(&l, 0, sizeof l);
  l.x[0] = (int4 *) g->x[0].data;
  l.x[1] = (int4 *) g->x[1].data;
  l.position[0] = (int64_t *) g->position.data;
  l.position[1] = (int64_t *) g->position2.data;
  l.known_first = (const int32_t *) g->known_first.data;
  l.known = (const int4 *) g->known.data;
  l.outer = (int32_t *) g->outer.data;
  l.inner = (int32_t *) g->inner.data;
  l.outer_count = (int32_t *) g->outer_count.data;
  l.inner_count = (int32_t *) g->inner_count.data;
  l.outer_room = g->outer_room;
  l.inner_room = g->inner_room;
  l.near_reference = (int4 *) g->reference[0].data;
  l.far_reference = (int4 *) g->reference[1].data;
  l.before = (int32_t *) g->half[0].data;
  l.predicted = (int32_t *) g->half[1].data;
  l.normal = (float *) g->half[2].data;
  l.near2 = (float) (near / unit * (near / unit));
  const double moved = 0.5 * sop->options.skin / unit;
  l.near_moved2 = (float) (moved * moved);
  const double far = 0.5 * (ds_sop_outer_range(sop) - near) / unit;
  l.far_moved2 = (float) (far * far);
  return l;
}

/* Room for inner rows; half as much again as the longest that there was. */
static ds_status reserve_inner(ds_sop_cuda *g, size_t n, int full, ds_error *err)
{
  if (g->inner_room >= full && g->inner.bytes >= n * (size_t) g->inner_room * sizeof(int32_t) &&
      g->inner_room)
    return DS_OK;
  g->inner_room = full > 0 ? (full + full / 2 + 31) / 32 * 32 : 128;
  return ds_reserve(&g->s.memory, &g->inner, n * (size_t) g->inner_room, sizeof(int32_t), "lists",
                    err);
}

static ds_status clear_flags(ds_sop_cuda *g, ds_error *err)
{
  const size_t at = offsetof(ds_sop_report, full);
  return ds_gpu_check(
      cudaMemsetAsync((char *) g->report.data + at, 0, sizeof(ds_sop_report) - at, g->s.stream),
      "clearing a report", err);
}

static ds_status read_report(ds_sop_cuda *g, ds_sop_report *r, ds_error *err)
{
  const ds_status s = ds_stream_copy(&g->s, r, g->report.data, sizeof *r, "sop_particles", err);
  return s ? s : ds_stream_wait(&g->s, "sop_particles", err);
}

ds_status ds_sop_cuda_particles(ds_sop *sop, ds_sop_cuda *g, const ds_sop_kernel_motion *m,
                                ds_error *err)
{
  const size_t n = (size_t) m->beads * (size_t) m->molecules;
  ds_sop_report r;
  memset(&r, 0, sizeof r);
  ds_status s = reserve(sop, g, n, err);
  while (!s && r.done < m->steps) {
    if (!g->outer_is_made) s = ds_sop_cuda_outer_list(sop, g, m, err);
    if (!s) s = reserve_inner(g, n, r.full, err);
    if (!s) s = clear_flags(g, err);
    if (s) break;
    const ds_sop_particle_lists l = view(sop, g);
    s = launch_steps(sop, g, m, &l, r.done, r.half, err);
    if (!s) s = read_report(g, &r, err);
    if (!s && r.fault != ~0ull) break;
    g->outer_is_made = r.done == m->steps || r.full > 0;
  }
  return s;
}

ds_status ds_sop_cuda_particle_forces(ds_sop *sop, ds_sop_cuda *g, const ds_sop_kernel_motion *m,
                                      ds_error *err)
{
  const size_t n = (size_t) m->beads * (size_t) m->molecules;
  ds_status s = reserve(sop, g, n, err);
  if (!s) s = ds_sop_cuda_outer_list(sop, g, m, err);
  if (s) return s;
  const ds_sop_particle_lists l = view(sop, g);
  return DS_LAUNCH(err, "sop_particle_forces", sop_particle_forces, ds_gpu_blocks(8 * n, 256), 256,
                   g->s.stream, *m, l, (int32_t *) g->force.data);
}
