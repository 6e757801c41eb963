/* device.cu: numbers used on a GPU.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/gpu.h"
#include "runs.h"

#include "dpdsop/device/rng/number.h"

namespace {

/* ------------------------------------------------------------------------------------------ counting */

enum { THREADS = 256, BLOCKS = 512, WARP = 32, TALLIES = BLOCKS * THREADS / WARP };

/* The sum over the lanes of a warp, in lane 0. */
__device__ void join_lanes(runs_tally *t)
{
  for (int away = WARP / 2; away > 0; away /= 2) {
    runs_tally other;
#pragma unroll
    for (int k = 0; k < RUNS_MOMENTS; k++) other.sum[k] = __shfl_down_sync(DS_FULL_WARP, t->sum[k], away);
#pragma unroll
    for (int side = 0; side < 2; side++) {
#pragma unroll
      for (int k = 0; k < RUNS_LEVELS; k++)
        other.beyond[side][k] = __shfl_down_sync(DS_FULL_WARP, (unsigned long long) t->beyond[side][k], away);
      other.most[side] = __shfl_down_sync(DS_FULL_WARP, t->most[side], away);
    }
    runs_join(t, &other);
  }
}

/* Each warp has a tally of its own, which the launches before it have left. */
template <typename T>
__global__ void __launch_bounds__(THREADS) count_kernel(const T *__restrict__ numbers, int64_t n, runs_tally *tally)
{
  const int thread = (int) (blockIdx.x * THREADS + threadIdx.x);
  runs_tally t = {};
  for (int64_t i = thread; i < n; i += BLOCKS * THREADS) runs_add(&t, (double) numbers[i]);
  join_lanes(&t);
  if (thread % WARP == 0) runs_join(tally + thread / WARP, &t);
}

/* -------------------------------------------------------------------------------------------- moving */

enum { FEW = 64, AHEAD = 32 }; /* threads of a block; steps whose numbers are loaded before they are used */

__global__ void __launch_bounds__(FEW)
    shift_kernel(float *numbers, const uint32_t *__restrict__ shift, int64_t points, int64_t n)
{
  const int64_t k = (int64_t) blockIdx.x * FEW + threadIdx.x;
  if (k < n) numbers[k] = ds_normal_inversef(__float_as_uint(numbers[k]) ^ shift[k / points]);
}

/* A thread an oscillator, as in PRNG section IV. There are far fewer than the GPU has room for, so a thread's own loads have
   to hide their latency: those of the next steps are under way while it moves by the last. */
__global__ void __launch_bounds__(FEW)
    move_kernel(double *x, const float *__restrict__ numbers, int64_t n, int64_t steps, double a, double s)
{
  const int64_t i = (int64_t) blockIdx.x * FEW + threadIdx.x;
  if (i >= n) return;
  float now[AHEAD], next[AHEAD];
  double y = x[i];
#pragma unroll
  for (int c = 0; c < AHEAD; c++) next[c] = numbers[min((int64_t) c, steps - 1) * n + i];
  for (int64_t k = 0; k < steps; k += AHEAD) {
#pragma unroll
    for (int c = 0; c < AHEAD; c++) now[c] = next[c];
#pragma unroll
    for (int c = 0; c < AHEAD; c++) next[c] = numbers[min(k + AHEAD + c, steps - 1) * n + i];
#pragma unroll
    for (int c = 0; c < AHEAD; c++)
      if (k + c < steps) y = runs_moved(y, now[c], a, s);
  }
  x[i] = y;
}

/* --------------------------------------------------------------------------------------- the backend */

cudaStream_t stream_of(const runs_place *p)
{
  return (cudaStream_t) p->stream;
}

void gpu_close(runs_place *p)
{
  cudaFree(p->numbers);
  cudaFree(p->x);
  cudaFree(p->tally);
  cudaFree(p->shift);
  if (p->stream) cudaStreamDestroy(stream_of(p));
}

template <typename T> ds_status reserve(T **memory, size_t bytes, const char *what, ds_error *err)
{
  return ds_gpu_check(cudaMalloc((void **) memory, bytes), what, err);
}

ds_status gpu_open(runs_place *p, const runs_room *room, ds_error *err)
{
  int device, own;
  cudaStream_t stream = NULL;
  ds_status s = ds_gpu_use(0, NULL, &device, &stream, &own, err);
  if (s) return s;
  p->stream = stream;
  p->tallies = TALLIES;
  s = reserve(&p->numbers, room->numbers, "numbers", err);
  if (!s) s = reserve(&p->x, (size_t) (room->oscillators + 1) * sizeof *p->x, "positions", err);
  if (!s) s = reserve(&p->shift, (size_t) (room->dimensions + 1) * sizeof *p->shift, "shifts", err);
  if (!s) s = reserve(&p->tally, TALLIES * sizeof *p->tally, "tallies", err);
  if (!s) s = ds_gpu_check(cudaMemsetAsync(p->tally, 0, TALLIES * sizeof *p->tally, stream), "clearing tallies", err);
  return s;
}

ds_status gpu_copy(runs_place *p, void *to, const void *from, size_t bytes, ds_error *err)
{
  const ds_status s = ds_gpu_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_of(p)), "copying", err);
  return s ? s : ds_gpu_check(cudaStreamSynchronize(stream_of(p)), "using numbers", err);
}

ds_status gpu_count(runs_place *p, int single, int64_t n, ds_error *err)
{
  return single ? DS_LAUNCH(err, "count kernel", count_kernel<float>, BLOCKS, THREADS, stream_of(p), (const float *) p->numbers,
                            n, p->tally)
                : DS_LAUNCH(err, "count kernel", count_kernel<double>, BLOCKS, THREADS, stream_of(p),
                            (const double *) p->numbers, n, p->tally);
}

ds_status gpu_shift(runs_place *p, int64_t dimensions, int64_t points, ds_error *err)
{
  const int64_t n = dimensions * points;
  return DS_LAUNCH_EACH(err, "shift kernel", shift_kernel, n, FEW, stream_of(p), (float *) p->numbers, p->shift, points, n);
}

ds_status gpu_move(runs_place *p, const float *numbers, int64_t steps, double a, double s, ds_error *err)
{
  return DS_LAUNCH_EACH(err, "move kernel", move_kernel, p->n, FEW, stream_of(p), p->x, numbers, p->n, steps, a, s);
}

}    // namespace

extern "C" const runs_backend runs_cuda = {DS_BACKEND_CUDA, DS_SPACE_DEVICE, 23,        25,       262144,   gpu_open,
                                           gpu_copy,        gpu_count,       gpu_shift, gpu_move, gpu_close};
