/* What a pair style is to the engine: its coefficients and its evaluator's sweeps.
   SPDX-License-Identifier: GPL-2.0-or-later

   Adding a style is an evaluator (dpdsop/pair_term.h), a file that fills in this structure, and one line each in the
   files that compile its sweeps. */
#ifndef DPDSOP_PAIR_STYLE_H
#define DPDSOP_PAIR_STYLE_H

#include "../sweep/sweep_host.h"
#include "dpdsop/pair.h"

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  DS_COEFF_FINITE,   /* any finite number */
  DS_COEFF_FRICTION, /* >= 0; the noise that belongs to it follows from kT and dt */
  DS_COEFF_EXPONENT  /* > 0 and <= DS_MOST_EXPONENT */
} ds_coeff_kind;

/* Largest |xi| of Box-Muller on 32-bit words: sqrt(2 * 32 ln 2). */
#define DS_LARGEST_DEVIATE 6.66

struct ds_cuda_sweeps; /* sweep/sweep_cuda.h */

struct ds_pair_style {
  const char *name;
  int coefficients;
  struct {
    const char *name;
    ds_coeff_kind kind;
  } coefficient[DS_MOST_COEFFICIENTS];
  int words; /* of the evaluator's record of coefficients */
  /* Coefficients of pair k of the matrices as the evaluator has them; the squared cutoff and its inverse are set. */
  void (*record)(const ds_pair_model *m, int k, double *record);
  /* What coefficients, kT and dt let one expect of a pair at most. */
  double (*force_bound)(const ds_pair_model *m, int k);
  double (*energy_bound)(const ds_pair_model *m, int k);
  /* As ds_pair_single, of pair k within its cutoff. */
  double (*single)(const ds_pair_model *m, int k, double r2, double special, double *force_over_r);
  ds_host_sweeps host;
  const struct ds_cuda_sweeps *cuda; /* NULL in builds without CUDA */
};

/* sqrt(2 gamma kT / dt): what noise is multiplied by (eqs. 5 and 9). */
static inline double ds_noise_amplitude(const ds_pair_model *m, double gamma)
{
  return sqrt(2.0 * gamma * m->kT) / sqrt(m->dt);
}

/* Largest friction to be expected: of atoms that approach by a sixteenth of the cutoff in a step, which counts where
   the thermostat is cold. */
static inline double ds_friction_bound(const ds_pair_model *m, int k, double gamma)
{
  return gamma * m->cutoff[k] / (16.0 * m->dt);
}

#ifdef __cplusplus
}
#endif
#endif
