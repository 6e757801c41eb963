/* Sobol points on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later

   Strided generation (Bradley section 3): 2^b warps share a dimension and leap over each other. A warp holds
   the direction numbers, each lane one, and lanes look them up at each other. */
#include "dpdsop/device/rng/sobol.h"
#include "fill_cuda.cuh"

namespace {

enum { THREADS = 1024, WARP = 32, WARPS = THREADS / WARP, LINE = 128 };

/* Blocks that a multiprocessor runs at once, in one resident wave, as with counters. The inverse in double precision
   has too many coefficients for the registers of two. */
template <class L> constexpr int ds_blocks = L::kind == DS_TRANSFORM_INVERSE && sizeof(typename L::type) == 8 ? 1 : 2;

constexpr unsigned ALL = 0xFFFFFFFFu;

/* A thread makes PER consecutive points, which are stored at once: 16 bytes, or one number where the ends of
   rows, or the position, do not allow that. A warp's points are a round. */
template <class T, unsigned PER> struct ds_shape {
  typedef typename ds_vector_of<T>::type vector;
};
template <class T> struct ds_shape<T, 1> {
  typedef T vector;
};

template <unsigned PER> constexpr int log_round = 5 + (PER > 1) + (PER > 2);

/* Index of the lowest 1; -1 for 0. */
__device__ __forceinline__ int ds_lowest(uint32_t v)
{
  return 31 - __clz((int) (v & ~(v - 1)));
}

/* y_n for n = first + PER * lane by eq. 3. Bit k of n adds m_{k+1} and m_k, as they follow from the Gray code: for the
   low bits one by one, for the others, of which a warp has but two values, lane k sees to bit k. */
template <unsigned PER> __device__ __forceinline__ uint32_t ds_start(uint32_t m, uint32_t first, unsigned lane)
{
  constexpr int low = log_round<PER>;
  const uint32_t next = first + (1u << low), n = first + lane * PER;
  const uint32_t before = __shfl_up_sync(ALL, m, 1), added = lane ? m ^ before : m;
  const uint32_t high = lane < low ? 0 : added;
  const uint32_t a = __reduce_xor_sync(ALL, first >> lane & 1 ? high : 0);
  const uint32_t b = __reduce_xor_sync(ALL, next >> lane & 1 ? high : 0);
  uint32_t y = n >> low == first >> low ? a : b;
#pragma unroll
  for (int k = 0; k < low; k++) {
    const uint32_t bit = __shfl_sync(ALL, added, k);
    if (n >> k & 1) y ^= bit;
  }
  return y;
}

/* Warp j of a dimension makes rounds j, j + 2^b, ... of its row. A round begins with a line of memory, so the first
   and the last one may reach beyond the row. */
template <class L, unsigned PER>
__global__ void __launch_bounds__(THREADS, ds_blocks<L>)
    ds_sobol_kernel(const uint32_t *directions, unsigned dimensions, int b, uint32_t position, double scale, double shift,
                    typename L::type *out, int64_t points)
{
  typedef typename L::type T;
  typedef typename ds_shape<T, PER>::vector V;
  const unsigned lane = threadIdx.x % WARP;
  const unsigned warp = blockIdx.x * WARPS + threadIdx.x / WARP, dimension = warp >> b;
  if (dimension >= dimensions) return; /* the whole warp */
  const uint32_t m = directions[dimension * DS_SOBOL_BITS + lane];
  const uint32_t m2 = __shfl_sync(ALL, m, 1);
  T *row = out + dimension * points;
  const int p = log_round<PER> + b;
  const int64_t lead = (int64_t) ((uintptr_t) row % LINE / sizeof(T)), step = (int64_t) 1 << p;
  int64_t i = (int64_t) (warp & ((1u << b) - 1)) * (WARP * PER) - lead;
  unsigned rounds = (unsigned) ((points - i + step - 1) >> p);
  const uint32_t first = position + (uint32_t) i, n = first + lane * PER;
  uint32_t y = ds_start<PER>(m, first, lane);

  /* Eq. 4: as n grows by 2^p, the bits above are counted on, and their complement down to 0 at the last
     point. The lowest zero of the ones is the lowest 1 of the other. Lane k has what is added where that is
     bit k; the last lane also after the last point, when the first one follows. */
  const uint32_t leap = __shfl_sync(ALL, m, lane + p < 32 ? lane + p : 31) ^ __shfl_sync(ALL, m, p - 1);
  uint32_t left = ~n >> p;
  V *to = (V *) (row + i) + lane;
#pragma unroll 1
  for (i += lane * PER; rounds; rounds--, left--, i += step, to += step / PER) {
    V v;
    uint32_t w = y;
#pragma unroll
    for (unsigned k = 0; k < PER; k++) {
      if (k) w ^= k % 2 ? DS_SOBOL_FIRST : m2;
      L::make(&w, scale, shift, (T *) &v + k);
    }
    if ((uint64_t) i < (uint64_t) points) *to = v;
    y ^= __shfl_sync(ALL, leap, ds_lowest(left));
  }
}

/* The direction numbers on the device, from the first call on. */
ds_status ds_upload(ds_rng *r, ds_error *err)
{
  ds_buffer *b = &r->gpu->scratch;
  const size_t count = (size_t) r->options.width * DS_SOBOL_BITS;
  if (b->data) return DS_OK;
  const ds_status s = ds_buffer_reserve(&ds_device_memory, b, count, sizeof *r->state, "direction numbers", err);
  return s ? s
           : ds_gpu_check(cudaMemcpyAsync(b->data, r->state, count * sizeof *r->state, cudaMemcpyHostToDevice, r->gpu->stream),
                          "copying direction numbers", err);
}

/* 2^b warps for a dimension: not more than pieces are asked for, or than run at once, or than it has rounds. */
int ds_log_warps(const ds_rng *r, uint64_t at_once, uint64_t rounds)
{
  uint64_t most = (uint64_t) r->pieces;
  if (!most) most = at_once / (uint64_t) r->options.width;
  if (most > rounds) most = rounds;
  int b = 0;
  while ((uint64_t) 2 << b <= most) b++;
  return b;
}

template <class L, unsigned PER> ds_status ds_launch(ds_rng *r, const ds_fill *f, ds_error *err)
{
  typedef typename L::type T;
  const uint64_t reach = f->units + LINE / sizeof(T) - 1; /* in front of a row, and the row */
  const uint64_t at_once = (uint64_t) r->gpu->processors * (WARPS * ds_blocks<L>);
  const int b = ds_log_warps(r, at_once, (reach + WARP * PER - 1) / (WARP * PER));
  const size_t warps = (size_t) r->options.width << b;
  return DS_LAUNCH(err, "sobol kernel", (ds_sobol_kernel<L, PER>), ds_gpu_blocks(warps, WARPS), THREADS, r->gpu->stream,
                   DS_DATA(const uint32_t, r->gpu->scratch), (unsigned) r->options.width, b, (uint32_t) r->position,
                   f->transform.scale, f->transform.shift, (T *) f->out, (int64_t) f->units);
}

}    // namespace

extern "C" ds_status ds_sobol_fill_cuda(ds_rng *r, const ds_fill *f, ds_error *err)
{
  const ds_status s = ds_upload(r, err);
  if (s) return s;
  return ds_for_transform<DS_WORD_DOUBLES | DS_NORMAL_INVERSE>(f, [&](auto transform) {
    typedef decltype(transform) L;
    constexpr unsigned per = 16 / sizeof(typename L::type);
    if ((uintptr_t) f->out % 16 == 0 && f->units % per == 0 && r->position % per == 0) return ds_launch<L, per>(r, f, err);
    return ds_launch<L, 1>(r, f, err);
  });
}
