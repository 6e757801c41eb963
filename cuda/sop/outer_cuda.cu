/* The outer list of the schemes particle and pair: every bead is compared with every other of its molecule, or of all,
   where these are few; else the neighbor engine finds the pairs.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "outer_cuda.cuh"

/* Rows that a warp makes at a time: partners are read once for all of them. From MANY beads on the engine is faster. */
enum { ROWS = 4, THREADS = 128, MANY = 20000 };

/* Wide enough that a list that was just made does for any one step, in which a bead may move by 2 a along each axis. */
double ds_sop_outer_range(const ds_sop *sop)
{
  const double step = 2.0 * sqrt(3.0) * ldexp(sop->model.position_unit, 30);
  return sop->model.cutoff + sop->options.skin + fmax(1.5 * sop->options.skin, step);
}

__global__ void outer_coordinates(const int64_t *position, int beads, int4 *x, int4 *reference)
{
  const int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= beads) return;
  const int64_t *const p = position + 3 * (size_t) b;
  x[b] = reference[b] = make_int4(ds_sop_coordinate(p[0]), ds_sop_coordinate(p[1]), ds_sop_coordinate(p[2]), 0);
}

__global__ void outer_rows(ds_sop_particle_lists l, int beads, int molecule_beads, int together, float range2,
                           ds_sop_report *report)
{
  const int lane = threadIdx.x & 31;
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * ROWS;
  if (row >= beads) return;
  int4 own[ROWS];
  int count[ROWS];
  for (int r = 0; r < ROWS; r++) {
    own[r] = l.x[0][row + r < beads ? row + r : row];
    count[r] = 0;
  }
  /* rows of one warp may belong to two molecules */
  const int last_row = row + ROWS - 1 < beads ? row + ROWS - 1 : beads - 1;
  const int first = together ? 0 : row / molecule_beads * molecule_beads;
  const int end = together ? beads : (last_row / molecule_beads + 1) * molecule_beads;
  int4 next = l.x[0][first + lane < end ? first + lane : first];
  for (int at = first; at < end; at += 32) { /* the next are on their way meanwhile */
    const int j = at + lane;
    const int4 x = next;
    if (j + 32 < end) next = l.x[0][j + 32];
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
      const int i = row + r;
      const float dx = (float) ds_diff32(own[r].x, x.x), dy = (float) ds_diff32(own[r].y, x.y),
                  dz = (float) ds_diff32(own[r].z, x.z);
      bool near = j < end && i < beads && ds_squaref(dx, dy, dz) < range2;
      if (near) near = outer_has(l, molecule_beads, together, i, j);
      count[r] = outer_append(l, i, count[r], near, j);
    }
  }
  for (int r = 0; r < ROWS && row + r < beads; r++)
    if (lane == 0) outer_end(l, row + r, count[r], report);
}

static ds_status reserve_outer(ds_sop_cuda *g, size_t n, int full, ds_error *err)
{
  if (g->outer_room && g->outer_room >= full && g->outer.bytes >= n * (size_t) g->outer_room * sizeof(int32_t)) return DS_OK;
  g->outer_room = full > 0 ? (full + full / 4 + 31) / 32 * 32 : 256;
  return ds_reserve(&g->s.memory, &g->outer, n * (size_t) g->outer_room, sizeof(int32_t), "outer list", err);
}

void ds_sop_cuda_view_outer(const ds_sop_cuda *g, ds_sop_particle_lists *l)
{
  l->x[0] = (int4 *) g->x[0].data;
  l->x[1] = (int4 *) g->x[1].data;
  l->exclusions.first = (int32_t *) g->exclusion_first.data;
  l->exclusions.partner = (int32_t *) g->exclusion.data;
  l->outer = (int32_t *) g->outer.data;
  l->outer_count = (int32_t *) g->outer_count.data;
  l->outer_room = g->outer_room;
}

/* Rows of all beads, each pair looked at. */
static ds_status search_rows(const ds_sop *sop, ds_sop_cuda *g, const ds_sop_particle_lists *l, int beads, ds_error *err)
{
  const double range = ds_sop_outer_range(sop) / sop->model.coordinate_unit;
  const unsigned blocks = ds_gpu_blocks(((size_t) beads + ROWS - 1) / ROWS * 32, THREADS);
  return DS_LAUNCH(err, "outer_rows", outer_rows, blocks, THREADS, g->s.stream, *l, beads, sop->model.topology.beads,
                   sop->options.inter, (float) (range * range), (ds_sop_report *) g->report.data);
}

/* Rows of all beads by the engine, group after group; *fits becomes 0 where one has no box. */
static ds_status rows_by_engine(const ds_sop *sop, ds_sop_cuda *g, const ds_sop_particle_lists *l, int beads, int *fits,
                                ds_error *err)
{
  const int n = sop->options.inter ? beads : sop->model.topology.beads; /* that see each other */
  ds_status s = DS_OK;
  *fits = n >= MANY;
  for (int base = 0; base < beads && *fits && !s; base += n) {
    s = ds_sop_cuda_engine_list(sop, g, base, n, fits, err);
    if (!s && *fits) s = ds_sop_cuda_engine_rows(sop, g, l, base, n, err);
  }
  return s;
}

static ds_status make_rows(const ds_sop *sop, ds_sop_cuda *g, int beads, int *full, ds_error *err)
{
  ds_sop_report *const report = (ds_sop_report *) g->report.data;
  ds_sop_particle_lists l;
  int fits = 0;
  memset(&l, 0, sizeof l);
  ds_sop_cuda_view_outer(g, &l);
  ds_status s = ds_gpu_check(cudaMemsetAsync(&report->full, 0, sizeof(int), g->s.stream), "clearing a report", err);
  if (!s) s = rows_by_engine(sop, g, &l, beads, &fits, err);
  if (!s && !fits) s = search_rows(sop, g, &l, beads, err);
  if (!s) s = ds_queue_copy(&g->s, full, &report->full, sizeof(int), "outer_rows", err);
  return s ? s : ds_queue_wait(&g->s, "outer_rows", err);
}

ds_status ds_sop_cuda_outer_list(ds_sop *sop, ds_sop_cuda *g, const ds_sop_kernel_motion *m, ds_error *err)
{
  const int beads = m->beads * m->molecules;
  int full = 0;
  ds_status s = DS_LAUNCH(err, "outer_coordinates", outer_coordinates, ds_gpu_blocks((size_t) beads, THREADS), THREADS,
                          g->s.stream, m->position, beads, (int4 *) g->x[0].data, (int4 *) g->reference[1].data);
  do {
    if (!s) s = reserve_outer(g, (size_t) beads, full, err);
    if (!s) s = make_rows(sop, g, beads, &full, err);
  } while (!s && full > 0);
  g->outer_is_made = !s;
  return s;
}
