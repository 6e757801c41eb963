/* bench_list.cu: the builder of neighbor lists by warp vote against equivalent ones by atomic increments, after Table 2
   of Tang & Karniadakis 2014.   SPDX-License-Identifier: GPL-2.0-or-later

   The builders with atomics exist only here. They walk the same stencils over the same atoms and differ in one thing:
   where an entry goes is asked of a counter, in shared memory or, as the paper's time knew it, in global memory. Their
   rows hold the same entries in an order of chance. */
#include "fluid.h"

#include "neighbor/builder.cuh"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARPS = 4, TIMES = 30 };

template <bool Shared>
__global__ void __launch_bounds__(WARPS *DS_WARP) atomic_kernel(const build_args a, int32_t *skins)
{
  __shared__ batch_space space[WARPS];
  __shared__ int32_t count[WARPS][2][DS_BATCH_SLOTS];
  const int lane = threadIdx.x % DS_WARP, warp = threadIdx.x / DS_WARP;
  batch_space *const w = &space[warp];
  const int number = blockIdx.x * WARPS + warp;
  if (number >= (int) (*a.batches >> 32)) return;
  const int2 batch = a.batch[number];
  int row;
  const int n = load_batch(a, batch, lane, w, &row);
  if (n == 0) return;
  const fine_stencil f = open_stencil(a, batch.y, lane, w->delta);
  const int first_row = __shfl_sync(DS_FULL_WARP, row, 0);
  count[warp][0][lane] = count[warp][1][lane] = 0;
  __syncwarp();
  uint32_t next = stencil_slot(f, 0, lane, w->delta);
  int4 next_position = __ldg(&a.in.position[next]);
  for (int first = 0; first < f.total; first += DS_WARP) {
    const int valid = first + lane < f.total;
    const uint32_t j = next;
    const int4 q = next_position;
    if (first + DS_WARP < f.total) {
      next = stencil_slot(f, first + DS_WARP, lane, w->delta);
      next_position = __ldg(&a.in.position[next]);
    }
    for (int i = 0; i < n; i++) {
      const int4 p = w->position[i];
      float dx, dy, dz;
      ds_separation(&a.in.frame, ds_diff32(p.x, q.x), ds_diff32(p.y, q.y), ds_diff32(p.z, q.z), &dx,
                    &dy, &dz);
      const float r2 = ds_square(dx, dy, dz);
      if (!(valid & (r2 < a.in.list2) & (j != w->slot[i]))) continue;
      const int near = r2 < a.in.core2;
      int32_t *const counter = Shared ? &count[warp][!near][i]
                               : near ? &a.core[first_row + i]
                                      : &skins[first_row + i];
      const int k = atomicAdd(counter, 1), place = near ? k : a.capacity - 1 - k;
      if ((unsigned) place < (unsigned) a.capacity) w->row[i][ds_built_entry(place)] = j;
    }
    __syncwarp();
  }
  const int core = Shared ? count[warp][0][lane] : row < 0 ? 0 : a.core[row];
  const int skin = Shared ? count[warp][1][lane] : row < 0 ? 0 : skins[row];
  join_rows(w, n, core, skin, a.capacity, lane);
  if (row < 0) return;
  a.core[row] = core;
  a.count[row] = core + skin;
  if (core + skin > a.capacity) atomicMax(a.longest, core + skin);
}

__global__ void order_kernel(int n, const uint32_t *order, const int4 *position, int4 *sorted)
{
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s < n) sorted[s] = position[order[s]];
}

static void stop(const char *text)
{
  fprintf(stderr, "bench_list: %s\n", text);
  exit(1);
}

static void need(ds_status s, const ds_error *err)
{
  if (s) stop(err->text);
}

static void need_cuda(cudaError_t code, const char *what)
{
  ds_error err;
  need(ds_gpu_check(code, what, &err), &err);
}

