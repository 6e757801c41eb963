/* Arrays of random numbers on the GPU: what the kernels of all generators share.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_RNG_FILL_CUDA_CUH
#define DPDSOP_RNG_FILL_CUDA_CUH

#include "../core/gpu.h"
#include "streams.h"

#include <type_traits>

struct ds_rng_gpu {
  int device, processors;
  cudaStream_t stream;
  int own_stream;
  ds_buffer state; /* the generator's words, where has_state */
  int has_state;
  ds_buffer numbers; /* on their way to the host */
  ds_buffer scratch; /* what else a generator wants */
};

/* The state on the device, as far as the generator has one. */
ds_status ds_rng_gpu_state(ds_rng *rng, ds_error *err);

/* DS_LAUNCH with dynamic shared memory, of a size that may have to be asked for. */
template <class... P, class... A>
ds_status ds_launch_shared(ds_error *err, const char *name, void (*kernel)(P...), unsigned blocks, int threads, int shared,
                           cudaStream_t stream, A... arguments)
{
  if (shared > 0) {
    const ds_status s =
        ds_gpu_check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared), name, err);
    if (s) return s;
  }
  kernel<<<blocks, threads, shared, stream>>>(arguments...);
  return ds_gpu_check(cudaGetLastError(), name, err);
}

/* A transform and the type of its numbers, known to the compiler. */
template <ds_transform_kind KIND, class T> struct ds_number_transform {
  typedef T type;
  static constexpr ds_transform_kind kind = KIND;
  static constexpr int words = DS_TRANSFORM_TAKES(KIND, sizeof(T) == 8);
  static constexpr int numbers = DS_TRANSFORM_NUMBERS(KIND);

  /* x[0 .. numbers-1] of w[0 .. words-1] */
  static __device__ __forceinline__ void make(const uint32_t *w, double scale, double shift, T *x)
  {
    if constexpr (KIND == DS_TRANSFORM_WORDS)
      x[0] = w[0];
    else if constexpr (sizeof(T) == 4)
      ds_makef(KIND, w[0], w[words - 1], x, x + numbers - 1);
    else
      ds_make(KIND, scale, shift, w[0], w[words - 1], x, x + numbers - 1);
  }
};

/* Which transforms a generator has, as its ds_rng_info says; kernels of the others are not compiled. */
enum { DS_WORD_DOUBLES = 1, DS_TWO_WORD_DOUBLES = 2, DS_NORMAL_PAIRS = 4, DS_NORMAL_INVERSE = 8 };

constexpr bool ds_has_transform(int transforms, ds_transform_kind kind, bool is_double)
{
  switch (kind) {
  case DS_TRANSFORM_UNIFORM:
  case DS_TRANSFORM_UNIFORM_LEFT: return !is_double || (transforms & DS_TWO_WORD_DOUBLES);
  case DS_TRANSFORM_SCALED: return is_double && (transforms & DS_WORD_DOUBLES);
  case DS_TRANSFORM_BOX_MULLER: return transforms & DS_NORMAL_PAIRS;
  case DS_TRANSFORM_INVERSE: return transforms & DS_NORMAL_INVERSE;
  default: return true;
  }
}

template <int LAWS, ds_transform_kind KIND, class T, class Launch> ds_status ds_launch_transform(Launch launch)
{
  if constexpr (ds_has_transform(LAWS, KIND, sizeof(T) == 8))
    return launch(ds_number_transform<KIND, T>());
  else
    return DS_ERR_ARGUMENT; /* ds_rng_fill does not ask for it */
}

/* Calls launch(transform) with the ds_number_transform of a fill. */
template <int LAWS, class Launch> ds_status ds_for_transform(const ds_fill *f, Launch launch)
{
  if (f->transform.kind == DS_TRANSFORM_WORDS) return launch(ds_number_transform<DS_TRANSFORM_WORDS, uint32_t>());
#define DS_CASE(kind)                                                                                                          \
  case kind:                                                                                                                   \
    return f->type == DS_F32 ? ds_launch_transform<LAWS, kind, float>(launch) : ds_launch_transform<LAWS, kind, double>(launch);
  switch (f->transform.kind) {
    DS_NUMBER_TRANSFORMS(DS_CASE)
  default: return ds_launch_transform<LAWS, DS_TRANSFORM_SCALED, double>(launch);
  }
#undef DS_CASE
}

/* Vectors of 16 bytes, or of 8 of which there are two, for whole numbers of a thread. */
template <class T> struct ds_vector_of;
template <> struct ds_vector_of<float> {
  typedef float4 type;
};
template <> struct ds_vector_of<uint32_t> {
  typedef uint4 type;
};
template <> struct ds_vector_of<double> {
  typedef double2 type;
};

/* -------------------------------------------------------------------------------------- streams */

enum { DS_STREAM_THREADS = 64 }; /* of a block */

/* A thread makes the numbers of one stream. G is the generator as a thread has it, with its transforms: made of the state in
   memory, word() gives the next one, and save() puts the state back. Word j of stream s lies at
   state[j * width + s], so that the loads of a warp are whole lines. */
template <class G, class L>
__global__ void ds_streams_kernel(uint32_t *state, int64_t width, uint64_t units, double scale, double shift,
                                  typename L::type *out, uint64_t n)
{
  const int64_t s = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= width) return;
  G g(state, width, s);
  uint64_t at = (uint64_t) s;
  for (uint64_t unit = 0; unit < units; unit++) {
    uint32_t w[2];
    typename L::type x[2];
    for (int c = 0; c < L::words; c++) w[c] = g.word();
    L::make(w, scale, shift, x);
    for (int c = 0; c < L::numbers; c++, at += (uint64_t) width)
      if (at < n) out[at] = x[c];
  }
  g.save(state, width, s);
}

template <class G> ds_status ds_fill_streams_cuda(ds_rng *r, const ds_fill *f, ds_error *err)
{
  const int64_t width = r->options.width;
  const ds_status s = ds_rng_gpu_state(r, err);
  if (s) return s;
  return ds_for_transform<G::transforms>(f, [&](auto transform) {
    typedef decltype(transform) L;
    return DS_LAUNCH(err, "streams kernel", (ds_streams_kernel<G, L>), ds_gpu_blocks((size_t) width, DS_STREAM_THREADS),
                     DS_STREAM_THREADS, r->gpu->stream, DS_DATA(uint32_t, r->gpu->state), width, f->units, f->transform.scale,
                     f->transform.shift, (typename L::type *) f->out, (uint64_t) f->n);
  });
}

#endif
