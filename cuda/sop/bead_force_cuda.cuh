/* The force on a bead, by the threads of its team: directly (the scheme particle), or gathered from slots (the scheme pair).
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOP_BEAD_FORCE_CUDA_CUH
#define DPDSOP_SOP_BEAD_FORCE_CUDA_CUH

#include "bonded_cuda.cuh"
#include "noise_cuda.cuh"
#include "particle_cuda.h"
#include "team_cuda.cuh"

struct pair_force {
  int32_t x, y, z;
};

/* The molecule of a bead; a division is as long as some pairs, and mostly there is one large molecule. */
__device__ __forceinline__ int molecule_of(const ds_sop_kernel_motion &m, int bead)
{
  return m.molecules == 1 ? 0 : bead / m.beads;
}

struct separation {
  float x, y, z, r2;
};

__device__ __forceinline__ separation separation_of(int4 a, int4 b)
{
  separation s;
  s.x = (float) ds_diff32(a.x, b.x);
  s.y = (float) ds_diff32(a.y, b.y);
  s.z = (float) ds_diff32(a.z, b.z);
  s.r2 = ds_squaref(s.x, s.y, s.z);
  return s;
}

__device__ __forceinline__ void add_pair(pair_force &sum, float f, const separation &s, int *fault)
{
  sum.x += ds_sop_quanta(f, s.x, fault);
  sum.y += ds_sop_quanta(f, s.y, fault);
  sum.z += ds_sop_quanta(f, s.z, fault);
}

__device__ __forceinline__ void add_repulsion(const ds_sop_kernel_motion &m, pair_force &sum, const separation &s, int *fault)
{
  add_pair(sum, ds_sop_repulsion_forcef(&m.other, s.r2), s, fault);
}

enum { AT_ONCE = 4, KEPT = 2 * AT_ONCE, KEPT_BONDED = 2 };

/* Repulsions of some partners, whose coordinates come together; the bead itself stands for none. Nearly all pairs are so far
   from each other that their forces are small: these go without a branch. */
__device__ __forceinline__ void add_partners(const ds_sop_kernel_motion &m, int4 own, int bead, const int32_t j[AT_ONCE],
                                             const int4 partner[AT_ONCE], pair_force &sum, int *fault)
{
  uint32_t x = 0, y = 0, z = 0;
  bool large = false;
#pragma unroll
  for (int u = 0; u < AT_ONCE; u++) {
    const separation s = separation_of(own, partner[u]);
    const bool near = j[u] != bead && s.r2 < m.cut2;
    /* by a mask, of which the compiler makes no branch */
    const float f = ds_uint_as_float(ds_float_as_uint(ds_sop_repulsion_forcef(&m.other, s.r2)) & (near ? ~0u : 0u));
    large |= near && !(s.r2 > m.soft2);
    x += ds_sop_small_bits(f, s.x);
    y += ds_sop_small_bits(f, s.y);
    z += ds_sop_small_bits(f, s.z);
  }
  if (large) {
#pragma unroll
    for (int u = 0; u < AT_ONCE; u++) {
      const separation s = separation_of(own, partner[u]);
      if (j[u] != bead && s.r2 < m.cut2) add_repulsion(m, sum, s, fault);
    }
  } else {
    sum.x = (int32_t) ((uint32_t) sum.x + x - AT_ONCE * DS_SOP_SMALL_BIAS);
    sum.y = (int32_t) ((uint32_t) sum.y + y - AT_ONCE * DS_SOP_SMALL_BIAS);
    sum.z = (int32_t) ((uint32_t) sum.z + z - AT_ONCE * DS_SOP_SMALL_BIAS);
  }
}

/* Four partners at a time, so that their coordinates are on their way together. */
__device__ __forceinline__ void add_four(const ds_sop_kernel_motion &m, const int4 *x, int4 own, int bead, int4 four,
                                         pair_force &sum, int *fault)
{
  const int32_t j[AT_ONCE] = {four.x, four.y, four.z, four.w};
  int4 partner[AT_ONCE];
#pragma unroll
  for (int u = 0; u < AT_ONCE; u++) partner[u] = x[j[u]];
  add_partners(m, own, bead, j, partner, sum, fault);
}

