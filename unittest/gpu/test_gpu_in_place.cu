/* test_gpu_in_place.cu: every generator inside a kernel: the same words and numbers as on the host, bit for bit.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "device.h"
#include "dpdsop/device/rng/mt19937_jump.h"
#include "dpdsop/device/rng/sobol.h"
#include "in_place.h"

enum { CASES = IN_PLACE_CASES, WORDS = IN_PLACE_WORDS, PART = 1000, THREADS = 64 };

/* Device memory of n elements. */
template <class T> static T *device_array(size_t n)
{
  void *p = NULL;
  device_require(cudaMalloc(&p, n * sizeof(T)), "device memory of a test");
  device_require(cudaMemset(p, 0xA5, n * sizeof(T)), "clearing");
  return (T *) p;
}

/* Takes an array off the device and compares it. */
template <class T> static void compare(const char *what, T *device, const T *expected, size_t n)
{
  T *got = (T *) malloc(n * sizeof(T));
  size_t wrong = 0, first = 0;
  if (!got) exit(1);
  device_read(got, device, n * sizeof(T));
  device_free(device);
  for (size_t k = 0; k < n; k++)
    if (memcmp(got + k, expected + k, sizeof(T)) != 0) {
      if (!wrong) first = k;
      wrong++;
    }
  CHECK_MSG(wrong == 0, "%s: %zu of %zu differ, first %zu", what, wrong, n, first);
  free(got);
}

/* ------------------------------------------------------------------- init and next, of every generator */

/* n words, `stride` apart, and the numbers of the last two. */
template <class G, uint32_t next(G *)>
__host__ __device__ void make_words(G *g, int n, uint32_t *out, int stride,
                                    in_place_numbers *numbers)
{
  uint32_t w[2] = {1, 1};
  for (int k = 0; k < n; k++) {
    w[k & 1] = next(g);
    out[k * stride] = w[k & 1];
  }
  in_place_transforms(w[0], w[1], numbers);
}

template <class G, void init(G *, uint64_t, uint64_t)> __global__ void begin_kernel(G *states)
{
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < CASES) init(states + i, in_place_seed(i), in_place_stream(i));
}

template <class G, uint32_t next(G *)>
__global__ void next_kernel(G *states, int n, uint32_t *out, in_place_numbers *numbers)
{
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < CASES) make_words<G, next>(states + i, n, out + i, CASES, numbers + i);
}

/* States lie in memory between kernels: two make the words of a stream. */
template <class G, void init(G *, uint64_t, uint64_t), uint32_t next(G *)>
static void test_generator(const char *name)
{
  uint32_t *words = (uint32_t *) malloc((size_t) WORDS * CASES * sizeof *words);
  in_place_numbers *numbers = (in_place_numbers *) malloc(CASES * sizeof *numbers);
  G *g = (G *) malloc(sizeof *g);
  if (!words || !numbers || !g) exit(1);
  for (uint32_t i = 0; i < CASES; i++) {
    init(g, in_place_seed(i), in_place_stream(i));
    make_words<G, next>(g, WORDS, words + i, CASES, numbers + i);
  }
  G *states = device_array<G>(CASES);
  uint32_t *out = device_array<uint32_t>((size_t) WORDS * CASES);
  in_place_numbers *made = device_array<in_place_numbers>(CASES);
  const int blocks = CASES / THREADS;
  begin_kernel<G, init><<<blocks, THREADS>>>(states);
  next_kernel<G, next><<<blocks, THREADS>>>(states, PART, out, made);
  next_kernel<G, next><<<blocks, THREADS>>>(states, WORDS - PART, out + PART * CASES, made);
  device_require(cudaGetLastError(), name);
  compare(name, out, words, (size_t) WORDS * CASES);
  compare(name, made, numbers, CASES);
  device_free(states);
  free(g);
  free(numbers);
  free(words);
  printf("  %s: %d streams of %d words, a state of %zu bytes\n", name, (int) CASES, (int) WORDS,
         sizeof(G));
}

/* ----------------------------------------------------------------------------------- without a state */

__global__ void at_kernel(in_place_counter *out)
{
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < IN_PLACE_COUNTERS) in_place_at(i, out + i);
}

static void test_at()
{
  static in_place_counter expected[IN_PLACE_COUNTERS];
  for (uint32_t i = 0; i < IN_PLACE_COUNTERS; i++) in_place_at(i, expected + i);
  in_place_counter *out = device_array<in_place_counter>(IN_PLACE_COUNTERS);
  at_kernel<<<IN_PLACE_COUNTERS / THREADS, THREADS>>>(out);
  device_require(cudaGetLastError(), "counters");
  compare("philox and tea at a place", out, expected, IN_PLACE_COUNTERS);
}

/* ------------------------------------------------------------------------- skips, jumps and strides */

/* Every thread its own part of one sequence. */
enum { SEGMENT = 50 };

DS_FUNC void segment_lcg(uint32_t i, uint32_t *out)
{
  ds_lcg g;
  ds_lcg_init(&g, 3, 0);
  ds_lcg_skip(&g, i * 16777259u);
  for (int k = 0; k < SEGMENT; k++) out[k] = ds_lcg_next(&g);
}

DS_FUNC void segment_mrg32k3a(uint32_t i, const ds_mrg32k3a_powers *powers, uint32_t *out)
{
  ds_mrg32k3a g;
  ds_mrg32k3a_init(&g, 3, 0);
  ds_mrg32k3a_skip(&g, powers, ds_splitmix(i));
  for (int k = 0; k < SEGMENT; k++) out[k] = ds_mrg32k3a_next(&g);
}

