/* A step of a bead, by the threads of its team.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SOP_BEAD_STEP_CUDA_CUH
#define DPDSOP_SOP_BEAD_STEP_CUDA_CUH

#include "bead_force_cuda.cuh"
#include "indent_cuda.cuh"

enum launch_kind { MANY, SINGLE, PAIRED, THREAD_PER_BEAD }; /* see particle_cuda.cu */

/* Normal numbers of a step for the beads that a team takes in turns, from `turn` on: each thread makes those of
   another one. */
template <class Noise>
__device__ __forceinline__ void make_normals_of_team(const ds_sop_kernel_motion &m, const team &t, int turn, int beads,
                                                     int step, float mine[3])
{
  const int bead = t.number + turn - t.first + t.lane * t.count;
  if (bead < beads) make_normals<Noise>(m, bead, m.first + step, m.id[bead], mine);
}

/* Of the team's only bead: each thread makes those of another step to come, when the first of them is wanted. */
template <class Noise>
__device__ __forceinline__ void make_normals_ahead(const ds_sop_kernel_motion &m, const team &t, int bead, int step, int begin,
                                                   float mine[3])
{
  if (((step - begin) & (t.size - 1)) == 0) make_normals<Noise>(m, bead, m.first + step + t.lane, m.id[bead], mine);
}

/* The component of a lane, of the numbers that a thread of the team has made. */
__device__ __forceinline__ float normal_from(const team &t, int thread, const float theirs[3])
{
  const float x = t.from(theirs[0], thread), y = t.from(theirs[1], thread), z = t.from(theirs[2], thread);
  return t.lane == 0 ? x : t.lane == 1 ? y : z;
}

/* The pull on a molecule: at its positions now, or, half 1, the mean with that at the predicted ones. */
__device__ __forceinline__ double pull_on(const ds_sop_kernel_motion &m, const ds_sop_particle_lists &l,
                                          const ds_sop_pull_step &pull, const int64_t *position, int molecule, int half)
{
  const size_t base = (size_t) molecule * m.beads;
  uint64_t now[3] = {0, 0, 0}, then[3] = {0, 0, 0};
  for (int k = 0; k < m.pulled_count; k++)
    for (int c = 0; c < 3; c++) {
      const size_t at = 3 * (base + m.pulled[k]) + c;
      const uint64_t weight = (uint64_t) m.weight[k];
      now[c] += weight * (uint64_t) position[at];
      if (half) then[c] += weight * (uint64_t) (position[at] + l.predicted[at]);
    }
  const ds_sop_anchor &a = m.anchor[molecule];
  const double force = pull_at_sum(pull, a, now);
  return half ? 0.5 * (force + pull_at_sum(pull, a, then)) : force;
}

/* What the lanes 0 to 2 of a team keep of their component of a bead. */
struct own_component {
  int64_t position;
  int32_t reference; /* coordinate when the inner row was made */
  float outside, normal;
  int32_t before, predicted; /* of a step of second order */
  int32_t moved;             /* by this half step */
  int role;
};

/* first: there is no inner row yet. */
__device__ __forceinline__ own_component load_component(const ds_sop_kernel_motion &m, const ds_sop_particle_lists &l,
                                                        const int64_t *position, int bead, int c, bool second_half, bool first)
{
  own_component o = {};
  const size_t at = 3 * (size_t) bead + c;
  o.position = position[at];
  if (!first) o.reference = ((const int32_t *) (l.near_reference + bead))[c];
  o.outside = outside_push(m, bead, c);
  o.role = m.role ? m.role[bead - molecule_of(m, bead) * m.beads] : DS_SOP_MOVES;
  if (second_half) {
    o.before = l.before[at];
    o.normal = l.normal[at];
  }
  return o;
}

/* What the phases of a launch share. */
struct phase {
  int step, half;
  const int4 *x;
  int4 *x_next;
  const int64_t *position;
  int64_t *position_next;
};

