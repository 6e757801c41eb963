/* What a generator is to this library: one ds_rng_method each, in NAME.c.   SPDX-License-Identifier: GPL-2.0-or-later

   To add a generator: its device functions in dpdsop/device/rng/NAME.h, a row in dpdsop/device/rng/generators.h, and NAME.c.
   Loops and kernels of those in DS_COUNTER_GENERATORS and DS_REGISTER_GENERATORS are made by the row (counter.h, streams.h);
   others have NAME_simd.c and NAME_cuda.cu (doc/random_numbers_notes.rst). */
#ifndef DPDSOP_RNG_METHOD_H
#define DPDSOP_RNG_METHOD_H

#include "../core/isa.h"
#include "dpdsop/rng.h"
#include "dpdsop/device/rng/generators.h"
#include "dpdsop/device/rng/number.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What one call of ds_rng_fill wants. Words are counted in one sequence, stream or dimension. */
typedef struct {
  ds_transform transform;
  ds_type type;
  void *out;      /* in the backend's own memory */
  size_t n;       /* numbers of all sequences, streams or dimensions */
  uint64_t units; /* of the transform: rows of them for streams, points for points */
  uint64_t words; /* units * transform.words */
} ds_fill;

static inline size_t ds_fill_size(const ds_fill *fill) /* of a number, in bytes */
{
  return fill->type == DS_F64 ? 8 : 4;
}

typedef struct {
  ds_generator_kind kind; /* of the list; points have none */
  ds_rng_info info;
  /* Largest number of words (rows, points) of a sequence: 2^log2_end; 0: more than 64 bits can count. */
  int log2_end;
  /* Words of the state, kept in ds_rng.state. NULL: seed and position are all, or those of the table for streams. */
  size_t (*state_words)(const ds_rng_options *options);
  /* Fills the state from options.seed; NULL where there is none. */
  ds_status (*seed)(ds_rng *rng, ds_error *err);
  /* Moves the state on by count * 2^log2_unit words, which has been checked against log2_end and the
     period. NULL where there is no state to move, or it cannot. */
  ds_status (*skip)(ds_rng *rng, uint64_t count, int log2_unit, ds_error *err);
  /* Whether these words can be its state (zeros often cannot); NULL: any can. */
  int (*legal)(const ds_rng *rng, const uint32_t *state);
  ds_status (*fill_host)(ds_rng *rng, const ds_fill *fill, ds_error *err);
  ds_status (*fill_cuda)(ds_rng *rng, const ds_fill *fill, ds_error *err);
} ds_rng_method;

/* fill_cuda: its declaration, and its value, which is NULL without CUDA. */
#define DS_RNG_FILL_CUDA(function) ds_status function(ds_rng *rng, const ds_fill *fill, ds_error *err)
#ifdef DS_HAVE_CUDA
#define DS_RNG_CUDA(function) function
#else
#define DS_RNG_CUDA(function) NULL
#endif

const ds_rng_method *ds_rng_method_of(const char *name); /* NULL: unknown */

struct ds_rng {
  const ds_rng_method *method;
  ds_rng_options options;
  int64_t pieces; /* see pieces.h */
  ds_isa isa;
  int cuda;
  ds_error no_gpu;   /* why backend auto took the host; an empty text where it did not */
  uint64_t position; /* words (rows, points) since the seed, as far as 64 bits go */
  uint32_t *state;   /* on the host; NULL where there is none */
  size_t state_words;
  struct ds_rng_gpu *gpu; /* see rng_cuda.h */
};

/* ------------------------------------------------------------------------ host: see fill_host.c */

/* A sequence: workers that stand at a word of it and make what follows. */
typedef struct {
  size_t bytes; /* of a worker */
  int serial;   /* only one piece: words depend on those before, and jumping costs more than it gains */
  /* Puts a worker `offset` words past the object's position. */
  ds_status (*start)(const ds_rng *rng, void *worker, uint64_t offset, ds_error *err);
  void (*words)(void *worker, uint32_t *out, int n);
  /* Takes the state after the last word from the worker of the last piece; NULL where there is none. */
  void (*finish)(ds_rng *rng, const void *worker);
} ds_host_sequence;

ds_status ds_fill_sequence(ds_rng *rng, const ds_fill *fill, const ds_host_sequence *how, ds_error *err);

/* All bits that are 1 in one of n words: for states that must not be 0. */
uint32_t ds_rng_bits(const uint32_t *words, size_t n);

/* ---------------------------------------------------------------- host kernels: see number_simd.c */

/* n units of a transform into x0. Where a unit has two words, w1 has the second ones and x1 takes the second numbers;
   or w1 is NULL: words, and numbers, of a unit follow each other in w0 and x0. */
typedef void ds_number_function(const ds_transform *transform, ds_type type, const uint32_t *w0, const uint32_t *w1, int n,
                                void *x0, void *x1);
ds_number_function ds_numbers_base, ds_numbers_avx2, ds_numbers_avx512;
ds_number_function *ds_number_function_of(const ds_rng *rng); /* of its instruction set */

#ifdef __cplusplus
}
#endif
#endif
