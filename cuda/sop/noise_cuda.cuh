/* Random words of a bead in a kernel, by any generator.   SPDX-License-Identifier: GPL-2.0-or-later

   A kernel takes one of these classes as a parameter. `counter`: words of any step can be made at any time. */
#ifndef DPDSOP_SOP_NOISE_CUDA_CUH
#define DPDSOP_SOP_NOISE_CUDA_CUH

#include "cuda_state.h"
#include "dpdsop/rng/fibonacci.h"
#include "dpdsop/rng/lcg.h"
#include "dpdsop/rng/mrg32k3a.h"
#include "dpdsop/rng/mt19937.h"
#include "dpdsop/rng/number.h"
#include "dpdsop/rng/philox.h"
#include "dpdsop/rng/ran2.h"
#include "dpdsop/rng/taus.h"
#include "dpdsop/rng/tea_stream.h"

#include <string.h>

struct tea_noise {
  static constexpr bool counter = true;
  __device__ static void words(const ds_sop_kernel_motion &m, size_t bead, uint64_t step,
                               uint64_t id, uint32_t w[4])
  {
    ds_tea_at(m.seed, DS_PURPOSE_SOP, step, id, w);
  }
};

struct philox_noise {
  static constexpr bool counter = true;
  __device__ static void words(const ds_sop_kernel_motion &m, size_t bead, uint64_t step,
                               uint64_t id, uint32_t w[4])
  {
    ds_philox_at(m.seed, DS_PURPOSE_SOP, step, id, w);
  }
};

/* A generator with a state, which stays in global memory. */
#define DS_SOP_STATEFUL_NOISE(name)                                                                \
  struct name##_noise {                                                                            \
    static constexpr bool counter = false;                                                         \
    __device__ static void words(const ds_sop_kernel_motion &m, size_t bead, uint64_t step,        \
                                 uint64_t id, uint32_t w[4])                                       \
    {                                                                                              \
      ds_##name *const g = (ds_##name *) m.states + bead;                                          \
      for (int k = 0; k < 4; k++) w[k] = ds_##name##_next(g);                                      \
    }                                                                                              \
  };
DS_SOP_STATEFUL_NOISE(taus)
DS_SOP_STATEFUL_NOISE(ran2)
DS_SOP_STATEFUL_NOISE(fibonacci)
DS_SOP_STATEFUL_NOISE(lcg)
DS_SOP_STATEFUL_NOISE(mrg32k3a)
DS_SOP_STATEFUL_NOISE(mt19937)
#undef DS_SOP_STATEFUL_NOISE

/* Calls f with an object of the class of a generator. */
template <class F> ds_status with_noise(const char *name, F f)
{
#define DS_SOP_CASE(generator)                                                                     \
  if (strcmp(name, #generator) == 0) return f(generator##_noise());
  DS_SOP_CASE(philox)
  DS_SOP_CASE(taus)
  DS_SOP_CASE(ran2)
  DS_SOP_CASE(fibonacci)
  DS_SOP_CASE(lcg)
  DS_SOP_CASE(mrg32k3a)
  DS_SOP_CASE(mt19937)
#undef DS_SOP_CASE
  return f(tea_noise());
}

/* Three normal numbers of a bead in a step. */
template <class Noise>
__device__ __forceinline__ void make_normals(const ds_sop_kernel_motion &m, size_t bead,
                                             int64_t step, uint64_t id, float normal[3])
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
__device__ __forceinline__ ds_sop_pull_step pull_in_step(const ds_sop_kernel_motion &m,
                                                         int64_t step)
{
  ds_sop_pull_step p = m.pull;
  p.travel = m.speed * (m.pull_base + (double) (m.first + step - m.pull_first) * m.h);
  return p;
}

/* The first fault of all: the earliest step, then the lowest number. */
__device__ __forceinline__ void report_fault(const ds_sop_kernel_motion &m, int step,
                                             unsigned number)
{
  atomicMin(&m.report->fault, (unsigned long long) step << 32 | number);
}

#endif
