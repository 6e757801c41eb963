/* The linear congruential generator on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "fill_cuda.cuh"
#include "lcg_state.h"

extern "C" ds_status ds_lcg_fill_cuda(ds_rng *r, const ds_fill *f, ds_error *err)
{
  typedef ds_held_stream<ds_lcg, ds_lcg_load, ds_lcg_store, ds_lcg_next> stream;
  return ds_fill_streams_cuda<stream>(r, f, err);
}
