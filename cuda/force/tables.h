/* What the sweeps of both backends know of a model: coefficients of each pair of types, ready for the kernels.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SWEEP_TABLES_H
#define DPDSOP_SWEEP_TABLES_H

#include "dpdsop/device/fixed_sum.h"
#include "dpdsop/pair.h"

#include <stdint.h>

/* What terms are multiplied by, and the coefficients of each pair of types, in either arithmetic (each_arithmetic.h). */
typedef struct {
  float special[4], special_root[4];
  float force_scale, energy_scale;
  float *coeff; /* ntypes^2 records of the evaluator, row-major */
} ds_sweep_numbersf;

typedef struct {
  double special[4], special_root[4];
  double force_scale, energy_scale;
  double *coeff;
} ds_sweep_numbers;

typedef struct {
  int ntypes;
  int words;         /* reals per pair of types; the first is the squared cutoff */
  int general;       /* some exponent differs from 1 */
  int ranges_differ; /* the list's range is not the same for all pairs of types */
  double cutoff;     /* the largest, length: the kernels' unit of length */
  double range;      /* cutoff + skin, length */
  uint32_t seed;
  ds_sweep_numbersf numbersf; /* DS_R(numbers) */
  ds_sweep_numbers numbers;
  float *list2; /* squared range of the list in largest cutoffs; 0: the pair does not interact */
} ds_sweep_tables;

/* model.c: tables of a model, from zeros; an error where it is not in order. */
ds_status ds_tables_make(ds_sweep_tables *tables, const ds_pair_style *style, const ds_pair_model *model,
                         ds_precision precision, ds_error *err);
void ds_tables_free(ds_sweep_tables *tables);

/* Some pair may have a factor other than 1: factor 0 is that of all pairs without a code, the others are of use where
   entries of the list are coded. */
static inline int ds_has_special(const ds_sweep_tables *t, int coded)
{
  for (int k = 0; k < (coded ? 4 : 1); k++)
    if (t->numbers.special[k] != 1.0) return 1;
  return 0;
}

/* What integers of rows are worth; every pair is in the rows of both atoms, hence the halves. */
typedef struct {
  double force, half_energy, half_virial;
} ds_row_units;

static inline ds_row_units ds_row_units_of(const ds_sweep_tables *t)
{
  ds_row_units u;
  u.force = 1.0 / t->numbers.force_scale; /* powers of two: exact */
  u.half_energy = 0.5 / t->numbers.energy_scale;
  u.half_virial = 0.5 * t->cutoff * u.force;
  return u;
}

#endif