/* This thread's share of a row of partners, from entry `first` of it on. */
__device__ __forceinline__ void add_row(const ds_sop_kernel_motion &m, const team &t, const int4 *x, int4 own, int bead,
                                        const int32_t *row, int first, int count, pair_force &sum, int *fault)
{
  for (int k = first + t.lane; k < count; k += AT_ONCE * t.size) {
    int32_t j[AT_ONCE];
#pragma unroll
    for (int u = 0; u < AT_ONCE; u++) j[u] = k + u * t.size < count ? row[k + u * t.size] : bead;
    add_four(m, x, own, bead, make_int4(j[0], j[1], j[2], j[3]), sum, fault);
  }
}

/* An inner row of fours. Interleaved: those of the 32 beads of a warp, which has a thread for each: the warp reads 32 fours
   from one place. */
template <bool Interleaved> __device__ __forceinline__ int4 *inner_row(const ds_sop_particle_lists &l, int bead)
{
  const size_t fours = l.inner_room / AT_ONCE;
  return (int4 *) l.inner + (Interleaved ? bead / 32 * fours * 32 + bead % 32 : bead * fours);
}

/* This thread's share of an inner row, by fours, of which the next is on its way meanwhile. The row is filled up to fours with
   the bead itself. */
__device__ __forceinline__ void add_inner_row(const ds_sop_kernel_motion &m, const ds_sop_particle_lists &l, const team &t,
                                              const int4 *x, int4 own, int bead, pair_force &sum, int *fault)
{
  const int4 *const row = inner_row<false>(l, bead);
  const int fours = (l.inner_count[bead] + 3) / 4;
  int4 next = t.lane < fours ? row[t.lane] : make_int4(bead, bead, bead, bead);
  for (int k = t.lane; k < fours; k += t.size) {
    const int4 four = next;
    if (k + t.size < fours) next = row[k + t.size];
    add_four(m, x, own, bead, four, sum, fault);
  }
}

/* A bonded pair: its kind stands in the upper two bits of the partner. */
__device__ __forceinline__ void add_bonded(const ds_sop_kernel_motion &m, int4 own, int4 partner, int4 e, pair_force &sum,
                                           int *fault)
{
  const separation s = separation_of(own, partner);
  const float f =
      bonded_force(m, (int) ((uint32_t) e.x >> 30), __int_as_float(e.y), __int_as_float(e.z), __int_as_float(e.w), s.r2, fault);
  add_pair(sum, f, s, fault);
}

/* Bonded pairs of a bead, this thread's share of them, from the one of number `first` on. */
__device__ __forceinline__ void add_bonded_row(const ds_sop_kernel_motion &m, const ds_sop_particle_lists &l, const team &t,
                                               const int4 *x, int4 own, int base, int first, int end, pair_force &sum,
                                               int *fault)
{
  for (int k = first + t.lane; k < end; k += t.size) {
    const int4 e = l.bonded[k];
    add_bonded(m, own, x[base + (e.x & DS_INDEX_MASK)], e, sum, fault);
  }
}

/* The force on a bead, this thread's share of it: from its inner row, or, where there are no inner ones, from its outer. */
template <bool Inner>
__device__ __forceinline__ pair_force share_of_force(const ds_sop_kernel_motion &m, const ds_sop_particle_lists &l,
                                                     const team &t, const int4 *x, int bead, int *fault)
{
  const int4 own = x[bead];
  const int base = molecule_of(m, bead) * m.beads, local = bead - base;
  pair_force sum = {0, 0, 0};
  add_bonded_row(m, l, t, x, own, base, l.bonded_first[local], l.bonded_first[local + 1], sum, fault);
  if (Inner)
    add_inner_row(m, l, t, x, own, bead, sum, fault);
  else
    add_row(m, t, x, own, bead, l.outer + (size_t) bead * l.outer_room, 0, l.outer_count[bead], sum, fault);
  return sum;
}

