/* Forces of the scheme block: a molecule in shared memory, its pairs, and who takes them.   SPDX-License-Identifier: GPL-2.0-or-later

   Warps take 32 pairs at a time and add their forces to sums in shared memory by integer atomics, whose order does not
   matter. Pairs are ordered along diagonals (i, i + d): so the i of a warp's pairs are consecutive, and the j are, and no
   two lanes meet in a bank of shared memory. */
#ifndef DPDSOP_SOP_BLOCK_FORCE_CUDA_CUH
#define DPDSOP_SOP_BLOCK_FORCE_CUDA_CUH

#include "cuda_state.h"

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
  int32_t x[3][SIZE];
  int32_t first[3][SIZE], second[3][SIZE]; /* forces */
  int counter;
};

/* Memory whose size is known at the launch: positions of pulled beads, three each; normal numbers, three per bead of a step,
   steps one after the other, components in rows of all beads; the list. */
extern __shared__ __align__(16) char more_memory[];

__host__ __device__ __forceinline__ size_t pulled_bytes(int count)
{
  return 24 * (size_t) count;
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

template <int SIZE>
__device__ __forceinline__ void clear_forces(shared_molecule<SIZE> &s, int beads)
{
  for (int b = threadIdx.x; b < beads; b += blockDim.x)
    for (int c = 0; c < 3; c++) s.first[c][b] = s.second[c][b] = 0;
}

struct pair_separation {
  uint32_t i, j; /* offsets */
  float d[3], r2;
};

template <int SIZE>
__device__ __forceinline__ pair_separation separate(shared_molecule<SIZE> &s, uint32_t packed)
{
  pair_separation p;
  p.i = packed & 0xFFFFu;
  p.j = packed >> 16;
#pragma unroll
  for (int c = 0; c < 3; c++) p.d[c] = (float) ds_diff32(*at(s.x[c], p.i), *at(s.x[c], p.j));
  p.r2 = ds_square(p.d[0], p.d[1], p.d[2]);
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

/* Makes it. The block meets in it. */
template <int SIZE>
__device__ __forceinline__ block_list make_list(const ds_sop_kernel_motion &m,
                                                const block_topology &t, shared_molecule<SIZE> &s)
{
  uint32_t *const list = shared_list(m, t);
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
  const int count = s.counter;
  const block_list l = {count <= t.room ? list : NULL, count <= t.room ? count : t.candidates};
  return l;
}

/* ---- which pairs a warp takes: of each kind 32 at a time, and on through the list */

/* A pair of one lane, with its coefficients: of the bond k, r0 and 1 / R^2, of the contact r0^2 and eps. */
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

__device__ __forceinline__ int known_turns(const block_topology &t)
{
  return turns_of(t.count[DS_SOP_BONDS]) + turns_of(t.count[DS_SOP_CONTACTS]) +
         turns_of(t.count[DS_SOP_ANGLES]);
}

/* The pair of this lane in a turn of known pairs. */
__device__ __forceinline__ lane_pair known_pair(const block_topology &t, int turn)
{
  lane_pair p = {NO_PAIR, 0, {0.0f, 0.0f, 0.0f}};
  int kind = DS_SOP_BONDS;
  while (kind < DS_SOP_ANGLES && turn >= turns_of(t.count[kind]))
    turn -= turns_of(t.count[kind++]);
  const int k = 32 * turn + (threadIdx.x & 31);
  if (k >= t.count[kind]) return p;
  p.kind = kind;
  p.packed = t.pair[kind][k];
  if (kind == DS_SOP_BONDS) {
    p.coefficient[0] = t.bond[k].k;
    p.coefficient[1] = t.bond[k].r0;
    p.coefficient[2] = t.bond[k].inverse_R2;
  } else if (kind == DS_SOP_CONTACTS) {
    p.coefficient[0] = t.contact[k].r02;
    p.coefficient[1] = t.contact[k].eps;
  }
  return p;
}

/* F / r of a pair, in the units of ds_sop_quanta. */
__device__ __forceinline__ float known_pair_force(const ds_sop_kernel_motion &m, const lane_pair &p,
                                                  float r2, int *fault)
{
  if (p.kind == DS_SOP_BONDS) {
    const ds_sop_bond_f b = {p.coefficient[0], p.coefficient[1], p.coefficient[2]};
    float room;
    const float f = ds_sop_bond_force_f(&b, r2, &room);
    *fault |= !(room > 0.0f);
    return f;
  }
  if (p.kind == DS_SOP_CONTACTS) {
    const ds_sop_contact_f c = {p.coefficient[0], p.coefficient[1]};
    return ds_sop_contact_force_f(&c, r2);
  }
  return ds_sop_repulsion_force_f(&m.angle, r2);
}

template <int SIZE>
__device__ __forceinline__ void add_quanta(shared_molecule<SIZE> &s, const pair_separation &r,
                                           const int32_t q[3])
{
#pragma unroll
  for (int c = 0; c < 3; c++) atomicAdd(at(s.first[c], r.i), q[c]);
#pragma unroll
  for (int c = 0; c < 3; c++) atomicAdd(at(s.second[c], r.j), q[c]);
}

template <int SIZE>
__device__ __forceinline__ int add_force(shared_molecule<SIZE> &s, const pair_separation &r,
                                         float f)
{
  int32_t q[3];
  int fault = 0;
#pragma unroll
  for (int c = 0; c < 3; c++) q[c] = ds_sop_quanta(f, r.d[c], &fault);
  add_quanta(s, r, q);
  return fault;
}

/* These add the force of a pair to the sums and return 1 where it is out of range. */
template <int SIZE>
__device__ __forceinline__ int add_known(const ds_sop_kernel_motion &m, shared_molecule<SIZE> &s,
                                         const lane_pair &p)
{
  if (p.kind == NO_PAIR) return 0;
  const pair_separation r = separate(s, p.packed);
  int fault = 0;
  const float f = known_pair_force(m, p, r.r2, &fault);
  return add_force(s, r, f) | fault;
}

template <int SIZE>
__device__ __forceinline__ int add_listed(const ds_sop_kernel_motion &m, shared_molecule<SIZE> &s,
                                          uint32_t packed)
{
  const pair_separation r = separate(s, packed);
  if (!(r.r2 < m.cut2)) return 0;
  const float f = ds_sop_repulsion_force_f(&m.other, r.r2);
  if (!(r.r2 > m.soft2)) return add_force(s, r, f); /* seldom */
  int32_t q[3];
#pragma unroll
  for (int c = 0; c < 3; c++) q[c] = ds_sop_small_quanta(f, r.d[c]);
  add_quanta(s, r, q);
  return 0;
}

/* Which pairs a warp takes: turns through the known ones and on through the list. A thread keeps the pair of its warp's
   first turn from step to step. */
struct warp_share {
  int known_end; /* turns of known pairs */
  int listed;    /* the thread's first of the list, after the kept one */
  lane_pair kept;
};

__device__ __forceinline__ warp_share share_of_warp(const block_topology &t, const block_list &l)
{
  const int warp = threadIdx.x >> 5, warps = blockDim.x >> 5, lane = threadIdx.x & 31;
  warp_share w;
  w.known_end = known_turns(t);
  if (warp < w.known_end) {
    w.kept = known_pair(t, warp);
    w.listed = 32 * ((warp + warps - w.known_end % warps) % warps) + lane;
  } else {
    const int k = 32 * (warp - w.known_end) + lane;
    const lane_pair p = {k < l.count ? DS_SOP_LISTED : NO_PAIR,
                         k < l.count ? listed_pair(t, l, k) : 0, {0.0f, 0.0f, 0.0f}};
    w.kept = p;
    w.listed = k + blockDim.x;
  }
  return w;
}

template <int SIZE>
__device__ __forceinline__ int add_forces(const ds_sop_kernel_motion &m, const block_topology &t,
                                          shared_molecule<SIZE> &s, const block_list &l,
                                          const warp_share &w)
{
  int fault = 0;
  lane_pair known = w.kept;
  for (int turn = threadIdx.x >> 5; turn < w.known_end;) {
    fault |= add_known(m, s, known);
    turn += blockDim.x >> 5;
    if (turn < w.known_end) known = known_pair(t, turn);
  }
  bool has = w.kept.kind == DS_SOP_LISTED, more = true;
  uint32_t packed = w.kept.packed;
  for (int k = w.listed; more; k += blockDim.x) { /* the next pair is on its way meanwhile */
    more = k < l.count;
    const uint32_t next = more ? listed_pair(t, l, k) : 0;
    if (has) fault |= add_listed(m, s, packed);
    packed = next;
    has = more;
  }
  return fault;
}

#endif
