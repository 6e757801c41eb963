/* Evaluator of DPD with a second, transverse thermostat (Junghans, Praprotnik & Kremer, Soft Matter 4, 156 (2008)):
   friction and noise along the line of centers, and across it, each with its own coefficient and exponent.

     F_ij = [ A w  -  gamma w_D (e . v)  +  sigma w_R xi ] e
            -  gamma' w'_D (1 - e e^T) v  +  sigma' w'_R (1 - e e^T) xi',      xi' a vector, xi'_ij = -xi'_ji

   pair_term.h says what an evaluator is.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DS_FORMULAS
#ifndef DPDSOP_DPD_EXT_EVALUATOR_H
#define DPDSOP_DPD_EXT_EVALUATOR_H

#include "dpdsop/dpd.h"
#include "dpdsop/device/pair_term.h"

#define DS_FORMULAS "dpdsop/device/dpd_ext_evaluator.h" /* this file's second part, in each arithmetic */
#include "dpdsop/device/each_arithmetic.h"

static inline void ds_dpd_ext_set_coefficients(const ds_pair_model *m, int k, ds_dpd_ext_coeff *c)
{
  c->a = m->coeff[DS_EXT_A][k];
  c->energy = 0.5 * c->a * m->cutoff[k];
  c->gamma = m->coeff[DS_EXT_GAMMA][k];
  c->sigma = ds_noise_amplitude(m, c->gamma);
  c->power = m->coeff[DS_EXT_POWER][k];
  c->gamma_across = m->coeff[DS_EXT_GAMMA_ACROSS][k];
  c->sigma_across = ds_noise_amplitude(m, c->gamma_across);
  c->power_across = m->coeff[DS_EXT_POWER_ACROSS][k];
}

/* As for DPD, and the same across the line of centers, where the noise is a vector. */
static inline double ds_dpd_ext_force_bound(const ds_pair_model *m, int k)
{
  const double gamma = m->coeff[DS_EXT_GAMMA][k], across = m->coeff[DS_EXT_GAMMA_ACROSS][k];
  return fabs(m->coeff[DS_EXT_A][k]) +
         DS_LARGEST_DEVIATE * (ds_noise_amplitude(m, gamma) + sqrt(3.0) * ds_noise_amplitude(m, across)) +
         ds_friction_bound(m, k, gamma + across);
}

static inline double ds_dpd_ext_energy_bound(const ds_pair_model *m, int k)
{
  return fabs(0.5 * m->coeff[DS_EXT_A][k] * m->cutoff[k]);
}

#endif
#else

typedef struct {
  DS_REAL cut2, inverse_cut;
  DS_REAL a;                                        /* conservative amplitude, force */
  DS_REAL energy;                                   /* a cutoff / 2, energy: at contact */
  DS_REAL gamma, sigma, power;                      /* along e: friction, sqrt(2 gamma kB T / dt), exponent */
  DS_REAL gamma_across, sigma_across, power_across; /* across it */
  DS_REAL padding[6];
} DS_R(ds_dpd_ext_coeff);

DS_FUNC DS_R(ds_pair_term) DS_R(ds_dpd_ext_term)(const DS_R(ds_dpd_ext_coeff) * c, const DS_R(ds_pair_geometry) * p,
                                                 uint32_t signature_i, uint32_t signature_j, DS_REAL special,
                                                 DS_REAL special_root, int general, DS_REAL force_scale, DS_REAL energy_scale)
{
  DS_R(ds_pair_term) t;
  DS_REAL xi, xx, xy, xz;
  DS_R(ds_pair_normals)(signature_i, signature_j, 0, &xi, &xx);
  DS_R(ds_pair_normals)(signature_i, signature_j, 1, &xy, &xz);
  /* the vector is odd: j sees it reversed. Equal signatures, one pair in 2^32, have none. */
  const DS_REAL sign = (DS_REAL) ((signature_i < signature_j) - (signature_i > signature_j));
  const DS_REAL rinv = DS_R(ds_rsqrt)(p->r2);
  const DS_REAL w = DS_R(ds_pair_weight)(p->r2 * rinv, c->inverse_cut);
  const DS_REAL along = DS_R(ds_pair_weight_power)(w, c->power, general);
  const DS_REAL across = DS_R(ds_pair_weight_power)(w, c->power_across, general);
  const DS_REAL dot = DS_R(ds_pair_dot)(p) * rinv; /* e . v */
  const DS_REAL drag = special * (c->gamma_across * (across * across));
  const DS_REAL random = special_root * (c->sigma_across * across) * sign;
  /* u = -drag v + random xi': what is across e of it acts */
  const DS_REAL ux = DS_R(fma)(random, xx, -(drag * p->vx));
  const DS_REAL uy = DS_R(fma)(random, xy, -(drag * p->vy));
  const DS_REAL uz = DS_R(fma)(random, xz, -(drag * p->vz));
  const DS_REAL eu = DS_R(fma)(p->dz, uz, DS_R(fma)(p->dy, uy, p->dx * ux)) * rinv;
  const DS_REAL steady = DS_R(fma)(c->a, w, -(c->gamma * (along * along) * dot));
  const DS_REAL radial = DS_R(fma)(special, steady, special_root * (c->sigma * along * xi));
  const DS_REAL f = (radial - eu) * rinv;
  t.fx = force_scale * DS_R(fma)(f, p->dx, ux);
  t.fy = force_scale * DS_R(fma)(f, p->dy, uy);
  t.fz = force_scale * DS_R(fma)(f, p->dz, uz);
  t.energy = special * (c->energy * (w * w)) * energy_scale;
  return t;
}

#endif
