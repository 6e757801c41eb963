/* The schemes particle and pair on the GPU: some threads per bead sum the forces on it, and one cooperative launch makes many steps,
   with a barrier of the whole grid after each.   SPDX-License-Identifier: GPL-2.0-or-later

   Lists have two levels. The outer one is made by kernels of its own (outer_cuda.cu), for a wide range, so seldom. From it
   the threads of a bead take its inner row, of cutoff and skin, whenever some bead has moved by half a skin: no launch,
   no other thread's row. When a bead has moved so far that the outer list may lack something, the launch ends.

   Coordinates and positions are kept twice, for this step and the next, so that one barrier per step is enough. */
#include "noise_cuda.cuh"
#include "particle_cuda.h"

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

enum launch_kind { MANY, SINGLE, PAIRED };

enum { AT_ONCE = 4, KEPT = 2 * AT_ONCE };

__device__ __forceinline__ void add_known(const ds_sop_kernel_motion &m, const int4 *x, int4 own,
                                          int base, int4 e, pair_force &sum, int *fault)
{
  const separation s = separate(own, x[base + (e.x & DS_INDEX_MASK)]);
  add_pair(sum, known_force(m, e, s.r2, fault), s, fault);
}

/* Some partners at a time, so that their coordinates are on their way together; -1: none. */
__device__ __forceinline__ void add_listed(const ds_sop_kernel_motion &m, const int4 *x, int4 own,
                                           int bead, const int32_t j[AT_ONCE], pair_force &sum,
                                           int *fault)
{
  int4 partner[AT_ONCE];
#pragma unroll
  for (int u = 0; u < AT_ONCE; u++) partner[u] = x[j[u] < 0 ? bead : j[u]];
#pragma unroll
  for (int u = 0; u < AT_ONCE; u++) {
    const separation s = separate(own, partner[u]);
    if (j[u] >= 0 && s.r2 < m.cut2)
      add_pair(sum, ds_sop_repulsion_force_f(&m.other, s.r2), s, fault);
  }
}

/* This thread's share of a row of partners within reach, from entry `first` of it on. */
__device__ __forceinline__ void add_row(const ds_sop_kernel_motion &m, const team &t, const int4 *x,
                                        int4 own, int bead, const int32_t *row, int first,
                                        int count, pair_force &sum, int *fault)
{
  for (int k = first + t.lane; k < count; k += AT_ONCE * t.size) {
    int32_t j[AT_ONCE];
#pragma unroll
    for (int u = 0; u < AT_ONCE; u++) j[u] = k + u * t.size < count ? row[k + u * t.size] : -1;
    add_listed(m, x, own, bead, j, sum, fault);
  }
}

/* The force on a bead, this thread's share of it. */
__device__ __forceinline__ pair_force share_of_force(const ds_sop_kernel_motion &m,
                                                     const ds_sop_particle_lists &l, const team &t,
                                                     const int4 *x, int bead, const int32_t *row,
                                                     int count, int *fault)
{
  const int4 own = x[bead];
  const int local = bead % m.beads, base = bead - local;
  pair_force sum = {0, 0, 0};
  for (int k = l.known_first[local] + t.lane; k < l.known_first[local + 1]; k += t.size)
    add_known(m, x, own, base, l.known[k], sum, fault);
  add_row(m, t, x, own, bead, row, 0, count, sum, fault);
  return sum;
}

/* What a thread keeps in registers of its share of a bead's rows: the first known pair, the first partners of the inner
   row. What is beyond is read from memory. */
struct kept_rows {
  int4 known;
  int has_known, known_first, known_end; /* known_first: of what is beyond */
  int32_t partner[KEPT];
  int count; /* of the inner row */
};

__device__ __forceinline__ kept_rows keep_rows(const ds_sop_kernel_motion &m,
                                               const ds_sop_particle_lists &l, const team &t,
                                               int bead)
{
  const int local = bead % m.beads;
  const int32_t *const row = l.inner + (size_t) bead * l.inner_room;
  kept_rows r;
  const int first = l.known_first[local] + t.lane;
  r.known_end = l.known_first[local + 1];
  r.has_known = first < r.known_end;
  r.known = r.has_known ? l.known[first] : make_int4(0, 0, 0, 0);
  r.known_first = first + t.size;
  r.count = l.inner_count[bead];
#pragma unroll
  for (int u = 0; u < KEPT; u++) {
    const int k = t.lane + u * t.size;
    r.partner[u] = k < r.count ? row[k] : -1;
  }
  return r;
}

