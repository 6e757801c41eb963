/* steps_reference.h: what the operations of a step must do, from their formulas.   SPDX-License-Identifier: GPL-2.0-or-later

   Plain double arithmetic with libm, one operation after the other on all particles, sums in long double. It shares no code
   with the engine. */
#ifndef DPDSOP_TEST_STEPS_REFERENCE_H
#define DPDSOP_TEST_STEPS_REFERENCE_H

#include "dpdsop/resident.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { REF_X, REF_V, REF_F, REF_VECTORS };

/* `size`: the largest number that has been added up to a vector so far, which rounding errors are measured by. */
typedef struct {
  double x[3], v[3], f[3], size[REF_VECTORS];
  double mass, anchor[DS_MAX_ANCHORS][3];
  int64_t tag, image[3];
  int32_t mask, type;
} ref_particle;

/* A sum, and that of the magnitudes of all that it is made of. */
typedef struct {
  long double value, size;
} ref_sum;

typedef struct {
  ref_sum sum[DS_MAX_OPERATIONS][DS_OPERATION_SUMS];
  int faults; /* how often an operation could not act on a particle */
} ref_sums;

/* All operations of the program, whatever `every` and DS_LAST_STEP_ONLY say. Edges xx yy zz yz xz xy. */
void ref_steps(const ds_step_program *program, const double edge[6], int64_t step, ref_particle *particle, int n,
               ref_sums *sums);

int ref_in_region(const ds_region *all, int number, const double x[3]);

#ifdef __cplusplus
}
#endif
#endif
