/* Stages of resident atoms on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "motion_particle.h"
#include "stages_cuda.h"

namespace {
enum { THREADS = 256 };

/* ------------------------------------------------------------------------------------------ kernels */

__global__ void outside_kernel(const double *x, int n, ds_wrap w, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int i = blockIdx.x * THREADS + threadIdx.x;
  double at[3];
  if (i < n) ds_read_vector(x, i, at);
  ds_stop_if(i < n && ds_outside(&w, at), &launch.control->outside, launch);
}

__global__ void wrap_kernel(ds_resident_view a, ds_wrap w, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i < a.n) ds_wrap_particle(&a, &w, i);
}

struct tilt_flips {
  int of[3];
};

__global__ void flip_kernel(ds_resident_view a, ds_wrap w, tilt_flips flips)
{
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i < a.n) ds_flip_particle(&a, &w, flips.of, i);
}

__global__ void convert_kernel(ds_resident_view a, ds_wrap w)
{
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i < a.n) ds_convert_particle(&a, &w, i);
}

__global__ void fractions_kernel(ds_resident_view a, ds_wrap w)
{
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i < a.n) ds_find_fraction(&a, &w, i);
}

/* ------------------------------------------------------------------------------------------- stages */

ds_status find_outside(ds_queue *q, const ds_resident_view *a, const ds_wrap *w, int64_t step, ds_error *err)
{
  return DS_LAUNCH_EACH(err, "outside kernel", outside_kernel, a->n, THREADS, q->stream, a->x, a->n, *w,
                        ds_queue_launch_id(q, step));
}

ds_status wrap(ds_queue *q, const ds_resident_view *a, const ds_wrap *w, int64_t step, ds_error *err)
{
  return DS_LAUNCH_EACH(err, "wrap kernel", wrap_kernel, a->n, THREADS, q->stream, *a, *w, ds_queue_launch_id(q, step));
}

ds_status flip(ds_queue *q, const ds_resident_view *a, const ds_wrap *w, const int flips[3], ds_error *err)
{
  if (a->n == 0) return DS_OK;
  const tilt_flips all = {{flips[0], flips[1], flips[2]}};
  return DS_LAUNCH_EACH(err, "flip kernel", flip_kernel, a->n, THREADS, q->stream, *a, *w, all);
}

ds_status convert(ds_queue *q, const ds_resident_view *a, const ds_wrap *w, ds_error *err)
{
  return DS_LAUNCH_EACH(err, "convert kernel", convert_kernel, a->n, THREADS, q->stream, *a, *w);
}

ds_status find_fractions(ds_queue *q, const ds_resident_view *a, const ds_wrap *w, ds_error *err)
{
  return DS_LAUNCH_EACH(err, "fractions kernel", fractions_kernel, a->n, THREADS, q->stream, *a, *w);
}
}    // namespace

const ds_resident_stages ds_resident_stages_cuda = {
    find_outside, wrap, flip, convert, find_fractions, ds_order_cuda_find, ds_order_cuda_put, &ds_bonded_stages_cuda,
};
