/* Forces of the scheme block: molecules in shared memory, their pairs, and who takes them.
   SPDX-License-Identifier: GPL-2.0-or-later

   Warps take 32 pairs at a time and add their forces to sums in shared memory by integer atomics, whose order does not
   matter. Pairs are ordered along diagonals (i, i + d): so the i of a warp's pairs are consecutive, and the j are, and no
   two lanes meet in a bank of shared memory. */
#ifndef DPDSOP_SOP_BLOCK_FORCE_CUDA_CUH
#define DPDSOP_SOP_BLOCK_FORCE_CUDA_CUH

#include "part_barrier.cuh"
#include "../core/gpu.h"
#include "bonded_cuda.cuh"

struct block_topology {
  int molecules;                /* of a block */
  const int4 *bonded;           /* pairs of a block's molecules, 32 to a turn: ds_sop_cuda.block_bonded */
  int contact_turn, angle_turn; /* first ones of these kinds; bonds come before them */
  int bonded_turns;
  const uint32_t *candidate; /* of a block's molecules, one after the other */
  int candidates;            /* of one molecule */
  int room;                  /* of the list in shared memory */
  int ahead;                 /* steps that noise is made for at a time */
  int producers;             /* threads that make noise and nothing else; 0: all make it */
  int normals_at, list_at;   /* places in more_memory */
  int stride, half;          /* bytes of the normal numbers of one step, and of `ahead` */
  float list2, moved2;
};

/* The molecules of this block. Their beads have numbers from 0 on, in the order of the caller's. */
struct block_molecules {
  int count, beads; /* of all */
  int first;        /* molecule */
  size_t first_bead;

  __device__ block_molecules(const ds_sop_kernel_motion &m, const block_topology &t)
  {
    first = blockIdx.x * t.molecules;
    count = min(t.molecules, m.molecules - first);
    beads = count * m.beads;
    first_bead = (size_t) first * m.beads;
  }
};

/* Molecules of at most SIZE beads in all. The size is a constant, so that the arrays of a bead lie at fixed distances. Forces
   are summed twice, on the first beads of pairs and, opposite, on the second ones. */
template <int SIZE> struct shared_molecules {
  int32_t x[3][SIZE];
  int32_t first[3][SIZE], second[3][SIZE]; /* forces */
  int counter;
  uint32_t lowest; /* offset of a bead in a fault */
};

/* The threads that make steps: all of the block, or, where other warps are PRODUCERS of noise, the first ones. */
template <bool PRODUCERS> struct consumers {
  int threads;

  __device__ consumers(const block_topology &t) : threads(blockDim.x - (PRODUCERS ? t.producers : 0)) {}
  __device__ int warps() const { return threads >> 5; }
  __device__ void sync() const
  {
    if (PRODUCERS)
      ds_part_barrier(1, threads);
    else
      __syncthreads();
  }
  __device__ bool any(bool yes) const { return PRODUCERS ? ds_part_barrier_or(1, threads, yes) : __syncthreads_or(yes); }
};

/* Memory whose size is known at the launch: positions of pulled beads times their weights, three each, by molecule; normal
   numbers, three per bead of a step,
   steps one after the other, components in rows of all beads, twice where some threads make the next ones meanwhile; the
   list. */
extern __shared__ __align__(16) char more_memory[];

__device__ __forceinline__ int64_t *pulled_positions()
{
  return (int64_t *) more_memory;
}

/* which: 0 or 1, of the two. */
__device__ __forceinline__ float *shared_normals(const block_topology &t, int which)
{
  return (float *) (more_memory + t.normals_at + which * t.half);
}

__device__ __forceinline__ uint32_t *shared_list(const block_topology &t)
{
  return (uint32_t *) (more_memory + t.list_at);
}

/* The element of an array at an offset in bytes. */
__device__ __forceinline__ int32_t *at(int32_t *array, uint32_t offset)
{
  return (int32_t *) ((char *) array + offset);
}

template <class Consumers, int SIZE>
__device__ __forceinline__ void clear_forces(const Consumers &all, shared_molecules<SIZE> &s, int beads)
{
  for (int b = threadIdx.x; b < beads; b += all.threads)
    for (int c = 0; c < 3; c++) s.first[c][b] = s.second[c][b] = 0;
}

