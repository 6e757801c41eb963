/* Evaluator of the DPD thermostat alone: friction and noise of Tang & Karniadakis 2014, eqs. 4-9, without the
   conservative force, for use beside another force field.

     F_ij = [ -gamma w_D (e . v)  +  sigma w_R xi ] e,    w_R = (1 - r/rc)^s,  w_D = w_R^2

   pair_term.h says what an evaluator is.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DS_FORMULAS
#ifndef DPDSOP_DPD_TSTAT_EVALUATOR_H
#define DPDSOP_DPD_TSTAT_EVALUATOR_H

#include "dpdsop/dpd.h"
#include "dpdsop/device/pair_term.h"

#define DS_FORMULAS "dpdsop/device/dpd_tstat_evaluator.h" /* this file's second part, in each arithmetic */
#include "dpdsop/device/each_arithmetic.h"

static inline void ds_dpd_tstat_set_coefficients(const ds_pair_model *m, int k, ds_dpd_tstat_coeff *c)
{
  c->gamma = m->coeff[DS_TSTAT_GAMMA][k];
  c->sigma = ds_noise_amplitude(m, c->gamma);
  c->power = m->coeff[DS_TSTAT_POWER][k];
}

static inline double ds_dpd_tstat_force_bound(const ds_pair_model *m, int k)
{
  const double gamma = m->coeff[DS_TSTAT_GAMMA][k];
  return DS_LARGEST_DEVIATE * ds_noise_amplitude(m, gamma) + ds_friction_bound(m, k, gamma);
}

static inline double ds_dpd_tstat_energy_bound(const ds_pair_model *m, int k)
{
  (void) m, (void) k;
  return 0.0;
}

#endif
#else

typedef struct {
  DS_REAL cut2, inverse_cut;
  DS_REAL gamma; /* friction, force/velocity */
  DS_REAL sigma; /* sqrt(2 gamma kB T / dt), force */
  DS_REAL power; /* exponent s */
  DS_REAL padding[3];
} DS_R(ds_dpd_tstat_coeff);

DS_FUNC DS_R(ds_pair_term) DS_R(ds_dpd_tstat_term)(const DS_R(ds_dpd_tstat_coeff) * c, const DS_R(ds_pair_geometry) * p,
                                                   uint32_t signature_i, uint32_t signature_j, DS_REAL special,
                                                   DS_REAL special_root, int general, DS_REAL force_scale, DS_REAL energy_scale)
{
  DS_R(ds_pair_term) t;
  const DS_REAL noise = DS_R(ds_pair_gaussian)(signature_i, signature_j);
  const DS_REAL rinv = DS_R(ds_rsqrt)(p->r2);
  const DS_REAL w = DS_R(ds_pair_weight)(p->r2 * rinv, c->inverse_cut);
  const DS_REAL wr = DS_R(ds_pair_weight_power)(w, c->power, general);
  const DS_REAL drag = c->gamma * (wr * wr) * (DS_R(ds_pair_dot)(p) * rinv);
  const DS_REAL random = c->sigma * wr * noise;
  const DS_REAL f = force_scale * (DS_R(fma)(special, -drag, special_root * random) * rinv);
  t.fx = f * p->dx;
  t.fy = f * p->dy;
  t.fz = f * p->dz;
  t.energy = (DS_REAL) 0 * energy_scale;
  return t;
}

#endif
