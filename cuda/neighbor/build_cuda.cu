/* Second half of the CUDA neighbor list: rows by warp vote (Tang & Karniadakis 2014, 3.3 and Alg. 3).
   SPDX-License-Identifier: GPL-2.0-or-later

   No atomics and no sorting: a warp walks a stencil in the order of the curve, so its votes put entries
   where they belong, and the list is the same from run to run. */
#include "builder.cuh"

enum { DS_BUILD_WARPS = 4, DS_TRANSPOSE_WARPS = 8 };

/* Alg. 3 with two commits: core entries from the front, skin entries from the back. */
template <bool Types>
__global__ void __launch_bounds__(DS_BUILD_WARPS *DS_WARP) build_kernel(const build_args a)
{
  __shared__ batch_space space[DS_BUILD_WARPS];
  const int lane = threadIdx.x % DS_WARP;
  batch_space *const w = &space[threadIdx.x / DS_WARP];
  const int number = blockIdx.x * DS_BUILD_WARPS + threadIdx.x / DS_WARP;
  if (number >= (int) (*a.batches >> 32)) return;
  const int2 batch = a.batch[number];
  int row;
  const int n = load_batch(a, batch, lane, w, &row);
  if (n == 0) return;
  const fine_stencil f = open_stencil(a, batch.y, lane, w->delta);
  int core = 0, skin = 0; /* entries of the lane's row so far */
  uint32_t next = stencil_slot(f, 0, lane, w->delta);
  int4 next_position = __ldg(&a.in.position[next]);
  for (int first = 0; first < f.total; first += DS_WARP) {
    const int valid = first + lane < f.total;
    const uint32_t j = next;
    const int4 q = next_position;
    if (first + DS_WARP < f.total) { /* on its way while this chunk is worked on */
      next = stencil_slot(f, first + DS_WARP, lane, w->delta);
      next_position = __ldg(&a.in.position[next]);
    }
    for (int i = 0; i < n; i++) {
      const int4 p = w->position[i];
      float dx, dy, dz;
      ds_separation(&a.in.frame, ds_diff32(p.x, q.x), ds_diff32(p.y, q.y), ds_diff32(p.z, q.z), &dx,
                    &dy, &dz);
      const float r2 = ds_square(dx, dy, dz);
      const int pair = Types ? p.w * a.in.ntypes + q.w : 0;
      const float core2 = Types ? __ldg(&a.in.core2_table[pair]) : a.in.core2;
      const float list2 = Types ? __ldg(&a.in.list2_table[pair]) : a.in.list2;
      const int hit = valid & (r2 < list2) & (j != w->slot[i]);
      const uint32_t hits = __ballot_sync(DS_FULL_WARP, hit);
      if (hits == 0) continue;
      const int near = hit & (r2 < core2);
      const uint32_t cores = __ballot_sync(DS_FULL_WARP, near);
      const uint32_t skins = hits ^ cores, below = ds_lanes_below(lane);
      const int c = __shfl_sync(DS_FULL_WARP, core, i), s = __shfl_sync(DS_FULL_WARP, skin, i);
      const int place =
          near ? c + __popc(cores & below) : a.capacity - 1 - s - __popc(skins & below);
      /* a row that is too long is counted and built again with more room */
      if (hit && (unsigned) place < (unsigned) a.capacity) w->row[i][ds_built_entry(place)] = j;
      core += lane == i ? __popc(cores) : 0;
      skin += lane == i ? __popc(skins) : 0;
    }
  }
  join_rows(w, n, core, skin, a.capacity, lane);
  if (row < 0) return;
  a.core[row] = core;
  a.count[row] = core + skin;
  if (core + skin > a.capacity) atomicMax(a.longest, core + skin);
}

/* One warp a row: codes of special partners. Rows that did not fit hold no entries yet. */
__global__ void special_kernel(const build_args a, int rows, const uint32_t *order,
                               const uint32_t *row_slot)
{
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / DS_WARP, lane = threadIdx.x % DS_WARP;
  if (row >= rows) return;
  const uint32_t slot = row_slot[row];
  const int atom = (int) order[slot], count = a.count[row];
  if (count > a.capacity || a.in.special.counts[3 * (size_t) atom + 2] == 0) return;
  uint32_t *const entry = ds_built_row(a.entries, row, a.capacity);
  const int4 p = a.in.position[slot];
  for (int n = lane; n < count; n += DS_WARP) {
    const uint32_t j = entry[ds_built_entry(n)];
    const int code = ds_special_code(&a.in.special, atom, a.in.tag[j]);
    const int4 q = a.in.position[j];
    if (code &&
        ds_is_own_image(&a.in.frame, ds_diff32(p.x, q.x), ds_diff32(p.y, q.y), ds_diff32(p.z, q.z)))
      entry[ds_built_entry(n)] = j | (uint32_t) code << DS_INDEX_BITS;
  }
}

