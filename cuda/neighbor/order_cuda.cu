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

/* reach: NULL where there is one GPU. */
__global__ void stencil_kernel(ds_grid grid, int cells, const int32_t *curve, int32_t *stencil, int2 *reach)
{
  const int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= cells) return;
  int32_t out[DS_STENCIL];
  const int n = ds_grid_stencil(&grid, cell, out);
  int32_t *const to = stencil + (size_t) curve[cell] * DS_STENCIL;
  int2 ends = make_int2(curve[cell], curve[cell]);
  for (int k = 0; k < DS_STENCIL; k++) {
    to[k] = k < n ? curve[out[k]] : -1;
    if (k < n) ends = make_int2(min(ends.x, to[k]), max(ends.y, to[k]));
  }
  if (reach) reach[curve[cell]] = ends;
}

struct order_args {
  ds_launch_id launch;
  int n, cells, gpus;
  const int4 *noted;
  int32_t *count, *cell_begin; /* each GPU has those of its cells */
  int cells_of_gpu, count_stride, begin_stride, range_stride;
  uint64_t *members;
  int32_t *cell_of_slot;
  int2 *cell_range;
  const int32_t *stencil;
  const int2 *reach; /* these of several GPUs, as in ds_list */
  uint32_t *readers;
  int readers_stride;
  float gpus_per_slot;
  int first_has_all; /* 1: some stages are too small to be shared */
  int list; /* ds_list.number */
};

/* Atoms of a GPU's cells. */
__device__ int atoms_of(const order_args &a, int gpu)
{
  const int first = gpu * a.cells_of_gpu, last = min(a.cells, first + a.cells_of_gpu) - 1;
  if (last < first) return 0;
  return a.cell_begin[(size_t) gpu * a.begin_stride + last] + a.count[(size_t) gpu * a.count_stride + last];
}

/* The table of each GPU, from all GPUs' counts: a thread for each cell of each GPU. */
__global__ void range_kernel(const __grid_constant__ order_args a)
{
  __shared__ int atoms[DS_MAX_GPUS];
  const int blocks_of_gpu = a.launch.share.blocks / a.gpus, block = ds_block(a.launch), gpu = block / blocks_of_gpu;
  const int cell = block % blocks_of_gpu * THREADS + threadIdx.x, owner = cell / a.cells_of_gpu;
  if (ds_stopped(a.launch)) return;
  if (threadIdx.x < a.gpus) atoms[threadIdx.x] = atoms_of(a, threadIdx.x);
  __syncthreads();
  if (cell >= a.cells) return;
  int begin = a.cell_begin[(size_t) owner * a.begin_stride + cell];
  for (int g = 0; g < owner; g++) begin += atoms[g];
  a.cell_range[(size_t) gpu * a.range_stride + cell] =
      make_int2(begin, begin + a.count[(size_t) owner * a.count_stride + cell]);
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

/* Of a cell whose atoms this GPU may gather: all GPUs that have rows in its stencil, which read its atoms. For most cells all
   slots from the first one to the last one of the stencil are rows of one GPU. */
__device__ void find_readers(const order_args &a, int cell)
{
  const int gpu = a.launch.share.gpu, gpus = a.gpus;
  const float per_slot = a.gpus_per_slot;
  const int2 *const range = a.cell_range + (size_t) gpu * a.range_stride;
  const int2 reach = a.reach[cell];
  uint32_t readers = ds_gpus_of_slots(range[reach.x].x, range[reach.y].y, per_slot, gpus);
  if (!(readers >> gpu & 1) && !a.first_has_all) return;
  const bool is_shared = readers & (readers - 1);
  if (is_shared) readers = 0;
  for (int k = 0; k < DS_STENCIL && is_shared; k++) {
    const int other = a.stencil[(size_t) cell * DS_STENCIL + k];
    const int2 slots = other < 0 ? make_int2(0, 0) : range[other];
    if (slots.y > slots.x) readers |= ds_gpus_of_slots(slots.x, slots.y, per_slot, gpus);
  }
  a.readers[(size_t) gpu * a.readers_stride + cell] = readers | (a.first_has_all ? 1 : 0);
}

/* Of several GPUs, whose cells have their ranges: what follows from these, and counts that are clear for the next order. The
   first GPU clears those of GPUs that have no block of the stage, too. */
__device__ void end_cells(const order_args &a)
{
  const ds_share &share = a.launch.share;
  const int gpu = share.gpu, threads = gridDim.x * blockDim.x;
  const uint32_t each = gridDim.x == share.blocks ? share.blocks : ds_blocks_of_gpu(share.blocks, a.gpus);
  const int with_blocks = (share.blocks + each - 1) / each;
  for (int cell = blockIdx.x * blockDim.x + threadIdx.x; cell < a.cells; cell += threads) {
    const int owner = cell / a.cells_of_gpu;
    if (owner == gpu || (gpu == 0 && owner >= with_blocks)) a.count[(size_t) owner * a.count_stride + cell] = 0;
    find_readers(a, cell);
  }
}

/* A thread for each atom; for each cell, too, where there is one GPU: its count is clear then for the next order. The first
   ones also clear the counts of entries. */
__global__ void member_kernel(const __grid_constant__ order_args a)
{
  const int k = ds_block(a.launch) * blockDim.x + threadIdx.x;
  if (ds_stopped(a.launch)) return;
  if (k < a.launch.share.gpus) a.launch.control->entries[a.list][k] = 0;
  if (k < a.cells && a.gpus == 1) {
    a.cell_range[k] = make_int2(a.cell_begin[k], a.cell_begin[k] + a.count[k]);
    a.count[k] = 0;
  }
  if (a.gpus > 1) end_cells(a);
  if (k >= a.n) return;
  const int4 noted = a.noted[k];
  if (noted.x < 0) return;
  const int2 *const range = a.cell_range + (size_t) a.launch.share.gpu * a.range_stride;
  const int slot = (a.gpus == 1 ? a.cell_begin[noted.x] : range[noted.x].x) + noted.y;
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
                            (int) cells, curve, DS_DATA(int32_t, l->stencil), DS_DATA(int2, l->reach));
}

