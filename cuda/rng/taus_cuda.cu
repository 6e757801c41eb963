/* Hybrid Taus on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "fill_cuda.cuh"
#include "taus_state.h"

extern "C" ds_status ds_taus_fill_cuda(ds_rng *r, const ds_fill *f, ds_error *err)
{
  typedef ds_held_stream<ds_taus, ds_taus_load, ds_taus_store, ds_taus_next> stream;
  return ds_fill_streams_cuda<stream>(r, f, err);
}
