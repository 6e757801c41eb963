/* Counter-based generators on the GPU: every thread makes its words from their number.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "fill_cuda.cuh"

namespace {

/* A generator of the list. The keys come as an argument of the kernel, which instructions take without loading it. */
template <class KEYS, void FOUR(const KEYS *, uint64_t, uint32_t *)> struct counter_generator {
  KEYS keys;
  __device__ __forceinline__ void make(uint64_t four, uint32_t *w) const { FOUR(&keys, four, w); }
};

/* Words `shift` places behind those; where it is not 0, the same in the whole call, two groups of four are cut. */
template <class G> __device__ __forceinline__ void four_words(const G &g, uint64_t four, int shift, uint32_t w[4])
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
template <class L> constexpr int counter_threads = sizeof(typename L::type) == 8 ? 512 : 1024;

/* What four words give: 16 or 32 bytes of numbers. */
template <class L> struct group_of {
  static constexpr int numbers = 4 / L::words * L::numbers;
  static __device__ __forceinline__ void make(const uint32_t w[4], double scale, double shift, typename L::type *x)
  {
#pragma unroll
    for (int u = 0; u < 4 / L::words; u++) L::make(w + u * L::words, scale, shift, x + u * L::numbers);
  }
};

/* Whole groups, the first of them of the words 4 first to 4 first + 3, into an array that is aligned to 16 bytes. */
template <class G, class L>
__global__ void __launch_bounds__(counter_threads<L>, DS_COUNTER_BLOCKS)
    counter_kernel(const G g, uint64_t first, double scale, double shift, typename L::type *out, uint64_t groups)
{
  typedef typename ds_vector_of<typename L::type>::type V;
  constexpr int per = group_of<L>::numbers, vectors = per * (int) sizeof(typename L::type) / 16;
  const uint64_t step = (uint64_t) gridDim.x * counter_threads<L>;
  uint64_t group = (uint64_t) blockIdx.x * counter_threads<L> + threadIdx.x;
#pragma unroll 1
  for (; group < groups; group += step) {
    uint32_t w[4];
    __align__(16) typename L::type x[per];
    g.make(first + group, w);
    group_of<L>::make(w, scale, shift, x);
#pragma unroll
    for (int v = 0; v < vectors; v++) ((V *) out)[group * vectors + v] = ((const V *) x)[v];
  }
}

/* Any numbers first .. n - 1 of a call, from any position into any array; a thread, a group. */
template <class G, class L>
__global__ void counter_rest_kernel(const G g, uint64_t position, double scale, double shift, typename L::type *out,
                                    uint64_t first, uint64_t n)
{
  constexpr int per = group_of<L>::numbers;
  const uint64_t group = first / per + (uint64_t) blockIdx.x * blockDim.x + threadIdx.x;
  if (group * per >= n) return;
  uint32_t w[4];
  typename L::type x[per];
  four_words(g, position / 4 + group, (int) (position % 4), w);
  group_of<L>::make(w, scale, shift, x);
  for (int c = 0; c < per; c++)
    if (group * per + c < n) out[group * per + c] = x[c];
}

template <class G> ds_status fill(const char *name, const G &g, const ds_rng *r, const ds_fill *f, ds_error *err)
{
  const bool plain = (uintptr_t) f->out % 16 == 0 && r->position % 4 == 0;
  const cudaStream_t stream = r->gpu->stream;
  return ds_for_transform<DS_TWO_WORD_DOUBLES | DS_NORMAL_PAIRS>(f, [&](auto transform) {
    typedef decltype(transform) L;
    typename L::type *out = (typename L::type *) f->out;
    constexpr uint64_t per = group_of<L>::numbers;
    const uint64_t groups = plain ? f->n / per : 0, rest = (f->n - groups * per + per - 1) / per;
    const unsigned most = (unsigned) r->gpu->processors * DS_COUNTER_BLOCKS;
    const unsigned blocks = ds_gpu_blocks(groups, counter_threads<L>);
    const ds_status s = DS_LAUNCH(err, name, (counter_kernel<G, L>), blocks < most ? blocks : most, counter_threads<L>, stream,
                                  g, r->position / 4, f->transform.scale, f->transform.shift, out, groups);
    if (s) return s;
    return DS_LAUNCH(err, name, (counter_rest_kernel<G, L>), ds_gpu_blocks(rest, DS_COUNTER_REST_THREADS),
                     DS_COUNTER_REST_THREADS, stream, g, r->position, f->transform.scale, f->transform.shift, out, groups * per,
                     (uint64_t) f->n);
  });
}

}    // namespace

#define FILL(kind, name, generator, init, next, row, at, keys, schedule, four)                                                 \
  case kind: {                                                                                                                 \
    const counter_generator<keys, four> g = {schedule(r->options.seed, r->options.rounds)};                                    \
    return fill(name " kernel", g, r, f, err);                                                                                 \
  }

extern "C" ds_status ds_counter_fill_cuda(ds_rng *r, const ds_fill *f, ds_error *err)
{
  switch (r->method->kind) {
    DS_COUNTER_GENERATORS(FILL)
  default: return DS_ERR_ARGUMENT; /* a generator of another list has another fill_cuda */
  }
}