/* What a thread keeps in registers of its share of a bead's rows: the first bonded pairs, the first partners of the inner
   row, the bead itself for none. What is beyond is read from memory. */
struct kept_rows {
  int4 bonded[KEPT_BONDED];
  int bonded_count, bonded_next, bonded_end; /* bonded_next: of what is beyond */
  int32_t partner[KEPT];
  int count; /* of the inner row */
};

/* has: false for a team without a bead. */
__device__ __forceinline__ kept_rows keep_rows(const ds_sop_kernel_motion &m, const ds_sop_particle_lists &l, const team &t,
                                               team_bead b)
{
  const int bead = b.number, local = bead - molecule_of(m, bead) * m.beads;
  const int32_t *const row = l.inner + (size_t) bead * l.inner_room;
  const int first = l.bonded_first[local];
  kept_rows r;
  r.bonded_end = b.has ? l.bonded_first[local + 1] : first;
  r.bonded_next = first + KEPT_BONDED * t.size;
  r.bonded_count = 0;
#pragma unroll
  for (int u = 0; u < KEPT_BONDED; u++) {
    const int k = first + u * t.size + t.lane;
    const bool is = k < r.bonded_end;
    r.bonded[u] = is ? l.bonded[k] : make_int4(local, 0, 0, 0);
    r.bonded_count += is;
  }
  r.count = b.has ? l.inner_count[bead] : 0;
#pragma unroll
  for (int u = 0; u < KEPT; u++) {
    const int k = t.lane + u * t.size;
    r.partner[u] = k < r.count ? row[k] : bead;
  }
  return r;
}

