/* Philox4x32-10 on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "counter_cuda.cuh"
#include "dpdsop/device/rng/philox.h"

namespace {

/* The keys come as an argument of the kernel, which instructions take without loading it. */
struct philox {
  ds_philox_keys keys;

  explicit philox(const ds_rng_options &o) : keys(ds_philox_schedule(o.seed)) {}
  static const char *name() { return "philox kernel"; }
  __device__ __forceinline__ void make(uint64_t four, uint32_t *w) const
  {
    const uint32_t counter[4] = {(uint32_t) four, (uint32_t) (four >> 32), 0, 0};
    ds_philox_keyed(counter, &keys, w);
  }
};

}    // namespace

extern "C" ds_status ds_philox_fill_cuda(ds_rng *r, const ds_fill *f, ds_error *err)
{
  return ds_fill_counter_cuda<philox>(r, f, err);
}
