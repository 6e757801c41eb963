/* Evaluator of dissipative particle dynamics (Tang & Karniadakis 2014, eqs. 3-9):

     F_ij = [ A w  -  gamma w_D (e . v)  +  sigma w_R xi ] e,    w = 1 - r/rc,  w_R = w^s,  w_D = w_R^2

   pair_term.h says what an evaluator is.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DS_FORMULAS
#ifndef DPDSOP_DPD_EVALUATOR_H
#define DPDSOP_DPD_EVALUATOR_H

#include "dpdsop/dpd.h"
#include "dpdsop/device/pair_term.h"

#define DS_FORMULAS "dpdsop/device/dpd_evaluator.h" /* this file's second part, in each arithmetic */
#include "dpdsop/device/each_arithmetic.h"

static inline void ds_dpd_set_coefficients(const ds_pair_model *m, int k, ds_dpd_coeff *c)
{
  c->a = m->coeff[DS_DPD_A][k];
  c->gamma = m->coeff[DS_DPD_GAMMA][k];
  c->sigma = ds_noise_amplitude(m, c->gamma);
  c->power = m->coeff[DS_DPD_POWER][k];
  c->energy = 0.5 * c->a * m->cutoff[k];
}

/* Repulsion at contact, the largest noise, and friction. */
static inline double ds_dpd_force_bound(const ds_pair_model *m, int k)
{
  const double gamma = m->coeff[DS_DPD_GAMMA][k];
  return fabs(m->coeff[DS_DPD_A][k]) + DS_LARGEST_DEVIATE * ds_noise_amplitude(m, gamma) + ds_friction_bound(m, k, gamma);
}

static inline double ds_dpd_energy_bound(const ds_pair_model *m, int k)
{
  return fabs(0.5 * m->coeff[DS_DPD_A][k] * m->cutoff[k]);
}

#endif
#else

typedef struct {
  DS_REAL cut2;        /* cutoff^2 */
  DS_REAL inverse_cut; /* 1/cutoff */
  DS_REAL a;           /* conservative amplitude, force */
  DS_REAL gamma;       /* friction, force/velocity */
  DS_REAL sigma;       /* sqrt(2 gamma kB T / dt), force: eq. 9 and the dt^-1/2 of eq. 5 */
  DS_REAL power;       /* exponent s of eq. 8 */
  DS_REAL energy;      /* a cutoff / 2, energy: conservative energy at contact */
  DS_REAL padding;     /* to a multiple of 16 bytes */
} DS_R(ds_dpd_coeff);

/* F_ij . e_ij / r of eqs. 3-5 with w_D = w_R^2 (eq. 7): multiply by the separation for the force on
   i. r2 is the squared distance, dot = r_ij . v_ij, both symmetric in i and j, and so is the
   result. special scales F_C and F_D, its root F_R (fluctuation-dissipation, eq. 9). */
DS_FUNC DS_REAL DS_R(ds_dpd_force)(const DS_R(ds_dpd_coeff) * c, DS_REAL r2, DS_REAL dot, DS_REAL noise, DS_REAL special,
                                   DS_REAL special_root, int general, DS_REAL *weight)
{
  const DS_REAL rinv = DS_R(ds_rsqrt)(r2);
  const DS_REAL w = DS_R(ds_pair_weight)(r2 * rinv, c->inverse_cut);
  const DS_REAL wr = DS_R(ds_pair_weight_power)(w, c->power, general);
  const DS_REAL drag = c->gamma * (wr * wr) * (dot * rinv);
  const DS_REAL steady = DS_R(fma)(c->a, w, -drag);
  const DS_REAL random = c->sigma * wr * noise;
  *weight = w;
  return DS_R(fma)(special, steady, special_root * random) * rinv;
}

DS_FUNC DS_R(ds_pair_term) DS_R(ds_dpd_term)(const DS_R(ds_dpd_coeff) * c, const DS_R(ds_pair_geometry) * p,
                                             uint32_t signature_i, uint32_t signature_j, DS_REAL special, DS_REAL special_root,
                                             int general, DS_REAL force_scale, DS_REAL energy_scale)
{
  DS_R(ds_pair_term) t;
  DS_REAL w;
  const DS_REAL noise = DS_R(ds_pair_gaussian)(signature_i, signature_j);
  const DS_REAL f = force_scale * DS_R(ds_dpd_force)(c, p->r2, DS_R(ds_pair_dot)(p), noise, special, special_root, general, &w);
  t.fx = f * p->dx;
  t.fy = f * p->dy;
  t.fz = f * p->dz;
  t.energy = special * (c->energy * (w * w)) * energy_scale;
  return t;
}

#endif
