/* The order of resident atoms on the GPU: a stable sort by bins, and fields put in that order.
   SPDX-License-Identifier: GPL-2.0-or-later

   Nothing has stopped when atoms are sorted, as their owner has waited for the step: kernels need not look. */
#include "order_cuda.h"

#include <cub/device/device_radix_sort.cuh>

namespace {
enum { THREADS = 256 };

__global__ void bin_kernel(const double *x, int n, ds_sort_bins bins, uint32_t *key, int32_t *index)
{
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= n) return;
  key[i] = (uint32_t) ds_sort_bin(&bins, x + 3 * (size_t) i);
  index[i] = i;
}

/* Threads of one atom's components are neighbors. */
template <typename Word>
__global__ void put_kernel(const Word *from, Word *to, const int32_t *order, int n, int components)
{
  const size_t k = blockIdx.x * (size_t) THREADS + threadIdx.x;
  if (k >= (size_t) n * components) return;
  const size_t i = k / components, c = k % components;
  to[k] = from[(size_t) order[i] * components + c];
}

ds_status sort_bytes(int n, size_t *bytes, ds_error *err)
{
  cub::DoubleBuffer<uint32_t> key;
  cub::DoubleBuffer<int32_t> value;
  *bytes = 0;
  return ds_gpu_check(cub::DeviceRadixSort::SortPairs(NULL, *bytes, key, value, n, 0, 32, 0),
                      "work space of the radix sort", err);
}

ds_status reserve(ds_order_cuda *o, int n, ds_error *err)
{
  const size_t room = (size_t) n + 1;
  size_t bytes;
  ds_status s = sort_bytes(n, &bytes, err);
  for (int k = 0; k < 2 && !s; k++) {
    s = ds_gpu_reserve(&o->key[k], room, sizeof(uint32_t), "sort keys", err);
    if (!s) s = ds_gpu_reserve(&o->value[k], room, sizeof(int32_t), "sorted order", err);
  }
  if (!s) s = ds_gpu_reserve(&o->scratch, bytes + 1, 1, "work space of the sort", err);
  if (!s) s = ds_gpu_reserve(&o->spare, 3 * room, sizeof(double), "one field", err);
  return s ? s : ds_gpu_reserve(&o->composed, room, sizeof(int32_t), "sorted order", err);
}

int bits_of(const ds_sort_bins *b)
{
  const uint32_t last = (uint32_t) b->n[0] * (uint32_t) b->n[1] * (uint32_t) b->n[2] - 1u;
  return last ? 32 - ds_clz32(last) : 1;
}

ds_status sort_keys(ds_order_cuda *o, ds_queue *s, int n, const ds_sort_bins *bins, ds_error *err)
{
  cub::DoubleBuffer<uint32_t> key(DS_DATA(uint32_t, o->key[0]), DS_DATA(uint32_t, o->key[1]));
  cub::DoubleBuffer<int32_t> value(DS_DATA(int32_t, o->value[0]), DS_DATA(int32_t, o->value[1]));
  size_t bytes = o->scratch.bytes;
  const ds_status status =
      ds_gpu_check(cub::DeviceRadixSort::SortPairs(o->scratch.data, bytes, key, value, n, 0,
                                                   bits_of(bins), s->stream),
                   "radix sort", err);
  o->order = value.Current();
  return status;
}

template <typename Word>
ds_status put(ds_order_cuda *o, ds_queue *s, void *data, int n, int components, ds_error *err)
{
  const size_t words = (size_t) n * components;
  ds_status status =
      DS_LAUNCH(err, "put kernel", put_kernel<Word>, ds_gpu_blocks(words, THREADS), THREADS,
                s->stream, (const Word *) data, DS_DATA(Word, o->spare), o->order, n, components);
  return status ? status
                : ds_queue_copy(s, data, o->spare.data, words * sizeof(Word),
                                 "copying sorted atoms", err);
}
}    // namespace

ds_status ds_order_cuda_find(ds_order_cuda *o, ds_queue *s, const double *x, int n,
                             const ds_sort_bins *bins, int composed, ds_error *err)
{
  ds_status status = reserve(o, n, err);
  if (status || n == 0) return status;
  status = DS_LAUNCH(err, "bin kernel", bin_kernel, ds_gpu_blocks((size_t) n, THREADS), THREADS,
                     s->stream, x, n, *bins, DS_DATA(uint32_t, o->key[0]),
                     DS_DATA(int32_t, o->value[0]));
  if (!status) status = sort_keys(o, s, n, bins, err);
  if (status) return status;
  return composed ? put<int32_t>(o, s, o->composed.data, n, 1, err)
                  : ds_queue_copy(s, o->composed.data, o->order, (size_t) n * sizeof(int32_t),
                                   "copying the order of atoms", err);
}

ds_status ds_order_cuda_apply(ds_order_cuda *o, ds_queue *s, void *data, int n, int components,
                              ds_type type, ds_error *err)
{
  return type == DS_F64 || type == DS_I64 ? put<int64_t>(o, s, data, n, components, err)
                                          : put<int32_t>(o, s, data, n, components, err);
}

void ds_order_cuda_close(ds_order_cuda *o)
{
  ds_buffer *const all[] = {&o->key[0],  &o->key[1], &o->value[0], &o->value[1],
                            &o->scratch, &o->spare,  &o->composed};
  for (ds_buffer *b : all) ds_gpu_free(b);
}
