/* Histograms of distances on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later

   A thread has a particle. Those of a warp are in one cell or two, and so read the same cells. A block has its own counters, of
   32 bits, in shared memory where these fit, and adds them to the histograms at its end. */
#include "../core/sort_cuda.cuh"
#include "rdf.h"

namespace {
enum { THREADS = 128, MAX_SHARED = 12288, MAX_PARTICLES = 1 << 25 }; /* THREADS times as many pairs fit in 32 bits */

__global__ void place_kernel(const __grid_constant__ ds_rdf_view a, const __grid_constant__ ds_rdf_grid g, uint32_t *key,
                             int32_t *index, unsigned long long *without_place)
{
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= a.n) return;
  int is_wrong;
  key[i] = (uint32_t) ds_rdf_cell_of(&a, &g, i, &is_wrong);
  index[i] = i;
  if (is_wrong) atomicAdd(without_place, 1ull);
}

__global__ void gather_kernel(const __grid_constant__ ds_rdf_view a, const __grid_constant__ ds_rdf_grid g, const int32_t *atom,
                              ds_rdf_point *point)
{
  const int slot = blockIdx.x * THREADS + threadIdx.x;
  if (slot < a.n) point[slot] = ds_rdf_point_of(&a, &g, atom[slot]);
}

__global__ void start_kernel(const int32_t *cell, int slots, int32_t cells, int32_t *start)
{
  const int32_t c = blockIdx.x * THREADS + threadIdx.x;
  if (c <= cells) start[c] = ds_rdf_first_slot(cell, slots, c);
}

__global__ void __launch_bounds__(THREADS)
    count_kernel(const __grid_constant__ ds_rdf_search s, int shared_bins, unsigned long long *count)
{
  extern __shared__ uint32_t shared[];
  const int slot = blockIdx.x * THREADS + threadIdx.x;
  const int slots = s.start[ds_rdf_cells(&s.grid)];
  const ds_rdf_tally tally = {count, shared_bins ? shared : NULL};
  if ((int) (blockIdx.x * THREADS) >= slots) return;
  for (int k = threadIdx.x; k < shared_bins; k += THREADS) shared[k] = 0;
  __syncthreads();
  if (slot < slots) ds_rdf_add_pairs(&s, slot, &tally);
  __syncthreads();
  for (int k = threadIdx.x; k < shared_bins; k += THREADS)
    if (shared[k]) atomicAdd(&count[k], (unsigned long long) shared[k]);
}
}    // namespace

ds_status ds_rdf_sort_cuda(ds_rdf *r, const ds_rdf_view *a, ds_error *err)
{
  ds_queue *const q = &r->queue;
  ds_rdf_search *const search = &r->search;
  const int32_t cells = ds_rdf_cells(&search->grid);
  const uint32_t *keys;
  unsigned long long *const without_place = DS_DATA(unsigned long long, r->count) + ds_rdf_bins(search);
  ds_status s = ds_queue_reserve(q, &r->key[1], (size_t) a->n + 1, sizeof(uint32_t), "cells of particles", err);
  if (!s) s = ds_queue_reserve(q, &r->value[1], (size_t) a->n + 1, sizeof(int32_t), "cells of particles", err);
  if (!s)
    s = DS_LAUNCH_EACH(err, "place kernel", place_kernel, a->n, THREADS, ds_queue_stream(q), *a, search->grid,
                       DS_DATA(uint32_t, r->key[0]), DS_DATA(int32_t, r->value[0]), without_place);
  if (!s)
    s = ds_sort_cuda<uint32_t, int32_t>(q, &q->memory, &r->scratch, r->key, r->value, a->n, ds_sort_bits((uint32_t) cells),
                                        &keys, &search->atom, err);
  if (s) return s;
  search->cell = (const int32_t *) keys;
  s = DS_LAUNCH_EACH(err, "gather kernel", gather_kernel, a->n, THREADS, ds_queue_stream(q), *a, search->grid, search->atom,
                     DS_DATA(ds_rdf_point, r->point));
  return s ? s
           : DS_LAUNCH_EACH(err, "start kernel", start_kernel, (size_t) cells + 1, THREADS, ds_queue_stream(q), search->cell,
                            a->n, cells, DS_DATA(int32_t, r->start));
}

ds_status ds_rdf_count_cuda(ds_rdf *r, ds_error *err)
{
  const ds_rdf_search *const search = &r->search;
  static_assert(sizeof *search + 2 * sizeof(void *) <= 4096, "arguments of a kernel");
  const int32_t bins = ds_rdf_bins(search);
  const int shared_bins = bins <= MAX_SHARED && search->slots <= MAX_PARTICLES ? bins : 0;
  const unsigned blocks = ds_gpu_blocks((size_t) search->slots, THREADS);
  if (blocks == 0) return DS_OK;
  count_kernel<<<blocks, THREADS, (size_t) shared_bins * sizeof(uint32_t), r->queue.stream>>>(
      *search, shared_bins, DS_DATA(unsigned long long, r->count));
  return ds_gpu_check(cudaGetLastError(), "pair count kernel", err);
}
