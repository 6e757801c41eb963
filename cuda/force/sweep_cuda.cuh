/* The pair sweep on the GPU (Tang & Karniadakis 2014, 3.3.2 and 3.5).   SPDX-License-Identifier: GPL-2.0-or-later

   A sweep has one parameter, an evaluator (dpdsop/device/pair_term.h) in an arithmetic, which brings the storage that atoms are
   read from (particles/storage.cuh). A tile of a row is first searched for pairs within the cutoff,
   and only those are then worked on: a pair's force is ten times the work of a distance, and where only
   few lanes of a warp have a pair, all wait. Sums are integers, so the order plays no part.

   One thread has a row where rows are many. Where they are too few to keep the GPU busy, several neighboring threads, a team,
   share a row: they search a tile together, deal out the pairs they have found, and add up their sums. */
#ifndef DPDSOP_SWEEP_CUDA_CUH
#define DPDSOP_SWEEP_CUDA_CUH

#include "../core/exact_sum.cuh"
#include "../core/launch.cuh"
#include "../neighbor/list.h"
#include "../particles/storage.cuh"
#include "dpdsop/device/neighbor.h"
#include "dpdsop/device/pair_term.h"
#include "evaluation.h"
#include "row_end_cuda.cuh"

#include <type_traits>

enum {
  DS_SWEEP_TILE = 32, /* entries searched at a time: bits of a word */
  DS_SUMS = sizeof(ds_sweep_sums) / sizeof(int64_t)
};

/* --------------------------------------------------------------------------------------------- rows */

template <class E> struct sweep_args {
  ds_launch_id launch;
  ds_sweep_io io;
  const typename E::storage::position *position;
  const typename E::storage::velocity *velocity;
  const typename E::coefficients *coeff;
  typename E::coefficients only; /* of the only type, where there is one */
  typename E::real factor[4], root[4];
  typename E::real scale_f, scale_e;
  uint32_t bytes; /* of a position, or a velocity */
  int team_bits; /* 2^team_bits threads share a row */
  typename E::densities densities;
};

/* In place of the first GPU's copies. */
template <class E> __host__ __device__ void read_copies_of(sweep_args<E> *a, int gpu)
{
  a->position += gpu * a->io.copy_stride;
  a->velocity += gpu * a->io.copy_stride;
}

/* Each GPU reads its own copies. */
template <class E> void ds_set_share(sweep_args<E> &a, const ds_share &share, int)
{
  a.launch.share = share;
  read_copies_of(&a, share.gpu);
}

/* What is known of the atom of a row. */
template <class E> struct sweep_own {
  typename E::storage::position position;
  typename E::storage::velocity velocity;
  int coeff; /* place in the table of the coefficients with type 0 */
  typename E::real charge;
};

template <class E> __device__ __forceinline__ sweep_own<E> read_own(const sweep_args<E> &a, int row)
{
  sweep_own<E> own;
  own.position = ds_read_wide(a.position + row);
  own.velocity = ds_read_wide(a.velocity + row);
  own.coeff = (int) own.position.w * a.io.ntypes;
  own.charge = E::charged ? __ldg((const typename E::real *) a.io.charge + row) : (typename E::real) 0;
  return own;
}

template <class E, bool Types>
__device__ __forceinline__ bool is_near(const sweep_args<E> &a, const sweep_own<E> &own, const typename E::storage::position &q)
{
  typedef typename E::real real;
  real dx, dy, dz;
  const real r2 = E::find_separation(a.io.frame, own.position, q, &dx, &dy, &dz);
  const real cut2 = Types ? __ldg(&a.coeff[own.coeff + (int) q.w].cut2) : a.only.cut2;
  return (r2 < cut2) & (r2 > (real) DS_CONTACT2);
}

/* Densities by slot, as sweeps read them. */
struct no_densities {};

template <class Real> struct slot_densities {
  const Real *of_slot;
};

template <class E> __device__ __forceinline__ typename E::real read_density(const sweep_args<E> &a, uint32_t slot)
{
  if constexpr (E::has_density)
    return __ldg(a.densities.of_slot + slot);
  else
    return (typename E::real) 0;
}