/* All coordinates that are kept rows' are on their way together. */
__device__ __forceinline__ pair_force share_of_kept(const ds_sop_kernel_motion &m, const ds_sop_particle_lists &l,
                                                    const team &t, const int4 *x, int bead, const kept_rows &r, int *fault)
{
  const int4 own = x[bead];
  const int base = molecule_of(m, bead) * m.beads;
  int4 partner[KEPT], bonded[KEPT_BONDED];
  pair_force sum = {0, 0, 0};
#pragma unroll
  for (int u = 0; u < KEPT; u++) partner[u] = x[r.partner[u]];
#pragma unroll
  for (int u = 0; u < KEPT_BONDED; u++) bonded[u] = x[base + (r.bonded[u].x & DS_INDEX_MASK)];
#pragma unroll
  for (int first = 0; first < KEPT; first += AT_ONCE)
    if (r.count > first * t.size) add_partners(m, own, bead, r.partner + first, partner + first, sum, fault);
#pragma unroll
  for (int u = 0; u < KEPT_BONDED; u++)
    if (u < r.bonded_count) add_bonded(m, own, bonded[u], r.bonded[u], sum, fault);
  if (r.bonded_next < r.bonded_end) add_bonded_row(m, l, t, x, own, base, r.bonded_next, r.bonded_end, sum, fault);
  if (r.count > KEPT * t.size)
    add_row(m, t, x, own, bead, l.inner + (size_t) bead * l.inner_room, KEPT * t.size, r.count, sum, fault);
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
__device__ __forceinline__ int fill_slots(const ds_sop_kernel_motion &m, const ds_sop_particle_lists &l, const team &t,
                                          const int4 *x, int bead)
{
  const int4 own = x[bead];
  const int molecule = molecule_of(m, bead), base = molecule * m.beads, local = bead - base;
  const size_t bonded = (size_t) molecule * l.bonded_entries, row = (size_t) bead * l.inner_room;
  int fault = 0;
  for (int k = l.bonded_first[local] + t.lane; k < l.bonded_first[local + 1]; k += t.size) {
    pair_force f = {0, 0, 0};
    if (l.bonded_mate[k] < k) continue;
    const int4 e = l.bonded[k];
    add_bonded(m, own, x[base + (e.x & DS_INDEX_MASK)], e, f, &fault);
    l.bonded_slot[bonded + k] = slot_of(f);
    l.bonded_slot[bonded + l.bonded_mate[k]] = make_int4(-f.x, -f.y, -f.z, 0);
  }
  for (int k = t.lane; k < l.inner_count[bead]; k += t.size) {
    pair_force f = {0, 0, 0};
    if (l.mate[row + k] < 0) continue;
    const int j = l.inner[row + k];
    const separation s = separation_of(own, x[j]);
    if (s.r2 < m.cut2) add_repulsion(m, f, s, &fault);
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

__device__ __forceinline__ pair_force gather_slots(const ds_sop_kernel_motion &m, const ds_sop_particle_lists &l, const team &t,
                                                   int bead)
{
  const int molecule = molecule_of(m, bead), local = bead - molecule * m.beads;
  const size_t bonded = (size_t) molecule * l.bonded_entries, row = (size_t) bead * l.inner_room;
  pair_force sum = {0, 0, 0};
  for (int k = l.bonded_first[local] + t.lane; k < l.bonded_first[local + 1]; k += t.size)
    add_slot(sum, l.bonded_slot[bonded + k]);
  for (int k = t.lane; k < l.inner_count[bead]; k += t.size) add_slot(sum, l.slot[row + k]);
  return sum;
}

/* The inner row of a bead was made, of `count` entries, from what its outer one has. Returns DS_SOP_FLAG_FAR where that may
   lack a bead by now, or the inner one has no room. One thread of the bead. */
__device__ __forceinline__ int end_inner_row(const ds_sop_particle_lists &l, int bead, int4 own, int count,
                                             ds_sop_report *report)
{
  l.inner_count[bead] = count < l.inner_room ? count : l.inner_room;
  l.near_reference[bead] = own;
  if (count > l.inner_room) atomicMax(&report->full, count);
  const bool far = separation_of(own, l.far_reference[bead]).r2 > l.far_moved2;
  return far || count > l.inner_room ? DS_SOP_FLAG_FAR : 0;
}

template <bool Interleaved> __device__ __forceinline__ void put_in_inner_row(int4 *row, int place, int32_t j)
{
  ((int32_t *) (row + place / AT_ONCE * (Interleaved ? 32 : 1)))[place % AT_ONCE] = j;
}

/* Makes the inner row of a bead from its outer one, of which each thread takes four partners at a time; both are filled up to
   fours with the bead itself. Interleaved: the team is one thread; else all of a warp take part. Returns flags. */
template <bool Interleaved>
__device__ __forceinline__ int prune(const ds_sop_particle_lists &l, const team &t, const int4 *x, team_bead b,
                                     ds_sop_report *report)
{
  const int bead = b.number;
  const int4 own = x[bead];
  const int4 *const outer = (const int4 *) (l.outer + (size_t) bead * l.outer_room);
  int4 *const row = inner_row<Interleaved>(l, bead);
  const int outers = b.has ? l.outer_count[bead] : 0;
  const int most = Interleaved ? outers : __reduce_max_sync(DS_FULL_WARP, outers);
  int count = 0;
  for (int first = 0; first < most; first += AT_ONCE * t.size) {
    const int k = first + AT_ONCE * t.lane;
    const int4 four = k < outers ? outer[k / AT_ONCE] : make_int4(bead, bead, bead, bead);
    const int32_t j[AT_ONCE] = {four.x, four.y, four.z, four.w};
    int4 partner[AT_ONCE];
#pragma unroll
    for (int u = 0; u < AT_ONCE; u++) partner[u] = x[j[u]];
#pragma unroll
    for (int u = 0; u < AT_ONCE; u++) {
      const bool near = j[u] != bead && separation_of(own, partner[u]).r2 < l.near2;
      const unsigned who = Interleaved ? 0 : t.which(near);
      const int at = count + __popc(who & ((1u << t.lane) - 1u));
      if (near && at < l.inner_room) put_in_inner_row<Interleaved>(row, at, j[u]);
      count += Interleaved ? near : __popc(who);
    }
  }
  if (!b.has) return 0;
  for (int k = count + t.lane; k < (count + 3) / 4 * 4 && k < l.inner_room; k += t.size)
    put_in_inner_row<Interleaved>(row, k, bead);
  return t.lane == 0 ? end_inner_row(l, bead, own, count, report) : 0;
}

#endif
