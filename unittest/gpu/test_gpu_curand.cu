/* test_gpu_curand.cu: the generators that cuRAND has, too, against cuRAND's, number for number.
   SPDX-License-Identifier: GPL-2.0-or-later

   cuRAND's bulk order of Philox and MRG32k3a differs from the sequence, so those two are compared with its device
   functions, which give the sequence; Sobol points in bulk; of the Mersenne Twister the first generator of the 8192
   that cuRAND interleaves begins as everybody's, and the words of each of its windows are compared as a set. */
#include "device.h"
#include "dpdsop/rng.h"
#include "dpdsop/device/rng/mrg32k3a.h"
#include "support/rng.h"

#include <curand.h>
#include <curand_kernel.h>
#include <string.h>

enum { THREADS = 128, EACH = 1000 };

static void curand_require(curandStatus_t code, const char *what)
{
  if (code == CURAND_STATUS_SUCCESS) return;
  printf("cuRAND: %s: status %d\n", what, (int) code);
  exit(1);
}

/* The next n numbers of a generator on the GPU. */
static void next(ds_rng *r, ds_distribution d, ds_type type, void *out, size_t n)
{
  ds_error err;
  if (ds_rng_fill(r, d, type, DS_SPACE_HOST, out, n, &err) == DS_OK) return;
  printf("%s: %s\n", ds_rng_get_info(r)->name, err.text);
  exit(1);
}

static ds_rng *open_at(const char *generator, uint64_t seed, int64_t width, uint64_t skip)
{
  ds_error err;
  ds_rng_options o = rng_plain(generator, seed, width);
  o.backend = DS_BACKEND_CUDA;
  o.isa = NULL;
  ds_rng *r = rng_open(&o);
  if (skip) CHECK_MSG(ds_rng_skip(r, skip, 0, &err) == DS_OK, "%s: %s", generator, err.text);
  return r;
}

static void compare(const char *what, const uint32_t *ours, const uint32_t *theirs, size_t n)
{
  size_t wrong = 0, first = 0;
  for (size_t k = 0; k < n; k++)
    if (ours[k] != theirs[k] && wrong++ == 0) first = k;
  CHECK_MSG(wrong == 0, "%s: %zu of %zu words differ from cuRAND's, first %zu", what, wrong, n,
            first);
}

/* ----------------------------------------------------------------------------------------- Philox */

__global__ void philox_kernel(unsigned long long seed, unsigned long long first, uint32_t *out)
{
  const unsigned thread = blockIdx.x * THREADS + threadIdx.x;
  curandStatePhilox4_32_10_t state;
  curand_init(seed, 0, first + (unsigned long long) thread * EACH, &state);
  for (int k = 0; k < EACH; k++) out[thread * EACH + k] = curand(&state);
}

static void test_philox(uint64_t seed, uint64_t first)
{
  enum { BLOCKS = 8, COUNT = BLOCKS * THREADS * EACH };
  static uint32_t ours[COUNT], theirs[COUNT];
  uint32_t *device = (uint32_t *) device_copy(theirs, sizeof theirs);
  ds_rng *r = open_at("philox", seed, 0, first);
  next(r, DS_WORDS, DS_I32, ours, COUNT);
  ds_rng_close(r);
  philox_kernel<<<BLOCKS, THREADS>>>(seed, first, device);
  device_require(cudaGetLastError(), "philox_kernel");
  device_read(theirs, device, sizeof theirs);
  device_free(device);
  compare("philox", ours, theirs, COUNT);
}

/* --------------------------------------------------------------------------------------- MRG32k3a */

/* Uniform numbers, from the state in six residues and `skip` words further on. */
__global__ void mrg32k3a_kernel(const uint32_t *seeds, unsigned long long skip, double *out)
{
  const unsigned thread = blockIdx.x * THREADS + threadIdx.x;
  curandStateMRG32k3a state;
  curand_init(0, 0, 0, &state);
  for (int k = 0; k < 3; k++) {
    state.s1[k] = seeds[6 * thread + k];
    state.s2[k] = seeds[6 * thread + 3 + k];
  }
  skipahead(skip, &state);
  for (int k = 0; k < EACH; k++) out[thread * EACH + k] = curand_uniform_double(&state);
}

/* As many threads as there are in a block, each from a state of its own. cuRAND's number is z / m1, so z is an integer
   again after a multiplication. */
