/* Rigid bodies on the GPU: a thread has a body.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "bodies_stage.h"
#include "exact_sum.cuh"
#include "stages_cuda.h"

namespace {
enum { THREADS = 64 };

__global__ void body_kernel(const __grid_constant__ ds_body_launch m, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int k = blockIdx.x * THREADS + threadIdx.x;
  if (k < m.n) ds_move_body(&m, k);
}

__global__ void body_sums_kernel(const __grid_constant__ ds_body_sums_launch m, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int k = blockIdx.x * THREADS + threadIdx.x;
  double add[DS_BODY_KINETIC_SUMS] = {};
  if (k < m.n) ds_body_kinetic(m.body + k, add);
  ds_add_exact_terms<DS_BODY_KINETIC_SUMS>(add, m.operation.nsums, m.operation.unit, m.sums);
}
}    // namespace

ds_status ds_bodies_cuda(ds_queue *q, const ds_body_launch *what, int64_t step, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  return DS_LAUNCH_EACH(err, "body kernel", body_kernel, what->n, THREADS, q->stream, *what, launch);
}

ds_status ds_body_sums_cuda(ds_queue *q, const ds_body_sums_launch *what, int64_t step, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  return DS_LAUNCH_EACH(err, "kernel of sums over bodies", body_sums_kernel, what->n, THREADS, q->stream, *what, launch);
}
