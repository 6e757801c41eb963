/* Sorts of the CUDA backend.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_CORE_SORT_CUDA_CUH
#define DPDSOP_CORE_SORT_CUDA_CUH

#include "gpu.h"
#include "sort.h"

#include <cub/device/device_radix_sort.cuh>

/* n keys in key[0], of which the lowest bits count, in ascending order, and value[0] with them: equal ones stay as they were.
   *keys and *values is where they then are. Queued; the work space is the pool's. */
template <typename Key, typename Value>
ds_status ds_sort_cuda(ds_queue *q, ds_pool *pool, ds_buffer *scratch, const ds_buffer key[2], const ds_buffer value[2], int n,
                       int bits, const Key **keys, const Value **values, ds_error *err)
{
  cub::DoubleBuffer<Key> k(DS_DATA(Key, key[0]), DS_DATA(Key, key[1]));
  cub::DoubleBuffer<Value> v(DS_DATA(Value, value[0]), DS_DATA(Value, value[1]));
  size_t bytes = 0;
  cudaError_t code = cub::DeviceRadixSort::SortPairs(NULL, bytes, k, v, n, 0, bits, ds_queue_stream(q));
  ds_status s = ds_gpu_check(code, "work space of the radix sort", err);
  if (!s) s = ds_reserve(pool, scratch, bytes + 1, 1, "work space of the radix sort", err);
  if (s) return s;
  code = cub::DeviceRadixSort::SortPairs(scratch->data, bytes, k, v, n, 0, bits, ds_queue_stream(q));
  *keys = k.Current();
  *values = v.Current();
  return ds_gpu_check(code, "radix sort", err);
}

#endif
