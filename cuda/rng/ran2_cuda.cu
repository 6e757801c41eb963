/* Ran2 on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later

   The tables lie in global memory. A call for a few numbers per stream, as a step of a simulation makes it, touches
   that many places of a table there (PRNG Algorithm 2). A call for more takes the tables into shared memory,
   where the 32 banks belong to the 32 lanes of a warp: whatever places they go to, they never collide. */
#include "fill_cuda.cuh"

namespace {

/* From so many words per stream on the tables are moved: moving one is 64 words of traffic in whole lines, a number in
   global memory 2 sectors of 8 words, one after the other. */
enum { MANY = 8, THREADS = DS_STREAM_THREADS, CORE = DS_STREAM_WORDS(ds_ran2_core) };

struct ran2_state {
  static constexpr int transforms = DS_WORD_DOUBLES | DS_NORMAL_PAIRS;
  ds_ran2_core g;
  __device__ __forceinline__ ran2_state(const uint32_t *state, int64_t width, int64_t s) :
      g{state[s], state[width + s], state[2 * width + s]}
  {
  }
  __device__ __forceinline__ void save(uint32_t *state, int64_t width, int64_t s)
  {
    state[s] = g.x1;
    state[width + s] = g.x2;
    state[2 * width + s] = g.y;
  }
};

struct in_global : ran2_state {
  uint32_t *table;
  int64_t width;
  __device__ __forceinline__ in_global(uint32_t *state, int64_t width, int64_t s) :
      ran2_state(state, width, s), table(state + CORE * width + s), width(width)
  {
  }
  __device__ __forceinline__ uint32_t word() { return ds_ran2_core_next(&g, table, width); }
};

struct in_shared : ran2_state {
  static __device__ __forceinline__ uint32_t *table()
  {
    __shared__ uint32_t tables[DS_RAN2_TABLE * THREADS];
    return tables + threadIdx.x;
  }
  __device__ __forceinline__ in_shared(uint32_t *state, int64_t width, int64_t s) : ran2_state(state, width, s)
  {
#pragma unroll 8
    for (int j = 0; j < DS_RAN2_TABLE; j++) table()[j * THREADS] = state[(CORE + j) * width + s];
  }
  __device__ __forceinline__ uint32_t word()
  {
    return ds_ran2_core_next(&g, table(), THREADS);
  }
  __device__ __forceinline__ void save(uint32_t *state, int64_t width, int64_t s)
  {
    ran2_state::save(state, width, s);
#pragma unroll 8
    for (int j = 0; j < DS_RAN2_TABLE; j++) state[(CORE + j) * width + s] = table()[j * THREADS];
  }
};

}    // namespace

extern "C" ds_status ds_ran2_fill_cuda(ds_rng *r, const ds_fill *f, ds_error *err)
{
  return f->words < MANY ? ds_fill_streams_cuda<in_global>(r, f, err) : ds_fill_streams_cuda<in_shared>(r, f, err);
}
