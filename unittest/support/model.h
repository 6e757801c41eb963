/* model.h: interaction parameters with room for their matrices.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_TEST_MODEL_H
#define DPDSOP_TEST_MODEL_H

#include "dpdsop/dpd.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TEST_TYPES = 100 };

/* A ds_pair_model and the style that it is of. Not to be copied: m points into it. */
typedef struct {
  ds_pair_model m;
  const ds_pair_style *style;
  double a[TEST_TYPES * TEST_TYPES], gamma[TEST_TYPES * TEST_TYPES];
  double cutoff[TEST_TYPES * TEST_TYPES], power[TEST_TYPES * TEST_TYPES];
  double
      across[TEST_TYPES * TEST_TYPES]; /* friction across the line of centers, and its exponent */
  double power_across[TEST_TYPES * TEST_TYPES];
  double sigma[TEST_TYPES * TEST_TYPES], shift[TEST_TYPES * TEST_TYPES]; /* ds_style_lj_cut; epsilon is in `a` */
  double lamda[TEST_TYPES * TEST_TYPES], ewald[TEST_TYPES * TEST_TYPES]; /* ds_style_coul_slater; scale is in `a` */
  double strength[TEST_TYPES * TEST_TYPES], largest[TEST_TYPES * TEST_TYPES];
  /* ds_style_mdpd; A is in `a`. mass: of the second type */
  double b[TEST_TYPES * TEST_TYPES], cutoff_d[TEST_TYPES * TEST_TYPES], rho_cutoff[TEST_TYPES * TEST_TYPES];
  double mass[TEST_TYPES * TEST_TYPES];
} test_model;

/* All types alike; ds_style_dpd, kT = 1, dt = 0.01, seed 12345, special factors 1. */
void model_open(test_model *t, int ntypes, double a, double gamma, double cutoff, double power,
                double skin);

/* One pair of types (1-based), both ways round. */
void model_pair(test_model *t, int i, int j, double a, double gamma, double cutoff, double power);

/* The same matrices for another style. The thermostat alone has no repulsion: `a` is set to 0. */
void model_style(test_model *t, const ds_pair_style *style);
void model_across(test_model *t, int i, int j, double gamma, double power);

/* One pair of types of ds_style_lj_cut, whose energy is 0 at the cutoff with `shift`. */
void model_lj(test_model *t, int i, int j, double epsilon, double sigma, double cutoff, int shift);

/* ds_style_coul_slater, all pairs of types alike. */
void model_coul(test_model *t, int ntypes, double strength, double lamda, double ewald, double cutoff, double skin);
/* One pair of types of ds_style_mdpd; all masses are 1 until model_mass. */
void model_mdpd(test_model *t, int i, int j, double a, double b, double gamma, double cutoff, double cutoff_d,
                double rho_cutoff);
void model_mass(test_model *t, int i, double mass);

double model_cutoff(const test_model *t); /* the largest */
double model_range(const test_model *t);  /* that and the skin */

#ifdef __cplusplus
}
#endif
#endif
