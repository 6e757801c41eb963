/* First half of the CUDA neighbor list: keys, sort, cells, rows and batches (Tang & Karniadakis 2014,
   3.2).   SPDX-License-Identifier: GPL-2.0-or-later

   A batch is what one warp of the builder works on: up to 32 consecutive slots of one cell (the outer
   loop of Alg. 3). Cells without atoms have none, crowded cells have several. */
#include "builder.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

enum { DS_THREADS = 256 };

template <typename Key>
__global__ void key_kernel(ds_grid grid, int n, const int4 *position, Key *key, uint32_t *value)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int4 q = position[i];
  const ds_position p = {q.x, q.y, q.z};
  key[i] = (Key) ds_grid_key(&grid, p);
  value[i] = (uint32_t) i;
}

/* One look at each atom and the one before it (3.2.3). */
template <typename Key>
__global__ void cell_kernel(ds_grid grid, int n, const Key *key, int2 *cell_range)
{
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= n) return;
  const int shift = 3 * grid.fine_bits;
  const Key here = key[s] >> shift;
  const int first = s == 0 || key[s - 1] >> shift != here;
  const int last = s == n - 1 || key[s + 1] >> shift != here;
  if (!first && !last) return;
  const int cell = ds_grid_cell_of_key(&grid, key[s]);
  if (first) cell_range[cell].x = s;
  if (last) cell_range[cell].y = s + 1;
}

/* 1 for an own atom, and 2^32 for the first slot of a batch; one scan counts both. */
__device__ uint64_t slot_mark(int own, int slot, int first_of_cell)
{
  return (uint64_t) own + ((uint64_t) ((slot - first_of_cell) % DS_BATCH_SLOTS == 0) << 32);
}

/* n + 1 marks: after the exclusive scan the last holds the totals. */
template <typename Key>
__global__ void mark_kernel(ds_grid grid, int n, int nlocal, const Key *key, const uint32_t *order,
                            const int2 *cell_range, uint64_t *mark)
{
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s > n) return;
  const int cell = s < n ? ds_grid_cell_of_key(&grid, key[s]) : 0;
  mark[s] = s < n ? slot_mark(order[s] < (uint32_t) nlocal, s, cell_range[cell].x) : 0;
}

template <typename Key>
__global__ void row_kernel(ds_grid grid, int n, const Key *key, const uint64_t *mark,
                           int32_t *slot_row, uint32_t *row_slot, int2 *batch)
{
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= n) return;
  const uint64_t before = mark[s], change = mark[s + 1] - before;
  const uint32_t row = (uint32_t) before;
  const int own = (uint32_t) change != 0;
  slot_row[s] = own ? (int32_t) row : -1;
  if (own) row_slot[row] = (uint32_t) s;
  if (change >> 32) batch[before >> 32] = make_int2(s, ds_grid_cell_of_key(&grid, key[s]));
}

__global__ void stencil_kernel(ds_grid grid, int cells, int32_t *stencil, int32_t *count)
{
  const int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= cells) return;
  count[cell] = ds_grid_stencil(&grid, cell, stencil + (size_t) cell * DS_STENCIL);
}

__global__ void identity_kernel(int n, uint32_t *order)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) order[i] = (uint32_t) i;
}

/* --------------------------------------------------------------------------------------- driver */

ds_status ds_list_cuda_open(ds_list_cuda *l, ds_error *err)
{
  ds_status s = ds_gpu_reserve(&l->longest, 1, sizeof(int32_t), "neighbor list", err);
  if (!s) s = ds_pinned_reserve(&l->longest_host, 1, sizeof(int32_t), "neighbor list", err);
  if (!s)
    s = ds_gpu_check(cudaEventCreateWithFlags(&l->built, cudaEventDisableTiming), "creating events",
                     err);
  return s;
}

static ds_gpu_buffer *buffer_of(ds_list_cuda *l, int k)
{
  ds_gpu_buffer *const all[] = {&l->row_slot, &l->core,       &l->count,         &l->entries,
                                &l->key[0],   &l->key[1],     &l->value[0],      &l->value[1],
                                &l->scratch,  &l->cell_range, &l->mark,          &l->slot_row,
                                &l->batch,    &l->stencil,    &l->stencil_count, &l->longest};
  return k < (int) (sizeof all / sizeof *all) ? all[k] : NULL;
}

void ds_list_cuda_close(ds_list_cuda *l)
{
  for (int k = 0; buffer_of(l, k); k++) ds_gpu_free(buffer_of(l, k));
  ds_pinned_free(&l->longest_host);
  if (l->built) cudaEventDestroy(l->built);
}

