/* Order and cells of the CUDA neighbor list (Tang & Karniadakis 2014, 3.2).   SPDX-License-Identifier: GPL-2.0-or-later

   Atoms are put into order by counting. Each has been counted to its cell (particles/placing.h); cells are numbered along the
   curve, so that a sum over the counts says where a cell begins. Its atoms go there in any order. Then each looks at the others
   of its cell, and goes behind those that come before it: by the code inside the cell, then by number. */
#include "../core/launch.cuh"
#include "list.h"

#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace {
enum { THREADS = 256 };

__global__ void number_kernel(ds_grid grid, int slabs, int cells, int32_t *curve)
{
  const int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell < cells) curve[cell] = ds_grid_number_in_slabs(&grid, slabs, cell);
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
  const int32_t *count;
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
  return {DS_DATA(int32_t, l->cell_count), ds_list_count_stride(l), l->queue->gpus.n};
}

struct order_args {
  ds_launch_id launch;
  int n, cells;
  const int4 *noted;
  cell_counts count;
  const int32_t *cell_begin;
  uint64_t *members;
  int32_t *cell_of_slot, *order, *slot_of_atom;
  int2 *cell_range;
};

/* A thread for each atom, and for each cell. The first ones also clear the counts of entries. */
__global__ void member_kernel(const __grid_constant__ order_args a)
{
  const int k = ds_block(a.launch) * blockDim.x + threadIdx.x;
  if (ds_stopped(a.launch)) return;
  if (k < a.launch.share.gpus) a.launch.control->entries[k] = 0;
  if (k < a.cells) a.cell_range[k] = make_int2(a.cell_begin[k], a.cell_begin[k] + a.count(k));
  if (k >= a.n) return;
  const int4 noted = a.noted[k];
  const int slot = a.cell_begin[noted.x] + a.count.of_gpus_before(noted.w, noted.x) + noted.y;
  a.members[slot] = (uint64_t) noted.z << 32 | (uint32_t) k;
  a.cell_of_slot[slot] = noted.x;
}

__global__ void rank_kernel(const __grid_constant__ order_args a)
{
  const int slot = ds_block(a.launch) * blockDim.x + threadIdx.x;
  if (slot >= a.n || ds_stopped(a.launch)) return;
  const int2 range = a.cell_range[a.cell_of_slot[slot]];
  const uint64_t mine = a.members[slot];
  int before = 0;
  for (int k = range.x; k < range.y; k++) before += a.members[k] < mine;
  const int32_t atom = (int32_t) (uint32_t) mine;
  a.order[range.x + before] = atom;
  a.slot_of_atom[atom] = range.x + before;
}

/* ------------------------------------------------------------------------------------------ stages */

ds_status stencils(ds_list *l, ds_error *err)
{
  const size_t cells = (size_t) ds_grid_count(&l->grid);
  int32_t *const curve = DS_DATA(int32_t, l->curve);
  const ds_status s =
      DS_LAUNCH_EACH(err, "number kernel", number_kernel, cells, THREADS, l->queue->stream, l->grid, l->queue->gpus.n, (int) cells,
                     curve);
  return s ? s
           : DS_LAUNCH_EACH(err, "stencil kernel", stencil_kernel, cells, THREADS, l->queue->stream, l->grid, (int) cells, curve,
                            DS_DATA(int32_t, l->stencil));
}

template <class Counts> ds_status scan(ds_list *l, Counts count, int cells, ds_error *err)
{
  int32_t *const begin = DS_DATA(int32_t, l->cell_begin);
  size_t bytes = 0;
  cudaError_t code = cub::DeviceScan::ExclusiveSum(NULL, bytes, count, begin, cells, l->queue->stream);
  ds_status s = ds_gpu_check(code, "work space of the sums over cells", err);
  if (!s) s = ds_reserve(&l->queue->memory, &l->sort.scratch, bytes + 1, 1, "work space of the sums over cells", err);
  if (s) return s;
  code = cub::DeviceScan::ExclusiveSum(l->sort.scratch.data, bytes, count, begin, cells, l->queue->stream);
  return ds_gpu_check(code, "sums over cells", err);
}

/* Counts that are clear, because stages have been stopped, do no harm. */
ds_status sum_counts(ds_list *l, int cells, ds_error *err)
{
  const auto of_all = thrust::make_transform_iterator(thrust::make_counting_iterator(0), counts_of(l));
  return l->queue->gpus.n > 1 ? scan(l, of_all, cells, err) : scan(l, DS_DATA(const int32_t, l->cell_count), cells, err);
}

ds_status order(ds_list *l, int64_t step, ds_error *err)
{
  const int cells = ds_grid_count(&l->grid);
  order_args a = {ds_queue_launch_id(l->queue, step),
                  l->slots,
                  cells,
                  DS_DATA(int4, l->noted),
                  counts_of(l),
                  DS_DATA(int32_t, l->cell_begin),
                  DS_DATA(uint64_t, l->members),
                  DS_DATA(int32_t, l->cell_of_slot),
                  DS_DATA(int32_t, l->sort.value[0]),
                  DS_DATA(int32_t, l->slot_of_atom),
                  DS_DATA(int2, l->cell_range)};
  ds_status s = sum_counts(l, cells, err);
  if (!s)
    s = DS_LAUNCH_STAGE(err, "member kernel", member_kernel, l->slots > cells ? l->slots : cells, THREADS, l->queue, a);
  a.launch = ds_queue_launch_id(l->queue, step);
  return s ? s : DS_LAUNCH_STAGE(err, "rank kernel", rank_kernel, l->slots, THREADS, l->queue, a);
}
}    // namespace

const ds_list_stages ds_list_stages_cuda = {stencils, order, ds_list_cuda_rows};
