/* count.cu: numbers counted on a GPU.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/gpu.h"
#include "tails.h"

#include <stdlib.h>

namespace {

enum { THREADS = 256, BLOCKS = 512, WARP = 32, TALLIES = BLOCKS * THREADS / WARP };

/* The sum over the lanes of a warp, in lane 0. */
__device__ void join_lanes(tails_tally *t)
{
  for (int away = WARP / 2; away > 0; away /= 2) {
    tails_tally other;
#pragma unroll
    for (int k = 0; k < TAILS_MOMENTS; k++)
      other.sum[k] = __shfl_down_sync(0xFFFFFFFFu, t->sum[k], away);
#pragma unroll
    for (int k = 0; k < TAILS_LEVELS; k++) {
      other.above[k] = __shfl_down_sync(0xFFFFFFFFu, (unsigned long long) t->above[k], away);
      other.below[k] = __shfl_down_sync(0xFFFFFFFFu, (unsigned long long) t->below[k], away);
    }
    other.largest = __shfl_down_sync(0xFFFFFFFFu, t->largest, away);
    other.smallest = __shfl_down_sync(0xFFFFFFFFu, t->smallest, away);
    tails_join(t, &other);
  }
}

/* Each warp has a tally of its own, which the launches before it have left. */
template <typename T>
__global__ void __launch_bounds__(THREADS)
    count_kernel(const T *__restrict__ numbers, int64_t n, tails_tally *tally)
{
  const int thread = (int) (blockIdx.x * THREADS + threadIdx.x);
  tails_tally t;
  tails_clear(&t);
  for (int64_t i = thread; i < n; i += BLOCKS * THREADS) tails_add(&t, (double) numbers[i]);
  join_lanes(&t);
  if (thread % WARP == 0) tails_join(tally + thread / WARP, &t);
}

cudaStream_t stream_of(const tails_place *p)
{
  return (cudaStream_t) p->stream;
}

void gpu_close(tails_place *p)
{
  cudaFree(p->numbers);
  cudaFree(p->tally);
  if (p->stream) cudaStreamDestroy(stream_of(p));
}

/* A tally of zeros is an empty one. */
ds_status gpu_open(tails_place *p, size_t bytes, ds_error *err)
{
  int device, own;
  cudaStream_t stream = NULL;
  ds_status s = ds_gpu_use(0, NULL, &device, &stream, &own, err);
  if (s) return s;
  p->stream = stream;
  p->tallies = TALLIES;
  s = ds_gpu_check(cudaMalloc(&p->numbers, bytes), "numbers", err);
  if (!s)
    s = ds_gpu_check(cudaMalloc((void **) &p->tally, TALLIES * sizeof *p->tally), "tallies", err);
  if (!s)
    s = ds_gpu_check(cudaMemsetAsync(p->tally, 0, TALLIES * sizeof *p->tally, stream),
                     "clearing tallies", err);
  if (s) gpu_close(p);
  return s;
}

ds_status gpu_count(tails_place *p, ds_type type, int64_t n, ds_error *err)
{
  return type == DS_F32 ? DS_LAUNCH(err, "count kernel", count_kernel<float>, BLOCKS, THREADS,
                                    stream_of(p), (const float *) p->numbers, n, p->tally)
                        : DS_LAUNCH(err, "count kernel", count_kernel<double>, BLOCKS, THREADS,
                                    stream_of(p), (const double *) p->numbers, n, p->tally);
}

ds_status gpu_total(tails_place *p, tails_tally *t, ds_error *err)
{
  tails_tally *const copy = (tails_tally *) malloc(TALLIES * sizeof *copy);
  if (!copy) return ds_fail(err, DS_ERR_MEMORY, "no host memory for tallies");
  ds_status s = ds_gpu_check(
      cudaMemcpyAsync(copy, p->tally, TALLIES * sizeof *copy, cudaMemcpyDeviceToHost, stream_of(p)),
      "copying tallies", err);
  if (!s) s = ds_gpu_check(cudaStreamSynchronize(stream_of(p)), "counting numbers", err);
  tails_clear(t);
  for (int k = 0; k < TALLIES && !s; k++) tails_join(t, copy + k);
  free(copy);
  return s;
}

}    // namespace

extern "C" const tails_backend tails_cuda = {
    DS_BACKEND_CUDA, DS_SPACE_DEVICE, 25, 262144, gpu_open, gpu_count, gpu_total, gpu_close};
