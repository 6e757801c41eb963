/* TEA as a generator on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "counter_cuda.cuh"
#include "dpdsop/rng/tea_stream.h"

namespace {

struct tea {
  static const char *name() { return "tea kernel"; }
  static __device__ __forceinline__ void make(uint64_t seed, int rounds, uint64_t k, uint32_t *w)
  {
    ds_tea_block(seed, rounds, k / 2, w);
    ds_tea_block(seed, rounds, k / 2 + 1, w + 2);
  }
};

}    // namespace

extern "C" ds_status ds_tea_fill_cuda(ds_rng *r, const ds_fill *f, ds_error *err)
{
  return ds_fill_counter_cuda<tea>(r, f, err);
}
