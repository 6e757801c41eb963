/* rng.h: what every generator has to show, whatever it is.   SPDX-License-Identifier: GPL-2.0-or-later

   A test program run without argument tests the host backend with every instruction set that the processor has; with
   the argument "cuda" it makes the same checks on the GPU. What all are compared with is the sequence as one
   thread of baseline code makes it in one piece; that this is the right one is for known answers. */
#ifndef DPDSOP_TEST_RNG_H
#define DPDSOP_TEST_RNG_H

#include "check.h"
#include "dpdsop/rng.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TEST_RNG_VARIANTS = 4 };

typedef struct {
  int n;
  ds_rng_options options[TEST_RNG_VARIANTS]; /* without generator, seed and width */
} rng_variants;

/* As variants_find and variants_open (support/engine.h). */
int rng_variants_find(rng_variants *v, int on_gpu, int only_named);
CHECK_HELPER int rng_variants_open(rng_variants *v, int argc, char **argv)
{
  check_open(argc, argv);
  return rng_variants_find(v, check_takes("cuda"), check_lists);
}

/* Options for the sequential sequence, and an open object of any options; the program ends where it cannot
   be opened. */
ds_rng_options rng_plain(const char *generator, uint64_t seed, int64_t width);
ds_rng *rng_open(const ds_rng_options *options);

/* One that makes a call in so many pieces; 0: as many as are best. */
ds_rng *rng_open_pieces(const ds_rng_options *options, int64_t pieces);

/* The first n words of options->seed in one call, to be freed. */
uint32_t *rng_words(const ds_rng_options *options, size_t n);

/* The saved state of an object, to be freed, and its size; the program ends where it cannot be had. */
void *rng_saved(ds_rng *rng, size_t *size);

/* The n words of the state that these options begin with, as saved, to be freed. */
uint32_t *rng_first_state(const ds_rng_options *options, size_t n);

/* Word k of the sequence that states are seeded with: TEA of 32 rounds on the counter k / 2. */
uint32_t rng_seed_word(uint64_t seed, uint64_t k);

/* Number k (of the order in dpdsop/rng.h) of a distribution, from the words of the sequence in their order:
   number.h by hand. family, width and n as in the call. */
double rng_expected(const ds_rng_info *info, ds_distribution distribution, ds_type type,
                    const uint32_t *words, uint64_t nwords, int64_t width, uint64_t n, uint64_t k);

/* All checks that hold for every generator, with about n words in a sequence: pieces up to most_pieces
   and any cutting into calls give the same words; every distribution in both precisions is number.h of
   the words, for counts that leave something over and arrays that are not aligned; a state saved in the
   middle goes on in a new object; skipping is leaving out; seeds differ. Prints and returns the number of failed
   checks, and how many there were. */
long rng_conformance_failures(const rng_variants *v, const char *generator, int64_t width,
                              int rounds, size_t n, int64_t most_pieces, long *checks);

/* The same as one check of a test program, which includes check.h. */
#define rng_conformance(v, generator, width, rounds, n, most_pieces)                               \
  do {                                                                                             \
    long checks_ = 0;                                                                              \
    CHECK_INT(rng_conformance_failures(v, generator, width, rounds, n, most_pieces, &checks_), 0); \
    printf("  %s, width %lld: %ld checks\n", generator, (long long) (width), checks_);             \
    CHECK(checks_ > 100);                                                                          \
  } while (0)

#ifdef __cplusplus
}
#endif
#endif
