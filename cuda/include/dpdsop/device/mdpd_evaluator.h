/* Evaluator of many-body dissipative particle dynamics (Warren, Phys. Rev. E 68, 066702 (2003); weight of the density by Lucy,
   Astron. J. 82, 1013 (1977), as in Li, Hu, Wang, Ma & Zhou, Phys. Fluids 25, 072103 (2013)):

     F_ij = [ A w_c  +  B (rho_i + rho_j) w_d  -  gamma w_c^2 (e . v)  +  sigma w_c xi ] e,    w_c = 1 - r/rc,  w_d = 1 - r/rd
     rho_i = sum over j of m_j 105/(16 pi h^3) (1 + 3 r/h) (1 - r/h)^3,    r < h

   w_d is 0 beyond rd. rd and h are at most rc. An atom has no part in its own density.
   pair_term.h says what an evaluator is, and what more one with densities has.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DS_FORMULAS
#ifndef DPDSOP_MDPD_EVALUATOR_H
#define DPDSOP_MDPD_EVALUATOR_H

#include "dpdsop/dpd.h"
#include "dpdsop/device/pair_term.h"

/* 105 / (16 pi): the integral of the weight over all space is 1. */
#define DS_LUCY_AMPLITUDE 2.0889086280811262819

/* Densities are expected to be no more than that of so many atoms in one place. Forces have room for 16 times as many. */
#define DS_MDPD_CROWD 4.0

#define DS_FORMULAS "dpdsop/device/mdpd_evaluator.h" /* this file's second part, in each arithmetic */
#include "dpdsop/device/each_arithmetic.h"

/* Density at an atom in the same place as one of the second type of pair k. */
static inline double ds_mdpd_density_bound(const ds_pair_model *m, int k)
{
  const double h = m->coeff[DS_MDPD_RHO_CUTOFF][k];
  return m->cutoff[k] > 0.0 && h > 0.0 ? m->coeff[DS_MDPD_MASS][k] * DS_LUCY_AMPLITUDE / (h * h * h) : 0.0;
}

static inline void ds_mdpd_set_coefficients(const ds_pair_model *m, int k, ds_mdpd_coeff *c)
{
  const double unit = m->cutoff[k] * c->inverse_cut; /* of lengths: the largest cutoff */
  const double rd = m->coeff[DS_MDPD_CUTOFF_D][k], h = m->coeff[DS_MDPD_RHO_CUTOFF][k];
  c->a = m->coeff[DS_MDPD_A][k];
  c->b = rd > 0.0 ? m->coeff[DS_MDPD_B][k] : 0.0;
  c->gamma = m->coeff[DS_MDPD_GAMMA][k];
  c->sigma = ds_noise_amplitude(m, c->gamma);
  c->inverse_cut_d = rd > 0.0 ? unit / rd : 0.0;
  c->energy_a = 0.5 * c->a * m->cutoff[k];
  c->energy_b = 0.5 * c->b * rd;
  c->rho_cut2 = unit > 0.0 ? h / unit * (h / unit) : 0.0;
  c->inverse_rho_cut = h > 0.0 ? unit / h : 0.0;
  c->rho = ds_mdpd_density_bound(m, k);
}

/* Attraction at contact, repulsion in a crowd, the largest noise, and friction. */
static inline double ds_mdpd_force_bound(const ds_pair_model *m, int k)
{
  const double gamma = m->coeff[DS_MDPD_GAMMA][k];
  double density = 0.0;
  for (int l = 0; l < m->ntypes * m->ntypes; l++) density = fmax(density, DS_MDPD_CROWD * ds_mdpd_density_bound(m, l));
  return fabs(m->coeff[DS_MDPD_A][k]) + 2.0 * density * fabs(m->coeff[DS_MDPD_B][k]) +
         DS_LARGEST_DEVIATE * ds_noise_amplitude(m, gamma) + ds_friction_bound(m, k, gamma);
}

/* Of a pair whose force is in range, which goes to 32 times its bound: there it is up to 1.7 times this, for which integers
   have room. */
static inline double ds_mdpd_energy_bound(const ds_pair_model *m, int k)
{
  const double many_body = 10.0 * m->coeff[DS_MDPD_CUTOFF_D][k] * ds_mdpd_force_bound(m, k);
  return 0.5 * fabs(m->coeff[DS_MDPD_A][k]) * m->cutoff[k] + many_body;
}

#endif
#else

typedef struct {
  DS_REAL cut2, inverse_cut;
  DS_REAL a;               /* amplitude of w_c, force */
  DS_REAL gamma;           /* friction, force/velocity */
  DS_REAL sigma;           /* sqrt(2 gamma kB T / dt), force */
  DS_REAL b;               /* amplitude of w_d, force/density */
  DS_REAL inverse_cut_d;   /* 1/rd */
  DS_REAL energy_a;        /* a rc / 2, energy */
  DS_REAL energy_b;        /* b rd / 2, energy/density */
  DS_REAL rho_cut2;        /* h^2 */
  DS_REAL inverse_rho_cut; /* 1/h */
  DS_REAL rho;             /* m_j 105/(16 pi h^3), density at contact */
} DS_R(ds_mdpd_coeff);

/* What j adds to the density at i, times the scale; r2 < h^2, and may be 0. */
DS_FUNC DS_REAL DS_R(ds_mdpd_density)(const DS_R(ds_mdpd_coeff) * c, DS_REAL r2, DS_REAL density_scale)
{
  const DS_REAL apart2 = r2 > (DS_REAL) DS_CONTACT2 ? r2 : (DS_REAL) DS_CONTACT2;
  const DS_REAL s = apart2 * DS_R(ds_rsqrt)(apart2) * c->inverse_rho_cut;
  const DS_REAL w = (DS_REAL) 1 - s;
  return density_scale * (c->rho * (DS_R(fma)((DS_REAL) 3, s, (DS_REAL) 1) * (w * w * w)));
}

/* density: rho_i + rho_j */
DS_FUNC DS_R(ds_pair_term) DS_R(ds_mdpd_term)(const DS_R(ds_mdpd_coeff) * c, const DS_R(ds_pair_geometry) * p,
                                              uint32_t signature_i, uint32_t signature_j, DS_REAL special,
                                              DS_REAL special_root, int general, DS_REAL force_scale, DS_REAL energy_scale,
                                              DS_REAL density)
{
  DS_R(ds_pair_term) t;
  const DS_REAL noise = DS_R(ds_pair_gaussian)(signature_i, signature_j);
  const DS_REAL rinv = DS_R(ds_rsqrt)(p->r2), r = p->r2 * rinv;
  const DS_REAL w = DS_R(ds_pair_weight)(r, c->inverse_cut), inside = DS_R(fma)(-r, c->inverse_cut_d, (DS_REAL) 1);
  const DS_REAL wd = inside > (DS_REAL) 0 ? inside : (DS_REAL) 0;
  const DS_REAL drag = c->gamma * (w * w) * (DS_R(ds_pair_dot)(p) * rinv);
  const DS_REAL steady = DS_R(fma)(c->a, w, DS_R(fma)(c->b * density, wd, -drag));
  const DS_REAL random = c->sigma * w * noise;
  const DS_REAL f = force_scale * (DS_R(fma)(special, steady, special_root * random) * rinv);
  (void) general; /* no exponents */
  t.fx = f * p->dx;
  t.fy = f * p->dy;
  t.fz = f * p->dz;
  t.energy = special * DS_R(fma)(c->energy_a, w * w, c->energy_b * density * (wd * wd)) * energy_scale;
  return t;
}

#endif
