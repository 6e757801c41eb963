/* Stages of resident atoms on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../core/gpu.h"
#include "dpdsop/device/motion.h"
#include "stages_cuda.h"
#include "step_particle.h"

namespace {
enum { THREADS = 256 };

unsigned blocks_of(int n)
{
  return ds_gpu_blocks((size_t) n, THREADS);
}

/* ------------------------------------------------------------------------------------------ kernels */

__device__ bool differ3(const double a[3], const double b[3])
{
  return a[0] != b[0] || a[1] != b[1] || a[2] != b[2];
}

__global__ void outside_kernel(const double *x, int n, ds_wrap w, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int i = blockIdx.x * THREADS + threadIdx.x;
  double at[3];
  if (i < n) ds_read_vector(x, i, at);
  ds_stop_if(i < n && ds_outside(&w, at), &launch.control->outside, launch);
}

__global__ void wrap_kernel(ds_resident_view p, ds_wrap w, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= p.n) return;
  double at[3], v[3] = {0.0, 0.0, 0.0}, before[3], fraction[3];
  int32_t *const narrow = (int32_t *) p.image;
  int64_t *const wide = (int64_t *) p.image;
  const int64_t old_image = p.is_wide ? wide[i] : narrow[i];
  int64_t image = old_image;
  ds_read_vector(p.x, i, at);
  if (w.moving) ds_read_vector(p.v, i, v);
  ds_wrap_atom(&w, at, v, &image, fraction);
  if (p.fraction) ds_write_vector(p.fraction, i, fraction);
  ds_write_vector(p.x_ref, i, at);
  /* an atom just below the lower border can be rounded to the upper one, and come back from there: its position is
     another then, but its image is the same */
  ds_read_vector(p.x, i, before);
  if (differ3(at, before)) ds_write_vector(p.x, i, at);
  if (w.moving) ds_write_vector(p.v, i, v);
  if (image == old_image) return;
  if (p.is_wide)
    wide[i] = image;
  else
    narrow[i] = (int32_t) image;
}

struct tilt_flips {
  int of[3];
};

__global__ void flip_kernel(ds_resident_view p, ds_wrap w, tilt_flips flips)
{
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= p.n) return;
  int32_t *const narrow = (int32_t *) p.image;
  int64_t *const wide = (int64_t *) p.image;
  int64_t image = p.is_wide ? wide[i] : narrow[i];
  double at[3];
  ds_read_vector(p.x, i, at);
  ds_flip_atom(&w, flips.of, at, &image);
  ds_write_vector(p.x, i, at);
  if (p.is_wide)
    wide[i] = image;
  else
    narrow[i] = (int32_t) image;
}

__global__ void convert_kernel(ds_resident_view p, ds_wrap w)
{
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= p.n) return;
  double at[3], fraction[3];
  ds_read_vector(p.x, i, at);
  ds_to_fractions_and_back(&w, at, fraction);
  ds_write_vector(p.x, i, at);
  ds_write_vector(p.fraction, i, fraction);
}

__global__ void fractions_kernel(ds_resident_view p, ds_wrap w)
{
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= p.n) return;
  double at[3];
  ds_read_vector(p.x_ref, i, at);
  ds_to_fractions(&w, at);
  ds_write_vector(p.fraction, i, at);
}

/* ------------------------------------------------------------------------------------------- stages */

ds_status find_outside(ds_queue *q, const ds_resident_view *a, const ds_wrap *w, int64_t step,
                       ds_error *err)
{
  return DS_LAUNCH(err, "outside kernel", outside_kernel, blocks_of(a->n), THREADS, q->stream, a->x,
                   a->n, *w, ds_queue_launch_id(q, step));
}

ds_status wrap(ds_queue *q, const ds_resident_view *a, const ds_wrap *w, int64_t step,
               ds_error *err)
{
  return DS_LAUNCH(err, "wrap kernel", wrap_kernel, blocks_of(a->n), THREADS, q->stream, *a, *w,
                   ds_queue_launch_id(q, step));
}

ds_status flip(ds_queue *q, const ds_resident_view *a, const ds_wrap *w, const int flips[3], ds_error *err)
{
  if (a->n == 0) return DS_OK;
  const tilt_flips all = {{flips[0], flips[1], flips[2]}};
  return DS_LAUNCH(err, "flip kernel", flip_kernel, blocks_of(a->n), THREADS, q->stream, *a, *w, all);
}

ds_status convert(ds_queue *q, const ds_resident_view *a, const ds_wrap *w, ds_error *err)
{
  return DS_LAUNCH(err, "convert kernel", convert_kernel, blocks_of(a->n), THREADS, q->stream, *a, *w);
}

ds_status find_fractions(ds_queue *q, const ds_resident_view *a, const ds_wrap *w, ds_error *err)
{
  return DS_LAUNCH(err, "fractions kernel", fractions_kernel, blocks_of(a->n), THREADS, q->stream, *a, *w);
}
}    // namespace

const ds_resident_stages ds_resident_stages_cuda = {
    ds_operate_cuda,
    find_outside,
    wrap,
    flip,
    convert,
    find_fractions,
    ds_order_cuda_reserve,
    ds_order_cuda_find,
    ds_order_cuda_put,
    &ds_bonded_stages_cuda,
};
