/* Counter-based generators on the GPU: every thread makes its words from their number.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_RNG_COUNTER_CUDA_CUH
#define DPDSOP_RNG_COUNTER_CUDA_CUH

#include "fill_cuda.cuh"

/* A generator G is made of an object's options, and make(four, w) gives the words 4 four to 4 four + 3.

   Words `shift` places behind those; where it is not 0, the same in the whole call, two groups of four are cut. */
template <class G>
__device__ __forceinline__ void ds_four_words(const G &g, uint64_t four, int shift, uint32_t w[4])
{
  if (shift == 0) {
    g.make(four, w);
    return;
  }
  uint32_t two[8];
  g.make(four, two);
  g.make(four + 1, two + 4);
  for (int c = 0; c < 4; c++) w[c] = shift == 1 ? two[c + 1] : shift == 2 ? two[c + 2] : two[c + 3];
}

/* As many threads as a multiprocessor takes: blocks stay until the end, and a launch has no more of them than fit at
   once. Double precision needs more than 32 registers. */
enum { DS_COUNTER_BLOCKS = 2, DS_COUNTER_REST_THREADS = 128 };
template <class L> constexpr int ds_counter_threads = sizeof(typename L::type) == 8 ? 512 : 1024;

/* What four words give: 16 or 32 bytes of numbers. */
template <class L> struct ds_group {
  static constexpr int numbers = 4 / L::words * L::numbers;
  static __device__ __forceinline__ void make(const uint32_t w[4], double scale, double shift,
                                              typename L::type *x)
  {
#pragma unroll
    for (int u = 0; u < 4 / L::words; u++)
      L::make(w + u * L::words, scale, shift, x + u * L::numbers);
  }
};

/* Whole groups, the first of them of the words 4 first to 4 first + 3, into an array that is aligned to 16 bytes. */
template <class G, class L>
__global__ void __launch_bounds__(ds_counter_threads<L>, DS_COUNTER_BLOCKS)
    ds_counter_kernel(const G g, uint64_t first, double scale, double shift, typename L::type *out,
                      uint64_t groups)
{
  typedef typename ds_vector_of<typename L::type>::type V;
  constexpr int per = ds_group<L>::numbers, vectors = per * (int) sizeof(typename L::type) / 16;
  const uint64_t step = (uint64_t) gridDim.x * ds_counter_threads<L>;
  uint64_t group = (uint64_t) blockIdx.x * ds_counter_threads<L> + threadIdx.x;
#pragma unroll 1
  for (; group < groups; group += step) {
    uint32_t w[4];
    __align__(16) typename L::type x[per];
    g.make(first + group, w);
    ds_group<L>::make(w, scale, shift, x);
#pragma unroll
    for (int v = 0; v < vectors; v++) ((V *) out)[group * vectors + v] = ((const V *) x)[v];
  }
}

/* Any numbers first .. n - 1 of a call, from any position into any array; a thread, a group. */
template <class G, class L>
__global__ void ds_counter_rest_kernel(const G g, uint64_t position, double scale, double shift,
                                       typename L::type *out, uint64_t first, uint64_t n)
{
  constexpr int per = ds_group<L>::numbers;
  const uint64_t group = first / per + (uint64_t) blockIdx.x * blockDim.x + threadIdx.x;
  if (group * per >= n) return;
  uint32_t w[4];
  typename L::type x[per];
  ds_four_words(g, position / 4 + group, (int) (position % 4), w);
  ds_group<L>::make(w, scale, shift, x);
  for (int c = 0; c < per; c++)
    if (group * per + c < n) out[group * per + c] = x[c];
}

template <class G> ds_status ds_fill_counter_cuda(ds_rng *r, const ds_fill *f, ds_error *err)
{
  const bool plain = (uintptr_t) f->out % 16 == 0 && r->position % 4 == 0;
  const cudaStream_t stream = r->gpu->stream;
  const G g(r->options);
  return ds_for_transform<DS_TWO_WORD_DOUBLES | DS_NORMAL_PAIRS>(f, [&](auto transform) {
    typedef decltype(transform) L;
    typename L::type *out = (typename L::type *) f->out;
    constexpr uint64_t per = ds_group<L>::numbers;
    const uint64_t groups = plain ? f->n / per : 0, rest = (f->n - groups * per + per - 1) / per;
    const unsigned most = (unsigned) r->gpu->processors * DS_COUNTER_BLOCKS;
    const unsigned blocks = ds_gpu_blocks(groups, ds_counter_threads<L>);
    const ds_status s = DS_LAUNCH(err, G::name(), (ds_counter_kernel<G, L>),
                                  blocks < most ? blocks : most, ds_counter_threads<L>, stream, g,
                                  r->position / 4, f->transform.scale, f->transform.shift, out, groups);
    if (s) return s;
    return DS_LAUNCH(err, G::name(), (ds_counter_rest_kernel<G, L>),
                     ds_gpu_blocks(rest, DS_COUNTER_REST_THREADS), DS_COUNTER_REST_THREADS, stream,
                     g, r->position, f->transform.scale, f->transform.shift, out, groups * per,
                     (uint64_t) f->n);
  });
}

#endif
