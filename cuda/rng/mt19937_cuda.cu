/* The Mersenne Twister on the GPU.   SPDX-License-Identifier: GPL-2.0-or-later

   A call is cut into pieces of consecutive words, one per block, so its numbers are those of the sequence (Bradley's
   hybrid strategy). Each block needs the window where its piece begins. For a next call of the same size all
   of them move on by the same number of words: a second team of threads in each block makes that jump while
   the first one makes the numbers, on the tensor cores, which the first one leaves alone. The polynomial of this
   jump is computed on the host when a size is new, and kept for a few sizes. So are those for a call whose
   windows are not there: from the object's window they are made by doubling, 1, 2, 4, ... of them, with
   x^piece, its square, ... Short calls are one block's, without any jump. */
#include "fill_cuda.cuh"
#include "mt19937_jump.cuh"
#include "rng_cuda.h"

namespace {

enum {
  N = DS_MT19937_WORDS,
  FILLERS = 320, /* threads that make numbers: two words each of a window */
  /* Warps go to the four schedulers of a multiprocessor in turn. The first two have three warps of fillers, the
     others two; so of the eight that jump the first two have one each, the others three, and two warps idle. */
  THREADS = FILLERS + DS_MT_TEAM + 64,
  RING = 2 * N,             /* this window and the next */
  LEVELS = 20,              /* 2^20 blocks at most */
  POLYNOMIALS = LEVELS + 1, /* of a plan: those for doubling, and the one over a whole call */
  SHARED = (RING + DS_MT_JUMP_WORDS) * 4,
  PIECE_LEAST = 1 << 17,   /* words: about as long as a jump */
  ONE_BLOCK_MAX = 1 << 22 /* words that one block makes sooner than a new size can be prepared */
};

/* ------------------------------------------------------------------------------------- the kernels */

/* What a block has to make: numbers of the transform L. */
template <class L> struct piece_of {
  static_assert(L::numbers == 1, "two words or one for a number");
  typename L::type *out;
  uint64_t count;
  bool aligned; /* for whole vectors */
  double scale, shift;
};

template <int BYTES> struct vector_of;
template <> struct vector_of<4> {
  typedef float type;
};
template <> struct vector_of<8> {
  typedef float2 type;
};
template <> struct vector_of<16> {
  typedef float4 type;
};

/* The numbers of the two words of a window that are a thread's. */
template <class L> struct numbers_of {
  typedef typename L::type T;
  static constexpr int PER = 2 / L::words, WINDOW = N / L::words;
  typedef typename vector_of<PER * sizeof(T)>::type V;
  T x[PER];

  __device__ __forceinline__ numbers_of(uint2 two, const piece_of<L> &p)
  {
    const uint32_t words[2] = {ds_mt19937_temper(two.x), ds_mt19937_temper(two.y)};
#pragma unroll
    for (int k = 0; k < PER; k++) L::make(words + k * L::words, p.scale, p.shift, x + k);
  }

  __device__ __forceinline__ void store_all(T *out) const
  {
    V v;
    memcpy(&v, x, sizeof v);
    *(V *) out = v;
  }

  __device__ __forceinline__ void store(T *out, uint64_t left) const
  {
#pragma unroll
    for (int k = 0; k < PER; k++)
      if ((uint64_t) k < left) out[k] = x[k];
  }
};

/* What a warp does: makes numbers; has part in the next window, too; and makes its last word. */
enum role { MAKES, ADVANCES, ADVANCES_LAST };

template <role ROLE> __device__ __forceinline__ void advance(ds_mt_words &own, const uint32_t *window, uint32_t *next)
{
  if constexpr (ROLE != MAKES) own.advance<ROLE == ADVANCES_LAST>(window, next);
}

/* An odd number of whole windows. A window's numbers are made one barrier later than its words are read, so that
   there is work while the memory answers. */
template <class L, role ROLE>
__device__ __forceinline__ void whole_windows(ds_mt_words &own, uint32_t *ring, const piece_of<L> &p, typename L::type *out,
                                              unsigned count)
{
  typedef numbers_of<L> numbers;
  const bool makes = ROLE != MAKES || 2 * own.thread < N;
  const uint2 *const mine = (const uint2 *) ring + (makes ? own.thread : 0);
  uint2 two = mine[0];
  advance<ROLE>(own, ring, ring + N);
  ds_team_barrier(1, FILLERS);
  for (unsigned left = count / 2; left > 0; left--, out += 2 * numbers::WINDOW) {
#pragma unroll
    for (int odd = 0; odd < 2; odd++) {
      const uint2 next = mine[(1 - odd) * N / 2];
      advance<ROLE>(own, ring + (1 - odd) * N, ring + odd * N);
      const numbers x(two, p);
      if (makes) x.store_all(out + odd * numbers::WINDOW);
      two = next;
      ds_team_barrier(1, FILLERS);
    }
  }
  const numbers x(two, p);
  if (makes) x.store_all(out);
}

/* The numbers of a piece from the window in ring[0 .. 623]; leaves the window behind it in `end`, if there. */
template <class L> __device__ __forceinline__ void make_numbers(int thread, uint32_t *ring, const piece_of<L> &p, uint32_t *end)
{
  typedef numbers_of<L> numbers;
  const uint64_t windows = (p.count - 1) / numbers::WINDOW + 1;
  const unsigned whole = p.aligned && windows > 1 ? (unsigned) (windows - 2) / 2 * 2 + 1 : 0;
  uint64_t at = (uint64_t) (numbers::PER * thread);
  ds_mt_words own(ring, thread);
  if (whole > 0) {
    if (thread >= DS_MT_TEAM)
      whole_windows<L, MAKES>(own, ring, p, p.out + at, whole);
    else if (DS_MT_LAST_WARP(thread))
      whole_windows<L, ADVANCES_LAST>(own, ring, p, p.out + at, whole);
    else
      whole_windows<L, ADVANCES>(own, ring, p, p.out + at, whole);
    at += (uint64_t) whole * numbers::WINDOW;
  }
  for (uint64_t w = whole; w < windows; w++, at += numbers::WINDOW) {
    uint32_t *const now = ring + (w & 1 ? N : 0), *const next = ring + (w & 1 ? 0 : N);
    const bool makes = 2 * thread < N && at < p.count;
    const numbers x(((const uint2 *) now)[makes ? thread : 0], p);
    if (makes) x.store(p.out + at, p.count - at);
    if (thread < DS_MT_TEAM) own.advance_any(now, next);
    ds_team_barrier(1, FILLERS);
  }
  if (!end) return;
  const int used = (int) (p.count - (windows - 1) * numbers::WINDOW) * L::words; /* of the last one */
  const uint32_t *const last = ring + (windows & 1 ? 0 : N);
  const uint32_t *const next = ring + (windows & 1 ? N : 0);
  for (int k = thread; k < N; k += FILLERS) end[k] = k + used < N ? last[k + used] : next[k + used - N];
}

/* A whole call by one block; the window moves on. */
template <class L> __global__ void __launch_bounds__(FILLERS) fill_alone(uint32_t *window, piece_of<L> p)
{
  __shared__ __align__(16) uint32_t ring[RING];
  const int thread = (int) threadIdx.x;
  for (int k = thread; k < N; k += FILLERS) ring[k] = window[k];
  __syncthreads();
  make_numbers<L>(thread, ring, p, window);
}

/* A call by all blocks, `each` numbers by every one but the last; windows[N b] is where piece b begins, now and
   for the next call. The last block leaves the object's window. */
template <class L>
__global__ void __launch_bounds__(THREADS, 1)
    fill_and_jump(uint32_t *windows, const uint32_t *polynomial, uint32_t *object, piece_of<L> p, uint64_t each)
{
  extern __shared__ __align__(16) uint32_t shared[];
  uint32_t *const ring = shared, *const span = shared + RING;
  uint32_t *const window = windows + (size_t) N * blockIdx.x;
  const int thread = (int) threadIdx.x;
  for (int k = thread; k < N; k += THREADS) ring[k] = span[k] = window[k];
  __syncthreads();
  if (thread >= FILLERS) {
    const int warp = (thread - FILLERS) / 32;
    if (warp == 6 || warp == 7) return;
    ds_mt_jump(thread - (warp < 6 ? FILLERS : FILLERS + 64), 2, span, polynomial, window);
    return;
  }
  const bool last = blockIdx.x + 1 == gridDim.x;
  const uint64_t first = each * blockIdx.x;
  p.out += first;
  p.count = last ? p.count - first : each;
  make_numbers<L>(thread, ring, p, last ? object : nullptr);
}

/* Block b takes the window from[N b] to to[N b]. */
__global__ void __launch_bounds__(DS_MT_TEAM) jump_windows(const uint32_t *from, uint32_t *to, const uint32_t *polynomial)
{
  extern __shared__ __align__(16) uint32_t shared[];
  const size_t mine = (size_t) N * blockIdx.x;
  const int thread = (int) threadIdx.x;
  for (int k = thread; k < N; k += DS_MT_TEAM) shared[k] = from[mine + k];
  __syncthreads();
  ds_mt_jump(thread, 1, shared, polynomial, to + mine);
}

/* --------------------------------------------------------------------------------- plans of calls */

ds_mt19937_object *object_of(ds_rng *r)
{
  return (ds_mt19937_object *) r->state;
}

/* The device's scratch memory: polynomials of all plans, then the windows. */
uint32_t *polynomial_of(const ds_rng *r, int plan, int k)
{
  return DS_DATA(uint32_t, r->gpu->scratch) + (size_t) N * (size_t) (plan * POLYNOMIALS + k);
}

uint32_t *windows_of(const ds_rng *r)
{
  return polynomial_of(r, DS_MT19937_PLANS, 0);
}

int known(const ds_mt19937_object *o, uint64_t words, uint64_t piece)
{
  for (int k = 0; k < DS_MT19937_PLANS; k++)
    if (o->plan[k].words == words && (piece == 0 || o->plan[k].piece == piece)) return k;
  return -1;
}

/* Words of a piece: a multiple of 16, so that vectors are aligned in all pieces or in none. */
uint64_t piece_for(const ds_rng *r, const ds_mt19937_object *o, uint64_t words)
{
  uint64_t pieces = (uint64_t) r->pieces;
  if (pieces == 0) {
    pieces = words / PIECE_LEAST;
    if (pieces > (uint64_t) r->gpu->processors) pieces = (uint64_t) r->gpu->processors;
    const bool once = words != o->last_words && known(o, words, 0) < 0; /* as far as can be seen */
    if (pieces == 0 || (once && words <= ONE_BLOCK_MAX)) pieces = 1;
  }
  return ((words - 1) / pieces / 16 + 1) * 16;
}

ds_status copy_polynomial(ds_rng *r, int plan, int k, const uint32_t *polynomial, ds_error *err)
{
  const ds_status s = ds_gpu_check(
      cudaMemcpyAsync(polynomial_of(r, plan, k), polynomial, N * sizeof *polynomial, cudaMemcpyHostToDevice, r->gpu->stream),
      "copying a polynomial", err);
  return s ? s : ds_rng_gpu_wait(r, err); /* the next one will be made in the same place */
}

ds_status make_plan(ds_rng *r, int k, ds_error *err)
{
  const ds_mt19937_plan *plan = &object_of(r)->plan[k];
  uint32_t polynomial[N];
  ds_status s = DS_OK;
  ds_mt19937_power(plan->piece, 0, polynomial);
  for (int level = 0; plan->blocks > 1u << level && !s; level++) {
    if (level) ds_mt19937_square(polynomial);
    s = copy_polynomial(r, k, level, polynomial, err);
  }
  if (s) return s;
  ds_mt19937_power(plan->words, 0, polynomial);
  return copy_polynomial(r, k, LEVELS, polynomial, err);
}

/* The plan for calls of so many words, in place of the one that has not been used for longest where it is new. */
ds_status find_plan(ds_rng *r, uint64_t words, uint64_t piece, int *found, ds_error *err)
{
  ds_mt19937_object *o = object_of(r);
  const unsigned blocks = (unsigned) ((words - 1) / piece + 1);
  const size_t need = (size_t) DS_MT19937_PLANS * POLYNOMIALS + blocks;
  if (need * N * sizeof(uint32_t) > r->gpu->scratch.bytes) { /* what is there will be lost */
    memset(o->plan, 0, sizeof o->plan);
    o->ready = -1;
    const ds_status s = ds_buffer_reserve(&ds_device_memory, &r->gpu->scratch, need * N, sizeof(uint32_t), "jumps", err);
    if (s) return s;
  }
  int k = known(o, words, piece);
  ds_status s = DS_OK;
  if (k < 0) {
    k = 0;
    for (int other = 1; other < DS_MT19937_PLANS; other++)
      if (o->plan[other].used < o->plan[k].used) k = other;
    if (o->ready == k) o->ready = -1;
    const ds_mt19937_plan plan = {words, piece, blocks, 0};
    o->plan[k] = plan;
    s = make_plan(r, k, err);
  }
  o->plan[k].used = o->calls;
  *found = k;
  return s;
}

/* All windows of a call from the object's: those that are there jump together over as many pieces. */
ds_status spread_windows(ds_rng *r, int k, ds_error *err)
{
  const unsigned blocks = object_of(r)->plan[k].blocks;
  uint32_t *const windows = windows_of(r);
  ds_status s =
      ds_gpu_check(cudaMemcpyAsync(windows, r->gpu->state.data, N * sizeof *windows, cudaMemcpyDeviceToDevice, r->gpu->stream),
                   "copying a state", err);
  unsigned there = 1;
  for (int level = 0; there < blocks && !s; level++) {
    const unsigned more = there < blocks - there ? there : blocks - there;
    s = ds_launch_shared(err, "jumping", jump_windows, more, DS_MT_TEAM, DS_MT_JUMP_WORDS * 4, r->gpu->stream,
                         (const uint32_t *) windows, windows + (size_t) N * there,
                         (const uint32_t *) polynomial_of(r, k, level));
    there += more;
  }
  return s;
}

template <class L> ds_status fill(ds_rng *r, const ds_fill *f, ds_error *err)
{
  ds_mt19937_object *o = object_of(r);
  const piece_of<L> all = {(typename L::type *) f->out, f->n, (uintptr_t) f->out % sizeof(typename numbers_of<L>::V) == 0,
                           f->transform.scale, f->transform.shift};
  uint32_t *const window = DS_DATA(uint32_t, r->gpu->state);
  const uint64_t piece = piece_for(r, o, f->words);
  int k = -1;
  o->calls++;
  o->last_words = f->words;
  if (piece >= f->words) {
    o->ready = -1;
    return ds_launch_shared(err, "mt19937 kernel", fill_alone<L>, 1, FILLERS, 0, r->gpu->stream, window, all);
  }
  ds_status s = find_plan(r, f->words, piece, &k, err);
  if (!s && o->ready != k) s = spread_windows(r, k, err);
  o->ready = k;
  if (s) return s;
  return ds_launch_shared(err, "mt19937 kernel", fill_and_jump<L>, o->plan[k].blocks, THREADS, SHARED, r->gpu->stream,
                          windows_of(r), (const uint32_t *) polynomial_of(r, k, LEVELS), window, all, piece / L::words);
}

}    // namespace

extern "C" ds_status ds_mt19937_fill_cuda(ds_rng *r, const ds_fill *f, ds_error *err)
{
  if (!r->gpu->has_state) object_of(r)->ready = -1; /* another one comes from the host */
  const ds_status s = ds_rng_gpu_state(r, err);
  if (s) return s;
  return ds_for_transform<DS_TWO_WORD_DOUBLES | DS_NORMAL_INVERSE>(
      f, [&](auto transform) { return fill<decltype(transform)>(r, f, err); });
}
