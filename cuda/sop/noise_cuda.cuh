/* Random words of a bead in a kernel, by any generator.   SPDX-License-Identifier: GPL-2.0-or-later

   A kernel takes one of these classes as a parameter. `counter`: words of any step can be made at any time. */
#ifndef DPDSOP_SOP_NOISE_CUDA_CUH
#define DPDSOP_SOP_NOISE_CUDA_CUH

#include "cuda_state.h"
#include "dpdsop/device/rng/generators.h"
#include "dpdsop/device/rng/number.h"

/* AT is ds_NAME_at of the list of generators. */
template <void AT(uint64_t, uint32_t, uint64_t, uint64_t, uint32_t *)> struct counter_noise {
  static constexpr bool counter = true;
  __device__ static void words(const ds_sop_kernel_motion &m, size_t bead, uint64_t step, uint64_t id, uint32_t w[4])
  {
    AT(m.seed, DS_PURPOSE_SOP, step, id, w);
  }
};

/* Those with a state, which stays in global memory: one class for all, as their kernels wait for memory anyway. */
struct stateful_noise {
  static constexpr bool counter = false;
  template <class G, uint32_t (*next)(G *)> __device__ static void four(void *states, size_t bead, uint32_t w[4])
  {
    G *const g = (G *) states + bead;
    for (int k = 0; k < 4; k++) w[k] = next(g);
  }
  __device__ static void words(const ds_sop_kernel_motion &m, size_t bead, uint64_t step, uint64_t id, uint32_t w[4])
  {
    switch (m.generator) {
#define FOUR(kind, name, generator, init, next, ...)                                                                           \
  case kind: four<generator, next>(m.states, bead, w); break;
      DS_STATEFUL_GENERATORS(FOUR)
#undef FOUR
    default: break;
    }
  }
};

/* Calls f with an object of the class of a generator. */
template <class F> ds_status with_noise(ds_generator_kind kind, F f)
{
  switch (kind) {
#define CALL(kind, name, generator, init, next, row, at, ...)                                                                  \
  case kind: return f(counter_noise<at>());
    DS_COUNTER_GENERATORS(CALL)
#undef CALL
  default: return f(stateful_noise());
  }
}

/* Three normal numbers of a bead in a step. */
template <class Noise>
__device__ __forceinline__ void make_normals(const ds_sop_kernel_motion &m, size_t bead, int64_t step, uint64_t id,
                                             float normal[3])
{
  uint32_t w[4];
  Noise::words(m, bead, (uint64_t) step, id, w);
  ds_normal3f(w, normal);
}

/* Displacement of a bead by a force from outside, along axis c. */
__device__ __forceinline__ float outside_push(const ds_sop_kernel_motion &m, size_t bead, int c)
{
  return m.outside ? (float) (m.outside[3 * bead + c] * m.units.per_force) : 0.0f;
}

/* The pull in step `step` of the call; rounded as ds_sop_pull_at rounds. */
__device__ __forceinline__ ds_sop_pull_step pull_in_step(const ds_sop_kernel_motion &m, int64_t step)
{
  ds_sop_pull_step p = m.pull;
  p.travel = m.pull_speed * ds_sop_time_at(&m.pull_clock, m.first + step);
  return p;
}

/* The force of a pull. sum: of the positions of the pulled beads, each up to 2^60 units, so that it may go round 2^64; as on
   the host only its difference to where they began counts. */
__device__ __forceinline__ double pull_at_sum(const ds_sop_pull_step &pull, const ds_sop_anchor &a, const uint64_t sum[3])
{
  const int64_t s[3] = {(int64_t) sum[0], (int64_t) sum[1], (int64_t) sum[2]};
  return ds_sop_pull_force(&pull, ds_sop_pull_along(&a, s, pull.unit));
}

/* The first fault of all: the earliest half step, then forces before moves, then the lowest number. */
__device__ __forceinline__ void report_fault(const ds_sop_kernel_motion &m, int order, int step, int half, int what)
{
  const unsigned turn = (unsigned) order * (unsigned) step + (unsigned) half;
  atomicMin(&m.report->fault, (unsigned long long) turn << 32 | (unsigned) what);
}

#endif