/* The other atom of a pair. */
template <class E> struct sweep_other {
  typename E::storage::position position;
  typename E::storage::velocity velocity;
  uint32_t code; /* of the special factor */
  typename E::real charge, density;
};

template <class E> __device__ __forceinline__ sweep_other<E> read_other(const sweep_args<E> &a, uint32_t entry)
{
  const uint32_t j = entry & DS_INDEX_MASK;
  sweep_other<E> other;
  other.position = ds_read_wide(ds_element(a.position, j, a.bytes));
  other.velocity = ds_read_wide(ds_element(a.velocity, j, a.bytes));
  other.code = entry >> DS_INDEX_BITS;
  other.charge = E::charged ? __ldg((const typename E::real *) a.io.charge + j) : (typename E::real) 0;
  other.density = read_density(a, j);
  return other;
}

/* What the term of a pair is made from. */
template <class E> struct sweep_pair {
  typename E::geometry geometry;
  typename E::coefficients coeff;
  uint32_t signature[2];
  typename E::real factor, root;
};

template <class E, bool Types, bool Images>
__device__ __forceinline__ sweep_pair<E> make_pair(const sweep_args<E> &a, const sweep_own<E> &own, const sweep_other<E> &other)
{
  const typename E::storage::position &q = other.position;
  const typename E::storage::velocity &u = other.velocity;
  sweep_pair<E> pair;
  typename E::geometry *const p = &pair.geometry;
  p->r2 = E::find_separation(a.io.frame, own.position, q, &p->dx, &p->dy, &p->dz);
  p->vx = own.velocity.x - u.x;
  p->vy = own.velocity.y - u.y;
  p->vz = own.velocity.z - u.z;
  p->charges = own.charge * other.charge;
  pair.signature[0] = E::storage::signature(own.velocity);
  pair.signature[1] = E::storage::signature(u);
  if (Images) E::use_image(a.io.frame, own.position, q, p, pair.signature);
  pair.coeff = a.only;
  if (Types) pair.coeff = ds_read_wide(a.coeff + own.coeff + (int) q.w);
  pair.factor = Types ? a.factor[other.code] : (typename E::real) 1;
  pair.root = Types ? a.root[other.code] : (typename E::real) 1;
  return pair;
}

/* density: the sum of both atoms', where the style has densities. */
template <class E, bool General>
__device__ __forceinline__ typename E::term evaluate_pair(const sweep_args<E> &a, const sweep_pair<E> &p,
                                                          typename E::real density)
{
  if constexpr (E::has_density)
    return E::evaluate(&p.coeff, &p.geometry, p.signature[0], p.signature[1], p.factor, p.root, General, a.scale_f, a.scale_e,
                       density);
  else
    return E::evaluate(&p.coeff, &p.geometry, p.signature[0], p.signature[1], p.factor, p.root, General, a.scale_f, a.scale_e);
}

template <class E, bool Tally>
__device__ __forceinline__ void add_term(const sweep_args<E> &a, int64_t sum[DS_ROW_SUMS], const typename E::geometry &p,
                                         const typename E::term &t)
{
  sum[0] += E::round(t.fx);
  sum[1] += E::round(t.fy);
  sum[2] += E::round(t.fz);
  if (!Tally) return;
  typename E::real w[6];
  E::virial(p, t, w);
#pragma unroll
  for (int c = 0; c < 3; c++) sum[DS_SUM_VIRIAL + c] += E::round(w[c]);
  if (a.io.diagonal) return;
  sum[DS_SUM_ENERGY] += E::round(t.energy);
#pragma unroll
  for (int c = 3; c < 6; c++) sum[DS_SUM_VIRIAL + c] += E::round(w[c]);
}

/* A thread's place in its team. */
struct sweep_team {
  int member, bits;
};

/* Bit 31 - k: entry k of n is within the cutoff. A member has every 2^bits-th group of four entries: those past the end are the
   atom itself. The next group is loaded while this one is worked on. */
