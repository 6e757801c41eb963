/* The schemes particle and pair on the GPU: some threads per bead sum the forces on it, and one cooperative launch makes many steps,
   with a barrier of the whole grid after each.   SPDX-License-Identifier: GPL-2.0-or-later

   Lists have two levels. The outer one is made by kernels of its own (outer_cuda.cu), for a wide range, so seldom. From it
   the threads of a bead take its inner row, of cutoff and skin, whenever some bead has moved by half a skin: no launch,
   no other thread's row. When a bead has moved so far that the outer list may lack something, the launch ends.

   Coordinates and positions are kept twice, for this step and the next, so that one barrier per step is enough. */
#include "../gpu/grid_barrier.cuh"
#include "bead_step_cuda.cuh"

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

template <bool Single>
__device__ __forceinline__ void leave(const ds_sop_kernel_motion &m, const ds_sop_particle_lists &l,
                                      const team &t, int beads, const progress &p,
                                      const own_component &o, bool fault, bool far)
{
  for (int b = t.number; b < beads; b += t.count)
    if (t.lane < 3) {
      const size_t at = 3 * (size_t) b + t.lane;
      if (fault) m.coordinate[at] = ((const int32_t *) (l.x[p.now] + b))[t.lane];
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
enum { MOST_THREADS = 1024, MOST_OF_SINGLE = 512 };

/* SINGLE: each team has one bead, or none, and keeps what it knows of it. MANY: teams take beads in turns. PAIRED: the scheme
   pair, likewise. Presses: there are tips, which are moved when all beads have told them their forces. */
template <class Noise, int ORDER, launch_kind KIND, bool Presses>
__global__ void __launch_bounds__(KIND == SINGLE ? MOST_OF_SINGLE : MOST_THREADS)
    sop_particles(const __grid_constant__ ds_sop_kernel_motion m,
                  const __grid_constant__ ds_sop_particle_lists l, int lanes, int begin, int end,
                  int half)
{
  constexpr bool Single = KIND == SINGLE;
  grid_barrier barrier(l.barrier);
  const team t(lanes);
  const int beads = m.beads * m.molecules;
  progress p = {begin, half, 0, 0};
  int flags = DS_SOP_FLAG_NEAR;
  float made[3] = {0.0f, 0.0f, 0.0f};
  int maker = 0;
  own_component o = {};
  kept_rows rows = {};
  set_coordinates(l, t, beads, half);
  if (Single && t.number < beads)
    o = load_component(m, l, t, l.position[0], t.number, ORDER == 2 && half, true);
  barrier.agree(0);
  const int noise_from = begin + half; /* the noise of a step that is half made is known */
  while (p.step < end) {
    if (flags & DS_SOP_FLAG_NEAR) {
      flags = 0;
      for (int b = t.number; b < beads; b += t.count) flags |= prune(l, t, l.x[p.now], b, m.report);
      flags = barrier.agree(flags);
      if (flags & DS_SOP_FLAG_FAR) break;
      if (Single && t.number < beads) {
        if (t.lane < 3) o.reference = ((const int32_t *) (l.near_reference + t.number))[t.lane];
        rows = keep_rows(m, l, t, t.number);
      }
      if (KIND == PAIRED)
        for (int b = t.number; b < beads; b += t.count) find_mates(l, t, b);
    }
    if (KIND == PAIRED) {
      flags = 0;
      for (int b = t.number; b < beads; b += t.count)
        if (__any_sync(t.mask, fill_slots(m, l, t, l.x[p.now], b))) {
          report_fault(m, p.step, 2 * (unsigned) (molecule_of(m, b) * m.beads));
          flags = DS_SOP_FLAG_FAULT;
        }
      flags = barrier.agree(flags);
      if (flags & DS_SOP_FLAG_FAULT) break;
    }
    const phase now = {
        p.step, p.half, l.x[p.now], l.x[1 - p.now], l.position[p.which], l.position[1 - p.which]};
    flags = 0;
    const bool noise = ORDER == 1 || p.half == 0;
    if (Single && Noise::counter) {
      if (t.number < beads) {
        if (noise) maker = make_normals_ahead<Noise>(m, t, t.number, p.step, noise_from, made);
        flags =
            step_bead<Noise, ORDER, KIND, Presses>(m, l, t, now, t.number, maker, made, o, rows);
      }
    } else {
      for (int first = t.number; first < beads; first += t.count * t.size) {
        if (noise) make_normals_of_team<Noise>(m, t, first, beads, p.step, made);
        for (int k = 0, b = first; k < t.size && b < beads; k++, b += t.count)
          flags |= step_bead<Noise, ORDER, KIND, Presses>(m, l, t, now, b, k, made, o, rows);
      }
    }
    flags = barrier.agree(flags);
    if (flags & DS_SOP_FLAG_FAULT) break;
    if (Presses) {
      flags |= barrier.agree(
          blockIdx.x == 0 && move_tips(m, ORDER, p.step, p.half) ? DS_SOP_FLAG_FAULT : 0);
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
  leave<Single>(m, l, t, beads, p, o, flags & DS_SOP_FLAG_FAULT, flags & DS_SOP_FLAG_FAR);
}

/* Forces alone, from outer rows. */
__global__ void sop_particle_forces(ds_sop_kernel_motion m, ds_sop_particle_lists l, int32_t *force)
{
  const team t(8);
  const int beads = m.beads * m.molecules;
  for (int b = t.number; b < beads; b += t.count) {
    int fault = 0;
    const pair_force share = share_of_outer(m, l, t, l.x[0], b, &fault);
    const int32_t fx = t.sum(share.x), fy = t.sum(share.y), fz = t.sum(share.z);
    if (fault) report_fault(m, 0, 2 * (unsigned) (molecule_of(m, b) * m.beads));
    if (t.lane < 3) {
      force[3 * (size_t) b + t.lane] = t.lane == 0 ? fx : t.lane == 1 ? fy : fz;
      m.coordinate[3 * (size_t) b + t.lane] = ((const int32_t *) (l.x[0] + b))[t.lane];
    }
  }
}

/* --------------------------------------------------------------------------------------------- host */

enum { MOST_STEPS = 1000000 };

/* How a launch is shared out. */
struct shape {
  int lanes; /* per bead */
  unsigned blocks, threads;
};

template <class Noise, int ORDER, launch_kind KIND, bool Presses = false>
static ds_status launch(ds_sop_cuda *g, const ds_sop_kernel_motion *m,
                        const ds_sop_particle_lists *l, shape how, int begin, int half,
                        ds_error *err)
{
  /* a barrier counts to 2^32 */
  int end = m->steps - begin > MOST_STEPS ? begin + MOST_STEPS : m->steps;
  void *arguments[] = {(void *) m, (void *) l, &how.lanes, &begin, &end, &half};
  return ds_gpu_check(
      cudaLaunchCooperativeKernel((void *) sop_particles<Noise, ORDER, KIND, Presses>, how.blocks,
                                  how.threads, arguments, 0, g->s.stream),
      "sop_particles", err);
}

/* One block on each multiprocessor, with beads shared out evenly: each has a team, of as many lanes as there is room for. Few
   beads take few blocks. Where there is no room for all, teams take turns. */
static shape shape_of(const ds_sop_cuda *g, int64_t beads)
{
  enum { FEW = 256 }; /* threads of a block that is worth a multiprocessor */
  shape s = {32, (unsigned) g->multiprocessors, MOST_THREADS};
  if (beads * s.lanes < (int64_t) s.blocks * FEW)
    s.blocks = (unsigned) ((beads * s.lanes + FEW - 1) / FEW);
  const int64_t each = (beads + s.blocks - 1) / s.blocks;
  while (s.lanes > 4 && each * s.lanes > MOST_OF_SINGLE) s.lanes /= 2;
  if (each * s.lanes <= MOST_OF_SINGLE) s.threads = (unsigned) ((each * s.lanes + 31) / 32 * 32);
  return s;
}

template <class Noise, int ORDER>
static ds_status launch_shape(ds_sop_cuda *g, const ds_sop_kernel_motion *m,
                              const ds_sop_particle_lists *l, int begin, int half, ds_error *err)
{
  const int64_t beads = (int64_t) m->beads * m->molecules;
  const shape how = shape_of(g, beads);
  if (m->tip && g->scheme == DS_SOP_PAIR)
    return launch<Noise, ORDER, PAIRED, true>(g, m, l, how, begin, half, err);
  if (m->tip) return launch<Noise, ORDER, MANY, true>(g, m, l, how, begin, half, err);
  if (g->scheme == DS_SOP_PAIR) return launch<Noise, ORDER, PAIRED>(g, m, l, how, begin, half, err);
  if (how.threads <= MOST_OF_SINGLE && beads * how.lanes <= (int64_t) how.blocks * how.threads)
    return launch<Noise, ORDER, SINGLE>(g, m, l, how, begin, half, err);
  return launch<Noise, ORDER, MANY>(g, m, l, how, begin, half, err);
}

static ds_status launch_steps(ds_sop *sop, ds_sop_cuda *g, const ds_sop_kernel_motion *m,
                              const ds_sop_particle_lists *l, int begin, int half, ds_error *err)
{
  return with_noise(sop->generator->kind, [&](auto noise) {
    return sop->options.order == 1 ? launch_shape<decltype(noise), 1>(g, m, l, begin, half, err)
                                   : launch_shape<decltype(noise), 2>(g, m, l, begin, half, err);
  });
}

/* The fourth word of coordinates is read with the others, and never written. */
static ds_status reserve_cleared(ds_sop_cuda *g, ds_buffer *b, size_t n, ds_error *err)
{
  if (b->bytes >= n * sizeof(int4)) return DS_OK;
  const ds_status s = ds_reserve(&g->s.memory, b, n, sizeof(int4), "coordinates", err);
  return s ? s
           : ds_gpu_check(cudaMemsetAsync(b->data, 0, b->bytes, g->s.stream),
                          "clearing coordinates", err);
}

static ds_status reserve(ds_sop *sop, ds_sop_cuda *g, size_t n, ds_error *err)
{
  ds_pool *const pool = &g->s.memory;
  ds_status s = ds_reserve(pool, &g->position2, 3 * n, sizeof(int64_t), "positions", err);
  for (int k = 0; k < 2 && !s; k++) s = reserve_cleared(g, &g->x[k], n, err);
  for (int k = 0; k < 2 && !s; k++)
    s = ds_reserve(pool, &g->reference[k], n, sizeof(int4), "coordinates", err);
  if (!s && g->scheme == DS_SOP_PAIR)
    s = ds_reserve(pool, &g->known_slot, (size_t) sop->molecules * (size_t) g->known_entries + 1,
                   sizeof(int4), "slots of forces", err);
  if (!s)
    s = ds_reserve(pool, &g->barrier, DS_BARRIER_WORDS, sizeof(unsigned long long), "a barrier",
                   err);
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
  ds_sop_cuda_view_outer(g, &l);
  l.position[0] = (int64_t *) g->position.data;
  l.position[1] = (int64_t *) g->position2.data;
  l.known_first = (const int32_t *) g->known_first.data;
  l.known = (const int4 *) g->known.data;
  l.inner = (int32_t *) g->inner.data;
  l.inner_count = (int32_t *) g->inner_count.data;
  l.inner_room = g->inner_room;
  l.near_reference = (int4 *) g->reference[0].data;
  l.far_reference = (int4 *) g->reference[1].data;
  l.before = (int32_t *) g->half[0].data;
  l.predicted = (int32_t *) g->half[1].data;
  l.normal = (float *) g->half[2].data;
  l.barrier = (unsigned long long *) g->barrier.data;
  l.known_entries = g->known_entries;
  l.known_mate = (const int32_t *) g->known_mate.data;
  l.known_slot = (int4 *) g->known_slot.data;
  l.mate = (int32_t *) g->mate.data;
  l.slot = (int4 *) g->slot.data;
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
  const size_t entries = n * (size_t) g->inner_room;
  ds_status s = DS_OK;
  if (g->scheme == DS_SOP_PAIR) {
    s = ds_reserve(&g->s.memory, &g->mate, entries, sizeof(int32_t), "pairs", err);
    if (!s) s = ds_reserve(&g->s.memory, &g->slot, entries, sizeof(int4), "slots of forces", err);
  }
  if (s) return s;
  return ds_reserve(&g->s.memory, &g->inner, n * (size_t) g->inner_room, sizeof(int32_t), "lists",
                    err);
}

static ds_status clear_flags(ds_sop_cuda *g, ds_error *err)
{
  const ds_status s =
      ds_gpu_check(cudaMemsetAsync(g->barrier.data, 0, g->barrier.bytes, g->s.stream),
                   "clearing a barrier", err);
  if (s) return s;
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
    g->outer_is_made = !r.far;
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
