/* Stages of resident atoms on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../core/launch.cuh"
#include "../core/sort_cuda.cuh"
#include "dpdsop/device/sort_bins.h"
#include "stages_cuda.h"
#include "step_particle.h"

namespace {
enum { THREADS = 256 };

/* ------------------------------------------------------------------------------------------ kernels */

struct tilt_flips {
  int of[3];
};

template <ds_box_move How> __global__ void move_kernel(ds_resident_view a, ds_wrap w, tilt_flips flips, ds_launch_id launch)
{
  const bool stopped = ds_stopped(launch);
  if (How <= DS_BOX_WRAP && stopped) return;
  const int i = ds_block(launch) * THREADS + threadIdx.x;
  const int is_outside = i < a.n ? ds_move_in_box(How, &a, &w, flips.of, i) : 0;
  if (How == DS_BOX_OUTSIDE) ds_stop_if(is_outside, &launch.control->outside, launch);
}

/* Nothing has stopped when atoms are sorted, as their owner has waited for the step: kernels need not look. */
__global__ void bin_kernel(const double *x, int n, ds_sort_bins bins, uint32_t *key, int32_t *index)
{
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= n) return;
  key[i] = (uint32_t) ds_sort_bin(&bins, x + 3 * (size_t) i);
  index[i] = i;
}

/* Threads of one atom's components are neighbors. A launch is shared by GPUs: what it moves lies in the memory of all. */
template <typename Word>
__global__ void put_kernel(const Word *from, Word *to, const int32_t *order, int back, int n, int components,
                           ds_launch_id launch)
{
  const size_t k = ds_block(launch) * (size_t) THREADS + threadIdx.x;
  ds_stopped(launch); /* waits for the kernel before; what has stopped others is no reason to leave arrays half in order */
  if (k >= (size_t) n * components) return;
  const size_t i = k / components, c = k % components;
  const size_t there = order ? (size_t) order[i] * components + c : k;
  to[back ? there : k] = from[back ? k : there];
}

/* ------------------------------------------------------------------------------------------- stages */

ds_status move(ds_queue *q, ds_box_move how, const ds_resident_view *a, const ds_wrap *w, const int flips[3], int64_t step,
               ds_error *err)
{
  static const struct {
    const char *name;
    void (*kernel)(ds_resident_view, ds_wrap, tilt_flips, ds_launch_id);
  } kind[] = {{"outside kernel", move_kernel<DS_BOX_OUTSIDE>},
              {"wrap kernel", move_kernel<DS_BOX_WRAP>},
              {"flip kernel", move_kernel<DS_BOX_FLIP>},
              {"convert kernel", move_kernel<DS_BOX_CONVERT>},
              {"fractions kernel", move_kernel<DS_BOX_FRACTIONS>}};
  tilt_flips all = {};
  for (int d = 0; d < 3 && flips; d++) all.of[d] = flips[d];
  return DS_LAUNCH_STAGE(err, kind[how].name, kind[how].kernel, a->n, THREADS, q, *a, *w, all, ds_queue_launch_id(q, step));
}

template <typename Word>
ds_status put_words(ds_queue *q, const int32_t *order, int back, const void *from, void *to, int n, int components,
                    ds_error *err)
{
  return DS_LAUNCH_STAGE(err, "put kernel", put_kernel<Word>, (size_t) n * components, THREADS, q, (const Word *) from,
                         (Word *) to, order, back, n, components, ds_queue_launch_id(q, 0));
}

ds_status find_order(ds_queue *q, ds_pool *pool, ds_sort_space *w, const ds_resident_view *a, const ds_sort_bins *bins,
                     ds_error *err)
{
  const uint32_t last = (uint32_t) bins->n[0] * (uint32_t) bins->n[1] * (uint32_t) bins->n[2] - 1u, *sorted_key;
  const ds_status s = DS_LAUNCH_EACH(err, "bin kernel", bin_kernel, a->n, THREADS, ds_queue_stream(q), a->x, a->n, *bins,
                                     DS_DATA(uint32_t, w->key[0]), DS_DATA(int32_t, w->value[0]));
  return s ? s
           : ds_sort_cuda<uint32_t, int32_t>(q, pool, &w->scratch, w->key, w->value, a->n, ds_sort_bits(last), &sorted_key,
                                             &w->order, err);
}

ds_status put(ds_queue *q, const int32_t *order, int back, const void *from, void *to, int n, int components, int bytes,
              ds_error *err)
{
  return bytes == 8 ? put_words<int64_t>(q, order, back, from, to, n, components, err)
                    : put_words<int32_t>(q, order, back, from, to, n, components, err);
}
}    // namespace

const ds_resident_stages ds_resident_stages_cuda = {move, find_order, put, &ds_bonded_stages_cuda};
