/* Order and cells of the CUDA neighbor list (Tang & Karniadakis 2014, 3.2).   SPDX-License-Identifier: GPL-2.0-or-later

   Atoms are put into order by counting. Each has been counted to its cell (particles/placing.h); cells are numbered along the
   curve, so that a sum over the counts says where a cell begins. Its atoms go there in any order. Then each looks at the others
   of its cell, and goes behind those that come before it: by the code inside the cell, then by number. */
#include "../core/launch.cuh"
#include "list.h"

#include <cub/block/block_load.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace {
enum {
  THREADS = 256,
  SCAN_THREADS = 1024,
  SCAN_CELLS = 4 /* of a thread */
};

__global__ void number_kernel(ds_grid grid, int gpus, int cells, int32_t *curve, int stride)
{
  const int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= cells) return;
  const int32_t number = ds_grid_number_in_slabs(&grid, gpus, cell);
  for (int gpu = 0; gpu < gpus; gpu++) curve[(size_t) gpu * stride + cell] = number;
}

__global__ void stencil_kernel(ds_grid grid, int cells, const int32_t *curve, int32_t *stencil)
{
  const int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= cells) return;
  int32_t out[DS_STENCIL];
  const int n = ds_grid_stencil(&grid, cell, out);
  int32_t *const to = stencil + (size_t) curve[cell] * DS_STENCIL;
  for (int k = 0; k < DS_STENCIL; k++) to[k] = k < n ? curve[out[k]] : -1;
}

/* Atoms of a cell; each GPU has counted those that it has placed. */
struct cell_counts {
  int32_t *count;
  int stride, gpus;

  __host__ __device__ int32_t of_gpus_before(int gpu, int cell) const
  {
    int32_t sum = 0;
    for (int g = 0; g < gpu; g++) sum += count[(size_t) g * stride + cell];
    return sum;
  }
  __host__ __device__ int32_t operator()(int cell) const { return of_gpus_before(gpus, cell); }
};

cell_counts counts_of(const ds_list *l)
{
  return {DS_DATA(int32_t, l->cell_count), ds_list_stride(l, &l->cell_count, sizeof(int32_t)), l->queue->gpus.n};
}

struct order_args {
  ds_launch_id launch;
  int n, cells;
  const int4 *noted;
  cell_counts count;
  int32_t *cell_begin; /* of a GPU: where the atoms begin that it has placed */
  int begin_stride, range_stride;
  uint64_t *members;
  int32_t *cell_of_slot;
  int2 *cell_range;
  int list; /* ds_list.number */
};

/* Tables of all GPUs but the first, from its own: a thread for each cell of each GPU. */
__global__ void copy_cells_kernel(const __grid_constant__ order_args a)
{
  const int blocks_of_gpu = a.launch.share.blocks / a.count.gpus, block = ds_block(a.launch), gpu = block / blocks_of_gpu;
  const int cell = block % blocks_of_gpu * THREADS + threadIdx.x;
  if (ds_stopped(a.launch) || cell >= a.cells) return;
  const int32_t begin = a.cell_begin[cell];
  if (gpu) a.cell_begin[(size_t) gpu * a.begin_stride + cell] = begin + a.count.of_gpus_before(gpu, cell);
  a.cell_range[(size_t) gpu * a.range_stride + cell] = make_int2(begin, begin + a.count(cell));
}

/* One block, for so few cells that CUB's scan of a device, of two kernels, takes longer. */
__global__ void __launch_bounds__(SCAN_THREADS)
    scan_kernel(ds_launch_id launch, const int32_t *count, int cells, int32_t *begin)
{
  typedef cub::BlockScan<int32_t, SCAN_THREADS, cub::BLOCK_SCAN_WARP_SCANS> sum;
  __shared__ sum::TempStorage space;
  int32_t cell[SCAN_CELLS];
  if (ds_stopped(launch)) return;
  cub::LoadDirectBlocked(threadIdx.x, count, cell, cells, 0);
  sum(space).ExclusiveSum(cell, cell);
  cub::StoreDirectBlocked(threadIdx.x, begin, cell, cells);
}

/* A thread for each atom; for each cell, too, where there is one GPU: its count is clear then for the next order. The first
   ones also clear the counts of entries. */
__global__ void member_kernel(const __grid_constant__ order_args a)
{
  const int k = ds_block(a.launch) * blockDim.x + threadIdx.x;
  if (ds_stopped(a.launch)) return;
  if (k < a.launch.share.gpus) a.launch.control->entries[a.list][k] = 0;
  if (k < a.cells && a.count.gpus == 1) {
    a.cell_range[k] = make_int2(a.cell_begin[k], a.cell_begin[k] + a.count.count[k]);
    a.count.count[k] = 0;
  }
  if (k >= a.n) return;
  const int4 noted = a.noted[k];
  if (noted.x < 0) return;
  const int slot = a.cell_begin[(size_t) noted.w * a.begin_stride + noted.x] + noted.y;
  a.members[slot] = (uint64_t) noted.z << 32 | (uint32_t) k;
  a.cell_of_slot[slot] = noted.x;
}

