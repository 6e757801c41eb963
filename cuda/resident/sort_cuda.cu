/* The order of resident atoms on the GPU: a stable sort by bins, and fields put in that order.
   SPDX-License-Identifier: GPL-2.0-or-later

   Nothing has stopped when atoms are sorted, as their owner has waited for the step: kernels need not look. */
#include "../core/sort_cuda.cuh"
#include "dpdsop/device/sort_bins.h"
#include "stages_cuda.h"

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
__global__ void put_kernel(const Word *from, Word *to, const int32_t *order, int back, int n, int components)
{
  const size_t k = blockIdx.x * (size_t) THREADS + threadIdx.x;
  if (k >= (size_t) n * components) return;
  const size_t i = k / components, c = k % components;
  const size_t there = (size_t) order[i] * components + c;
  to[back ? there : k] = from[back ? k : there];
}

int bits_of(const ds_sort_bins *b)
{
  const uint32_t last = (uint32_t) b->n[0] * (uint32_t) b->n[1] * (uint32_t) b->n[2] - 1u;
  return last ? 32 - ds_clz32(last) : 1;
}

template <typename Word>
ds_status put(ds_queue *q, const int32_t *order, int back, const void *from, void *to, int n, int components, ds_error *err)
{
  return DS_LAUNCH_EACH(err, "put kernel", put_kernel<Word>, (size_t) n * components, THREADS, q->stream, (const Word *) from,
                        (Word *) to, order, back, n, components);
}
}    // namespace

ds_status ds_order_cuda_find(ds_queue *q, ds_pool *pool, ds_order *o, const ds_resident_view *a, const ds_sort_bins *bins,
                             ds_error *err)
{
  const size_t room = (size_t) a->n + 1;
  const uint32_t *sorted_key;
  ds_status s = DS_OK;
  for (int k = 0; k < 2 && !s; k++) {
    s = ds_reserve(pool, &o->key[k], room, sizeof(uint32_t), "sort keys", err);
    if (!s) s = ds_reserve(pool, &o->value[k], room, sizeof(int32_t), "sorted order", err);
  }
  if (!s)
    s = DS_LAUNCH_EACH(err, "bin kernel", bin_kernel, a->n, THREADS, q->stream, a->x, a->n, *bins, DS_DATA(uint32_t, o->key[0]),
                       DS_DATA(int32_t, o->value[0]));
  return s ? s
           : ds_sort_cuda<uint32_t, int32_t>(q, pool, &o->scratch, o->key, o->value, a->n, bits_of(bins), &sorted_key,
                                             &o->order, err);
}

ds_status ds_order_cuda_put(ds_queue *q, const int32_t *order, int back, const void *from, void *to, int n, int components,
                            int bytes, ds_error *err)
{
  return bytes == 8 ? put<int64_t>(q, order, back, from, to, n, components, err)
                    : put<int32_t>(q, order, back, from, to, n, components, err);
}
