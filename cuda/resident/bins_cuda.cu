/* Particles added up in bins on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later

   A thread has a particle. Neighbors in memory are neighbors in space, so that the particles of a warp are in a few bins: for
   each of the first few bins, terms are added up over the warp before one thread adds them in global memory. Particles in
   further bins add theirs by themselves. Molecules are smaller than what a warp has, and lie in each other: then the first bin is
   that of most. Sums are integers, and their order moves no bit. */
#include "exact_sum.cuh"
#include "stages_cuda.h"
#include "step_particle.h"

namespace {
enum { THREADS = 256, WARP = 32 };

__device__ void add_part(int64_t *to, int64_t part)
{
  if (part) atomicAdd((unsigned long long *) to, (unsigned long long) part);
}

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
  constexpr int few = KNOWS & DS_BINS_WAYS ? 1 : 4;
  const int i = blockIdx.x * THREADS + threadIdx.x;
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
}    // namespace

ds_status ds_bin_cuda(ds_queue *q, const ds_resident_view *a, const ds_bin_launch *l, int64_t step, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  static_assert(sizeof(ds_bin_launch) + sizeof(ds_resident_view) + sizeof launch <= 4096, "arguments of a kernel");
  static void (*const kernels[])(ds_resident_view, ds_bin_launch, ds_launch_id) = {
      bin_kernel<DS_BINS_PLAIN>, bin_kernel<DS_BINS_TALLIES>, bin_kernel<DS_BINS_WAYS>, bin_kernel<DS_BINS_ALL>};
  return DS_LAUNCH_EACH(err, "bin kernel", kernels[ds_knowledge_of_bins(&l->binning)], a->n, THREADS, q->stream, *a, *l,
                        launch);
}

ds_status ds_carry_cuda(ds_queue *q, ds_exact_sum *cells, size_t n, ds_error *err)
{
  return DS_LAUNCH_EACH(err, "carry kernel", carry_kernel, n, THREADS, q->stream, cells, n);
}