struct pair_separation {
  uint32_t i, j; /* offsets */
  float d[3], r2;
};

template <int SIZE> __device__ __forceinline__ pair_separation separation_of(shared_molecules<SIZE> &s, uint32_t packed)
{
  pair_separation p;
  p.i = packed & 0xFFFFu;
  p.j = packed >> 16;
#pragma unroll
  for (int c = 0; c < 3; c++) p.d[c] = (float) ds_diff32(*at(s.x[c], p.i), *at(s.x[c], p.j));
  p.r2 = ds_squaref(p.d[0], p.d[1], p.d[2]);
  return p;
}

/* ---- the list of pairs that are near */

struct block_list {
  const uint32_t *pair; /* NULL: it does not fit, and all candidates are looked at */
  int count;
};

__device__ __forceinline__ uint32_t listed_pair(const block_topology &t, const block_list &l, int k)
{
  return l.pair ? l.pair[k] : t.candidate[k];
}

/* Makes it. All consumer warps wait for each other in it. */
template <class Consumers, int SIZE>
__device__ __forceinline__ block_list make_list(const ds_sop_kernel_motion &m, const block_topology &t,
                                                const block_molecules &own, const Consumers &all, shared_molecules<SIZE> &s)
{
  uint32_t *const list = shared_list(t);
  const int lane = threadIdx.x & 31, candidates = own.count * t.candidates;
  if (threadIdx.x == 0) s.counter = 0;
  all.sync();
  for (int first = 0; first < candidates; first += all.threads) {
    const int k = first + threadIdx.x;
    const uint32_t packed = k < candidates ? t.candidate[k] : 0;
    const bool near = k < candidates && separation_of(s, packed).r2 < t.list2;
    const unsigned who = __ballot_sync(DS_FULL_WARP, near);
    int place = 0;
    if (lane == 0 && who) place = atomicAdd(&s.counter, __popc(who));
    place = __shfl_sync(DS_FULL_WARP, place, 0) + __popc(who & ((1u << lane) - 1u));
    if (near && place < t.room) list[place] = packed;
  }
  all.sync();
  const int count = s.counter, each = (count + own.count - 1) / own.count;
  if (threadIdx.x == 0 && each > m.report->listed) atomicMax(&m.report->listed, each);
  const block_list l = {count <= t.room ? list : NULL, count <= t.room ? count : candidates};
  return l;
}

/* ---- which pairs a warp takes: of each kind 32 at a time, and on through the list */

/* A pair of one lane, with its coefficients as bonded_force has them. */
struct lane_pair {
  int kind; /* NO_PAIR: the lane has none */
  uint32_t packed;
  float coefficient[3];
};

enum { NO_PAIR = DS_SOP_LISTED + 1 };

__host__ __device__ __forceinline__ int turns_of(int pairs)
{
  return (pairs + 31) / 32;
}

/* The pair of this lane in a turn of bonded pairs. Those of molecules that the block has not got are none. */
__device__ __forceinline__ lane_pair bonded_pair(const block_topology &t, const block_molecules &own, int turn)
{
  const int4 e = t.bonded[32 * turn + (threadIdx.x & 31)];
  lane_pair p;
  p.packed = (uint32_t) e.x;
  p.coefficient[0] = __int_as_float(e.y);
  p.coefficient[1] = __int_as_float(e.z);
  p.coefficient[2] = __int_as_float(e.w);
  p.kind = turn < t.contact_turn ? DS_SOP_BONDS : turn < t.angle_turn ? DS_SOP_CONTACTS : DS_SOP_ANGLES;
  if ((p.packed & 0xFFFFu) >= 4u * own.beads) p.kind = NO_PAIR;
  return p;
}

template <int SIZE>
__device__ __forceinline__ void add_quanta(shared_molecules<SIZE> &s, const pair_separation &r, const int32_t q[3])
{
#pragma unroll
  for (int c = 0; c < 3; c++) atomicAdd(at(s.first[c], r.i), q[c]);
#pragma unroll
  for (int c = 0; c < 3; c++) atomicAdd(at(s.second[c], r.j), q[c]);
}

template <int SIZE> __device__ __forceinline__ int add_force(shared_molecules<SIZE> &s, const pair_separation &r, float f)
{
  int32_t q[3];
  int fault = 0;
#pragma unroll
  for (int c = 0; c < 3; c++) q[c] = ds_sop_quanta(f, r.d[c], &fault);
  add_quanta(s, r, q);
  return fault;
}