/* Fig. 8: one warp a group of 32 rows, tile after tile in place. Only what is filled is moved. */
__global__ void __launch_bounds__(DS_TRANSPOSE_WARPS *DS_WARP)
    transpose_kernel(int rows, int capacity, const int32_t *count, uint32_t *entries)
{
  __shared__ uint32_t space[DS_TRANSPOSE_WARPS][DS_WARP][DS_WARP + 1];
  const int lane = threadIdx.x % DS_WARP;
  uint32_t(*const tile)[DS_WARP + 1] = space[threadIdx.x / DS_WARP];
  const int group = blockIdx.x * DS_TRANSPOSE_WARPS + threadIdx.x / DS_WARP;
  const int row = group * DS_WARP + lane;
  if (group * DS_WARP >= rows) return;
  const int mine = row < rows ? min(count[row], capacity) : 0;
  const int most = __reduce_max_sync(DS_FULL_WARP, mine);
  uint32_t *data = entries + (size_t) group * DS_WARP * (size_t) capacity;
  for (int first = 0; first < most; first += DS_WARP, data += DS_TILE_WORDS) {
#pragma unroll 8
    for (int r = 0; r < DS_WARP; r++) {
      const int filled = first + lane < __shfl_sync(DS_FULL_WARP, mine, r);
      tile[r][lane] = filled ? data[r * DS_WARP + lane] : 0;
    }
    __syncwarp();
    const int columns = min(most - first, (int) DS_WARP);
#pragma unroll 8
    for (int n = 0; n < columns; n++) data[n * DS_WARP + lane] = tile[lane][n];
    __syncwarp();
  }
}

/* --------------------------------------------------------------------------------------- driver */

static ds_status build_once(ds_list_cuda *l, const build_args &a, ds_stage_timer *timer,
                            cudaStream_t stream, ds_error *err)
{
  const unsigned blocks = ds_gpu_blocks(ds_most_batches(l), DS_BUILD_WARPS);
  ds_timer_begin(timer, DS_STAGE_BUILD, stream);
  ds_status s = ds_gpu_check(cudaMemsetAsync(a.longest, 0, sizeof *a.longest, stream),
                             "clearing a counter", err);
  if (!s)
    s = DS_LAUNCH(err, "build kernel", a.in.ntypes == 1 ? build_kernel<false> : build_kernel<true>,
                  blocks, DS_BUILD_WARPS * DS_WARP, stream, a);
  ds_timer_end(timer, DS_STAGE_BUILD, stream);
  if (!s)
    s = ds_gpu_check(cudaMemcpyAsync(l->longest_host.data, a.longest, sizeof *a.longest,
                                     cudaMemcpyDeviceToHost, stream),
                     "copying a counter", err);
  if (!s) s = ds_gpu_check(cudaEventRecord(l->built, stream), "recording an event", err);
  return s;
}

/* Queued before the rows' length is known, because nearly always they fit. */
static ds_status finish(ds_list_cuda *l, const build_args &a, ds_stage_timer *timer,
                        cudaStream_t stream, ds_error *err)
{
  const int threads = DS_TRANSPOSE_WARPS * DS_WARP;
  ds_status s = DS_OK;
  ds_timer_begin(timer, DS_STAGE_TRANSPOSE, stream);
  if (a.in.special.max_special)
    s = DS_LAUNCH(err, "special kernel", special_kernel,
                  ds_gpu_blocks((size_t) l->rows * DS_WARP, threads), threads, stream, a, l->rows,
                  l->order, DS_DATA(uint32_t, l->row_slot));
  if (!s)
    s = DS_LAUNCH(err, "transpose kernel", transpose_kernel,
                  ds_gpu_blocks((size_t) l->rows, threads), threads, stream, l->rows, l->capacity,
                  a.count, a.entries);
  ds_timer_end(timer, DS_STAGE_TRANSPOSE, stream);
  return s;
}

ds_status ds_list_cuda_build(ds_list_cuda *l, const ds_list_source *source, ds_stage_timer *timer,
                             cudaStream_t stream, ds_error *err)
{
  if (l->capacity == 0) l->capacity = DS_ROW_STEP;
  if (l->rows == 0) return DS_OK;
  for (;;) {
    ds_status s = ds_gpu_reserve(&l->entries, ds_list_cuda_words(l->rows, l->capacity),
                                 sizeof(uint32_t), "neighbor list", err);
    const build_args a = ds_build_arguments(l, source);
    if (!s) s = build_once(l, a, timer, stream, err);
    if (!s) s = finish(l, a, timer, stream, err);
    if (!s) s = ds_gpu_check(cudaEventSynchronize(l->built), "build kernel", err);
    if (s) return s;
    const int longest = *DS_DATA(int32_t, l->longest_host);
    if (longest <= l->capacity) return DS_OK;
    l->capacity = (longest + longest / 8 + DS_ROW_STEP - 1) / DS_ROW_STEP * DS_ROW_STEP;
  }
}
