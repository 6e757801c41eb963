/* test_gpu_rng.c: every generator of the table into device memory, in calls of a size that fills the GPU, the same
   bits as the host's; going on from call to call and from a state of the other backend.
   SPDX-License-Identifier: GPL-2.0-or-later

   "test_gpu_rng N" makes about N numbers per call instead of three million. */
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "dpdsop/rng.h"
#include "support/rng.h"

static size_t numbers = 3000000;

/* A width that makes sense for the size of a call. */
static int64_t width_of(const ds_rng_info *info)
{
  if (info->most_width == 0) return 0;
  if (info->family == DS_RNG_STREAMS) return 10007;
  return info->family == DS_RNG_POINTS ? 100 : 1000;
}

static ds_rng *open_on(const ds_rng_info *info, ds_backend backend, int64_t pieces, void *stream)
{
  ds_rng_options o = rng_plain(info->name, 4357, width_of(info));
  o.backend = backend;
  o.isa = NULL;
  o.threads = 2;
  o.stream = stream;
  return rng_open_pieces(&o, pieces);
}

typedef struct {
  const ds_rng_info *info;
  ds_rng *host, *gpu;
  char *expected, *got, *device;
} pair;

/* The same call to both, into arrays that start `shift` elements late. */
static void same_call(pair *p, ds_distribution d, ds_type type, size_t n, size_t shift)
{
  ds_error err;
  const size_t size = type == DS_F64 ? 8 : 4;
  if (p->info->family == DS_RNG_POINTS) n -= n % 100;
  device_require(cudaMemset(p->device, 0x5A, (n + shift + 1) * size), "clearing");
  device_require(cudaDeviceSynchronize(), "clearing");
  memset(p->expected, 0x5A, (n + shift + 1) * size);
  CHECK_MSG(ds_rng_fill(p->host, d, type, DS_SPACE_HOST, p->expected + shift * size, n, &err) == 0,
            "%s: %s", p->info->name, err.text);
  CHECK_MSG(ds_rng_fill(p->gpu, d, type, DS_SPACE_DEVICE, p->device + shift * size, n, &err) == 0,
            "%s: %s", p->info->name, err.text);
  CHECK_MSG(ds_rng_wait(p->gpu, &err) == 0, "%s: %s", p->info->name, err.text);
  device_read(p->got, p->device, (n + shift + 1) * size);
  size_t wrong = 0, first = 0;
  for (size_t k = 0; k < n + shift + 1; k++)
    if (memcmp(p->got + k * size, p->expected + k * size, size) != 0) {
      if (!wrong) first = k;
      wrong++;
    }
  CHECK_MSG(wrong == 0,
            "%s: distribution %d, type %d, %zu numbers, shift %zu: %zu differ, first %zu",
            p->info->name, (int) d, (int) type, n, shift, wrong, first);
}

/* What one backend has saved the other goes on with. */
static void exchange(pair *p)
{
  ds_error err;
  size_t size;
  void *from_host = rng_saved(p->host, &size), *from_gpu = rng_saved(p->gpu, &size);
  CHECK_MSG(memcmp(from_host, from_gpu, size) == 0, "%s: the states differ", p->info->name);
  CHECK_MSG(ds_rng_load(p->gpu, from_host, size, &err) == 0, "%s: %s", p->info->name, err.text);
  CHECK_MSG(ds_rng_load(p->host, from_gpu, size, &err) == 0, "%s: %s", p->info->name, err.text);
  free(from_host);
  free(from_gpu);
}

/* In so many pieces; 0: as many as are best. */
static void test_generator(const ds_rng_info *info, int64_t pieces, void *stream)
{
  static const ds_distribution all[] = {DS_UNIFORM, DS_UNIFORM_LEFT, DS_EXPONENTIAL, DS_NORMAL};
  const size_t room = (numbers + 300) * 8;
  pair p = {info,
            open_on(info, DS_BACKEND_HOST, 0, NULL),
            open_on(info, DS_BACKEND_CUDA, pieces, stream),
            malloc(room),
            malloc(room),
            NULL};
  if (!p.expected || !p.got) exit(1);
  p.device = device_copy(p.expected, room);
  for (size_t repeat = 0; repeat < 2; repeat++) {
    same_call(&p, DS_WORDS, DS_I32, numbers, 0);
    same_call(&p, DS_WORDS, DS_I32, numbers + 1, 0);
    for (int d = 0; d < 4; d++) {
      same_call(&p, all[d], DS_F32, numbers + 203, repeat);
      same_call(&p, all[d], DS_F64, numbers / 2 + 101, repeat);
      same_call(&p, all[d], DS_F32, numbers / 2 / 16 * 16, 0);
    }
    same_call(&p, DS_WORDS, DS_I32, 1000, 3);
    exchange(&p);
  }
  ds_rng_close(p.host);
  ds_rng_close(p.gpu);
  device_free(p.device);
  free(p.expected);
  free(p.got);
  printf("  %s, %lld pieces\n", info->name, (long long) pieces);
}

int main(int argc, char **argv)
{
  check_open(argc, argv);
  cudaStream_t stream;
  rng_variants v;
  numbers = (size_t) check_number((long) numbers);
  const int skip = rng_variants_find(&v, 1, check_lists);
  if (skip) return skip;
  if (!check_lists) device_require(cudaStreamCreate(&stream), "a stream");
  for (int k = 0; ds_rng_table(k); k++) {
    CHECK_CASE(test_generator(ds_rng_table(k), 0, k % 2 ? stream : NULL));
    CHECK_CASE(test_generator(ds_rng_table(k), 5, k % 2 ? NULL : stream));
  }
  return check_result();
}
