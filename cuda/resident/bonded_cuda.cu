/* Bonds and angles of resident atoms on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "stages_cuda.h"

namespace {
enum { THREADS = 128 };

__global__ void images_kernel(ds_bonded_view b, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int term = blockIdx.x * THREADS + threadIdx.x;
  if (term < ds_terms_of(&b)) ds_reneighbor_term(&b, term);
}

/* A thread per atom that has terms. Each term is evaluated once per member, so that nothing is added by atomics. */
__global__ void bonded_kernel(ds_bonded_view b, ds_launch_id launch)
{
  if (ds_stopped(launch)) return;
  const int k = blockIdx.x * THREADS + threadIdx.x;
  if (k >= b.natoms || !ds_bonded_atom(&b, k)) return;
  launch.control->bonded = 1;
  ds_stop(launch);
}

__global__ void vectors_kernel(ds_bonded_view b, double *vectors)
{
  const int term = blockIdx.x * THREADS + threadIdx.x;
  if (term < ds_terms_of(&b)) ds_term_vectors(&b, term, vectors);
}
}    // namespace

ds_status ds_bonded_cuda_choose_images(ds_queue *q, const ds_bonded_view *b, int64_t step,
                                       ds_error *err)
{
  return DS_LAUNCH(err, "images of bonds kernel", images_kernel,
                   ds_gpu_blocks((size_t) ds_terms_of(b), THREADS), THREADS, q->stream, *b,
                   ds_queue_launch_id(q, step));
}

ds_status ds_bonded_cuda_add(ds_queue *q, const ds_bonded_view *b, int64_t step, ds_error *err)
{
  return DS_LAUNCH(err, "bonds kernel", bonded_kernel, ds_gpu_blocks((size_t) b->natoms, THREADS),
                   THREADS, q->stream, *b, ds_queue_launch_id(q, step));
}

ds_status ds_bonded_cuda_find_vectors(ds_queue *q, const ds_bonded_view *b, double *vectors,
                                      ds_error *err)
{
  return DS_LAUNCH(err, "vectors of bonds kernel", vectors_kernel,
                   ds_gpu_blocks((size_t) ds_terms_of(b), THREADS), THREADS, q->stream, *b, vectors);
}
