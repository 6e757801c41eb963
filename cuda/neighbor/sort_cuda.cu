/* First half of the CUDA neighbor list: sort, cells (Tang & Karniadakis 2014, 3.2).
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "list_cuda.h"

#include <cub/device/device_radix_sort.cuh>

enum { DS_THREADS = 256 };

/* One look at each atom and the one before it (3.2.3). The first thread also clears the count of entries. */
template <typename Key>
__global__ void cell_kernel(ds_launch_id launch, ds_grid grid, int n, const Key *key,
                            int32_t *cell_of_slot, int2 *cell_range)
{
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (ds_stopped(launch)) return;
  if (s == 0) launch.control->entries = 0;
  if (s >= n) return;
  const int shift = 3 * grid.fine_bits;
  const Key here = key[s] >> shift;
  const int cell = ds_grid_cell_of_key(&grid, key[s]);
  cell_of_slot[s] = cell;
  if (s == 0 || key[s - 1] >> shift != here) cell_range[cell].x = s;
  if (s == n - 1 || key[s + 1] >> shift != here) cell_range[cell].y = s + 1;
}

__global__ void clear_kernel(ds_launch_id launch, int cells, int2 *cell_range)
{
  const int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell < cells && !ds_stopped(launch)) cell_range[cell] = make_int2(0, 0);
}

__global__ void stencil_kernel(ds_grid grid, int cells, int32_t *stencil, int32_t *count)
{
  const int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= cells) return;
  int32_t out[DS_STENCIL];
  const int n = ds_grid_stencil(&grid, cell, out);
  for (int k = 0; k < DS_STENCIL; k++)
    stencil[(size_t) cell * DS_STENCIL + k] = k < n ? out[k] : -1;
  count[cell] = n;
}

/* ------------------------------------------------------------------------------------------ driver */

/* The coarse stencils depend on the number of cells alone, so they outlive a rebuild. */
static ds_status make_stencils(ds_list_cuda *l, ds_queue *s, const ds_grid *grid, ds_error *err)
{
  const size_t cells = (size_t) ds_grid_count(grid);
  const ds_grid *const old = &l->stencil_grid;
  if (l->stencil.data && memcmp(old->cells, grid->cells, sizeof grid->cells) == 0 &&
      memcmp(old->wraps, grid->wraps, sizeof grid->wraps) == 0)
    return DS_OK;
  ds_status status =
      ds_reserve(&s->memory, &l->stencil, cells * DS_STENCIL, sizeof(int32_t), "stencils", err);
  if (!status)
    status = ds_reserve(&s->memory, &l->stencil_count, cells, sizeof(int32_t), "stencils", err);
  if (status) return status;
  l->stencil_grid = *grid;
  return DS_LAUNCH(err, "stencil kernel", stencil_kernel, ds_gpu_blocks(cells, DS_THREADS),
                   DS_THREADS, s->stream, *grid, (int) cells, DS_DATA(int32_t, l->stencil),
                   DS_DATA(int32_t, l->stencil_count));
}

static ds_status reserve_rows(ds_list_cuda *l, ds_queue *s, int slots, ds_error *err)
{
  const size_t n = (size_t) slots + 1;
  ds_status status = ds_reserve(&s->memory, &l->first, n, sizeof(uint32_t), "list rows", err);
  if (!status) status = ds_reserve(&s->memory, &l->count, n, sizeof(int32_t), "list rows", err);
  return status;
}

/* Where kernels have been stopped, keys are not made, and the sort, which is not ours, sorts what is there. */
static ds_status reserve_sorted(ds_queue *s, ds_buffer *b, size_t count, size_t size,
                                const char *what, ds_error *err)
{
  const ds_buffer before = *b;
  const ds_status status = ds_reserve(&s->memory, b, count, size, what, err);
  if (status || (b->data == before.data && b->bytes == before.bytes)) return status;
  return ds_gpu_check(cudaMemsetAsync(b->data, 0, b->bytes, s->stream), "clearing sort keys", err);
}

/* Work space of the sort, for either width of keys. */
static ds_status sort_bytes(int n, size_t *bytes, ds_error *err)
{
  size_t narrow = 0, wide = 0;
  cub::DoubleBuffer<uint32_t> key32;
  cub::DoubleBuffer<uint64_t> key64;
  cub::DoubleBuffer<int32_t> value;
  cudaError_t code = cub::DeviceRadixSort::SortPairs(NULL, narrow, key32, value, n, 0, 32, 0);
  if (!code) code = cub::DeviceRadixSort::SortPairs(NULL, wide, key64, value, n, 0, 64, 0);
  *bytes = narrow > wide ? narrow : wide;
  return ds_gpu_check(code, "work space of the radix sort", err);
}