size_t ds_list_cuda_bytes(const ds_list_cuda *l)
{
  size_t sum = 0;
  for (int k = 0; buffer_of((ds_list_cuda *) l, k); k++)
    sum += buffer_of((ds_list_cuda *) l, k)->bytes;
  return sum;
}

static ds_status reserve_rows(ds_list_cuda *l, int rows, ds_error *err)
{
  const size_t n = (size_t) rows + 1;
  ds_status s = ds_gpu_reserve(&l->row_slot, n, sizeof(uint32_t), "list rows", err);
  if (!s) s = ds_gpu_reserve(&l->core, n, sizeof(int32_t), "list rows", err);
  if (!s) s = ds_gpu_reserve(&l->count, n, sizeof(int32_t), "list rows", err);
  return s;
}

static ds_status reserve_slots(ds_list_cuda *l, int nall, size_t cells, size_t key, ds_error *err)
{
  const size_t n = (size_t) nall + 1;
  ds_status s = DS_OK;
  for (int k = 0; k < 2 && !s; k++) {
    s = ds_gpu_reserve(&l->key[k], n, key, "sort keys", err);
    if (!s) s = ds_gpu_reserve(&l->value[k], n, sizeof(uint32_t), "sorted order", err);
  }
  if (!s) s = ds_gpu_reserve(&l->mark, n, sizeof(uint64_t), "rows of atoms", err);
  if (!s) s = ds_gpu_reserve(&l->slot_row, n, sizeof(int32_t), "rows of atoms", err);
  if (!s) s = ds_gpu_reserve(&l->batch, n, sizeof(int2), "batches of atoms", err);
  if (!s) s = ds_gpu_reserve(&l->cell_range, cells, sizeof(int2), "cells", err);
  return s;
}

/* The coarse stencils depend on the number of cells alone, so they outlive a rebuild. */
static ds_status make_stencils(ds_list_cuda *l, const ds_grid *grid, cudaStream_t stream,
                               ds_error *err)
{
  const size_t cells = (size_t) ds_grid_count(grid);
  if (l->stencil.data && memcmp(l->stencil_cells, grid->cells, sizeof l->stencil_cells) == 0)
    return DS_OK;
  ds_status s = ds_gpu_reserve(&l->stencil, cells * DS_STENCIL, sizeof(int32_t), "stencils", err);
  if (!s) s = ds_gpu_reserve(&l->stencil_count, cells, sizeof(int32_t), "stencils", err);
  if (s) return s;
  memcpy(l->stencil_cells, grid->cells, sizeof l->stencil_cells);
  return DS_LAUNCH(err, "stencil kernel", stencil_kernel, ds_gpu_blocks(cells, DS_THREADS),
                   DS_THREADS, stream, *grid, (int) cells, DS_DATA(int32_t, l->stencil),
                   DS_DATA(int32_t, l->stencil_count));
}

/* Stable, so that atoms with equal keys keep the caller's order, as on the host. Returns the sorted
   keys. */
template <typename Key>
static ds_status sort_keys(ds_list_cuda *l, const ds_grid *grid, int n, Key **sorted,
                           cudaStream_t stream, ds_error *err)
{
  cub::DoubleBuffer<Key> key(DS_DATA(Key, l->key[0]), DS_DATA(Key, l->key[1]));
  cub::DoubleBuffer<uint32_t> value(DS_DATA(uint32_t, l->value[0]), DS_DATA(uint32_t, l->value[1]));
  size_t bytes = 0;
  ds_status s = ds_gpu_check(
      cub::DeviceRadixSort::SortPairs(NULL, bytes, key, value, n, 0, grid->key_bits, stream),
      "radix sort", err);
  if (!s) s = ds_gpu_reserve(&l->scratch, bytes, 1, "work space of the sort", err);
  if (!s)
    s = ds_gpu_check(cub::DeviceRadixSort::SortPairs(l->scratch.data, bytes, key, value, n, 0,
                                                     grid->key_bits, stream),
                     "radix sort", err);
  *sorted = key.Current();
  l->order = value.Current();
  return s;
}

static ds_status scan_marks(ds_list_cuda *l, int n, cudaStream_t stream, ds_error *err)
{
  uint64_t *const mark = DS_DATA(uint64_t, l->mark);
  size_t bytes = 0;
  ds_status s = ds_gpu_check(cub::DeviceScan::ExclusiveSum(NULL, bytes, mark, mark, n, stream),
                             "scan of rows", err);
  if (!s) s = ds_gpu_reserve(&l->scratch, bytes, 1, "work space of the scan", err);
  if (!s)
    s = ds_gpu_check(cub::DeviceScan::ExclusiveSum(l->scratch.data, bytes, mark, mark, n, stream),
                     "scan of rows", err);
  return s;
}

