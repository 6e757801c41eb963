/* Tips, planes and cylinders in kernels.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOP_INDENT_CUDA_CUH
#define DPDSOP_SOP_INDENT_CUDA_CUH

#include "cuda_state.h"
#include "noise_cuda.cuh"

/* Adds what the surfaces exert on a bead at x to the force on it; all threads of its team get the same, and the one that
   `accumulates` adds the tip's part to it. Returns 1 where that is out of range. */
__device__ __forceinline__ int indenter_force(const ds_sop_kernel_motion &m, int molecule, int4 at, bool accumulates,
                                              int32_t force[3])
{
  const ds_sop_tip tip = m.tip[molecule];
  const int32_t x[3] = {at.x, at.y, at.z};
  int32_t centre[3], start[3], push[3];
  int fault = 0;
  ds_sop_tip_centre(&m.indenter, &tip, centre);
  for (int c = 0; c < 3; c++) start[c] = ds_sop_coordinate(tip.start[c]);
  if (ds_sop_tip_bead_force(&m.indenter, centre, x, push, &fault))
    for (int c = 0; c < 3; c++) {
      force[c] += push[c];
      if (accumulates) atomicAdd(m.tip_bead_forces + 3 * (size_t) molecule + c, (unsigned long long) (int64_t) push[c]);
    }
  if (ds_sop_plane_bead_force(&m.indenter, start, x, push, &fault))
    for (int c = 0; c < 3; c++) force[c] += push[c];
  if (ds_sop_cylinder_bead_force(&m.indenter, start, x, push, &fault))
    for (int c = 0; c < 3; c++) force[c] += push[c];
  return fault;
}

/* All tips by a half step, by the threads of one block; the forces of all beads on them have been added up by now. Returns
   whether one would move too far. */
__device__ __forceinline__ int move_tips(const ds_sop_kernel_motion &m, int order, int step, int half)
{
  ds_sop_tip_step s = m.tip_step;
  int bad = 0;
  s.base = m.tip_speed * ds_sop_time_at(&m.tip_clock, m.first + step);
  for (int k = threadIdx.x; k < m.molecules; k += blockDim.x) {
    ds_sop_tip tip = m.tip[k];
    int64_t push[3];
    for (int c = 0; c < 3; c++) {
      push[c] = (int64_t) m.tip_bead_forces[3 * (size_t) k + c];
      m.tip_bead_forces[3 * (size_t) k + c] = 0;
    }
    const float normal = ds_sop_tip_normal(m.seed, m.first + step, (int64_t) m.id[(size_t) k * m.beads]);
    if (ds_sop_tip_move(&m.indenter, &s, order, half, normal, push, &tip)) {
      report_fault(m, order, step, half, DS_SOP_FAULT_TIP | k);
      bad = 1;
    } else {
      m.tip[k] = tip;
    }
  }
  return bad;
}

#endif