template <class E, bool Types>
__device__ __forceinline__ uint32_t search_tile(const sweep_args<E> &a, const sweep_own<E> &own, const sweep_team &team,
                                                const uint4 *entry, int n)
{
  uint32_t near = 0;
  uint4 next = {};
  int k = 4 * team.member;
  entry += 32 * team.member;
  if (k < n) next = __ldg(entry);
  while (k < n) {
    const uint4 four = next;
    const int now = k;
    k += 4 << team.bits;
    entry += 32 << team.bits;
    if (k < n) next = __ldg(entry);
    const uint32_t j[4] = {four.x & DS_INDEX_MASK, four.y & DS_INDEX_MASK, four.z & DS_INDEX_MASK, four.w & DS_INDEX_MASK};
    typename E::storage::position q[4];
    uint32_t found = 0;
#pragma unroll
    for (int u = 0; u < 4; u++) q[u] = ds_read_wide(ds_element(a.position, j[u], a.bytes));
#pragma unroll
    for (int u = 0; u < 4; u++) found |= is_near<E, Types>(a, own, q[u]) ? 0x80000000u >> u : 0;
    near |= found >> now;
  }
  return near;
}

/* Of the set bits of a word: bit k of the result tells whether they are odd in number from the highest one to bit k. */
__device__ __forceinline__ uint32_t parity_from_top(uint32_t word)
{
#pragma unroll
  for (int step = 1; step < 32; step *= 2) word ^= word >> step;
  return word;
}

/* What all members have found, of which each keeps every 2^bits-th. */
__device__ __forceinline__ uint32_t deal_out(const sweep_team &team, uint32_t near)
{
  __syncwarp();
#pragma unroll 1
  for (int bit = 1; bit < 1 << team.bits; bit *= 2) near |= __shfl_xor_sync(DS_FULL_WARP, near, bit);
#pragma unroll 1
  for (int bit = 1; bit < 1 << team.bits; bit *= 2) near &= team.member & bit ? ~parity_from_top(near) : parity_from_top(near);
  return near;
}

/* Entries of a tile that are within the cutoff, one after the other. Behind the last one comes the tile's first, which is not
   looked at. */
struct sweep_reader {
  const uint32_t *tile;
  uint32_t near;  /* those that have not been read */
  uint32_t entry; /* read last */
  int k;          /* its place in the tile; -1: there is none */
};

/* Zeros above the highest set bit; -1: no bit is set. */
__device__ __forceinline__ int leading_zeros(uint32_t word)
{
  int n;
  asm("bfind.shiftamt.u32 %0, %1;" : "=r"(n) : "r"(word));
  return n;
}

__device__ __forceinline__ void read_next(sweep_reader *r)
{
  r->k = leading_zeros(r->near);
  const int k = max(r->k, 0);
  r->entry = __ldg(r->tile + ds_lane_offset(k));
  r->near &= 0x7fffffffu >> k;
}

/* There is such a pair. Its type, which is not negative, is looked at, so that the register which it is loaded into is not used
   for something else meanwhile: that would wait for the load. */
template <class E> __device__ __forceinline__ bool goes_on(int k, const sweep_other<E> &other)
{
  return (k | (int) other.position.w) >= 0;
}

/* The slot of a row. */
__device__ __forceinline__ int slot_of(const ds_sweep_io &io, int row)
{
  return io.slot_of_row ? __ldg(io.slot_of_row + row) : row;
}

/* A row, or what a member of a team has of it. While the force of a pair is found, the atom of the next one is loaded, and the
   entry of the one after that. What the force is made from comes first: so the next atom gets the registers of this one. */
