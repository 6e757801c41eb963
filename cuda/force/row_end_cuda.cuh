/* The end of a row of a sweep on the GPU: row_end.h.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_ROW_END_CUDA_CUH
#define DPDSOP_ROW_END_CUDA_CUH

#include "../core/exact_sum.cuh"
#include "../core/report.cuh"
#include "../neighbor/list.h"
#include "row_end.h"

enum { DS_KINETIC_SUMS = 6 /* components of a kinetic energy, at most */ };

/* Rows end with their forces. */
struct no_row_end {
};

static __device__ __forceinline__ void end_row(const no_row_end &, const ds_launch_id &, double, int, const int64_t *) {}

static __device__ __forceinline__ void report_stop(const no_row_end &, const ds_launch_id &) {}

/* The atom of the row, or -1, and the sum of its forces in that unit. All threads of a block call it. */
static __device__ __forceinline__ void end_row(const ds_row_end &end, const ds_launch_id &launch, double unit, int atom,
                                        const int64_t sum[3])
{
  double add[DS_OPERATION_SUMS] = {};
  if (atom >= 0) {
    ds_particle p = {};
    p.mask = end.mask[atom];
    p.type = end.type[atom];
    p.mass = end.rmass ? end.rmass[atom] : end.mass[p.type];
    for (int d = 0; d < 3; d++) {
      p.v[d] = end.v[3 * (size_t) atom + d];
      p.f[d] = (double) sum[d] * unit;
    }
    for (int k = 0; k < end.n - 1; k++)
      if (ds_is_concerned(NULL, &end.operation[k], &p)) ds_operate_motion(&end.operation[k], &p);
    for (int d = 0; d < 3; d++) end.v[3 * (size_t) atom + d] = p.v[d];
    const ds_operation &last = end.operation[end.n - 1];
    if (ds_is_concerned(NULL, &last, &p)) ds_operate_kinetic(&end.context, &last, &p, add);
  }
  const ds_operation &last = end.operation[end.n - 1];
  ds_add_exact_terms<DS_KINETIC_SUMS>(add, last.nsums, last.unit, end.sums);
  ds_report_at_end(end.report, launch);
}

static __device__ __forceinline__ void report_stop(const ds_row_end &end, const ds_launch_id &launch)
{
  if (ds_block(launch) == 0) ds_make_report(end.report, launch.control);
}

#endif
