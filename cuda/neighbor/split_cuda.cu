/* Rows of a list in two parts: blocks of them that need no ghosts, and the others.
   SPDX-License-Identifier: GPL-2.0-or-later

   A cell's atoms have their neighbors in the cells of its stencil. Where none of these holds a ghost, no row of the cell
   has one. Each slot is asked where it begins a cell, or a block. */
#include "list_cuda.h"

#include <cub/device/device_partition.cuh>
#include <thrust/iterator/counting_iterator.h>

enum { DS_THREADS = 256 };

typedef struct {
  ds_launch_id launch;
  int slots, nlocal;
  const int32_t *atom_of_slot, *cell_of_slot, *stencil;
  uint8_t *ghosts; /* by cell: it holds some */
  uint8_t *inner;  /* by block of rows, of which each has a block of threads */
} split_args;

__global__ void ghost_cell_kernel(const __grid_constant__ split_args a)
{
  const int slot = blockIdx.x * blockDim.x + threadIdx.x;
  if (slot >= a.slots || ds_stopped(a.launch) || a.atom_of_slot[slot] < a.nlocal) return;
  a.ghosts[a.cell_of_slot[slot]] = 1;
}

__device__ __forceinline__ int stencil_has_ghosts(const split_args &a, int cell)
{
  const int32_t *const other = a.stencil + (size_t) cell * DS_STENCIL;
  for (int k = 0; k < DS_STENCIL; k++)
    if (other[k] >= 0 && a.ghosts[other[k]]) return 1;
  return 0;
}

__global__ void inner_kernel(const __grid_constant__ split_args a)
{
  const int slot = blockIdx.x * blockDim.x + threadIdx.x;
  int found = 0;
  if (ds_stopped(a.launch)) return;
  if (slot < a.slots) {
    const int cell = a.cell_of_slot[slot];
    if (threadIdx.x == 0 || a.cell_of_slot[slot - 1] != cell) found = stencil_has_ghosts(a, cell);
  }
  found = __syncthreads_or(found);
  if (threadIdx.x == 0) a.inner[blockIdx.x] = !found;
}

/* In the order of the curve, as atoms of blocks beside each other share neighbors. */
static cudaError_t partition(ds_list_cuda *l, ds_queue *s, void *scratch, size_t *bytes, int n)
{
  return cub::DevicePartition::Flagged(scratch, *bytes, thrust::counting_iterator<int32_t>(0),
                                       DS_DATA(uint8_t, l->inner), DS_DATA(int32_t, l->block),
                                       &s->control->inner_blocks, n, s->stream);
}

static ds_status reserve(ds_list_cuda *l, ds_queue *s, size_t cells, size_t blocks, ds_error *err)
{
  size_t bytes = 0;
  ds_status status = ds_gpu_check(partition(l, s, NULL, &bytes, (int) blocks),
                                  "work space of the partition", err);
  if (!status) status = ds_reserve(&s->memory, &l->ghosts, cells, 1, "cells with ghosts", err);
  if (!status) status = ds_reserve(&s->memory, &l->inner, blocks, 1, "blocks of rows", err);
  if (!status)
    status = ds_reserve(&s->memory, &l->block, blocks, sizeof(int32_t), "blocks of rows", err);
  if (!status)
    status =
        ds_reserve(&s->memory, &l->split_scratch, bytes, 1, "work space of the partition", err);
  return status;
}

/* Where kernels have been stopped, nothing is found, and the partition, which is not ours, reads what is there. */
static ds_status clear(ds_list_cuda *l, ds_queue *s, size_t cells, size_t blocks, ds_error *err)
{
  cudaError_t code = cudaMemsetAsync(l->ghosts.data, 0, cells, s->stream);
  if (!code) code = cudaMemsetAsync(l->inner.data, 0, blocks, s->stream);
  return ds_gpu_check(code, "clearing blocks of rows", err);
}

ds_status ds_list_cuda_split(ds_list_cuda *l, ds_queue *s, int nlocal, int block_rows,
                             int64_t step, ds_error *err)
{
  const unsigned blocks = ds_gpu_blocks((size_t) l->slots, block_rows);
  const size_t cells = (size_t) ds_grid_count(&l->stencil_grid);
  l->blocks = (int) blocks;
  if (blocks == 0) return DS_OK;
  ds_status status = reserve(l, s, cells, blocks, err);
  if (!status) status = clear(l, s, cells, blocks, err);
  if (status) return status;
  const split_args a = {ds_queue_launch_id(s, step),
                        l->slots,
                        nlocal,
                        l->atom_of_slot,
                        DS_DATA(int32_t, l->cell_of_slot),
                        DS_DATA(int32_t, l->stencil),
                        DS_DATA(uint8_t, l->ghosts),
                        DS_DATA(uint8_t, l->inner)};
  status = DS_LAUNCH(err, "ghost cell kernel", ghost_cell_kernel,
                     ds_gpu_blocks((size_t) l->slots, DS_THREADS), DS_THREADS, s->stream, a);
  if (!status)
    status = DS_LAUNCH(err, "inner kernel", inner_kernel, blocks, block_rows, s->stream, a);
  if (status) return status;
  size_t bytes = l->split_scratch.bytes;
  return ds_gpu_check(partition(l, s, l->split_scratch.data, &bytes, (int) blocks),
                      "partition of blocks", err);
}