__device__ __forceinline__ pair_force share_of_kept(const ds_sop_kernel_motion &m,
                                                    const ds_sop_particle_lists &l, const team &t,
                                                    const int4 *x, int bead, const kept_rows &r,
                                                    int *fault)
{
  const int4 own = x[bead];
  const int base = bead - bead % m.beads;
  pair_force sum = {0, 0, 0};
  add_listed(m, x, own, bead, r.partner, sum, fault);
  if (r.has_known) add_known(m, x, own, base, r.known, sum, fault);
  if (r.count > AT_ONCE * t.size) add_listed(m, x, own, bead, r.partner + AT_ONCE, sum, fault);
  for (int k = r.known_first; k < r.known_end; k += t.size)
    add_known(m, x, own, base, l.known[k], sum, fault);
  if (r.count > KEPT * t.size)
    add_row(m, t, x, own, bead, l.inner + (size_t) bead * l.inner_room, KEPT * t.size, r.count, sum,
            fault);
  return sum;
}

/* ---- the scheme pair: each pair once, into a slot of each of its beads, whence they are gathered (Algorithms 4 and 5) */

__device__ __forceinline__ int4 slot_of(const pair_force &f)
{
  return make_int4(f.x, f.y, f.z, 0);
}

/* The place of a bead in the inner row of a partner. */
__device__ __forceinline__ int place_in_row(const ds_sop_particle_lists &l, int partner, int bead)
{
  const int32_t *const row = l.inner + (size_t) partner * l.inner_room;
  int k = 0;
  while (row[k] != bead) k++;
  return k;
}

/* Where the other half of each pair of a bead's inner row goes; rows of all beads are made. -1: the partner does it. */
__device__ __forceinline__ void find_mates(const ds_sop_particle_lists &l, const team &t, int bead)
{
  const size_t row = (size_t) bead * l.inner_room;
  for (int k = t.lane; k < l.inner_count[bead]; k += t.size) {
    const int j = l.inner[row + k];
    l.mate[row + k] = j > bead ? place_in_row(l, j, bead) : -1;
  }
}

/* Forces of the pairs of a bead with those of higher numbers. */
__device__ __forceinline__ int fill_slots(const ds_sop_kernel_motion &m,
                                          const ds_sop_particle_lists &l, const team &t,
                                          const int4 *x, int bead)
{
  const int4 own = x[bead];
  const int local = bead % m.beads, base = bead - local;
  const size_t known = (size_t) (bead / m.beads) * l.known_entries,
               row = (size_t) bead * l.inner_room;
  int fault = 0;
  for (int k = l.known_first[local] + t.lane; k < l.known_first[local + 1]; k += t.size) {
    pair_force f = {0, 0, 0};
    if (l.known_mate[k] < k) continue;
    add_known(m, x, own, base, l.known[k], f, &fault);
    l.known_slot[known + k] = slot_of(f);
    l.known_slot[known + l.known_mate[k]] = make_int4(-f.x, -f.y, -f.z, 0);
  }
  for (int k = t.lane; k < l.inner_count[bead]; k += t.size) {
    pair_force f = {0, 0, 0};
    if (l.mate[row + k] < 0) continue;
    const int j = l.inner[row + k];
    const separation s = separate(own, x[j]);
    if (s.r2 < m.cut2) add_pair(f, ds_sop_repulsion_force_f(&m.other, s.r2), s, &fault);
    l.slot[row + k] = slot_of(f);
    l.slot[(size_t) j * l.inner_room + l.mate[row + k]] = make_int4(-f.x, -f.y, -f.z, 0);
  }
  return fault;
}

__device__ __forceinline__ void add_slot(pair_force &sum, int4 f)
{
  sum.x += f.x;
  sum.y += f.y;
  sum.z += f.z;
}

__device__ __forceinline__ pair_force gather_slots(const ds_sop_kernel_motion &m,
                                                   const ds_sop_particle_lists &l, const team &t,
                                                   int bead)
{
  const int local = bead % m.beads;
  const size_t known = (size_t) (bead / m.beads) * l.known_entries,
               row = (size_t) bead * l.inner_room;
  pair_force sum = {0, 0, 0};
  for (int k = l.known_first[local] + t.lane; k < l.known_first[local + 1]; k += t.size)
    add_slot(sum, l.known_slot[known + k]);
  for (int k = t.lane; k < l.inner_count[bead]; k += t.size) add_slot(sum, l.slot[row + k]);
  return sum;
}

/* The inner row of a bead, from its outer one. Returns DS_SOP_FLAG_FAR where the outer one may lack a bead by now, or the
   inner one has no room. */
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
  const bool far = separate(own, l.far_reference[bead]).r2 > l.far_moved2;
  return far || count > l.inner_room ? DS_SOP_FLAG_FAR : 0;
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

/* What the lanes 0 to 2 of a team keep of their component of a bead. */
struct own_component {
  int64_t position;
  int32_t reference; /* coordinate when the inner row was made */
  float outside, normal;
  int32_t before, predicted; /* of a step of second order */
  int32_t moved;             /* by this half step */
  int role;
};