static void test_mrg32k3a(uint64_t skip)
{
  static uint32_t seeds[6 * THREADS], ours[EACH], words[EACH];
  static double theirs[THREADS * EACH];
  static ds_mrg32k3a_powers powers;
  uint32_t *device_seeds;
  double *device;
  ds_rng *r = open_at("philox", 99, 0, 0);
  next(r, DS_WORDS, DS_I32, seeds, 6 * THREADS);
  ds_rng_close(r);
  for (int k = 0; k < 6 * THREADS; k++) seeds[k] %= 4294944443u; /* m2, the smaller modulus */
  device_seeds = (uint32_t *) device_copy(seeds, sizeof seeds);
  device = (double *) device_copy(theirs, sizeof theirs);
  mrg32k3a_kernel<<<1, THREADS>>>(device_seeds, skip, device);
  device_require(cudaGetLastError(), "mrg32k3a_kernel");
  device_read(theirs, device, sizeof theirs);
  ds_mrg32k3a_make_powers(&powers);
  for (int thread = 0; thread < THREADS; thread++) {
    ds_mrg32k3a g;
    ds_mrg32k3a_set(&g, seeds + 6 * thread);
    ds_mrg32k3a_skip(&g, &powers, skip);
    for (int k = 0; k < EACH; k++) {
      ours[k] = ds_mrg32k3a_next(&g);
      words[k] = (uint32_t) (uint64_t) (theirs[thread * EACH + k] * DS_MRG32K3A_M1 + 0.5);
    }
    compare("mrg32k3a", ours, words, EACH);
  }
  device_free(device_seeds);
  device_free(device);
}

/* ------------------------------------------------------------------------------------------- bulk */

static uint32_t *bulk(curandRngType_t type, unsigned long long seed, unsigned dimensions,
                      unsigned long long offset, size_t n)
{
  curandGenerator_t g;
  uint32_t *words = (uint32_t *) calloc(n, sizeof *words);
  if (!words) exit(1);
  uint32_t *device = (uint32_t *) device_copy(words, n * sizeof *words);
  curand_require(curandCreateGenerator(&g, type), "creating a generator");
  if (dimensions > 0)
    curand_require(curandSetQuasiRandomGeneratorDimensions(g, dimensions), "dimensions");
  else
    curand_require(curandSetPseudoRandomGeneratorSeed(g, seed), "seed");
  if (offset) curand_require(curandSetGeneratorOffset(g, offset), "offset");
  curand_require(curandGenerate(g, device, n), "generating");
  device_read(words, device, n * sizeof *words);
  device_free(device);
  curand_require(curandDestroyGenerator(g), "destroying a generator");
  return words;
}

/* cuRAND's direction numbers are of the same authors; it has them for 20,000 dimensions. */
static void test_sobol(unsigned dimensions, size_t points, uint64_t first)
{
  const size_t n = dimensions * points;
  uint32_t *ours = (uint32_t *) calloc(n, sizeof *ours);
  if (!ours) exit(1);
  uint32_t *theirs = bulk(CURAND_RNG_QUASI_SOBOL32, 0, dimensions, first, n);
  ds_rng *r = open_at("sobol", 0, dimensions, first);
  next(r, DS_WORDS, DS_I32, ours, n);
  ds_rng_close(r);
  compare("sobol", ours, theirs, n);
  free(ours);
  free(theirs);
}

static int by_size(const void *a, const void *b)
{
  const uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  return (x > y) - (x < y);
}

/* Words of 8 columns of 65536, row after row, are those of the first generator; 78 rows a window. */
static void test_mt19937(uint32_t seed)
{
  enum { WINDOW = 624, WINDOWS = 3, COLUMNS = 8, STRIDE = 65536, ROWS = WINDOW / COLUMNS };
  uint32_t ours[WINDOW], theirs[WINDOW];
  uint32_t *all = bulk(CURAND_RNG_PSEUDO_MT19937, seed, 0, 0, (size_t) WINDOWS * ROWS * STRIDE);
  ds_rng *r = open_at("mt19937", seed, 0, 0);
  for (int w = 0; w < WINDOWS; w++) {
    next(r, DS_WORDS, DS_I32, ours, WINDOW);
    for (int k = 0; k < WINDOW; k++)
      theirs[k] = all[(size_t) (w * ROWS + k / COLUMNS) * STRIDE + k % COLUMNS];
    if (w == 0) CHECK_HEX(theirs[0], ours[0]);
    qsort(ours, WINDOW, sizeof *ours, by_size);
    qsort(theirs, WINDOW, sizeof *theirs, by_size);
    compare("mt19937", ours, theirs, WINDOW);
  }
  ds_rng_close(r);
  free(all);
}

int main(int argc, char **argv)
{
  check_open(argc, argv);
  rng_variants v;
  const int skip = rng_variants_find(&v, 1, check_lists);
  if (skip) return skip;
  CHECK_CASE(test_philox(1, 0));
  CHECK_CASE(test_philox(0x123456789ABCDEF0ull, 3));
  CHECK_CASE(test_philox(~0ull, (1ull << 40) + 1));
  CHECK_CASE(test_mrg32k3a(0));
  CHECK_CASE(test_mrg32k3a(1000003));
  CHECK_CASE(test_mrg32k3a((1ull << 62) + 12345));
  CHECK_CASE(test_sobol(1, 100000, 0));
  CHECK_CASE(test_sobol(20000, 64, 0));
  CHECK_CASE(test_sobol(128, 1024, 1000000));
  CHECK_CASE(test_mt19937(5489));
  CHECK_CASE(test_mt19937(20100611));
  return check_result();
}
