/* Operations of a step on the GPU: of particles, bins and rigid bodies.   SPDX-License-Identifier: GPL-2.0-or-later

   A thread has a particle, and runs all operations of the launch on it. Which they are is the same for all threads: a wall
   costs some instructions, and no launch.

   Bins: neighbors in memory are neighbors in space, so that the particles of a warp are in a few bins: for each of the first
   few bins, terms are added up over the warp before one thread adds them in global memory. Particles in further bins add
   theirs by themselves. Molecules are smaller than what a warp has, and lie in each other: then the first bin is that of most.
   Sums are integers, and their order moves no bit. */
#include "../core/exact_sum.cuh"
#include "../core/launch.cuh"
#include "../core/report.cuh"
#include "../particles/sorted_cuda.cuh"
#include "nve_halves.h"
#include "stages_cuda.h"

#include <stddef.h>
#include <type_traits>

namespace {
enum {
  THREADS = 256,
  BODY_THREADS = 64,
  WARP = 32,
  LATE_ROUNDS = (DS_LATE_WORDS + THREADS - 1) / THREADS, /* in which a block reads the words of a late launch */
  ALL_BUT_BODIES = DS_ALL_SETS & ~DS_SET_BODIES
};

/* As ds_exact_carry, of a sum that other blocks add to meanwhile: what is taken from one part is given to the next. */
__device__ void carry_shared(unsigned long long *sum)
{
  const int64_t of_low = *(volatile int64_t *) &sum[0] >> 32;
  atomicAdd_system(&sum[0], 0ull - ((unsigned long long) of_low << 32));
  atomicAdd_system(&sum[1], (unsigned long long) of_low);
  const int64_t of_high = ds_exact_excess(*(volatile int64_t *) &sum[1]);
  atomicAdd_system(&sum[1], 0ull - ((unsigned long long) of_high << 58));
  atomicAdd_system(&sum[2], (unsigned long long) of_high);
}

/* Terms of all particles of a block, added to the sums of operation k. */
__device__ void add_terms(const ds_step_launch &l, int k, unsigned block, const double *add)
{
  const ds_operation &o = l.operation[k];
  ds_exact_sum *const sums = l.sums + l.place[k] * DS_OPERATION_SUMS;
  ds_add_exact_terms<DS_OPERATION_SUMS>(add, o.nsums, o.unit, sums);
  if ((o.flags & DS_ADDS_UP) && block == 0 && threadIdx.x < o.nsums) carry_shared((unsigned long long *) (sums + threadIdx.x));
}

__device__ void add_part(int64_t *to, int64_t part)
{
  if (part) atomicAdd_system((unsigned long long *) to, (unsigned long long) part);
}

/* Terms of one particle, or the sums of these over a warp. */
struct body_terms {
  int64_t low[DS_BODY_SUMS], high[DS_BODY_SUMS];
};

__device__ void add_body_terms(const body_terms &t, ds_exact_sum *to)
{
  for (int j = 0; j < DS_BODY_SUMS; j++) {
    if (t.low[j]) atomicAdd_system((unsigned long long *) &to[j].low, (unsigned long long) t.low[j]);
    if (t.high[j]) atomicAdd_system((unsigned long long *) &to[j].high, (unsigned long long) t.high[j]);
  }
}

/* All threads of a warp; body < 0: it has none. Particles are sorted by place, so that a warp has few bodies: those of a body
   are added up in the warp first, unless there are fewer than FEW. */
__device__ void add_to_bodies(const ds_step_launch &l, const ds_operation &o, int body, const double *add)
{
  enum { FEW = 4 };
  body_terms mine = {};
  ds_exact_sum *const to = l.body_sums + (size_t) DS_BODY_SUMS * (body < 0 ? 0 : body);
  for (int j = 0; j < DS_BODY_SUMS && body >= 0; j++) {
    const ds_exact_sum term = ds_exact_term(add[j], o.number[j / 3]);
    mine.low[j] = term.low;
    mine.high[j] = term.high;
    if (term.top) atomicAdd_system((unsigned long long *) &to[j].top, (unsigned long long) term.top);
    if (term.invalid) atomicAdd_system((unsigned long long *) &to[j].invalid, 1ull);
  }
  unsigned rest = __ballot_sync(~0u, body >= 0);
  while (rest) {
    const int first = __ffs(rest) - 1, one = __shfl_sync(~0u, body, first);
    const bool is_of_it = body == one;
    const unsigned same = __ballot_sync(~0u, is_of_it);
    rest &= ~same;
    if (__popc(same) < FEW) {
      if (is_of_it) add_body_terms(mine, to);
      continue;
    }
    body_terms all;
    for (int j = 0; j < DS_BODY_SUMS; j++) {
      all.low[j] = ds_add_warp(is_of_it ? mine.low[j] : 0);
      all.high[j] = ds_add_warp(is_of_it ? mine.high[j] : 0);
    }
    if (threadIdx.x % 32 == 0) add_body_terms(all, l.body_sums + (size_t) DS_BODY_SUMS * one);
  }
}

/* By value, so that particles stay in registers. */
__device__ __noinline__ void fill_sorted(const ds_sorted_fill &next, const ds_launch_id &launch, int i, double x, double y,
                                         double z, double vx, double vy, double vz)
{
  const double at[3] = {x, y, z}, v[3] = {vx, vy, vz};
  if (next.is_wide)
    fill_sorted_in<storage64>(next, launch, i, at, v);
  else
    fill_sorted_in<storage32>(next, launch, i, at, v);
}

/* Sums that begin at 0 in the next step. */
__device__ void clear_for_next(const ds_step_launch &l, const ds_sorted_fill &next)
{
  const unsigned words = DS_OPERATION_SUMS * sizeof(ds_exact_sum) / sizeof(int64_t);
  if (next.sums) clear_sweep_sums(next);
  for (unsigned k = threadIdx.x; l.clears && k < words * DS_MAX_OPERATIONS; k += THREADS)
    if (l.clears >> k / words & 1) ((int64_t *) l.sums)[k] = 0;
}

/* The operations of a launch on one particle, or on none, in the block of that number; all threads of the block call it.
   Returns whether the particle is without a fault: with one it stays where it is, which the error names. */
template <int SETS>
__device__ __forceinline__ bool run_operations(const ds_resident_view &a, const ds_step_launch &l, const double *sums_read,
                                               const ds_launch_id &launch, unsigned block, int i, ds_particle *p)
{
  bool goes_on = i < a.n;
  for (int k = 0; k < l.n; k++) {
    double add[DS_OPERATION_SUMS] = {};
    if (goes_on && ds_run_operation(SETS, &a, &l, sums_read, k, i, p, add)) {
      atomicMax_system(&launch.control->operation_fault, ds_fault_of(&l, k, i, launch.step));
      ds_stop(launch);
      goes_on = false;
    }
    if (l.tally[k]) add_terms(l, k, block, add);
    if ((SETS & DS_SET_BODIES) && l.operation[k].kind == DS_BODY_SUM)
      add_to_bodies(l, l.operation[k], goes_on ? p->body : -1, add);
  }
  return goes_on;
}

/* What follows them. Where some particles have moved too far, lists are rebuilt. */
__device__ __forceinline__ void end_operations(const ds_resident_view &a, const ds_step_launch &l, const ds_sorted_fill &next,
                                               const ds_launch_id &launch, unsigned block, int i, bool goes_on,
                                               const ds_particle &p)
{
  const bool is_one = i < a.n, moved = is_one && l.check && ds_has_moved(&a, &l, i, &p);
  if (is_one) ds_write_particle(&a, &l, i, &p);
  if (next.position && goes_on && !moved) fill_sorted(next, launch, i, p.x[0], p.x[1], p.x[2], p.v[0], p.v[1], p.v[2]);
  if (block == 0) clear_for_next(l, next);
  if (l.check) ds_stop_if(moved, &launch.control->moved, launch, 1);
}

/* All threads of a block call it. Most blocks have no particle of a body, and need not know the operations. */
template <int SETS>
__device__ __forceinline__ bool block_passes_by(const ds_resident_view &a, const ds_step_launch &l, const ds_sorted_fill &next,
                                                unsigned block)
{
  if (SETS != DS_SET_BODIES || next.position || l.report.mark || block == 0) return false;
  const int i = block * THREADS + threadIdx.x;
  return !__syncthreads_or(i < a.n && !ds_launch_passes_by(&a, &l, i));
}

template <int SETS>
__global__ void __launch_bounds__(THREADS, (SETS | DS_SET_BODIES) == DS_ALL_SETS ? 1 : SETS == DS_SET_BODIES ? 3 : 2)
    operate_kernel(const __grid_constant__ ds_resident_view a, const __grid_constant__ ds_step_launch operations,
                   const __grid_constant__ ds_sorted_fill next, const __grid_constant__ ds_launch_id launch)
{
  __shared__ ds_step_launch l;
  const unsigned block = ds_block(launch);
  if (block_passes_by<SETS>(a, operations, next, block)) return;
  ds_copy_argument(operations, &l);
  const bool is_stopped = ds_stopped(launch);
  __syncthreads();
  if (is_stopped) {
    if (l.report.mark && block == 0) ds_make_report(l.report, launch.control);
    return;
  }
  __shared__ double sums_read[DS_SUMS_READ];
  const int i = block * THREADS + threadIdx.x;
  if (l.reads_sums) {
    if (threadIdx.x < DS_SUMS_READ) sums_read[threadIdx.x] = ds_sum_read(&l, threadIdx.x);
    __syncthreads();
  }
  ds_particle p = {};
  p.body = -1;
  const bool passes_by = SETS == DS_SET_BODIES && !next.position && i < a.n && ds_launch_passes_by(&a, &l, i);
  if (i < a.n && !passes_by) ds_read_particle(&a, &l, i, &p);
  const bool goes_on = run_operations<SETS>(a, l, sums_read, launch, block, i, &p);
  end_operations(a, l, next, launch, block, i, goes_on, p);
  if (l.report.mark) ds_report_at_end(l.report, launch);
}

/* A thread's words of a launch; whether all of them have their mark. All are on their way before the first one is looked at. */
__device__ __forceinline__ bool read_words(const uint64_t *from, const ds_late_words &sent, uint64_t word[LATE_ROUNDS])
{
  bool have_mark = true;
#pragma unroll
  for (int j = 0; j < LATE_ROUNDS; j++)
    if (j * THREADS + threadIdx.x < sent.words) word[j] = __ldcv((const unsigned long long *) from + j * THREADS + threadIdx.x);
#pragma unroll
  for (int j = 0; j < LATE_ROUNDS; j++) have_mark &= j * THREADS + threadIdx.x >= sent.words || ds_has_mark(word[j], sent.mark);
  return have_mark;
}

/* The launch, when the host has sent it. The first block, which is one of the first that are at work, looks into the host's
   memory, and copies the words to the GPU's; the others look there. If more blocks looked into the host's memory, it would take
   the host longer to write there. */
__device__ void await_launch(const ds_late_words &sent, bool is_first, ds_late_launch *to)
{
  uint64_t word[LATE_ROUNDS];
  while (!read_words(is_first ? sent.of_host : sent.copy, sent, word))
    if (!is_first) __nanosleep(20);
#pragma unroll
  for (int j = 0; j < LATE_ROUNDS; j++) {
    const unsigned k = j * THREADS + threadIdx.x;
    if (k >= sent.words) break;
    if (is_first) __stcg((unsigned long long *) sent.copy + k, word[j]);
    ((uint32_t *) to)[k] = (uint32_t) word[j];
  }
  __syncthreads();
}

/* Particles are read before their operations are known. */
__global__ void __launch_bounds__(THREADS, 2)
    waiting_kernel(const __grid_constant__ ds_resident_view a, const __grid_constant__ ds_late_words sent,
                   const __grid_constant__ ds_launch_id launch)
{
  __shared__ ds_late_launch late;
  const unsigned block = ds_block(launch);
  if (ds_stopped(launch)) return;
  const int i = block * THREADS + threadIdx.x;
  ds_particle p = {};
  if (i < a.n) ds_read_fields(&a, DS_POSITION | DS_VELOCITY | DS_FORCE, i, &p);
  await_launch(sent, block == 0, &late);
  if (late.is_given_up) return;
  const bool goes_on = run_operations<DS_SET_MOTION>(a, late.launch, NULL, launch, block, i, &p);
  end_operations(a, late.launch, late.next, launch, block, i, goes_on, p);
}

struct no_bonds {
};

__device__ bool add_bonded(const no_bonds &, int, double *)
{
  return false;
}

__device__ bool add_bonded(const ds_bonded_view &b, int i, double f[3])
{
  const bool has_terms = b.first[i] != b.first[i + 1];
  if (has_terms) ds_sum_bonded_forces(&b, i, f);
  return has_terms;
}

struct no_next {
};

__device__ __forceinline__ void fill_next(const no_next &, const ds_launch_id &, int, const double *, const double *) {}

__device__ __forceinline__ void clear_sums_of(const no_next &) {}

template <class S> struct next_in : ds_sorted_fill {
};

template <class S> __device__ __forceinline__ void clear_sums_of(const next_in<S> &next)
{
  if (next.sums) clear_sweep_sums(next);
}

template <class S>
__device__ __forceinline__ void fill_next(const next_in<S> &next, const ds_launch_id &launch, int i, const double x[3],
                                             const double v[3])
{
  fill_sorted_in<S>(next, launch, i, x, v);
}

/* With few registers and all loads at once. Forces of bonds are added on the way. Where a first half follows, nobody reads the
   forces any more. */
template <class Bonds, class Next>
__global__ void nve_kernel(ds_resident_view a, const __grid_constant__ Bonds bonds, const __grid_constant__ ds_nve_halves m,
                           const __grid_constant__ Next next, const __grid_constant__ ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int i = ds_block(launch) * blockDim.x + threadIdx.x;
  bool moved = false;
  if (i < a.n) {
    double x[3], v[3], f[3], x_ref[3];
    ds_read_vector(a.x, i, x);
    if (!std::is_empty<Bonds>::value || m.n[0] + m.n[1] > 0) ds_read_vector(a.f, i, f);
    if (add_bonded(bonds, i, f) && m.n[1] == 0) ds_write_vector(a.f, i, f);
    if (m.n[0] + m.n[1] > 0) {
      ds_read_vector(a.v, i, v);
      ds_make_halves(&a, &m, i, f, x, v);
      ds_write_vector(a.v, i, v);
    }
    if (m.n[1]) ds_write_vector(a.x, i, x);
    if (m.clear) {
      const double none[3] = {0.0, 0.0, 0.0};
      ds_write_vector(a.f, i, none);
    }
    if (m.check) {
      ds_read_vector(a.x_ref, i, x_ref);
      moved = ds_distance2(x, x_ref) > m.trigger2;
    }
    if (!moved) fill_next(next, launch, i, x, v);
  }
  if (ds_block(launch) == 0) clear_sums_of(next);
  if (m.check) ds_stop_if(moved, &launch.control->moved, launch, 1);
}

typedef void operate_kernel_of(const ds_resident_view, const ds_step_launch, const ds_sorted_fill, const ds_launch_id);

/* The first kernel that knows all operations of the launch. Those with fewer registers come first. */
operate_kernel_of *choose_kernel(int sets)
{
  enum { ANY_MOTION = DS_SET_MOTION | DS_SET_OTHER_MOTION, ANY_SUMS = DS_SET_KINETIC | DS_SET_SUMS };
  static const struct {
    int sets;
    operate_kernel_of *kernel;
  } known[] = {
#define KERNEL_OF(sets) {sets, operate_kernel<sets>}
      KERNEL_OF(DS_SET_MOTION),
      KERNEL_OF(DS_SET_MOTION | DS_SET_KINETIC),
      KERNEL_OF(ANY_MOTION),
      KERNEL_OF(ANY_MOTION | DS_SET_FORCE_WALLS),
      KERNEL_OF(ANY_MOTION | DS_SET_REFLECTING_WALLS),
      KERNEL_OF(ANY_MOTION | DS_SET_FORCES),
      KERNEL_OF(ANY_MOTION | ANY_SUMS),
      KERNEL_OF(ANY_MOTION | ANY_SUMS | DS_SET_ROTATION),
      KERNEL_OF(ANY_MOTION | ANY_SUMS | DS_SET_FORCES),
      KERNEL_OF(DS_SET_BODIES),
      KERNEL_OF(ANY_MOTION | DS_SET_BODIES),
      KERNEL_OF(ANY_MOTION | DS_SET_FORCES | DS_SET_BODIES),
      KERNEL_OF(ALL_BUT_BODIES),
      KERNEL_OF(DS_ALL_SETS)
#undef KERNEL_OF
  };
  int k = 0;
  while (sets & ~known[k].sets) k++;
  return known[k].kernel;
}

/* ------------------------------------------------------------------------------------- bins, bodies */

__device__ void add_rare_parts(ds_exact_sum *cell, const ds_exact_sum &term)
{
  add_part(&cell->top, term.top);
  add_part(&cell->invalid, term.invalid);
}

/* Terms of those threads of the warp that have this bin; all of its threads call it. */
template <int KNOWS> __device__ void add_together(const ds_bin_launch &l, int bin, bool is_mine, int i, const ds_particle &p)
{
  ds_exact_sum *const cells = l.cells + (size_t) bin * l.binning.nvalues;
  for (int j = 0; j < l.binning.nvalues; j++) {
    ds_exact_sum term = {0, 0, 0, 0};
    if (is_mine) term = ds_bin_term(KNOWS, &l, bin, j, i, &p);
    add_rare_parts(&cells[j], term);
    const int64_t low = ds_add_warp(term.low), high = ds_add_warp(term.high);
    if (threadIdx.x % WARP) continue;
    add_part(&cells[j].low, low);
    add_part(&cells[j].high, high);
  }
}

template <int KNOWS> __device__ void add_alone(const ds_bin_launch &l, int bin, int i, const ds_particle &p)
{
  ds_exact_sum *const cells = l.cells + (size_t) bin * l.binning.nvalues;
  for (int j = 0; j < l.binning.nvalues; j++) {
    const ds_exact_sum term = ds_bin_term(KNOWS, &l, bin, j, i, &p);
    add_part(&cells[j].low, term.low);
    add_part(&cells[j].high, term.high);
    add_rare_parts(&cells[j], term);
  }
}

template <int KNOWS>
__global__ void __launch_bounds__(THREADS)
    bin_kernel(const __grid_constant__ ds_resident_view a, const __grid_constant__ ds_bin_launch l, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int i = ds_block(launch) * THREADS + threadIdx.x;
  constexpr int few = KNOWS & DS_BINS_UNWRAPPED ? 1 : 4;
  ds_particle p = {};
  int bin = i < a.n ? ds_find_bin(KNOWS, &a, &l, i, &p) : DS_NO_BIN;
  for (int round = 0; round < few; round++) {
    const unsigned left = __ballot_sync(~0u, bin != DS_NO_BIN);
    if (!left) return;
    const int chosen = __shfl_sync(~0u, bin, __ffs((int) left) - 1);
    const bool is_mine = bin == chosen;
    add_together<KNOWS>(l, chosen, is_mine, i, p);
    if (is_mine) bin = DS_NO_BIN;
  }
  if (bin != DS_NO_BIN) add_alone<KNOWS>(l, bin, i, p);
}

__global__ void carry_kernel(ds_exact_sum *cells, size_t n)
{
  const size_t k = (size_t) blockIdx.x * THREADS + threadIdx.x;
  if (k < n) ds_exact_carry(&cells[k]);
}

__global__ void body_kernel(const __grid_constant__ ds_body_launch m, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int k = ds_block(launch) * BODY_THREADS + threadIdx.x;
  if (k < m.n) ds_move_body(&m, k);
}

__global__ void body_sums_kernel(const __grid_constant__ ds_body_sums_launch m, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int k = ds_block(launch) * BODY_THREADS + threadIdx.x;
  double add[DS_BODY_KINETIC_SUMS] = {};
  if (k < m.n) ds_body_kinetic(m.body + k, add);
  ds_add_exact_terms<DS_BODY_KINETIC_SUMS>(add, m.operation.nsums, m.operation.unit, m.sums);
}

template <class Next>
ds_status launch_nve(ds_queue *q, const ds_resident_view *a, const ds_bonded_view *bonded, const ds_nve_halves &halves,
                     const Next &next, const ds_launch_id &launch, ds_error *err)
{
  const size_t n = (size_t) a->n;
  const int few = (int) n < ds_enough_rows(q); /* then smaller blocks are spread better */
  return bonded ? DS_LAUNCH_STAGE(err, "nve kernel of bonded atoms", (nve_kernel<ds_bonded_view, Next>), n, few ? 64 : 128, q,
                                  *a, *bonded, halves, next, launch)
                : DS_LAUNCH_STAGE(err, "nve kernel", (nve_kernel<no_bonds, Next>), n, THREADS, q, *a, no_bonds{}, halves, next,
                                  launch);
}

ds_status operate(ds_queue *q, const ds_resident_view *a, const ds_bonded_view *bonded, const ds_step_launch *l,
                  const ds_sorted_fill *next, int64_t step, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  static_assert(sizeof(ds_step_launch) + sizeof(ds_resident_view) + sizeof(ds_sorted_fill) + sizeof launch <= 4096,
                "arguments of a kernel");
  ds_nve_halves halves;
  if (ds_take_halves(l, &halves))
    return !next           ? launch_nve(q, a, bonded, halves, no_next{}, launch, err)
           : next->is_wide ? launch_nve(q, a, bonded, halves, next_in<storage64>{*next}, launch, err)
                           : launch_nve(q, a, bonded, halves, next_in<storage32>{*next}, launch, err);
  const ds_status s = bonded ? ds_bonded_stages_cuda.add_forces(q, bonded, step, err) : DS_OK;
  return s ? s
           : DS_LAUNCH_STAGE(err, "operate kernel", choose_kernel(l->sets), a->n, THREADS, q, *a, *l,
                             next ? *next : ds_sorted_fill{}, launch);
}

ds_status wait_to_operate(ds_queue *q, const ds_resident_view *a, const ds_late_words *sent, int64_t step, ds_error *err)
{
  return DS_LAUNCH_STAGE(err, "operate kernel that waits", waiting_kernel, a->n, THREADS, q, *a, *sent,
                         ds_queue_launch_id(q, step));
}

ds_status bin(ds_queue *q, const ds_resident_view *a, const ds_bin_launch *l, int64_t step, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  static_assert(sizeof(ds_bin_launch) + sizeof(ds_resident_view) + sizeof launch <= 4096, "arguments of a kernel");
  static void (*const kernels[])(ds_resident_view, ds_bin_launch, ds_launch_id) = {
      bin_kernel<DS_BINS_PLAIN>, bin_kernel<DS_BINS_TALLIES>, bin_kernel<DS_BINS_UNWRAPPED>, bin_kernel<DS_BINS_ALL>};
  return DS_LAUNCH_STAGE(err, "bin kernel", kernels[ds_knowledge_of_bins(&l->binning)], a->n, THREADS, q, *a, *l, launch);
}

ds_status carry(ds_queue *q, ds_exact_sum *cells, size_t n, ds_error *err)
{
  return DS_LAUNCH_EACH(err, "carry kernel", carry_kernel, n, THREADS, ds_queue_stream(q), cells, n);
}

ds_status move_bodies(ds_queue *q, const ds_body_launch *what, int64_t step, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  return DS_LAUNCH_STAGE(err, "body kernel", body_kernel, what->n, BODY_THREADS, q, *what, launch);
}

ds_status add_up_bodies(ds_queue *q, const ds_body_sums_launch *what, int64_t step, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  return DS_LAUNCH_STAGE(err, "kernel of sums over bodies", body_sums_kernel, what->n, BODY_THREADS, q, *what, launch);
}
}    // namespace

const ds_step_stages ds_step_stages_cuda = {operate, bin, carry, move_bodies, add_up_bodies, wait_to_operate};