/* first: there is no inner row yet. */
__device__ __forceinline__ own_component load_component(const ds_sop_kernel_motion &m,
                                                        const ds_sop_particle_lists &l,
                                                        const team &t, const int64_t *position,
                                                        int bead, bool second_half, bool first)
{
  own_component o = {};
  if (t.lane >= 3) return o;
  const size_t at = 3 * (size_t) bead + t.lane;
  o.position = position[at];
  if (!first) o.reference = ((const int32_t *) (l.near_reference + bead))[t.lane];
  o.outside = outside_push(m, bead, t.lane);
  o.role = m.role ? m.role[bead % m.beads] : DS_SOP_MOVES;
  if (second_half) {
    o.before = l.before[at];
    o.normal = l.normal[at];
  }
  return o;
}

/* What the phases of a launch share. */
struct phase {
  int step, half;
  const int4 *x;
  int4 *x_next;
  const int64_t *position;
  int64_t *position_next;
};

/* One component of a half step. Returns whether it goes too far. */
template <int ORDER, bool Single>
__device__ __forceinline__ int
move_component(const ds_sop_kernel_motion &m, const ds_sop_particle_lists &l, const phase &p,
               int bead, int c, int32_t force, own_component &o, int32_t *x)
{
  const size_t at = 3 * (size_t) bead + c;
  const ds_sop_motion_units u = p.half ? m.units.half : m.units.whole;
  float other = o.outside;
  int fault = 0;
  if (o.role == DS_SOP_PULLED) {
    const ds_sop_pull_step pull = pull_in_step(m, p.step);
    const int molecule = bead / m.beads;
    other += ds_sop_pull_push(&pull, m.anchor + molecule,
                              pull_on(m, l, pull, p.position, molecule, p.half), c);
  }
  if (ORDER == 2 && p.half) other = fmaf((float) o.before, u.mobility, other);
  int32_t d = ds_sop_displacement(u, force, o.normal, other, &fault);
  if (o.role == DS_SOP_HELD) d = fault = 0;
  const int64_t then = o.position + d;
  *x = ds_sop_coordinate(then);
  ((int32_t *) (p.x_next + bead))[c] = *x;
  if (ORDER == 2 && p.half == 0) {
    l.before[at] = o.before = force;
    l.predicted[at] = o.predicted = d;
    l.normal[at] = o.normal;
  } else {
    o.position = then;
    o.moved = d;
    if (!Single || o.role == DS_SOP_PULLED) p.position_next[at] = then;
    if (p.step == m.steps - 1)
      m.noise[at] = o.role == DS_SOP_HELD ? 0 : ds_round32(o.normal * m.units.whole.noise);
  }
  return fault;
}

/* A half step of one bead. Returns flags. */
template <class Noise, int ORDER, launch_kind KIND>
__device__ __forceinline__ int step_bead(const ds_sop_kernel_motion &m,
                                         const ds_sop_particle_lists &l, const team &t,
                                         const phase &p, int bead, int begin, float mine[3],
                                         own_component &o, const kept_rows &rows)
{
  int fault = 0, flags = 0;
  o.moved = 0;
  constexpr bool Single = KIND == SINGLE;
  const pair_force share =
      KIND == SINGLE   ? share_of_kept(m, l, t, p.x, bead, rows, &fault)
      : KIND == PAIRED ? gather_slots(m, l, t, bead)
                       : share_of_force(m, l, t, p.x, bead, l.inner + (size_t) bead * l.inner_room,
                                        l.inner_count[bead], &fault);
  if (!Single) o = load_component(m, l, t, p.position, bead, ORDER == 2 && p.half, false);
  if (ORDER == 1 || p.half == 0)
    o.normal = normal_of < Noise,
    Single && Noise::counter > (m, t, bead, m.id[bead], p.step, begin, mine);
  const int32_t fx = t.sum(share.x), fy = t.sum(share.y), fz = t.sum(share.z);
  if (__any_sync(t.mask, fault)) {
    report_fault(m, p.step, 2 * (unsigned) (bead - bead % m.beads));
    return DS_SOP_FLAG_FAULT;
  }
  float moved = 0.0f;
  if (t.lane < 3) {
    int32_t x;
    const int32_t force = t.lane == 0 ? fx : t.lane == 1 ? fy : fz;
    if (move_component<ORDER, Single>(m, l, p, bead, t.lane, force, o, &x)) {
      report_fault(m, p.step, 2 * (unsigned) bead + 1);
      flags = DS_SOP_FLAG_FAULT;
    }
    moved = (float) ds_diff32(x, o.reference);
  }
  const float mx = t.from(moved, 0), my = t.from(moved, 1), mz = t.from(moved, 2);
  if (!(ds_square(mx, my, mz) <= l.near_moved2)) flags |= DS_SOP_FLAG_NEAR;
  return flags;
}

