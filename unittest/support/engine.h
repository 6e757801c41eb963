/* engine.h: drive the engine through its public interface, on each of its code paths.
   SPDX-License-Identifier: GPL-2.0-or-later

   A test program run without argument tests the host backend with every instruction set that the
   processor has; with the argument "cuda" it makes the same checks on the GPU, with "gpus" on two or three that share the
   work, or, where there is only one, in three parts of it. */
#ifndef DPDSOP_TEST_ENGINE_H
#define DPDSOP_TEST_ENGINE_H

#include "check.h"
#include "support/paths.h"
#include "support/reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Code paths to test. */
enum { TEST_MAX_VARIANTS = 8 };

typedef struct {
  int n;
  ds_pair_options options[TEST_MAX_VARIANTS];
} test_variants;

/* gpus 0: the host, baseline with 1 thread, AVX2 with 2, the best that the processor has with 3; else the GPU, or the work in
   so many parts. Returns 0, or 77 (the exit status of a skipped test) where a GPU is asked for and there is none. only_named:
   nothing is run on them, and so a GPU need not be there. */
int variants_find(test_variants *v, int gpus, int only_named);

/* The same for the arguments of a program, which begins with this instead of check_open. */
CHECK_HELPER int variants_open(test_variants *v, int argc, char **argv)
{
  check_open(argc, argv);
  return variants_find(v, check_takes("gpus") ? TEST_GPUS : check_takes("cuda"), check_lists);
}

extern const char *const precision_name[DS_PRECISIONS];

/* "host avx2, 2 threads, mixed": for messages; valid until the next call. */
const char *variant_name(const ds_pair_options *options);

/* An engine with arrays of its own for what it computes. */
typedef struct {
  ds_pair *dpd;
  int lists_once; /* one thread of the host: a pair of own atoms is in one row */
  const test_system *system;
  int room;
  double *f, *eatom, *vatom; /* 3, 1, 6 an own atom */
  double *charge; /* by atom, where the style reads charges */
  ds_pair_request request; /* of the last evaluation */
  ds_pair_totals totals;
  ds_error err;
} test_engine;

/* Entries that ds_pair_read_list can give, as the list has room for them. */
int64_t engine_room(const test_engine *e);
ds_status engine_open(test_engine *e, const ds_pair_options *options, ds_precision precision);
void engine_close(test_engine *e);

/* Model, box and atoms of a system with its ghosts (by owner, where any are needed), positions at a
   step; the list. */
ds_status engine_atoms(test_engine *e, const test_model *t, const test_system *s);
ds_status engine_load(test_engine *e, int64_t step);
ds_status engine_setup(test_engine *e, const test_model *t, const test_system *s, int64_t step);

/* Whether one process with all atoms of this box needs none of the ghosts: asked of a host backend. */
int engine_alone(const test_model *t, const ds_box *box);

/* Forces from zero, in e->f; with tally also energy, virial and those of each atom. */
ds_status engine_forces(test_engine *e, int tally);

/* A dense array of doubles with n components an atom, as LAMMPS has them; integers by size. */
ds_array array_of_doubles(double *data, int components);
ds_array array_of_ints(int32_t *data, int components);
ds_array array_of_tags(int64_t *data, int components);
ds_array array_none(void);

/* The system's atoms as the engine takes them. */
ds_atoms atoms_of(const test_system *s);

#ifdef __cplusplus
}
#endif
#endif