template <class E, bool Types, bool General, bool Tally, bool Images>
__device__ __forceinline__ void sweep_row(const sweep_args<E> &a, const sweep_team &team, int row, int count,
                                          int64_t sum[DS_ROW_SUMS])
{
  const int slot = slot_of(a.io, row);
  const sweep_own<E> own = read_own(a, slot);
  const typename E::real own_density = read_density(a, slot);
  const int most = __reduce_max_sync(DS_FULL_WARP, count);
  const uint4 *entry = (const uint4 *) a.io.list.entries + (count > 0 ? __ldg(&a.io.list.first[row]) : 0);
  for (int first = 0; first < most; first += DS_SWEEP_TILE, entry += 8 * DS_SWEEP_TILE) {
    const int n = min(count - first, (int) DS_SWEEP_TILE);
    sweep_reader reader = {(const uint32_t *) entry, deal_out(team, search_tile<E, Types>(a, own, team, entry, n))};
    read_next(&reader);
    int k_next = reader.k;
    sweep_other<E> next = read_other(a, reader.entry);
    read_next(&reader);
    while (goes_on(k_next, next)) {
      const sweep_pair<E> p = make_pair<E, Types, Images>(a, own, next);
      const typename E::real density = own_density + next.density;
      const int k = k_next;
      k_next = reader.k;
      next = read_other(a, reader.entry);
      read_next(&reader);
      const typename E::term t = evaluate_pair<E, General>(a, p, density);
      if (!E::in_range(t)) {
        atomicMax_system(&a.launch.control->force_fault, ds_force_fault_of(row, a.io.style, first + k));
        ds_stop(a.launch);
      }
      add_term<E, Tally>(a, sum, p.geometry, t);
    }
    __syncwarp();
  }
}

/* Of all members, so many sums. */
__device__ __forceinline__ void add_up_team(const sweep_team &team, int64_t *sum, int n)
{
#pragma unroll 1
  for (int bit = 1; bit < 1 << team.bits; bit *= 2)
    for (int c = 0; c < n; c++) sum[c] += (int64_t) __shfl_xor_sync(DS_FULL_WARP, (long long) sum[c], bit);
}

/* Of 2 HALF numbers of each lane, a lane keeps one half, and passes the other on to the lane that keeps that. */
template <int HALF> __device__ __forceinline__ void pass_half(int64_t *part, int bit, int *place)
{
  const bool keeps_upper = threadIdx.x & bit;
  if (keeps_upper) *place += HALF;
#pragma unroll
  for (int k = 0; k < HALF; k++) {
    const int64_t passed = keeps_upper ? part[k] : part[k + HALF], kept = keeps_upper ? part[k + HALF] : part[k];
    part[k] = kept + (int64_t) __shfl_xor_sync(DS_FULL_WARP, (long long) passed, bit);
  }
}

/* DS_SUMS numbers of each lane of a warp, added up into `to`: 16 of them by 16 exchanges in place of 80. */
__device__ __forceinline__ void add_up_warp(int64_t part[DS_SUMS], int64_t to[DS_SUMS])
{
  static_assert(DS_SUMS == 17, "16 sums and one more");
  const int lane = threadIdx.x % 32;
  int place = 0;
  pass_half<8>(part, 1, &place);
  pass_half<4>(part, 2, &place);
  pass_half<2>(part, 4, &place);
  pass_half<1>(part, 8, &place);
  part[0] += (int64_t) __shfl_xor_sync(DS_FULL_WARP, (long long) part[0], 16);
#pragma unroll
  for (int step = 16; step > 0; step /= 2) part[16] += (int64_t) __shfl_xor_sync(DS_FULL_WARP, (long long) part[16], step);
  if (lane < 16) to[place] = part[0];
  if (lane == 16) to[16] = part[16];
}

/* Sums over all rows, in the order of ds_sweep_sums. Integers: the order of the additions plays no part. */
template <class E> __device__ __forceinline__ void add_up(const sweep_args<E> &a, const int64_t sum[DS_ROW_SUMS])
{
  enum { WARPS = DS_SWEEP_THREADS / 32 };
  __shared__ int64_t space[WARPS][DS_SUMS];
  int64_t part[DS_SUMS] = {0};
  ds_sum_add(part, sum[DS_SUM_ENERGY]);
#pragma unroll
  for (int c = 0; c < 6; c++) ds_sum_add(part + 2 + 2 * c, sum[DS_SUM_VIRIAL + c]);
#pragma unroll
  for (int c = 0; c < 3; c++) part[14 + c] = sum[c];
  add_up_warp(part, space[threadIdx.x / 32]);
  __syncthreads();
  if (threadIdx.x >= DS_SUMS) return;
  int64_t all = 0;
  for (int w = 0; w < WARPS; w++) all += space[w][threadIdx.x];
  atomicAdd_system((unsigned long long *) &a.launch.control->sums[a.io.style] + threadIdx.x, (unsigned long long) all);
}