/* A barrier of the whole grid that tells all what any has to say. Two words take turns, so that nobody comes to the next but
   one before all have read this one. Each counts arrivals in its lower half, from use to use, and in its upper half blocks
   that had flags; these stand in words of their own, three in turns, and are looked at only where that has changed. */
struct grid_barrier {
  unsigned long long *word;
  unsigned seen_even, seen_odd;
  int turn;

  __device__ grid_barrier(unsigned long long *w) : word(w), seen_even(0), seen_odd(0), turn(0) {}

  /* Adds to a word what other blocks read together with all that this block has written before. */
  __device__ static void arrive(unsigned long long *at, unsigned long long add)
  {
    asm volatile("red.release.gpu.global.add.u64 [%0], %1;" ::"l"(at), "l"(add) : "memory");
  }
  __device__ static unsigned long long look(const unsigned long long *at)
  {
    unsigned long long v;
    asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(v) : "l"(at) : "memory");
    return v;
  }
  /* One thread of each block. */
  __device__ int meet(int mine)
  {
    const int odd = turn & 1;
    unsigned *const said = (unsigned *) (word + 32 + 16 * (turn % 3));
    const unsigned want = gridDim.x * (unsigned) (turn / 2 + 1);
    unsigned long long now;
    /* nobody has yet come to the next turn, and all have read what was said two turns ago */
    if (blockIdx.x == 0) *(volatile unsigned *) (word + 32 + 16 * ((turn + 1) % 3)) = 0;
    if (mine) atomicOr(said, (unsigned) mine);
    arrive(word + 16 * odd, mine ? 1ull << 32 | 1ull : 1ull);
    do {
      now = look(word + 16 * odd);
    } while ((unsigned) now < want);
    const unsigned flagged = (unsigned) (now >> 32), seen = odd ? seen_odd : seen_even;
    if (odd)
      seen_odd = flagged;
    else
      seen_even = flagged;
    return flagged == seen ? 0 : (int) *(volatile unsigned *) said;
  }
  __device__ int agree(int flags)
  {
    __shared__ int all, told;
    int mine = 0;
    if (__syncthreads_or(flags)) { /* seldom */
      if (threadIdx.x == 0) all = 0;
      __syncthreads();
      if (flags) atomicOr(&all, flags);
      __syncthreads();
      mine = all;
    }
    if (threadIdx.x == 0) told = meet(mine);
    turn++;
    __syncthreads();
    return told;
  }
};

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
   pair, likewise. */
template <class Noise, int ORDER, launch_kind KIND>
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
  float mine[3] = {0.0f, 0.0f, 0.0f};
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
          report_fault(m, p.step, 2 * (unsigned) (b - b % m.beads));
          flags = DS_SOP_FLAG_FAULT;
        }
      flags = barrier.agree(flags);
      if (flags & DS_SOP_FLAG_FAULT) break;
    }
    const phase now = {
        p.step, p.half, l.x[p.now], l.x[1 - p.now], l.position[p.which], l.position[1 - p.which]};
    flags = 0;
    if (Single) {
      if (t.number < beads)
        flags = step_bead<Noise, ORDER, KIND>(m, l, t, now, t.number, noise_from, mine, o, rows);
    } else {
      for (int b = t.number; b < beads; b += t.count)
        flags |= step_bead<Noise, ORDER, KIND>(m, l, t, now, b, noise_from, mine, o, rows);
    }
    flags = barrier.agree(flags);
    if (flags & DS_SOP_FLAG_FAULT) break;
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

enum { MOST_STEPS = 1000000 };

/* How a launch is shared out. */
struct shape {
  int lanes; /* per bead */
  unsigned blocks, threads;
};

template <class Noise, int ORDER, launch_kind KIND>
static ds_status launch(ds_sop_cuda *g, const ds_sop_kernel_motion *m,
                        const ds_sop_particle_lists *l, shape how, int begin, int half,
                        ds_error *err)
{
  /* a barrier counts to 2^32 */
  int end = m->steps - begin > MOST_STEPS ? begin + MOST_STEPS : m->steps;
  void *arguments[] = {(void *) m, (void *) l, &how.lanes, &begin, &end, &half};
  return ds_gpu_check(cudaLaunchCooperativeKernel((void *) sop_particles<Noise, ORDER, KIND>,
                                                  how.blocks, how.threads, arguments, 0,
                                                  g->s.stream),
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
  if (!s) s = ds_reserve(pool, &g->barrier, 96, sizeof(unsigned long long), "a barrier", err);
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
