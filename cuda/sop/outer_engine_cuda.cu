/* The outer list by the neighbor engine: for beads so many that a look at each pair takes longer.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "list_box.h"
#include "outer_cuda.cuh"

enum { THREADS = 128, WARP = 32 };

/* How far beads reach from the first, into extent; of all that are there. */
__global__ void engine_extent(const int4 *x, int n, ds_sop_extent *extent)
{
  const int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= n) return;
  const int32_t d[3] = {ds_diff32(x[b].x, x[0].x), ds_diff32(x[b].y, x[0].y), ds_diff32(x[b].z, x[0].z)};
  for (int c = 0; c < 3; c++) {
    if (d[c] < extent->least[c]) atomicMin(&extent->least[c], d[c]);
    if (d[c] > extent->most[c]) atomicMax(&extent->most[c], d[c]);
  }
}

__global__ void engine_places(const int4 *x, int n, ds_sop_list_box box, const __grid_constant__ ds_placing to)
{
  const int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b < n) ds_note_place(to, 0, b, ds_sop_in_list_box(&box, x[b].x, x[b].y, x[b].z));
}

__global__ void engine_positions(const int4 *x, int n, ds_sop_list_box box, const int32_t *bead_of_slot, int4 *position)
{
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= n) return;
  const int4 at = x[bead_of_slot[s]];
  const ds_position p = ds_sop_in_list_box(&box, at.x, at.y, at.z);
  position[s] = make_int4(p.x, p.y, p.z, 0);
}

/* A warp per slot: the engine's row becomes the row of its bead. base: number of the beads' first. */
__global__ void engine_rows(ds_sop_particle_lists l, int base, int n, int molecule_beads, const int32_t *bead_of_slot,
                            const uint32_t *first, const int32_t *counts, const uint32_t *entries, ds_sop_report *report)
{
  const int slot = (blockIdx.x * blockDim.x + threadIdx.x) / WARP, lane = threadIdx.x % WARP;
  if (slot >= n) return;
  const int i = base + bead_of_slot[slot];
  int count = 0;
  for (int from = 0; from < counts[slot]; from += WARP) {
    const int k = from + lane;
    const bool is = k < counts[slot];
    const int j = is ? base + bead_of_slot[entries[ds_lane_entry(first[slot], k)]] : i;
    const bool near = is && outer_has(l, molecule_beads, true, i, j);
    count = outer_append(l, i, count, near, j);
  }
  if (lane == 0) outer_end(l, i, count, report);
}

/* --------------------------------------------------------------------------------------------- host */

static ds_status find_box(ds_sop_cuda *g, const int4 *x, int n, ds_sop_list_box *box, int *fits, ds_error *err)
{
  ds_sop_extent extent;
  int32_t first[4];
  ds_status s = ds_reserve(&g->s.memory, &g->extent, 1, sizeof extent, "extent of beads", err);
  if (!s) s = ds_gpu_check(cudaMemsetAsync(g->extent.data, 0, sizeof extent, g->s.stream), "clearing an extent", err);
  if (!s)
    s = DS_LAUNCH(err, "engine_extent", engine_extent, ds_gpu_blocks((size_t) n, THREADS), THREADS, g->s.stream, x, n,
                  (ds_sop_extent *) g->extent.data);
  if (!s) s = ds_queue_copy(&g->s, &extent, g->extent.data, sizeof extent, "engine_extent", err);
  if (!s) s = ds_queue_copy(&g->s, first, x, sizeof first, "engine_extent", err);
  if (!s) s = ds_queue_wait(&g->s, "engine_extent", err);
  if (!s) *fits = ds_sop_list_box_of(first, &extent, box);
  return s;
}

static ds_status sort(ds_sop_cuda *g, const int4 *x, int n, const ds_sop_list_box *box, ds_error *err)
{
  const unsigned blocks = ds_gpu_blocks((size_t) n, THREADS);
  ds_list *const l = &g->list;
  ds_placing to;
  ds_status s = ds_list_begin(l, &to, err);
  if (!s) s = DS_LAUNCH(err, "engine_places", engine_places, blocks, THREADS, g->s.stream, x, n, *box, to);
  if (!s) s = ds_list_order(l, NULL, 0, err);
  if (!s)
    s = DS_LAUNCH(err, "engine_positions", engine_positions, blocks, THREADS, g->s.stream, x, n, *box, l->sort.order,
                  DS_DATA(int4, g->list_position));
  return s;
}

ds_status ds_sop_cuda_engine_list(const ds_sop *sop, ds_sop_cuda *g, int base, int n, int *fits, ds_error *err)
{
  const double range = ds_sop_outer_range(sop), reach = range / sop->model.cutoff;
  const int4 *const x = DS_DATA(const int4, g->x[0]) + base;
  ds_sop_list_box box;
  ds_list_source source;
  ds_grid grid;
  memset(&source, 0, sizeof source);
  ds_status s = find_box(g, x, n, &box, fits, err);
  if (s || !*fits) return s;
  s = ds_sop_list_frame(sop, &box, range, &source.frame, err);
  if (!s) s = ds_grid_init(&grid, &source.frame, range, n, err);
  if (!s) s = ds_list_reserve(&g->list, &grid, n, err);
  if (!s) s = ds_reserve(&g->s.memory, &g->list_position, (size_t) n + 1, sizeof(int4), "positions", err);
  if (!s) s = sort(g, x, n, &box, err);
  source.nlocal = n;
  source.ntypes = 1;
  source.list2 = (float) (reach * reach);
  source.margin = ds_list_margin(&source.frame, &grid);
  source.position = DS_DATA(int32_t, g->list_position);
  return s ? s : ds_list_build_rows(&g->list, &source, 128 * (size_t) n, err);
}

ds_status ds_sop_cuda_engine_rows(const ds_sop *sop, ds_sop_cuda *g, const ds_sop_particle_lists *l, int base, int n,
                                  ds_error *err)
{
  const ds_list *const list = &g->list;
  return DS_LAUNCH(err, "engine_rows", engine_rows, ds_gpu_blocks((size_t) n * WARP, THREADS), THREADS, g->s.stream, *l, base,
                   n, sop->model.topology.beads, list->sort.order, DS_DATA(const uint32_t, list->first),
                   DS_DATA(const int32_t, list->count), DS_DATA(const uint32_t, list->entries),
                   (ds_sop_report *) g->report.data);
}
