/* Additive lagged Fibonacci on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later

   Words come in windows, and what a window needs is there before it begins: that is what orders the kernels of a
   stream. For long lags there is a kernel for each window, in which every thread replaces words of the ring
   in place (PRNG Algorithm 3). For short lags a long call would be thousands of kernels, each of which takes longer
   to start than to run: there one block keeps the whole ring in its registers, walks through all windows, and waits
   for itself alone; its words become numbers in a second kernel. That holds for the rings that fit, up to
   ll = 44497.

   ds_rng.pieces are blocks that share a window; then there is always a kernel for each. */
#include "dpdsop/device/rng/fibonacci.h"
#include "fill_cuda.cuh"

namespace {

/* --------------------------------------------------------------------------------------- windows */

enum { WINDOW_THREADS = 128 };

template <class T> struct __align__(2 * sizeof(T)) pair_of
{
  T x[2];
};

/* The numbers of unit u of a call to their place in out; pairs as such where the array allows. */
template <class L>
__device__ __forceinline__ void put(const uint32_t *w, double scale, double shift, uint64_t u, bool aligned,
                                    typename L::type *out, uint64_t n)
{
  typename L::type x[2];
  L::make(w, scale, shift, x);
  if constexpr (L::numbers == 1) {
    out[u] = x[0];
  } else if (aligned && 2 * u + 1 < n) {
    pair_of<typename L::type> both = {{x[0], x[1]}};
    ((pair_of<typename L::type> *) out)[u] = both;
  } else {
    out[2 * u] = x[0];
    if (2 * u + 1 < n) out[2 * u + 1] = x[1];
  }
}

template <class T> bool pairs_fit(const T *out)
{
  return (uintptr_t) out % (2 * sizeof(T)) == 0;
}

/* A window of so many units, of which the first ones are made of words of the ring and the others, sl words
   later, of those that the same thread has just made. */
template <class L>
__global__ void __launch_bounds__(WINDOW_THREADS)
    fibonacci_window(uint32_t *ring, ds_fibonacci_lags lags, uint32_t position, uint32_t units, double scale, double shift,
                     bool aligned, typename L::type *out, uint64_t n)
{
  const uint32_t ahead = lags.sl / L::words, first = units < ahead ? units : ahead;
  const uint32_t step = gridDim.x * WINDOW_THREADS;
  for (uint32_t u = blockIdx.x * WINDOW_THREADS + threadIdx.x; u < first; u += step) {
    uint32_t w[2];
#pragma unroll
    for (int c = 0; c < L::words; c++) w[c] = ds_fibonacci_word(ring, lags, position, u * L::words + c);
    put<L>(w, scale, shift, u, aligned, out, n);
    const uint32_t v = u + ahead;
    if (v >= units) continue;
#pragma unroll
    for (int c = 0; c < L::words; c++) w[c] = ds_fibonacci_second(ring, lags, position, v * L::words + c, w[c]);
    put<L>(w, scale, shift, v, aligned, out, n);
  }
}

/* Units of the largest window: see ds_fibonacci_second. Where two words make a unit and sl is odd, the words sl
   later are not those of a unit. */
uint32_t most_units(ds_fibonacci_lags lags, uint32_t words)
{
  if (lags.sl % words) return ds_fibonacci_safe(lags) / words;
  const uint32_t most = lags.ll - lags.sl < 2 * lags.sl ? lags.ll - lags.sl : 2 * lags.sl;
  return most / words;
}

template <class L>
ds_status fill_windows(const ds_rng *r, const ds_fill *f, ds_fibonacci_lags lags, uint32_t position, ds_error *err)
{
  typename L::type *out = (typename L::type *) f->out;
  const uint32_t most = most_units(lags, L::words);
  const bool aligned = pairs_fit(out);
  ds_status s = DS_OK;
  for (uint64_t unit = 0; unit < f->units && !s; unit += most) {
    const uint32_t units = f->units - unit < most ? (uint32_t) (f->units - unit) : most;
    const uint32_t ahead = lags.sl / L::words, threads = units < ahead ? units : ahead;
    const unsigned blocks = r->pieces ? (unsigned) r->pieces : ds_gpu_blocks(threads, WINDOW_THREADS);
    s = DS_LAUNCH(err, "fibonacci window kernel", (fibonacci_window<L>), blocks, WINDOW_THREADS, r->gpu->stream,
                  DS_DATA(uint32_t, r->gpu->state), lags, position, units, f->transform.scale, f->transform.shift, aligned,
                  out + unit * L::numbers, (uint64_t) f->n - unit * L::numbers);
    position = ds_fibonacci_place(lags, position, units * L::words);
  }
  return s;
}

/* ------------------------------------------------------------------------------------ short lags */

enum { CONVERT_THREADS = 256 };
constexpr uint32_t WALK_WORDS = 1u << 22;

/* With ll <= 2 sl the ring is taken apart into sl chains of two words, those at i and i + sl from the position on,
   the second only for i < ll - sl. Both stay with a thread: in a window of ll words it makes word i, and from that
   word i + sl. What it needs of others is the newest word of one other chain. The lags are constants, so
   that nearly all chains are known to be there. */
template <uint32_t LL, uint32_t SL, int THREADS> struct walker {
  static constexpr int threads = THREADS, chains = (SL + THREADS - 1) / THREADS;
  static constexpr uint32_t ll = LL, rest = LL - SL;
  static_assert(LL <= 2 * SL && rest <= SL && THREADS <= 1024, "not for these lags");
  static constexpr int shared = SL * 4; /* bytes, for the newest words */
  uint32_t a[chains], b[chains];

  static __device__ __forceinline__ uint32_t chain(int c) { return threadIdx.x + c * THREADS; }
  static __device__ __forceinline__ bool below(int c, uint32_t end)
  {
    return (c + 1) * THREADS <= end || (c * THREADS < end && chain(c) < end);
  }

  __device__ __forceinline__ void load(const uint32_t *ring, uint32_t position)
  {
#pragma unroll
    for (int c = 0; c < chains; c++) {
      if (below(c, SL)) a[c] = ring[ds_fibonacci_place({LL, SL}, position, chain(c))];
      if (below(c, rest)) b[c] = ring[ds_fibonacci_place({LL, SL}, position, chain(c) + SL)];
    }
  }

  __device__ __forceinline__ void store(uint32_t *ring, uint32_t position) const
  {
#pragma unroll
    for (int c = 0; c < chains; c++) {
      if (below(c, SL)) ring[ds_fibonacci_place({LL, SL}, position, chain(c))] = a[c];
      if (below(c, rest)) ring[ds_fibonacci_place({LL, SL}, position, chain(c) + SL)] = b[c];
    }
  }

  /* The first `now` words of a window; all of them if WHOLE. newest: the last SL words in their order. */
  template <bool WHOLE> __device__ __forceinline__ void window(uint32_t *newest, uint32_t *out, uint32_t now)
  {
#pragma unroll
    for (int c = 0; c < chains; c++) {
      if (below(c, rest))
        newest[chain(c) + (SL - rest)] = b[c];
      else if (below(c, SL))
        newest[chain(c) - rest] = a[c];
    }
    __syncthreads();
#pragma unroll
    for (int c = 0; c < chains; c++) {
      const uint32_t i = chain(c);
      if (below(c, SL) && (WHOLE || i < now)) out[i] = a[c] += newest[i];
      if (below(c, rest) && (WHOLE || i + SL < now)) out[i + SL] = b[c] += a[c];
    }
    __syncthreads();
  }
};

/* Makes n words; one block. */
template <class W>
__global__ void __launch_bounds__(W::threads) fibonacci_walk(uint32_t *ring, uint32_t position, uint32_t *out, uint64_t n)
{
  extern __shared__ uint32_t newest[];
  W w;
  w.load(ring, position);
  for (; n >= W::ll; n -= W::ll, out += W::ll) w.template window<true>(newest, out, W::ll);
  w.template window<false>(newest, out, (uint32_t) n);
  w.store(ring, position); /* whole windows do not move it */
}

template <class W> ds_status start_walk(const ds_rng *r, uint32_t position, uint32_t *out, uint64_t n, ds_error *err)
{
  return ds_launch_shared(err, "fibonacci walk kernel", fibonacci_walk<W>, 1, W::threads, W::shared, r->gpu->stream,
                          DS_DATA(uint32_t, r->gpu->state), position, out, n);
}

bool can_walk(ds_fibonacci_lags lags)
{
  return lags.ll <= 44497;
}

ds_status walk(const ds_rng *r, ds_fibonacci_lags lags, uint32_t position, uint32_t *out, uint64_t n, ds_error *err)
{
  switch (lags.ll) {
  case 2281: return start_walk<walker<2281, 1252, 640>>(r, position, out, n, err);
  case 4423: return start_walk<walker<4423, 3004, 768>>(r, position, out, n, err);
  case 9689: return start_walk<walker<9689, 5502, 928>>(r, position, out, n, err);
  case 19937: return start_walk<walker<19937, 10095, 1024>>(r, position, out, n, err);
  default: return start_walk<walker<44497, 23463, 1024>>(r, position, out, n, err);
  }
}

template <class L>
__global__ void __launch_bounds__(CONVERT_THREADS)
    fibonacci_convert(const uint32_t *words, double scale, double shift, bool aligned, typename L::type *out, uint64_t n)
{
  const uint64_t u = (uint64_t) blockIdx.x * CONVERT_THREADS + threadIdx.x;
  if (u * L::numbers >= n) return;
  uint32_t w[2];
  w[0] = words[u * L::words];
  if (L::words == 2) w[1] = words[u * L::words + 1];
  put<L>(w, scale, shift, u, aligned, out, n);
}

/* Words to a part of the second level cache's size, and from there numbers by all processors. */
template <class L>
ds_status fill_walking(const ds_rng *r, const ds_fill *f, ds_fibonacci_lags lags, uint32_t position, ds_error *err)
{
  typename L::type *out = (typename L::type *) f->out;
  if constexpr (L::kind == DS_TRANSFORM_WORDS) return walk(r, lags, position, out, f->words, err);
  uint32_t *const words = DS_DATA(uint32_t, r->gpu->scratch);
  ds_status s = DS_OK;
  for (uint64_t word = 0; word < f->words && !s; word += WALK_WORDS) {
    const uint32_t count = f->words - word < WALK_WORDS ? (uint32_t) (f->words - word) : WALK_WORDS;
    const uint64_t at = word / L::words * L::numbers;
    s = walk(r, lags, position, words, count, err);
    position = (position + count) % lags.ll;
    if (s) break;
    s = DS_LAUNCH(err, "fibonacci number kernel", (fibonacci_convert<L>), ds_gpu_blocks(count / L::words, CONVERT_THREADS),
                  CONVERT_THREADS, r->gpu->stream, words, f->transform.scale, f->transform.shift, pairs_fit(out), out + at,
                  (uint64_t) f->n - at);
  }
  return s;
}

/* More than two windows of short lags. */
bool walks(const ds_rng *r, const ds_fill *f, ds_fibonacci_lags lags)
{
  return r->pieces == 0 && can_walk(lags) && f->units > 2 * most_units(lags, (uint32_t) f->transform.words);
}

}    // namespace

extern "C" ds_status ds_fibonacci_fill_cuda(ds_rng *r, const ds_fill *f, ds_error *err)
{
  const ds_fibonacci_lags lags = ds_fibonacci_choose(r->options.width);
  const uint32_t position = (uint32_t) (r->position % lags.ll);
  const bool walking = walks(r, f, lags);
  ds_status s = ds_rng_gpu_state(r, err);
  if (!s && walking && f->transform.kind != DS_TRANSFORM_WORDS)
    s = ds_buffer_reserve(&ds_device_memory, &r->gpu->scratch, f->words < WALK_WORDS ? f->words : WALK_WORDS, sizeof(uint32_t),
                          "random words", err);
  if (s) return s;
  return ds_for_transform<DS_TWO_WORD_DOUBLES | DS_NORMAL_PAIRS>(f, [&](auto transform) {
    typedef decltype(transform) L;
    return walking ? fill_walking<L>(r, f, lags, position, err) : fill_windows<L>(r, f, lags, position, err);
  });
}
