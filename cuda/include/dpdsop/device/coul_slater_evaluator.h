/* Evaluator of the Coulomb force between charges that are smeared out by Slater functions exp(-2 r / lamda), its part in real
   space (Gonzalez-Melchor, Mayoral, Velazquez & Alejandre, J. Chem. Phys. 125, 224107 (2006)):

     F_ij = q_i q_j [ f Q_S(r) - Q_G(r) ] / r^2 e,    E = q_i q_j [ f V_S(r) - V_G(r) ]

   Q_S, V_S: charge within r and potential of a Slater cloud, Q_G, V_G: those of a Gauss cloud (screening.h), which the sum over
   wave vectors has too much. f is the special factor: what it leaves out is left out of the whole force.
   pair_term.h says what an evaluator is.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DS_FORMULAS
#ifndef DPDSOP_COUL_SLATER_EVALUATOR_H
#define DPDSOP_COUL_SLATER_EVALUATOR_H

#include "dpdsop/dpd.h"
#include "dpdsop/device/pair_term.h"
#include "dpdsop/device/screening.h"

#define DS_FORMULAS "dpdsop/device/coul_slater_evaluator.h" /* this file's second part, in each arithmetic */
#include "dpdsop/device/each_arithmetic.h"

/* Largest values of Q / r^2 in units of 1 / lamda^2 and of g^2, and of the potentials in units of 1 / lamda and of g. */
#define DS_SLATER_FORCE 0.3405
#define DS_GAUSS_FORCE 0.4285
#define DS_SLATER_POTENTIAL 1.0
#define DS_GAUSS_POTENTIAL 1.1284

static inline double ds_coul_slater_strength(const ds_pair_model *m, int k)
{
  return m->cutoff[k] > 0.0 ? m->coeff[DS_COUL_SCALE][k] * m->coeff[DS_COUL_STRENGTH][k] : 0.0;
}

static inline void ds_coul_slater_set_coefficients(const ds_pair_model *m, int k, ds_coul_slater_coeff *c)
{
  const double unit = m->cutoff[k] * c->inverse_cut; /* of lengths: the largest cutoff */
  if (!(unit > 0.0)) return;                         /* zeros: the pair does not interact */
  c->energy = ds_coul_slater_strength(m, k) / unit;
  c->force = c->energy / unit;
  c->rate = 2.0 * unit / m->coeff[DS_COUL_LAMDA][k];
  c->ewald = unit * m->coeff[DS_COUL_EWALD][k];
}

/* Of the two largest charges, at the distance where the force is largest. */
static inline double ds_coul_slater_force_bound(const ds_pair_model *m, int k)
{
  const double q = m->coeff[DS_COUL_LARGEST][k], g = m->coeff[DS_COUL_EWALD][k], lamda = m->coeff[DS_COUL_LAMDA][k];
  if (!(m->cutoff[k] > 0.0)) return 0.0;
  return fabs(ds_coul_slater_strength(m, k)) * q * q * (DS_SLATER_FORCE / (lamda * lamda) + DS_GAUSS_FORCE * g * g);
}

static inline double ds_coul_slater_energy_bound(const ds_pair_model *m, int k)
{
  const double q = m->coeff[DS_COUL_LARGEST][k], g = m->coeff[DS_COUL_EWALD][k], lamda = m->coeff[DS_COUL_LAMDA][k];
  if (!(m->cutoff[k] > 0.0)) return 0.0;
  return fabs(ds_coul_slater_strength(m, k)) * q * q * (DS_SLATER_POTENTIAL / lamda + DS_GAUSS_POTENTIAL * g);
}

#endif
#else

typedef struct {
  DS_REAL cut2, inverse_cut;
  DS_REAL force;  /* of unit charges, in units of length: force by 1 / length^2 */
  DS_REAL energy; /* likewise */
  DS_REAL rate;   /* 2 / lamda */
  DS_REAL ewald;  /* g_ewald */
  DS_REAL padding[2];
} DS_R(ds_coul_slater_coeff);

DS_FUNC DS_R(ds_pair_term) DS_R(ds_coul_slater_term)(const DS_R(ds_coul_slater_coeff) * c, const DS_R(ds_pair_geometry) * p,
                                                     uint32_t signature_i, uint32_t signature_j, DS_REAL special,
                                                     DS_REAL special_root, int general, DS_REAL force_scale,
                                                     DS_REAL energy_scale)
{
  DS_R(ds_pair_term) t;
  const DS_REAL rinv = DS_R(ds_rsqrt)(p->r2), r = p->r2 * rinv;
  const DS_R(ds_cloud) slater = DS_R(ds_slater_cloud)(r, rinv, c->rate), gauss = DS_R(ds_gauss_cloud)(r, rinv, c->ewald);
  const DS_REAL f = force_scale * (c->force * p->charges * DS_R(fma)(special, slater.within, -gauss.within));
  (void) signature_i, (void) signature_j, (void) special_root, (void) general; /* no noise */
  t.fx = f * p->dx;
  t.fy = f * p->dy;
  t.fz = f * p->dz;
  t.energy = c->energy * p->charges * DS_R(fma)(special, slater.potential, -gauss.potential) * energy_scale;
  return t;
}

#endif
