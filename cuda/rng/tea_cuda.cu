/* TEA as a generator on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "counter_cuda.cuh"
#include "dpdsop/device/rng/tea_stream.h"

namespace {

struct tea {
  uint64_t seed;
  int rounds;

  explicit tea(const ds_rng_options &o) : seed(o.seed), rounds(o.rounds) {}
  static const char *name() { return "tea kernel"; }
  __device__ __forceinline__ void make(uint64_t four, uint32_t *w) const
  {
    ds_tea_block(seed, rounds, 2 * four, w);
    ds_tea_block(seed, rounds, 2 * four + 1, w + 2);
  }
};

}    // namespace

extern "C" ds_status ds_tea_fill_cuda(ds_rng *r, const ds_fill *f, ds_error *err)
{
  return ds_fill_counter_cuda<tea>(r, f, err);
}