/* On a GPU, of its cells. */
ds_status scan(ds_list *l, int gpu, cudaStream_t stream, ds_error *err)
{
  const size_t g = (size_t) gpu, int_size = sizeof(int32_t);
  const int first = gpu * ds_list_cells_of_gpu(l), left = ds_grid_count(&l->grid) - first;
  const int cells = left < ds_list_cells_of_gpu(l) ? left : ds_list_cells_of_gpu(l);
  if (cells <= 0) return DS_OK;
  const int32_t *const count = DS_DATA(int32_t, l->cell_count) + g * ds_list_stride(l, &l->cell_count, int_size) + first;
  int32_t *const begin = DS_DATA(int32_t, l->cell_begin) + g * ds_list_stride(l, &l->cell_begin, int_size) + first;
  size_t bytes = ds_copy_stride(l->queue, &l->sort.scratch, 1);
  char *const scratch = DS_DATA(char, l->sort.scratch) + g * bytes;
  return ds_gpu_check(cub::DeviceScan::ExclusiveSum(scratch, bytes, count, begin, cells, stream), "sums over cells", err);
}

ds_status reserve_scratch(ds_list *l, ds_error *err)
{
  size_t bytes = 0;
  const int32_t *const none = NULL;
  const cudaError_t code = cub::DeviceScan::ExclusiveSum(NULL, bytes, none, (int32_t *) NULL, ds_list_cells_of_gpu(l));
  const ds_status s = ds_gpu_check(code, "work space of the sums over cells", err);
  return s ? s : ds_reserve_copies(l->queue, &l->sort.scratch, bytes + 1, 1, "work space of the sums over cells", err);
}

/* Counts that are clear, because stages have been stopped, do no harm. */
ds_status sum_counts(ds_list *l, int cells, int64_t step, ds_error *err)
{
  ds_queue *const q = l->queue;
  if (q->gpus.n == 1 && cells <= SCAN_THREADS * SCAN_CELLS)
    return DS_LAUNCH_STAGE(err, "scan kernel", scan_kernel, SCAN_THREADS, SCAN_THREADS, q, ds_queue_launch_id(q, step),
                           DS_DATA(const int32_t, l->cell_count), cells, DS_DATA(int32_t, l->cell_begin));
  const ds_status s = reserve_scratch(l, err);
  if (s) return s;
  if (q->gpus.n == 1) return scan(l, 0, ds_queue_stream(q), err);
  return ds_queue_parts(q, err, [&](int gpu, cudaStream_t stream) { return scan(l, gpu, stream, err); });
}

ds_status order(ds_list *l, ds_ranking *left, int64_t step, ds_error *err)
{
  const int cells = ds_grid_count(&l->grid);
  const int gpus = l->queue->gpus.n;
  ds_status s = sum_counts(l, cells, step, err);
  order_args a = {ds_queue_launch_id(l->queue, step),
                  l->slots,
                  cells,
                  gpus,
                  DS_DATA(int4, l->noted),
                  DS_DATA(int32_t, l->cell_count),
                  DS_DATA(int32_t, l->cell_begin),
                  ds_list_cells_of_gpu(l),
                  ds_list_stride(l, &l->cell_count, sizeof(int32_t)),
                  ds_list_stride(l, &l->cell_begin, sizeof(int32_t)),
                  ds_list_stride(l, &l->cell_range, sizeof(int2)),
                  DS_DATA(uint64_t, l->members),
                  DS_DATA(int32_t, l->cell_of_slot),
                  DS_DATA(int2, l->cell_range),
                  DS_DATA(int32_t, l->stencil),
                  DS_DATA(int2, l->reach),
                  DS_DATA(uint32_t, l->cell_readers),
                  ds_list_stride(l, &l->cell_readers, sizeof(uint32_t)),
                  ds_gpus_per_slot(l->slots, gpus),
                  (size_t) l->slots < l->queue->gpus.least * (size_t) gpus,
                  l->number};
  if (!s && gpus > 1)
    s = DS_LAUNCH_STAGE(err, "kernel of cells", range_kernel, (size_t) gpus * ds_gpu_blocks(cells, THREADS) * THREADS,
                        THREADS, l->queue, a);
  if (gpus > 1) a.launch = ds_queue_launch_id(l->queue, step);
  const int members = gpus == 1 && cells > l->slots ? cells : l->slots;
  if (!s) s = DS_LAUNCH_STAGE(err, "member kernel", member_kernel, members, THREADS, l->queue, a);
  l->clear_cells = s ? 0 : cells;
  const ds_ranking ranking = {a.members,      a.cell_of_slot,  (const int32_t *) a.cell_range,
                              a.range_stride, DS_DATA(int32_t, l->sort.value[0]), DS_DATA(int32_t, l->slot_of_atom),
                              a.readers,      a.readers_stride};
  if (left) *left = ranking;
  return s || left ? s
                   : DS_LAUNCH_STAGE(err, "rank kernel", rank_kernel, l->slots, THREADS, l->queue,
                                     ds_queue_launch_id(l->queue, step), ranking, l->slots);
}
}    // namespace

const ds_list_stages ds_list_stages_cuda = {stencils, order, ds_list_cuda_rows};