__global__ void rank_kernel(ds_launch_id launch, ds_ranking ranking, int n)
{
  const int slot = ds_block(launch) * blockDim.x + threadIdx.x;
  int atom;
  if (slot < n && !ds_stopped(launch)) ds_rank(ranking, launch.share.gpu, slot, &atom);
}

/* ------------------------------------------------------------------------------------------ stages */

ds_status stencils(ds_list *l, ds_error *err)
{
  const size_t cells = (size_t) ds_grid_count(&l->grid);
  int32_t *const curve = DS_DATA(int32_t, l->curve);
  const ds_status s = DS_LAUNCH_EACH(err, "number kernel", number_kernel, cells, THREADS, ds_queue_stream(l->queue), l->grid,
                                     l->queue->gpus.n, (int) cells, curve, ds_list_stride(l, &l->curve, sizeof(int32_t)));
  return s ? s
           : DS_LAUNCH_EACH(err, "stencil kernel", stencil_kernel, cells, THREADS, ds_queue_stream(l->queue), l->grid,
                            (int) cells, curve, DS_DATA(int32_t, l->stencil));
}

template <class Counts> ds_status scan(ds_list *l, Counts count, int cells, ds_error *err)
{
  int32_t *const begin = DS_DATA(int32_t, l->cell_begin);
  size_t bytes = 0;
  cudaError_t code = cub::DeviceScan::ExclusiveSum(NULL, bytes, count, begin, cells, ds_queue_stream(l->queue));
  ds_status s = ds_gpu_check(code, "work space of the sums over cells", err);
  if (!s) s = ds_reserve(&l->queue->memory, &l->sort.scratch, bytes + 1, 1, "work space of the sums over cells", err);
  if (s) return s;
  code = cub::DeviceScan::ExclusiveSum(l->sort.scratch.data, bytes, count, begin, cells, ds_queue_stream(l->queue));
  return ds_gpu_check(code, "sums over cells", err);
}

/* Counts that are clear, because stages have been stopped, do no harm. */
ds_status sum_counts(ds_list *l, int cells, int64_t step, ds_error *err)
{
  const auto of_all = thrust::make_transform_iterator(thrust::make_counting_iterator(0), counts_of(l));
  const int32_t *const count = DS_DATA(const int32_t, l->cell_count);
  if (l->queue->gpus.n > 1) return scan(l, of_all, cells, err);
  if (cells > SCAN_THREADS * SCAN_CELLS) return scan(l, count, cells, err);
  return DS_LAUNCH_STAGE(err, "scan kernel", scan_kernel, SCAN_THREADS, SCAN_THREADS, l->queue,
                         ds_queue_launch_id(l->queue, step), count, cells, DS_DATA(int32_t, l->cell_begin));
}

ds_status order(ds_list *l, ds_ranking *left, int64_t step, ds_error *err)
{
  const int cells = ds_grid_count(&l->grid);
  const int gpus = l->queue->gpus.n;
  ds_status s = sum_counts(l, cells, step, err);
  order_args a = {ds_queue_launch_id(l->queue, step),
                  l->slots,
                  cells,
                  DS_DATA(int4, l->noted),
                  counts_of(l),
                  DS_DATA(int32_t, l->cell_begin),
                  ds_list_stride(l, &l->cell_begin, sizeof(int32_t)),
                  ds_list_stride(l, &l->cell_range, sizeof(int2)),
                  DS_DATA(uint64_t, l->members),
                  DS_DATA(int32_t, l->cell_of_slot),
                  DS_DATA(int2, l->cell_range),
                  l->number};
  if (!s && gpus > 1)
    s = DS_LAUNCH_STAGE(err, "kernel of cells", copy_cells_kernel, (size_t) gpus * ds_gpu_blocks(cells, THREADS) * THREADS,
                        THREADS, l->queue, a);
  if (gpus > 1) a.launch = ds_queue_launch_id(l->queue, step);
  const int members = gpus == 1 && cells > l->slots ? cells : l->slots;
  if (!s) s = DS_LAUNCH_STAGE(err, "member kernel", member_kernel, members, THREADS, l->queue, a);
  l->clear_cells = !s && gpus == 1 ? cells : 0;
  l->cleared_at = l->queue->resumes;
  const ds_ranking ranking = {a.members,      a.cell_of_slot,           (const int32_t *) a.cell_range,
                              a.range_stride, DS_DATA(int32_t, l->sort.value[0]), DS_DATA(int32_t, l->slot_of_atom)};
  if (left) *left = ranking;
  return s || left ? s
                   : DS_LAUNCH_STAGE(err, "rank kernel", rank_kernel, l->slots, THREADS, l->queue,
                                     ds_queue_launch_id(l->queue, step), ranking, l->slots);
}
}    // namespace

const ds_list_stages ds_list_stages_cuda = {stencils, order, ds_list_cuda_rows};
