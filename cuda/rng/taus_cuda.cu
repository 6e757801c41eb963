/* Hybrid Taus on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/rng/taus.h"
#include "fill_cuda.cuh"

namespace {

struct taus {
  static constexpr int laws = DS_TWO_WORD_DOUBLES | DS_NORMAL_PAIRS;
  ds_taus g;
  __device__ __forceinline__ taus(const uint32_t *state, int64_t width, int64_t s) :
      g{state[s], state[width + s], state[2 * width + s], state[3 * width + s]}
  {
  }
  __device__ __forceinline__ uint32_t word() { return ds_taus_next(&g); }
  __device__ __forceinline__ void save(uint32_t *state, int64_t width, int64_t s)
  {
    state[s] = g.z1;
    state[width + s] = g.z2;
    state[2 * width + s] = g.z3;
    state[3 * width + s] = g.z4;
  }
};

}    // namespace

extern "C" ds_status ds_taus_fill_cuda(ds_rng *r, const ds_fill *f, ds_error *err)
{
  return ds_fill_streams_cuda<taus>(r, f, err);
}