/* One component of a half step. HasPulls: some beads may be pulled. Returns whether it goes too far. */
template <int ORDER, bool Single, bool HasPulls = true>
__device__ __forceinline__ int move_component(const ds_sop_kernel_motion &m, const ds_sop_particle_lists &l, const phase &p,
                                              int bead, int c, int32_t force, own_component &o, int32_t *x)
{
  const size_t at = 3 * (size_t) bead + c;
  const ds_sop_motion_units u = p.half ? m.units.half : m.units.whole;
  float other = o.outside;
  int fault = 0;
  if (HasPulls && ds_sop_is_pulled(o.role)) {
    const ds_sop_pull_step pull = pull_in_step(m, p.step);
    const int molecule = molecule_of(m, bead);
    const double force = pull_on(m, l, pull, p.position, molecule, p.half);
    other += ds_sop_pull_displacement(&pull, m.anchor + molecule, force, o.role, c);
  }
  if (ORDER == 2 && p.half) other = fmaf((float) o.before, u.mobility, other);
  int32_t d = ds_sop_displacement(u, force, o.normal, other, &fault);
  if (o.role == DS_SOP_FIXED) d = fault = 0;
  const int64_t then = o.position + d;
  *x = ds_sop_coordinate(then);
  ((int32_t *) (p.x_next + bead))[c] = *x;
  if (ORDER == 2 && p.half == 0) {
    l.before[at] = o.before = force;
    l.predicted[at] = o.predicted = d;
    l.normal[at] = o.normal;
  } else {
    o.position = then;
    o.moved = d;
    if (!Single || (HasPulls && ds_sop_is_pulled(o.role))) p.position_next[at] = then;
    if (p.step == m.steps - 1) m.noise[at] = o.role == DS_SOP_FIXED ? 0 : ds_round32(o.normal * m.units.whole.noise);
  }
  return fault;
}

/* A half step of one bead, whose normal numbers thread `lane_of_noise` of the team has made. Returns flags. */
template <class Noise, int ORDER, launch_kind KIND, bool HasTips>
__device__ __forceinline__ int step_bead(const ds_sop_kernel_motion &m, const ds_sop_particle_lists &l, const team &t,
                                         const phase &p, team_bead b, int lane_of_noise, const float made[3], own_component &o,
                                         const kept_rows &rows)
{
  constexpr bool Single = KIND == SINGLE;
  const int bead = b.number;
  int fault = 0;
  const pair_force share = KIND == SINGLE   ? share_of_kept(m, l, t, p.x, bead, rows, &fault)
                           : KIND == PAIRED ? gather_slots(m, l, t, bead)
                                            : share_of_force<true>(m, l, t, p.x, bead, &fault);
  if (!Single && t.lane < 3) o = load_component(m, l, p.position, bead, t.lane, ORDER == 2 && p.half, false);
  o.moved = 0;
  const float normal = normal_from(t, lane_of_noise, made);
  if (ORDER == 1 || p.half == 0) o.normal = normal;
  int32_t force[3] = {share.x, share.y, share.z};
  t.sum(force);
  if (HasTips) fault |= indenter_force(m, molecule_of(m, bead), p.x[bead], b.has && t.lane == 0, force);
  const bool broken = t.which(fault) != 0, moves = b.has && !broken && t.lane < 3;
  float moved = 0.0f;
  int far = 0;
  if (moves) {
    const int32_t own = t.lane == 0 ? force[0] : t.lane == 1 ? force[1] : force[2];
    int32_t x;
    far = move_component<ORDER, Single>(m, l, p, bead, t.lane, own, o, &x);
    moved = (float) ds_diff32(x, o.reference);
  }
  const float mx = t.from(moved, 0), my = t.from(moved, 1), mz = t.from(moved, 2);
  if (!b.has) return 0;
  if (broken || far) {
    report_fault(m, ORDER, p.step, p.half, broken ? molecule_of(m, bead) : DS_SOP_FAULT_FAR | bead);
    return DS_SOP_FLAG_FAULT;
  }
  return ds_squaref(mx, my, mz) <= l.near_moved2 ? 0 : DS_SOP_FLAG_NEAR;
}

#endif
