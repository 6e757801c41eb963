/* What a pair style is to the engine: its coefficients, and what they let one expect.
   SPDX-License-Identifier: GPL-2.0-or-later

   The force of a pair is in the style's header (dpdsop/device/pair_term.h); each_style.h lists the styles. */
#ifndef DPDSOP_STYLES_STYLE_H
#define DPDSOP_STYLES_STYLE_H

#include "dpdsop/device/pair_term.h"

DS_C_BEGIN

typedef enum {
  DS_COEFF_FINITE,   /* any finite number */
  DS_COEFF_FRICTION, /* >= 0; the noise that belongs to it follows from kT and dt */
  DS_COEFF_LENGTH,   /* >= 0 */
  DS_COEFF_POSITIVE, /* > 0 where the pair interacts */
  DS_COEFF_RANGE,    /* length, 0 to the cutoff */
  DS_COEFF_MASS,     /* > 0, of the second of two types that interact */
  DS_COEFF_EXPONENT  /* > 0 and <= DS_MAX_EXPONENT */
} ds_coeff_kind;

typedef struct {
  const char *name;
  ds_coeff_kind kind;
} ds_coefficient;

struct ds_pair_style {
  const char *name;
  int coefficients;
  const ds_coefficient *coefficient; /* in the order of ds_pair_model.coeff */
  int words;                         /* reals in the evaluator's struct of coefficients */
  int charged;                       /* the evaluator reads charges of atoms */
  /* That struct, in doubles, for pair k of the matrices; the squared cutoff and the inverse of the cutoff are set. */
  void (*set_coefficients)(const ds_pair_model *m, int k, void *coeff);
  /* What coefficients, kT and dt let one expect of a pair at most. */
  double (*force_bound)(const ds_pair_model *m, int k);
  double (*energy_bound)(const ds_pair_model *m, int k);
  /* Force on i and energy, in double arithmetic: of a pair with these coefficients, at rest, without noise. */
  ds_pair_term (*at_rest)(const void *coeff, const ds_pair_geometry *p, double special);
  /* Of a style whose forces depend on densities: what one atom adds to the density of another at most. NULL: they do not. */
  double (*density_bound)(const ds_pair_model *m, int k);
};

DS_C_END
#endif