/* Integer positions of own atoms and ghosts in device memory. */
static void upload(const bench_fluid *fl, const ds_frame *frame, ds_gpu_buffer *to)
{
  const int n = fl->n + fl->nghost;
  int4 *const p = (int4 *) malloc((size_t) n * sizeof *p);
  ds_error err;
  if (!p) stop("out of memory");
  for (int i = 0; i < n; i++) {
    const int zero[3] = {0, 0, 0};
    const int *const b = i < fl->n ? zero : fl->image + 3 * (size_t) (i - fl->n);
    const double *const x = fl->x + 3 * (size_t) (i < fl->n ? i : fl->owner[i - fl->n]);
    double lambda[3];
    ds_fraction(frame, x[0], x[1], x[2], lambda);
    const ds_position q = ds_position_image(frame, ds_position_of(frame, lambda), b[0], b[1], b[2]);
    p[i] = make_int4(q.x, q.y, q.z, 0);
  }
  need(ds_gpu_reserve(to, (size_t) n, sizeof *p, "positions", &err), &err);
  need_cuda(cudaMemcpy(to->data, p, (size_t) n * sizeof *p, cudaMemcpyHostToDevice),
            "copying positions");
  free(p);
}

/* Median time of a builder with atomics, its counters cleared each time. */
static double time_atomics(int shared, const ds_list_cuda *l, const build_args *a, int32_t *skins,
                           cudaStream_t stream)
{
  const unsigned blocks = ds_gpu_blocks(ds_most_batches(l), WARPS);
  const size_t bytes = (size_t) l->rows * sizeof *skins;
  double times[TIMES];
  cudaEvent_t begin, end;
  ds_error err;
  need_cuda(cudaEventCreate(&begin), "events");
  need_cuda(cudaEventCreate(&end), "events");
  for (int k = -2; k < TIMES; k++) {
    float ms;
    need_cuda(cudaEventRecord(begin, stream), "events");
    need_cuda(cudaMemsetAsync(a->longest, 0, sizeof *a->longest, stream), "clearing");
    if (!shared) need_cuda(cudaMemsetAsync(a->core, 0, bytes, stream), "clearing");
    if (!shared) need_cuda(cudaMemsetAsync(skins, 0, bytes, stream), "clearing");
    need(DS_LAUNCH(&err, "atomic kernel", shared ? atomic_kernel<true> : atomic_kernel<false>,
                   blocks, WARPS * DS_WARP, stream, *a, skins),
         &err);
    need_cuda(cudaEventRecord(end, stream), "events");
    need_cuda(cudaEventSynchronize(end), "atomic kernel");
    need_cuda(cudaEventElapsedTime(&ms, begin, end), "events");
    if (k >= 0) times[k] = ms;
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return bench_median(times, TIMES);
}

static double time_votes(ds_list_cuda *l, const ds_list_source *source, ds_stage_timer *timer,
                         cudaStream_t stream)
{
  double times[TIMES];
  ds_error err;
  for (int k = -2; k < TIMES; k++) {
    need(ds_list_cuda_build(l, source, timer, stream, &err), &err);
    need_cuda(cudaStreamSynchronize(stream), "build kernel");
    ds_timer_collect(timer);
    if (k >= 0) times[k] = timer->ms[DS_STAGE_BUILD];
  }
  return bench_median(times, TIMES);
}

/* Entries of all rows, and whether a builder with atomics counted the same in each. */
static void read_counts(const ds_list_cuda *l, int32_t *count)
{
  need_cuda(
      cudaMemcpy(count, l->count.data, (size_t) l->rows * sizeof *count, cudaMemcpyDeviceToHost),
      "copying counts");
}

static void bench(double rho, int n)
{
  const double skin = 0.3;
  bench_fluid fl;
  ds_frame frame;
  ds_grid grid;
  ds_list_cuda list;
  ds_list_source source;
  ds_stage_timer timer;
  ds_gpu_buffer position = {NULL, 0}, sorted = {NULL, 0}, skins = {NULL, 0};
  ds_error err;
  cudaStream_t stream;
  memset(&list, 0, sizeof list);
  memset(&source, 0, sizeof source);
  memset(&timer, 0, sizeof timer);
  if (!fluid_open(&fl, n, rho, 1.0 + skin, 1, 7)) stop("out of memory");
  const ds_box box = fluid_box(&fl, skin);
  const int all = fl.n + fl.nghost;
  need(ds_frame_init(&frame, &box, 1.0, &err), &err);
  need(ds_grid_init(&grid, &frame, 1.0 + skin, all, &err), &err);
  need_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream");
  need(ds_timer_switch(&timer, 1, &err), &err);
  need(ds_list_cuda_open(&list, &err), &err);
  upload(&fl, &frame, &position);
  need(ds_gpu_reserve(&sorted, (size_t) all, sizeof(int4), "positions", &err), &err);
  need(ds_gpu_reserve(&skins, (size_t) n, sizeof(int32_t), "counters", &err), &err);
  need(ds_list_cuda_sort(&list, &grid, DS_DATA(int4, position), n, all, &timer, stream, &err),
       &err);
  need(DS_LAUNCH(&err, "order kernel", order_kernel, ds_gpu_blocks((size_t) all, 256), 256, stream,
                 all, list.order, DS_DATA(int4, position), DS_DATA(int4, sorted)),
       &err);
  source.frame = frame;
  source.ntypes = 1;
  source.core2 = 1.0f;
  source.list2 = (float) ((1.0 + skin) * (1.0 + skin));
  source.position = DS_DATA(int4, sorted);

  int32_t *const votes = (int32_t *) malloc(2 * (size_t) n * sizeof *votes), *const atomics =
                                                                                 votes + n;
  if (!votes) stop("out of memory");
  const double vote_ms = time_votes(&list, &source, &timer, stream);
  read_counts(&list, votes);
  const build_args a = ds_build_arguments(&list, &source);
  double ms[2];
  for (int shared = 0; shared < 2; shared++) {
    ms[shared] = time_atomics(shared, &list, &a, DS_DATA(int32_t, skins), stream);
    read_counts(&list, atomics);
    if (memcmp(votes, atomics, (size_t) n * sizeof *votes) != 0) stop("the builders disagree");
  }
  double entries = 0.0;
  for (int r = 0; r < n; r++) entries += votes[r];
  printf("%5g %8d %9.1f %10.3f %10.3f %10.3f %9.2f %9.2f\n", rho, n, entries / n, vote_ms, ms[1],
         ms[0], ms[1] / vote_ms, ms[0] / vote_ms);
  fflush(stdout);
  free(votes);
  ds_list_cuda_close(&list);
  ds_timer_switch(&timer, 0, &err);
  ds_gpu_free(&position);
  ds_gpu_free(&sorted);
  ds_gpu_free(&skins);
  cudaStreamDestroy(stream);
  fluid_close(&fl);
}

int main(int argc, char **argv)
{
  static const double rho[] = {3, 6, 50};
  static const int atoms[] = {64 * 1024, 512 * 1024, 1024 * 1024};
  const int most = argc > 1 ? atoi(argv[1]) : atoms[2];
  int device;
  ds_error err;
  need(ds_gpu_choose(0, &device, &err), &err);
  need_cuda(cudaSetDevice(device), "choosing the GPU");
  printf("builders of the neighbor list, cutoff 1, skin 0.3; medians of %d, milliseconds\n",
         (int) TIMES);
  printf("%5s %8s %9s %10s %10s %10s %9s %9s\n", "rho", "atoms", "a row", "vote", "shared",
         "global", "shared/", "global/");
  printf("%5s %8s %9s %10s %10s %10s %9s %9s\n", "", "", "", "", "atomics", "atomics", "vote",
         "vote");
  for (int r = 0; r < 3; r++)
    for (int k = 0; k < 3; k++) bench(rho[r], atoms[k] < most ? atoms[k] : most);
  return 0;
}