/* A dimension in whole, and all points p with p mod 2^5 = i mod 2^5 of it. */
DS_FUNC void segment_sobol(uint32_t i, const uint32_t m[DS_SOBOL_BITS], uint32_t *out)
{
  ds_sobol g;
  ds_sobol_set(&g, m, i * 1234567u);
  for (int k = 0; k < SEGMENT / 2; k++) out[k] = ds_sobol_next(&g);
  ds_sobol_skip(&g, i);
  for (int k = SEGMENT / 2; k < SEGMENT; k++) out[k] = ds_sobol_stride(&g, 5);
}

DS_FUNC void segments(uint32_t i, const ds_mrg32k3a_powers *powers, const uint32_t *m,
                      uint32_t *out)
{
  segment_lcg(i, out);
  segment_mrg32k3a(i, powers, out + SEGMENT);
  segment_sobol(i, m, out + 2 * SEGMENT);
}

__global__ void segments_kernel(const ds_mrg32k3a_powers *powers, const uint32_t *m, uint32_t *out)
{
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < CASES) segments(i, powers, m, out + i * 3 * SEGMENT);
}

static void test_segments()
{
  static ds_mrg32k3a_powers powers;
  static uint32_t expected[CASES * 3 * SEGMENT];
  uint32_t m[DS_SOBOL_BITS];
  ds_error err;
  ds_mrg32k3a_make_powers(&powers);
  CHECK_OK(ds_sobol_directions(20000, m, &err), err);
  for (uint32_t i = 0; i < CASES; i++) segments(i, &powers, m, expected + i * 3 * SEGMENT);
  void *p = device_copy(&powers, sizeof powers), *directions = device_copy(m, sizeof m);
  uint32_t *out = device_array<uint32_t>(CASES * 3 * SEGMENT);
  segments_kernel<<<CASES / THREADS, THREADS>>>((const ds_mrg32k3a_powers *) p,
                                                (const uint32_t *) directions, out);
  device_require(cudaGetLastError(), "segments");
  compare("skips and strides", out, expected, CASES * 3 * SEGMENT);
  device_free(directions);
  device_free(p);
}

/* Few threads jump, as each takes the time of three million words. */
DS_FUNC void jump_mt19937(uint32_t i, const uint32_t *polynomial, ds_mt19937 *g, uint32_t *out)
{
  ds_mt19937_set(g, i);
  ds_mt19937_jump(g, polynomial);
  for (int k = 0; k < SEGMENT; k++) out[k] = ds_mt19937_next(g);
}

__global__ void jump_kernel(const uint32_t *polynomial, ds_mt19937 *states, uint32_t *out)
{
  jump_mt19937(threadIdx.x, polynomial, states + threadIdx.x, out + threadIdx.x * SEGMENT);
}

static void test_jump()
{
  enum { FEW = 2 };
  static ds_mt19937 g;
  uint32_t expected[FEW * SEGMENT], polynomial[DS_MT19937_WORDS];
  ds_mt19937_power(12345, 100, polynomial);
  for (uint32_t i = 0; i < FEW; i++) jump_mt19937(i, polynomial, &g, expected + i * SEGMENT);
  void *p = device_copy(polynomial, sizeof polynomial);
  ds_mt19937 *states = device_array<ds_mt19937>(FEW);
  uint32_t *out = device_array<uint32_t>(FEW * SEGMENT);
  jump_kernel<<<1, FEW>>>((const uint32_t *) p, states, out);
  device_require(cudaGetLastError(), "a jump");
  compare("mt19937, a jump", out, expected, FEW * SEGMENT);
  device_free(states);
  device_free(p);
}

/* Threads of a block share a ring: a window at a time, one number each. */
__global__ void ring_kernel(uint32_t *ring, uint32_t *out)
{
  const ds_fibonacci_lags lags = ds_fibonacci_choose(CASES);
  uint32_t position = 0;
  for (int window = 0; window < SEGMENT; window++) {
    out[window * CASES + threadIdx.x] = ds_fibonacci_word(ring, lags, position, threadIdx.x);
    position = ds_fibonacci_place(lags, position, CASES);
    __syncthreads();
  }
}

static void test_ring()
{
  static ds_fibonacci g;
  static uint32_t expected[SEGMENT * CASES];
  ds_fibonacci_init(&g, 5, 0);
  void *ring = device_copy(g.ring, sizeof g.ring);
  for (int k = 0; k < SEGMENT * CASES; k++) expected[k] = ds_fibonacci_next(&g);
  uint32_t *out = device_array<uint32_t>(SEGMENT * CASES);
  ring_kernel<<<1, CASES>>>((uint32_t *) ring, out);
  device_require(cudaGetLastError(), "a ring");
  compare("fibonacci, one ring for a block", out, expected, SEGMENT * CASES);
  device_free(ring);
}

int main(int argc, char **argv)
{
  check_open(argc, argv);
  int count = 0;
  if (!check_lists && (cudaGetDeviceCount(&count) != cudaSuccess || count == 0)) {
    printf("skipped: no GPU\n");
    return 77;
  }
#define TEST(kind, name, generator, init, next, ...) CHECK_CASE(test_generator<generator, init, next>(name));
  DS_GENERATORS(TEST)
#undef TEST
  CHECK_CASE(test_at());
  CHECK_CASE(test_segments());
  CHECK_CASE(test_jump());
  CHECK_CASE(test_ring());
  return check_result();
}
