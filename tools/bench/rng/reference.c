/* reference.c: cuRAND's generators, to be measured beside ours.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench_rng.h"

#include <stdio.h>

#ifdef DS_HAVE_CURAND
#include <curand.h>
#include <stdlib.h>
#include <string.h>

struct bench_reference {
  curandGenerator_t generator;
};

static const struct {
  const char *ours, *title;
  curandRngType_t type;
} known[] = {{"xorwow", "cuRAND XORWOW", CURAND_RNG_PSEUDO_XORWOW},
             {"mrg32k3a", "cuRAND MRG32K3A", CURAND_RNG_PSEUDO_MRG32K3A},
             {"mt19937", "cuRAND MT19937", CURAND_RNG_PSEUDO_MT19937},
             {"philox", "cuRAND PHILOX4_32_10", CURAND_RNG_PSEUDO_PHILOX4_32_10},
             {"sobol", "cuRAND SOBOL32", CURAND_RNG_QUASI_SOBOL32}};

enum { KNOWN = (int) (sizeof known / sizeof known[0]) };

static int find(const char *generator)
{
  for (int k = 0; k < KNOWN; k++)
    if (strcmp(known[k].ours, generator) == 0) return k;
  return -1;
}

const char *bench_reference_title(const char *generator)
{
  const int k = find(generator);
  return k < 0 ? NULL : known[k].title;
}

/* The order is the default one, or the one that suits the device and changes with it. */
static curandStatus_t set_up(curandGenerator_t g, curandRngType_t type, int dynamic, void *stream)
{
  curandStatus_t s = curandSetStream(g, (cudaStream_t) stream);
  if (s) return s;
  if (type == CURAND_RNG_QUASI_SOBOL32)
    return dynamic ? CURAND_STATUS_TYPE_ERROR
                   : curandSetQuasiRandomGeneratorDimensions(g, BENCH_DIMENSIONS);
  s = curandSetPseudoRandomGeneratorSeed(g, BENCH_SEED);
  if (!s && dynamic) s = curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_DYNAMIC);
  return s;
}

bench_reference *bench_reference_open(const char *generator, int dynamic, void *stream)
{
  const int k = find(generator);
  if (k < 0) return NULL;
  bench_reference *const r = malloc(sizeof *r);
  if (!r) return NULL;
  if (curandCreateGenerator(&r->generator, known[k].type)) {
    free(r);
    return NULL;
  }
  if (set_up(r->generator, known[k].type, dynamic, stream)) {
    bench_reference_close(r);
    return NULL;
  }
  return r;
}

void bench_reference_close(bench_reference *r)
{
  if (!r) return;
  curandDestroyGenerator(r->generator);
  free(r);
}

int bench_reference_fill(bench_reference *r, ds_distribution distribution, ds_type type, void *out,
                         size_t n)
{
  const int wide = type == DS_F64;
  curandStatus_t s = CURAND_STATUS_TYPE_ERROR;
  if (distribution == DS_WORDS)
    s = curandGenerate(r->generator, out, n);
  else if (distribution == DS_UNIFORM)
    s = wide ? curandGenerateUniformDouble(r->generator, out, n)
             : curandGenerateUniform(r->generator, out, n);
  else if (distribution == DS_NORMAL)
    s = wide ? curandGenerateNormalDouble(r->generator, out, n, 0.0, 1.0)
             : curandGenerateNormal(r->generator, out, n, 0.0f, 1.0f);
  return s == CURAND_STATUS_SUCCESS;
}

void bench_reference_version(char *text, size_t size)
{
  int version = 0;
  curandGetVersion(&version);
  snprintf(text, size, "cuRAND %d.%d.%d", version / 1000, version / 100 % 10, version % 100);
}

#else

bench_reference *bench_reference_open(const char *generator, int dynamic, void *stream)
{
  (void) generator, (void) dynamic, (void) stream;
  return 0;
}

const char *bench_reference_title(const char *generator)
{
  (void) generator;
  return 0;
}

void bench_reference_close(bench_reference *r)
{
  (void) r;
}

int bench_reference_fill(bench_reference *r, ds_distribution distribution, ds_type type, void *out,
                         size_t n)
{
  (void) r, (void) distribution, (void) type, (void) out, (void) n;
  return 0;
}

void bench_reference_version(char *text, size_t size)
{
  snprintf(text, size, "without cuRAND, which was not there when this was compiled");
}

#endif