template <typename Key>
static ds_status sort_with(ds_list_cuda *l, const ds_grid *grid, const int4 *position, int nlocal,
                           int nall, ds_stage_timer *timer, cudaStream_t stream, ds_error *err)
{
  const unsigned blocks = ds_gpu_blocks((size_t) nall, DS_THREADS);
  const size_t cells = (size_t) ds_grid_count(grid);
  int2 *const range = DS_DATA(int2, l->cell_range);
  Key *key = NULL;
  ds_timer_begin(timer, DS_STAGE_SORT, stream);
  ds_status s = DS_LAUNCH(err, "key kernel", key_kernel<Key>, blocks, DS_THREADS, stream, *grid,
                          nall, position, DS_DATA(Key, l->key[0]), DS_DATA(uint32_t, l->value[0]));
  if (!s) s = sort_keys<Key>(l, grid, nall, &key, stream, err);
  ds_timer_end(timer, DS_STAGE_SORT, stream);
  ds_timer_begin(timer, DS_STAGE_CELLS, stream);
  if (!s)
    s = ds_gpu_check(cudaMemsetAsync(range, 0, cells * sizeof *range, stream), "clearing cells",
                     err);
  if (!s)
    s = DS_LAUNCH(err, "cell kernel", cell_kernel<Key>, blocks, DS_THREADS, stream, *grid, nall,
                  key, range);
  if (!s)
    s = DS_LAUNCH(err, "mark kernel", mark_kernel<Key>,
                  ds_gpu_blocks((size_t) nall + 1, DS_THREADS), DS_THREADS, stream, *grid, nall,
                  nlocal, key, l->order, range, DS_DATA(uint64_t, l->mark));
  if (!s) s = scan_marks(l, nall + 1, stream, err);
  if (!s)
    s = DS_LAUNCH(err, "row kernel", row_kernel<Key>, blocks, DS_THREADS, stream, *grid, nall, key,
                  DS_DATA(uint64_t, l->mark), DS_DATA(int32_t, l->slot_row),
                  DS_DATA(uint32_t, l->row_slot), DS_DATA(int2, l->batch));
  ds_timer_end(timer, DS_STAGE_CELLS, stream);
  return s;
}

ds_status ds_list_cuda_sort(ds_list_cuda *l, const ds_grid *grid, const int4 *position, int nlocal,
                            int nall, ds_stage_timer *timer, cudaStream_t stream, ds_error *err)
{
  const int narrow = grid->key_bits <= 32; /* half the traffic of the sort */
  ds_status s = reserve_slots(l, nall, (size_t) ds_grid_count(grid),
                              narrow ? sizeof(uint32_t) : sizeof(uint64_t), err);
  if (!s) s = reserve_rows(l, nlocal, err);
  if (!s) s = make_stencils(l, grid, stream, err);
  if (s) return s;
  l->slots = nall;
  l->rows = nlocal;
  l->order = DS_DATA(uint32_t, l->value[0]);
  if (nall == 0) return DS_OK;
  return narrow ? sort_with<uint32_t>(l, grid, position, nlocal, nall, timer, stream, err)
                : sort_with<uint64_t>(l, grid, position, nlocal, nall, timer, stream, err);
}

ds_status ds_list_cuda_reserve_set(ds_list_cuda *l, int slots, int rows, int longest,
                                   cudaStream_t stream, ds_error *err)
{
  ds_status s = ds_gpu_reserve(&l->value[0], (size_t) slots + 1, sizeof(uint32_t), "order", err);
  if (!s) s = reserve_rows(l, rows, err);
  l->capacity = (longest / DS_ROW_STEP + 1) * DS_ROW_STEP;
  if (!s)
    s = ds_gpu_reserve(&l->entries, ds_list_cuda_words(rows, l->capacity), sizeof(uint32_t),
                       "neighbor list", err);
  if (s) return s;
  l->slots = slots;
  l->rows = rows;
  l->order = DS_DATA(uint32_t, l->value[0]);
  return DS_LAUNCH(err, "identity kernel", identity_kernel,
                   ds_gpu_blocks((size_t) slots, DS_THREADS), DS_THREADS, stream, slots,
                   DS_DATA(uint32_t, l->value[0]));
}