ds_status ds_list_cuda_reserve(ds_list_cuda *l, ds_queue *s, const ds_grid *grid, int n,
                               int64_t step, ds_error *err)
{
  const size_t room = (size_t) n + 1, cells = (size_t) ds_grid_count(grid);
  const size_t key = ds_list_cuda_wide_keys(grid) ? sizeof(uint64_t) : sizeof(uint32_t);
  size_t scratch = 0;
  ds_status status = reserve_rows(l, s, n, err);
  (void) step;
  for (int k = 0; k < 2 && !status; k++) {
    status = reserve_sorted(s, &l->key[k], room, key, "sort keys", err);
    if (!status)
      status = reserve_sorted(s, &l->value[k], room, sizeof(int32_t), "sorted order", err);
  }
  if (!status)
    status = ds_reserve(&s->memory, &l->cell_of_slot, room, sizeof(int32_t), "cells of atoms", err);
  if (!status) status = ds_reserve(&s->memory, &l->cell_range, cells, sizeof(int2), "cells", err);
  if (!status) status = sort_bytes(n, &scratch, err);
  if (!status)
    status = ds_reserve(&s->memory, &l->scratch, scratch, 1, "work space of the sort", err);
  return status ? status : make_stencils(l, s, grid, err);
}

/* Stable, so that atoms with equal keys keep the caller's order, as on the host. */
template <typename Key>
static ds_status sort_with(ds_list_cuda *l, ds_queue *s, const ds_grid *grid, int n, int64_t step,
                           ds_error *err)
{
  const size_t cells = (size_t) ds_grid_count(grid);
  cub::DoubleBuffer<Key> key(DS_DATA(Key, l->key[0]), DS_DATA(Key, l->key[1]));
  cub::DoubleBuffer<int32_t> value(DS_DATA(int32_t, l->value[0]), DS_DATA(int32_t, l->value[1]));
  size_t bytes = l->scratch.bytes;
  ds_status status =
      ds_gpu_check(cub::DeviceRadixSort::SortPairs(l->scratch.data, bytes, key, value, n, 0,
                                                   grid->key_bits, s->stream),
                   "radix sort", err);
  l->atom_of_slot = value.Current();
  ds_timer_end(&s->timer, DS_STAGE_SORT, s->stream);
  ds_timer_begin(&s->timer, DS_STAGE_CELLS, s->stream);
  if (!status)
    status =
        DS_LAUNCH(err, "clear kernel", clear_kernel, ds_gpu_blocks(cells, DS_THREADS), DS_THREADS,
                  s->stream, ds_queue_launch_id(s, step), (int) cells, DS_DATA(int2, l->cell_range));
  if (!status)
    status = DS_LAUNCH(err, "cell kernel", cell_kernel<Key>, ds_gpu_blocks((size_t) n, DS_THREADS),
                       DS_THREADS, s->stream, ds_queue_launch_id(s, step), *grid, n, key.Current(),
                       DS_DATA(int32_t, l->cell_of_slot), DS_DATA(int2, l->cell_range));
  ds_timer_end(&s->timer, DS_STAGE_CELLS, s->stream);
  return status;
}

ds_status ds_list_cuda_sort(ds_list_cuda *l, ds_queue *s, const ds_grid *grid, int n, int64_t step,
                            ds_error *err)
{
  l->slots = n;
  l->atom_of_slot = DS_DATA(int32_t, l->value[0]);
  if (n == 0) return DS_OK;
  return ds_list_cuda_wide_keys(grid) ? sort_with<uint64_t>(l, s, grid, n, step, err)
                                      : sort_with<uint32_t>(l, s, grid, n, step, err);
}

ds_status ds_list_cuda_grow(ds_list_cuda *l, ds_queue *s, size_t need, ds_error *err)
{
  if (l->room > 2 * need + 65536) ds_buffer_free(s->memory.memory, &l->entries);
  const ds_status status = ds_reserve(&s->memory, &l->entries, need + DS_ROW_UNIT, sizeof(uint32_t),
                                      "neighbor list", err);
  l->room = l->entries.bytes / sizeof(uint32_t);
  return status;
}
