/* What the sweeps of both backends know of a model: coefficients of each pair of types, ready for the kernels.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_SWEEP_TABLES_H
#define DPDSOP_SWEEP_TABLES_H

#include "dpdsop/fixed_sum.h"

#include <stdint.h>

/* A plain value apart from the tables, which hold ntypes^2 entries each, row-major. */
typedef struct {
  int ntypes;
  int words;     /* reals per pair of types; the first is the squared cutoff */
  int general;   /* some exponent differs from 1 */
  int ranged;    /* the list's range is not the same for all pairs of types */
  double cutoff; /* the largest, length: the kernels' unit of length */
  double range;  /* cutoff + skin, length */
  double special[4], special_root[4];
  float specialf[4], special_rootf[4];
  uint32_t seed;
  ds_scales scales;
  double *coeff_d;
  float *coeff_f;
  float *list2; /* squared range of the list in largest cutoffs; 0: the pair does not interact */
} ds_sweep_tables;

/* By arithmetic (arithmetic.h). */
static inline const float *ds_coeff_f(const ds_sweep_tables *t)
{
  return t->coeff_f;
}
static inline const double *ds_coeff_d(const ds_sweep_tables *t)
{
  return t->coeff_d;
}
static inline const float *ds_special_f(const ds_sweep_tables *t)
{
  return t->specialf;
}
static inline const double *ds_special_d(const ds_sweep_tables *t)
{
  return t->special;
}
static inline const float *ds_special_root_f(const ds_sweep_tables *t)
{
  return t->special_rootf;
}
static inline const double *ds_special_root_d(const ds_sweep_tables *t)
{
  return t->special_root;
}
static inline float ds_force_scale_f(const ds_sweep_tables *t)
{
  return t->scales.forcef;
}
static inline double ds_force_scale_d(const ds_sweep_tables *t)
{
  return t->scales.force;
}
static inline float ds_energy_scale_f(const ds_sweep_tables *t)
{
  return t->scales.energyf;
}
static inline double ds_energy_scale_d(const ds_sweep_tables *t)
{
  return t->scales.energy;
}

/* Some pair may have a factor other than 1: factor 0 is that of all pairs without a code, the others are of use where
   entries of the list are coded. */
static inline int ds_has_special(const ds_sweep_tables *t, int coded)
{
  for (int k = 0; k < (coded ? 4 : 1); k++)
    if (t->special[k] != 1.0) return 1;
  return 0;
}

/* What integers of rows are worth; every pair is met from both sides, hence the halves. */
typedef struct {
  double force, half_energy, half_virial;
} ds_row_units;

static inline ds_row_units ds_row_units_of(const ds_sweep_tables *t)
{
  ds_row_units u;
  u.force = 1.0 / t->scales.force; /* powers of two: exact */
  u.half_energy = 0.5 / t->scales.energy;
  u.half_virial = 0.5 * t->cutoff * u.force;
  return u;
}

#endif
