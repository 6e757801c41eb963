/* Philox4x32-10 on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "counter_cuda.cuh"
#include "dpdsop/rng/philox.h"

namespace {

struct philox {
  static const char *name() { return "philox kernel"; }
  static __device__ __forceinline__ void make(uint64_t seed, int, uint64_t k, uint32_t *w)
  {
    ds_philox_block(seed, k / DS_PHILOX_WORDS, w);
  }
};

}    // namespace

extern "C" ds_status ds_philox_fill_cuda(ds_rng *r, const ds_fill *f, ds_error *err)
{
  return ds_fill_counter_cuda<philox>(r, f, err);
}
