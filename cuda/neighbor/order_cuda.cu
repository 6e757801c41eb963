/* Order and cells of the CUDA neighbor list (Tang & Karniadakis 2014, 3.2).
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../core/sort_cuda.cuh"
#include "list.h"

namespace {
enum { THREADS = 256 };

/* One look at each atom and the one before it (3.2.3). The first thread also clears the count of entries. */
template <typename Key>
__global__ void cell_kernel(ds_launch_id launch, ds_grid grid, int n, const Key *key, int32_t *cell_of_slot, int2 *cell_range)
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

__global__ void stencil_kernel(ds_grid grid, int cells, int32_t *stencil)
{
  const int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= cells) return;
  int32_t out[DS_STENCIL];
  const int n = ds_grid_stencil(&grid, cell, out);
  for (int k = 0; k < DS_STENCIL; k++) stencil[(size_t) cell * DS_STENCIL + k] = k < n ? out[k] : -1;
}

/* ------------------------------------------------------------------------------------------ stages */

ds_status stencils(ds_list *l, ds_error *err)
{
  const size_t cells = (size_t) ds_grid_count(&l->grid);
  return DS_LAUNCH_EACH(err, "stencil kernel", stencil_kernel, cells, THREADS, l->queue->stream, l->grid, (int) cells,
                        DS_DATA(int32_t, l->stencil));
}

template <typename Key> ds_status sort_with(ds_list *l, ds_error *err)
{
  const Key *sorted_key = NULL;
  const ds_status s = ds_sort_cuda<Key, int32_t>(l->queue, &l->queue->memory, &l->sort.scratch, l->sort.key, l->sort.value,
                                                 l->slots, l->grid.key_bits, &sorted_key, &l->sort.order, err);
  l->sorted_key = sorted_key;
  return s;
}

ds_status sort(ds_list *l, int64_t, ds_error *err)
{
  l->sort.order = DS_DATA(int32_t, l->sort.value[0]);
  if (l->slots == 0) return DS_OK;
  return ds_grid_has_wide_keys(&l->grid) ? sort_with<uint64_t>(l, err) : sort_with<uint32_t>(l, err);
}

template <typename Key> ds_status find_cells(ds_list *l, int64_t step, ds_error *err)
{
  return DS_LAUNCH_EACH(err, "cell kernel", cell_kernel<Key>, l->slots, THREADS, l->queue->stream,
                        ds_queue_launch_id(l->queue, step), l->grid, l->slots, (const Key *) l->sorted_key,
                        DS_DATA(int32_t, l->cell_of_slot), DS_DATA(int2, l->cell_range));
}

ds_status cells(ds_list *l, int64_t step, ds_error *err)
{
  return ds_grid_has_wide_keys(&l->grid) ? find_cells<uint64_t>(l, step, err) : find_cells<uint32_t>(l, step, err);
}
}    // namespace

const ds_list_stages ds_list_stages_cuda = {stencils, sort, cells, ds_list_cuda_rows};
