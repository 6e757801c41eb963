/* MRG32k3a on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later

   Simple skip-ahead (Bradley section 2.2): every thread makes a segment of the sequence. Numbers reach memory
   through a tile of shared memory for each warp, so that whole lines are written (section 2.3). */
#include "fill_cuda.cuh"
#include "mrg32k3a_state.h"

namespace {

enum {
  LOG_THREADS = 8,
  THREADS = 1 << LOG_THREADS,
  BLOCKS = 4, /* on a multiprocessor */
  WARP = 32,
  LINE = 128,      /* bytes of a row of a tile: what a thread makes before the warp writes */
  ROW = LINE + 16, /* its distance to the next one: 16-byte accesses without bank conflicts */
  MAX_BITS = 21   /* of the number of segments: 2^20 pieces */
};

struct plan {
  uint32_t state[6];
  uint32_t power[MAX_BITS][18]; /* over 2^k segments: the rows of both halves */
};

/* Residue `row` of a state of this half, after a matrix. */
__device__ __forceinline__ uint32_t ds_moved(const uint32_t *a, uint32_t (*s)[THREADS], unsigned row, unsigned thread)
{
  uint32_t(*half)[THREADS] = s + row / 3 * 3;
  return ds_mrg32k3a_dot(a[3 * row], a[3 * row + 1], a[3 * row + 2], half[0][thread], half[1][thread], half[2][thread],
                         row < 3 ? DS_MRG32K3A_F1 : DS_MRG32K3A_F2);
}

/* The state at the start of this thread's segment. That of the block's first thread follows from the bits of the
   block's number; then 2^k threads that have theirs give 2^k more, with one matrix. Six warps make a
   residue each: a launch begins with this, and nothing else can be done meanwhile. */
__device__ __forceinline__ void ds_start(const plan &p, uint32_t (*s)[THREADS], uint32_t mine[6])
{
  const unsigned row = threadIdx.x / WARP, lane = threadIdx.x % WARP;
  if (threadIdx.x < 6) s[threadIdx.x][0] = p.state[threadIdx.x];
#pragma unroll 1
  for (unsigned k = LOG_THREADS, bits = blockIdx.x; bits; k++, bits >>= 1) {
    uint32_t v = 0;
    if (!(bits & 1)) continue;
    __syncthreads();
    if (row < 6) v = ds_moved(p.power[k], s, row, 0);
    __syncthreads();
    if (row < 6 && lane == 0) s[row][0] = v;
  }
#pragma unroll 1
  for (unsigned k = 0; k < LOG_THREADS; k++) {
    __syncthreads();
    if (row < 6)
      for (unsigned t = lane; t < 1u << k; t += WARP) s[row][t + (1u << k)] = ds_moved(p.power[k], s, row, t);
  }
  __syncthreads();
#pragma unroll
  for (int c = 0; c < 6; c++) mine[c] = s[c][threadIdx.x];
  __syncthreads(); /* the memory is going to be used for numbers */
}

/* The next LINE bytes of numbers to a row of the tile. */
template <class L> __device__ __forceinline__ void ds_make_row(ds_mrg32k3a *g, double scale, double shift, unsigned char *row)
{
  typedef typename L::type T;
  typedef typename ds_vector_of<T>::type V;
  constexpr int each = sizeof(V) / sizeof(T);
#pragma unroll 4
  for (int c = 0; c < LINE; c += sizeof(V)) {
    V v;
    T *x = (T *) &v;
#pragma unroll
    for (int k = 0; k < each; k += L::numbers) {
      uint32_t w[2];
#pragma unroll
      for (int i = 0; i < L::words; i++) w[i] = ds_mrg32k3a_next(g);
      L::make(w, scale, shift, x + k);
    }
    *(V *) (row + c) = v;
  }
}

/* A tile to memory: row r to out + r * segment. Of a row `count` numbers belong to the segment, of those at out
   `room` to the array; where that is all, and addresses allow it, whole vectors are written. */
template <class T>
__device__ __forceinline__ void ds_write_tile(const unsigned char *tile, T *out, uint64_t segment, uint64_t count,
                                              uint64_t room, bool vectors)
{
  typedef typename ds_vector_of<T>::type V;
  constexpr unsigned numbers = LINE / sizeof(T);
  const unsigned lane = threadIdx.x % WARP;
  if (vectors && count >= numbers && room >= (WARP - 1) * segment + numbers) {
    constexpr unsigned rows = WARP / (LINE / sizeof(V)); /* at a time */
    const unsigned row = lane / (WARP / rows), column = lane % (WARP / rows);
    const unsigned char *from = tile + row * ROW + column * sizeof(V);
    T *to = out + row * segment + column * (sizeof(V) / sizeof(T));
#pragma unroll
    for (unsigned k = 0; k < WARP; k += rows, to += rows * segment) *(V *) to = *(const V *) (from + k * ROW);
  } else {
#pragma unroll 1
    for (unsigned k = lane; k < WARP * numbers; k += WARP) {
      const unsigned row = k / numbers, column = k % numbers;
      if (column < count && row * segment + column < room)
        out[row * segment + column] = ((const T *) (tile + row * ROW))[column];
    }
  }
}

/* Thread i makes numbers i * segment to (i + 1) * segment - 1 of n. */
template <class L>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    ds_mrg32k3a_kernel(const __grid_constant__ plan p, uint64_t segment, bool vectors, double scale, double shift,
                       typename L::type *out, uint64_t n)
{
  typedef typename L::type T;
  constexpr unsigned numbers = LINE / sizeof(T);
  __shared__ __align__(16) unsigned char memory[THREADS * ROW];
  uint32_t s[6];
  ds_start(p, (uint32_t(*)[THREADS]) memory, s);
  const unsigned lane = threadIdx.x % WARP, first = threadIdx.x - lane;
  const uint64_t start = ((uint64_t) blockIdx.x * THREADS + first) * segment;
  if (start >= n) return; /* the whole warp */
  unsigned char *tile = memory + first * ROW;
  ds_mrg32k3a g;
  ds_mrg32k3a_set(&g, s);
  for (uint64_t c = 0; c < segment; c += numbers) {
    ds_make_row<L>(&g, scale, shift, tile + lane * ROW);
    __syncwarp();
    ds_write_tile(tile, out + start + c, segment, segment - c, n > start + c ? n - start - c : 0, vectors);
    __syncwarp();
  }
}

/* Numbers of a segment: as many as asked for, or so that all multiprocessors have the same to do, in whole lines. */
template <class L> uint64_t ds_segment(const ds_rng *r, const ds_fill *f)
{
  if (r->pieces) {
    const uint64_t pieces = (uint64_t) r->pieces;
    return (f->units + pieces - 1) / pieces * L::numbers;
  }
  const uint64_t line = LINE / sizeof(typename L::type);
  const uint64_t threads = (uint64_t) r->gpu->processors * BLOCKS * THREADS;
  return ((uint64_t) f->n + threads * line - 1) / (threads * line) * line;
}

/* The matrices over 1, 2, 4, ... segments: a block's, and those of the bits of the number of blocks. */
void ds_make_plan(const ds_mrg32k3a_object *o, uint64_t words, unsigned blocks, plan *p)
{
  ds_mrg32k3a_matrix a, root;
  memcpy(p->state, o->state, sizeof p->state);
  ds_mrg32k3a_power(&o->powers, words, &a);
  for (int k = 0; k < LOG_THREADS || (blocks - 1) >> (k - LOG_THREADS); k++) {
    memcpy(p->power[k], a.x, sizeof a.x);
    memcpy(p->power[k] + 9, a.y, sizeof a.y);
    root = a;
    ds_mrg32k3a_multiply(&root, &root, &a);
  }
}

}    // namespace

extern "C" ds_status ds_mrg32k3a_fill_cuda(ds_rng *r, const ds_fill *f, ds_error *err)
{
  ds_mrg32k3a_object *o = (ds_mrg32k3a_object *) r->state;
  const ds_status s = ds_for_transform<DS_WORD_DOUBLES | DS_NORMAL_PAIRS>(f, [&](auto transform) {
    typedef decltype(transform) L;
    const uint64_t segment = ds_segment<L>(r, f);
    const uint64_t segments = ((uint64_t) f->n + segment - 1) / segment;
    const unsigned blocks = ds_gpu_blocks((size_t) segments, THREADS);
    const bool vectors = (uintptr_t) f->out % 16 == 0 && segment * sizeof(typename L::type) % 16 == 0;
    plan p;
    ds_make_plan(o, segment / L::numbers * L::words, blocks, &p);
    return DS_LAUNCH(err, "mrg32k3a kernel", (ds_mrg32k3a_kernel<L>), blocks, THREADS, r->gpu->stream, p, segment, vectors,
                     f->transform.scale, f->transform.shift, (typename L::type *) f->out, (uint64_t) f->n);
  });
  if (!s) ds_mrg32k3a_skip_state(o->state, &o->powers, f->words);
  return s;
}
