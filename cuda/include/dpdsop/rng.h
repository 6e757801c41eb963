/* Random numbers on host or GPU: the C interface of all generators.

   A generator is opened by name and fills arrays; its numbers are those of the sequential algorithm, whatever
   the backend, the number of threads and the pieces in which they are made. For use inside a kernel or a loop,
   without arrays, include the generator's own header, dpdsop/device/rng/NAME.h, and dpdsop/device/rng/number.h.

   Families, and the order of n numbers in an array x:
     sequence   one sequence y for all threads: x[k] = y[k]
     streams    one generator per thread, `width` of them: x[k] is number k / width of stream k % width, as a
                simulation consumes them, step by step
     points     quasi-random points in `width` dimensions: x[d * (n / width) + i] is coordinate d of point i

   Numbers are made of 32-bit words w. A call takes whole words, and for normal numbers by Box and Muller whole
   pairs of words; streams and dimensions all take the same. What an odd count leaves over is dropped, so
   a next call starts with fresh words.

     DS_WORDS         the words themselves, as 32-bit integers; no property of a distribution is added
     DS_UNIFORM       [0,1), in steps of 2^-24 (single), 2^-53 from two words (double). Where
                      info.words_per_double is 1 a double is made of one word: points have steps of 2^-32,
                      ran2 and mrg32k3a the published number, which is neither 0 nor 1.
     DS_UNIFORM_LEFT  (0,1], the same numbers plus one step; those that are never 0 as they are
     DS_EXPONENTIAL   mean 1: -ln of a word / 2^32; at most 22.2. In double precision there are no more values of it, and
                      of normal numbers, than of the words they are made of
     DS_NORMAL        mean 0, variance 1: Box and Muller on the fast math of the package, at most 6.66; or the
                      inverse of the distribution function, for points and MT19937, as in Bradley et al.
   Single and double precision have the same bits on host and GPU.

   All functions return DS_OK or a code, with the text in err (may be NULL); those that take an object want an open one. After
   an error for want of memory or from CUDA the object can only be closed (a failure of a kernel may show in a later call, as
   ds_rng_wait); after all others it is as before. Objects are independent; one object is used by one thread at a time, and
   after a fork see dpdsop/pair.h. Sources: Zhmurov et al., J. Chem. Theory Comput. (2010), here "PRNG"; Bradley et al.,
   "Parallelisation techniques for random number generators" (2010), here "Bradley".
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_RNG_H
#define DPDSOP_RNG_H

#include "dpdsop/array.h"
#include "dpdsop/backend.h"
#include "dpdsop/status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ds_rng ds_rng;

typedef enum { DS_RNG_SEQUENCE = 0, DS_RNG_STREAMS, DS_RNG_POINTS } ds_rng_family;

typedef enum { DS_WORDS = 0, DS_UNIFORM, DS_UNIFORM_LEFT, DS_EXPONENTIAL, DS_NORMAL, DS_DISTRIBUTIONS } ds_distribution;

/* One row of the table of generators. */
typedef struct {
  const char *name; /* as ds_rng_open takes it */
  const char *title;
  const char *source; /* the publication that defines it */
  ds_rng_family family;
  int state_bytes;      /* of a stream, of the sequence or of a dimension; 0: depends on width */
  int log2_period;      /* to the nearest integer; 0: depends on width */
  int bits;             /* of a word that are random, from the top: 32, or 31 */
  int words_per_double; /* of a uniform number: 2, or 1 as its publication has it */
  double double_scale;  /* where it is 1, a word w makes w double_scale in [0,1), and for (0,1] */
  double double_left;   /* w double_scale + double_left */
  int can_skip;
  int inverse_normal;            /* DS_NORMAL by the inverse function, else by Box and Muller */
  int unfit;                     /* for benchmarks only: fails statistical tests */
  int least_rounds, most_rounds; /* 0: rounds have no meaning */
  int64_t most_width;            /* 0: width has no meaning */
  const char *width_name;        /* what width counts, "" where it has no meaning */
} ds_rng_info;

/* The table; NULL past its end. By name: NULL for an unknown one. */
const ds_rng_info *ds_rng_table(int k);
const ds_rng_info *ds_rng_find(const char *name);

/* All zero is the default. */
typedef struct {
  const char *generator; /* a name of the table; NULL: philox */
  uint64_t seed;         /* any; other seeds, other sequences (points have none) */
  int64_t width;         /* what info.width_name says; to info.most_width; 0: 1 */
  int rounds;            /* from info.least_rounds on, 0: those; ignored where that is 0, as for all but "tea" */
  ds_backend backend;    /* AUTO: cuda where a usable GPU is and can be opened, else host */
  int local_rank;        /* of this process on its node: GPUs are given round-robin; means nothing where there is a stream */
  int threads;           /* OpenMP threads of the host backend, to 4096; 0: as many as OpenMP would take */
  const char *isa;       /* host code path: NULL (best), "base", "avx2", "avx512" */
  void *stream;          /* cudaStream_t of the device that is current at opening; NULL: one of its own */
} ds_rng_options;

/* options may be NULL. */
ds_status ds_rng_open(ds_rng **rng, const ds_rng_options *options, ds_error *err);
void ds_rng_close(ds_rng *rng);
const ds_rng_info *ds_rng_get_info(const ds_rng *rng);
const char *ds_rng_backend(const ds_rng *rng); /* "host" or "cuda" */
const char *ds_rng_no_gpu(const ds_rng *rng);  /* why backend auto took the host; "" where it did not */

/* The next n numbers into out: n elements of type F32 or F64 (I32 for DS_WORDS), contiguous, in the memory
   of the given space. Where both are the device's the call returns when the work is queued on the stream;
   otherwise when the numbers are there. For points n is a multiple of the dimensions. DS_ERR_ARGUMENT for a null
   pointer (n > 0), a type that does not fit, or numbers past the generator's end. */
ds_status ds_rng_fill(ds_rng *rng, ds_distribution distribution, ds_type type, ds_space space, void *out, size_t n,
                      ds_error *err);

/* Leave out count * 2^log2_unit words (points). DS_ERR_ARGUMENT where the generator cannot
   (info.can_skip), and past its period. */
ds_status ds_rng_skip(ds_rng *rng, uint64_t count, int log2_unit, ds_error *err);

/* The whole state as bytes, for a restart file; the same for both backends and any number of threads.
   ds_rng_load wants an object of the same generator, and takes its seed from the bytes. Streams and dimensions must be
   as many; of numbers at once, those must be of the same lags. */
size_t ds_rng_state_bytes(const ds_rng *rng);
ds_status ds_rng_save(ds_rng *rng, void *bytes, size_t size, ds_error *err);
ds_status ds_rng_load(ds_rng *rng, const void *bytes, size_t size, ds_error *err);

/* Wait for what ds_rng_fill has queued. */
ds_status ds_rng_wait(ds_rng *rng, ds_error *err);

#ifdef __cplusplus
}
#endif
#endif
