/* Generators with a stream per thread, which holds its state, on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "fill_cuda.cuh"

namespace {

template <class S, uint32_t NEXT(S *)> struct held_stream {
  static constexpr int transforms = DS_TWO_WORD_DOUBLES | DS_NORMAL_PAIRS;
  S g;
  __device__ __forceinline__ held_stream(const uint32_t *state, int64_t width, int64_t s)
  {
    ds_stream_load(&g, DS_STREAM_WORDS(S), state + s, width);
  }
  __device__ __forceinline__ uint32_t word() { return NEXT(&g); }
  __device__ __forceinline__ void save(uint32_t *state, int64_t width, int64_t s)
  {
    ds_stream_store(&g, DS_STREAM_WORDS(S), state + s, width);
  }
};

}    // namespace

#define FILL(kind, name, generator, init, next, row)                                                                           \
  case kind: return ds_fill_streams_cuda<held_stream<generator, next>>(r, f, err);

extern "C" ds_status ds_streams_fill_cuda(ds_rng *r, const ds_fill *f, ds_error *err)
{
  switch (r->method->kind) {
    DS_REGISTER_GENERATORS(FILL)
  default: return DS_ERR_ARGUMENT; /* a generator of another list has another fill_cuda */
  }
}
