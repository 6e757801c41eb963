/* Stages of resident atoms on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../core/gpu.h"
#include "dpdsop/device/motion.h"
#include "stages_cuda.h"

namespace {
enum { THREADS = 256 };

unsigned blocks_of(int n)
{
  return ds_gpu_blocks((size_t) n, THREADS);
}

/* ------------------------------------------------------------------------------------------ kernels */

__device__ void read3(const double *from, int i, double to[3])
{
  for (int d = 0; d < 3; d++) to[d] = from[3 * (size_t) i + d];
}

__device__ void write3(double *to, int i, const double from[3])
{
  for (int d = 0; d < 3; d++) to[3 * (size_t) i + d] = from[d];
}

__device__ bool differ3(const double a[3], const double b[3])
{
  return a[0] != b[0] || a[1] != b[1] || a[2] != b[2];
}

/* Of all threads of a block together. */
__device__ void stop_if(bool mine, uint32_t *reason, const ds_launch_id &launch)
{
  if (!__syncthreads_or(mine) || threadIdx.x) return;
  *reason = 1;
  ds_stop(launch);
}

__global__ void move_kernel(ds_resident_view p, const __grid_constant__ ds_motion m, ds_advance how,
                            ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int i = blockIdx.x * THREADS + threadIdx.x;
  bool moved = false;
  if (i < p.n) {
    double x[3], v[3], f[3], x_ref[3];
    read3(p.x, i, x);
    if (how.first || how.second) {
      read3(p.v, i, v);
      read3(p.f, i, f);
      ds_move_atom(&m, how.second, how.first, p.mask[i], p.rmass ? p.rmass[i] : p.mass[p.type[i]], x, v,
                   f);
      write3(p.v, i, v);
    }
    if (how.first) write3(p.x, i, x);
    if (how.clear) {
      const double none[3] = {0.0, 0.0, 0.0};
      write3(p.f, i, none);
    }
    if (how.check) {
      read3(p.x_ref, i, x_ref);
      moved = ds_distance2(x, x_ref) > how.trigger2;
    }
  }
  if (how.check) stop_if(moved, &launch.control->moved, launch);
}

__global__ void outside_kernel(const double *x, int n, ds_wrap w, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int i = blockIdx.x * THREADS + threadIdx.x;
  double at[3];
  if (i < n) read3(x, i, at);
  stop_if(i < n && ds_outside(&w, at), &launch.control->outside, launch);
}

__global__ void wrap_kernel(ds_resident_view p, ds_wrap w, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= p.n) return;
  double at[3], v[3] = {0.0, 0.0, 0.0}, before[3];
  int32_t *const narrow = (int32_t *) p.image;
  int64_t *const wide = (int64_t *) p.image;
  const int64_t old_image = p.is_wide ? wide[i] : narrow[i];
  int64_t image = old_image;
  read3(p.x, i, at);
  if (w.moving) read3(p.v, i, v);
  ds_wrap_atom(&w, at, v, &image);
  write3(p.x_ref, i, at);
  /* an atom just below the lower border can be rounded to the upper one, and come back from there: its position is
     another then, but its image is the same */
  read3(p.x, i, before);
  if (differ3(at, before)) write3(p.x, i, at);
  if (w.moving) write3(p.v, i, v);
  if (image == old_image) return;
  if (p.is_wide)
    wide[i] = image;
  else
    narrow[i] = (int32_t) image;
}

__global__ void convert_kernel(double *x, int n, ds_wrap w)
{
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= n) return;
  double at[3];
  read3(x, i, at);
  ds_there_and_back(&w, at);
  write3(x, i, at);
}

/* ------------------------------------------------------------------------------------------- stages */

ds_status move(ds_queue *q, const ds_resident_view *a, const ds_motion *m, const ds_advance *how,
               ds_error *err)
{
  return DS_LAUNCH(err, "move kernel", move_kernel, blocks_of(a->n), THREADS, q->stream, *a, *m,
                   *how, ds_queue_launch_id(q, how->step));
}

ds_status look_outside(ds_queue *q, const ds_resident_view *a, const ds_wrap *w, int64_t step,
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

ds_status convert(ds_queue *q, const ds_resident_view *a, const ds_wrap *w, ds_error *err)
{
  return DS_LAUNCH(err, "convert kernel", convert_kernel, blocks_of(a->n), THREADS, q->stream, a->x,
                   a->n, *w);
}
}    // namespace

const ds_resident_stages ds_resident_stages_cuda = {
    move,
    look_outside,
    wrap,
    convert,
    ds_order_cuda_reserve,
    ds_order_cuda_find,
    ds_order_cuda_put,
    ds_bonded_cuda_choose_images,
    ds_bonded_cuda_add,
    ds_bonded_cuda_find_vectors,
};