/* Blocks that share a multiprocessor, at least. Tallies have ten sums per row, and types, powers and operations take registers,
   too: fewer warps at a time, but nothing is spilled. With one type a tally has as many as without: then 64,000 rows of two
   threads all are at work at once. */
template <class E, class End> constexpr int sweep_blocks(bool types, bool general, bool tally)
{
  const bool is_plain = !tally && !types && !general && std::is_empty<End>::value;
  return E::blocks + (tally && types ? -2 : is_plain ? 1 : 0);
}

template <class E, class End, bool Types, bool General, bool Tally, bool Images>
__global__ void __launch_bounds__(DS_SWEEP_THREADS, sweep_blocks<E, End>(Types, General, Tally))
    sweep_kernel(const __grid_constant__ sweep_args<E> a, const __grid_constant__ End end)
{
  const int thread = (int) ds_block(a.launch) * DS_SWEEP_THREADS + (int) threadIdx.x, row = thread >> a.team_bits;
  const sweep_team team = {thread & ((1 << a.team_bits) - 1), a.team_bits};
  int64_t sum[DS_ROW_SUMS] = {};
  if (ds_stopped(a.launch)) {
    report_stop(end, a.launch);
    return;
  }
  if (a.io.inner && a.io.inner[row / DS_SWEEP_THREADS] != a.io.is_inner) return;
  const int rows = a.io.rows ? __ldg(a.io.rows) : a.io.list.slots;
  if (a.io.rows && (thread - (int) threadIdx.x) >> a.team_bits >= rows) return; /* all threads of the block */
  const int atom = row < rows ? __ldg(&a.io.list.atom_of_slot[slot_of(a.io, row)]) : a.io.nlocal;
  const int count = atom < a.io.nlocal ? __ldg(&a.io.list.count[row]) : 0;
  const bool is_its_own = atom < a.io.nlocal && team.member == 0;
  sweep_row<E, Types, General, Tally, Images>(a, team, row < rows ? row : 0, count, sum);
  if (Tally) add_up(a, sum);
  add_up_team(team, sum, Tally ? DS_ROW_SUMS : DS_SUM_ENERGY);
  if (is_its_own) ds_deliver_row(&a.io, atom, sum, Tally);
  end_row(end, a.launch, a.io.unit.force, is_its_own ? atom : -1, sum);
}

/* One thread: the pair whose force the control block names. Runs where others have been stopped. */
template <class E> __global__ void identify_kernel(const __grid_constant__ sweep_args<E> of_first_gpu)
{
  sweep_args<E> a = of_first_gpu;
  ds_control *const control = a.launch.control;
  const unsigned long long key = ~control->force_fault;
  const int row = (int) (key >> 32), slot = slot_of(a.io, row);
  const int gpus = a.launch.share.gpus;
  read_copies_of(&a, ds_gpu_of_slot(row, ds_gpus_per_slot(a.io.list.slots, gpus), gpus));
  const uint32_t entry = a.io.list.entries[ds_lane_entry(a.io.list.first[row], (int) key & ((1 << DS_FAULT_ENTRY_BITS) - 1))];
  const sweep_own<E> own = read_own(a, slot);
  const sweep_other<E> other = read_other(a, entry);
  const sweep_pair<E> p = make_pair<E, true, true>(a, own, other);
  const typename E::term t = evaluate_pair<E, true>(a, p, read_density(a, slot) + other.density);
  control->fault_tag[0] = a.io.tag[slot];
  control->fault_tag[1] = a.io.tag[entry & DS_INDEX_MASK];
  control->fault_force = sqrt((double) t.fx * t.fx + (double) t.fy * t.fy + (double) t.fz * t.fz) / a.scale_f;
}