/* These add the force of a pair to the sums. They return the offset of its first bead where it is out of range, or NO_FAULT,
   which is larger. */
enum : uint32_t { NO_FAULT = ~0u };

template <int SIZE>
__device__ __forceinline__ uint32_t add_bonded(const ds_sop_kernel_motion &m, shared_molecules<SIZE> &s, const lane_pair &p)
{
  if (p.kind == NO_PAIR) return NO_FAULT;
  const pair_separation r = separation_of(s, p.packed);
  int fault = 0;
  const float f = bonded_force(m, p.kind, p.coefficient[0], p.coefficient[1], p.coefficient[2], r.r2, &fault);
  fault |= add_force(s, r, f);
  return fault ? r.i : NO_FAULT;
}

template <int SIZE>
__device__ __forceinline__ uint32_t add_listed(const ds_sop_kernel_motion &m, shared_molecules<SIZE> &s, uint32_t packed)
{
  const pair_separation r = separation_of(s, packed);
  if (!(r.r2 < m.cut2)) return NO_FAULT;
  const float f = ds_sop_repulsion_forcef(&m.other, r.r2);
  if (!(r.r2 > m.soft2)) return add_force(s, r, f) ? r.i : NO_FAULT; /* seldom */
  int32_t q[3];
#pragma unroll
  for (int c = 0; c < 3; c++) q[c] = ds_sop_small_quanta(f, r.d[c]);
  add_quanta(s, r, q);
  return NO_FAULT;
}

/* Which pairs a warp takes: turns through the bonded ones and on through the list. The last warps begin, as the first ones also
   move beads. A thread keeps the pair of its warp's first turn from step to step. */
struct warp_share {
  bool more;  /* the warp has more turns */
  int bonded; /* first of them, where it is one of bonded pairs */
  int listed; /* the thread's first pair of the list in them */
  lane_pair kept;
};

template <class Consumers>
__device__ __forceinline__ warp_share share_of_warp(const block_topology &t, const block_molecules &own, const Consumers &all,
                                                    const block_list &l)
{
  const int warps = all.warps(), lane = threadIdx.x & 31, bonded = t.bonded_turns;
  const int warp = warps - 1 - (threadIdx.x >> 5);
  warp_share w;
  w.more = warp + warps < bonded + turns_of(l.count);
  w.bonded = warp + warps;
  if (warp < bonded) {
    w.kept = bonded_pair(t, own, warp);
    w.listed = 32 * ((warp + warps - bonded % warps) % warps) + lane;
  } else {
    w.listed = 32 * (warp - bonded) + lane;
    w.kept.kind = w.listed < l.count ? DS_SOP_LISTED : NO_PAIR;
    w.kept.packed = w.listed < l.count ? listed_pair(t, l, w.listed) : 0;
    w.listed += all.threads;
  }
  return w;
}

/* Forces of the warp's pairs; returns the lowest offset of a bead in a fault of the thread's, or NO_FAULT. */
template <class Consumers, int SIZE>
__device__ __forceinline__ uint32_t add_forces(const ds_sop_kernel_motion &m, const block_topology &t,
                                               const block_molecules &own, const Consumers &all, shared_molecules<SIZE> &s,
                                               const block_list &l, const warp_share &w)
{
  uint32_t fault = NO_FAULT;
  if (w.kept.kind == DS_SOP_LISTED)
    fault = add_listed(m, s, w.kept.packed);
  else if (w.kept.kind != NO_PAIR)
    fault = add_bonded(m, s, w.kept);
  if (!w.more) return fault;
  for (int turn = w.bonded; turn < t.bonded_turns; turn += all.warps())
    fault = min(fault, add_bonded(m, s, bonded_pair(t, own, turn)));
  if (l.pair) {
#pragma unroll 2
    for (int k = w.listed; k < l.count; k += all.threads) fault = min(fault, add_listed(m, s, shared_list(t)[k]));
  } else {
#pragma unroll 1
    for (int k = w.listed; k < l.count; k += all.threads) fault = min(fault, add_listed(m, s, t.candidate[k]));
  }
  return fault;
}

#endif
