/* The linear congruential generator on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/rng/lcg.h"
#include "fill_cuda.cuh"

namespace {

struct lcg {
  static constexpr int laws = DS_TWO_WORD_DOUBLES | DS_NORMAL_PAIRS;
  ds_lcg g;
  __device__ __forceinline__ lcg(const uint32_t *state, int64_t, int64_t s) : g{state[s]} {}
  __device__ __forceinline__ uint32_t word() { return ds_lcg_next(&g); }
  __device__ __forceinline__ void save(uint32_t *state, int64_t, int64_t s) { state[s] = g.x; }
};

}    // namespace

extern "C" ds_status ds_lcg_fill_cuda(ds_rng *r, const ds_fill *f, ds_error *err)
{
  return ds_fill_streams_cuda<lcg>(r, f, err);
}