/* ------------------------------------------------------------------------------------------- driver */

/* Few rows leave most places of a multiprocessor empty; with more threads each, fewer of a warp have a pair at a time. */
inline int choose_team(const ds_queue *q, int rows)
{
  enum { FEW = 96 }; /* rows of a multiprocessor, by trial */
  return rows >= ds_enough_rows(q) ? 0 : rows >= q->multiprocessors * FEW ? 1 : 2;
}

template <class E> sweep_args<E> sweep_arguments(const ds_evaluation *e)
{
  const ds_sweep_io *const io = &e->io;
  const ds_sweep_tables *const tables = e->tables;
  sweep_args<E> a;
  a.launch = ds_queue_launch_id(e->queue, e->step);
  a.io = *io;
  a.position = (const typename E::storage::position *) io->position;
  a.velocity = (const typename E::storage::velocity *) io->velocity;
  a.coeff = (const typename E::coefficients *) io->coeff;
  a.only = *(const typename E::coefficients *) tables->coeff;
  for (int k = 0; k < 4; k++) {
    a.factor[k] = (typename E::real) tables->special[k];
    a.root[k] = (typename E::real) tables->special_root[k];
  }
  a.bytes = sizeof *a.position;
  static_assert(sizeof *a.position == sizeof *a.velocity, "read by one stride");
  a.scale_f = (typename E::real) tables->force_scale;
  a.scale_e = (typename E::real) tables->energy_scale;
  a.team_bits = choose_team(e->queue, io->about);
  if constexpr (E::has_density) a.densities.of_slot = (const typename E::real *) e->densities.of_slot;
  return a;
}

template <class E, class End> using sweep_pointer = void (*)(const sweep_args<E>, const End);

/* A kernel for each combination of what a model may ask for. Special factors go with types: few models want them alone. */
template <class E, class End, bool Types, bool Images> sweep_pointer<E, End> sweep_variant(int general, int tally)
{
  if (general)
    return tally ? sweep_kernel<E, End, Types, true, true, Images> : sweep_kernel<E, End, Types, true, false, Images>;
  return tally ? sweep_kernel<E, End, Types, false, true, Images> : sweep_kernel<E, End, Types, false, false, Images>;
}

template <class E> ds_status sweep_launch(ds_evaluation *e, ds_error *err)
{
  const sweep_args<E> a = sweep_arguments<E>(e);
  const size_t threads = (size_t) e->io.list.slots << a.team_bits;
  const int general = e->tables->general;
  const int types = e->tables->ntypes > 1 || e->special, images = ds_images_differ(&e->io.frame);
  if (e->row_end) { /* ds_pair_may_end_rows: images do not differ */
    const sweep_pointer<E, ds_row_end> kernel = types ? sweep_variant<E, ds_row_end, true, false>(general, e->tally)
                                                      : sweep_variant<E, ds_row_end, false, false>(general, e->tally);
    return DS_LAUNCH_STAGE(err, "sweep kernel that ends rows", kernel, threads, DS_SWEEP_THREADS, e->queue, a, *e->row_end);
  }
  const sweep_pointer<E, no_row_end> kernel = types && images ? sweep_variant<E, no_row_end, true, true>(general, e->tally)
                                              : types         ? sweep_variant<E, no_row_end, true, false>(general, e->tally)
                                              : images        ? sweep_variant<E, no_row_end, false, true>(general, e->tally)
                                                              : sweep_variant<E, no_row_end, false, false>(general, e->tally);
  return DS_LAUNCH_STAGE(err, "sweep kernel", kernel, threads, DS_SWEEP_THREADS, e->queue, a, no_row_end{});
}

template <class E> ds_status identify_launch(ds_evaluation *e, ds_error *err)
{
  return DS_LAUNCH(err, "identify kernel", identify_kernel<E>, 1, 1, ds_queue_stream(e->queue), sweep_arguments<E>(e));
}

#endif
