/* Evaluator of the Lennard-Jones potential with a cutoff (J. E. Jones, Proc. R. Soc. A 106, 463 (1924)):

     E = 4 epsilon [ (sigma/r)^12 - (sigma/r)^6 ] - offset,    F = 24 epsilon [ 2 (sigma/r)^12 - (sigma/r)^6 ] / r

   The offset is 0, or makes the energy 0 at the cutoff.
   pair_term.h says what an evaluator is.   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DS_FORMULAS
#ifndef DPDSOP_LJ_CUT_EVALUATOR_H
#define DPDSOP_LJ_CUT_EVALUATOR_H

#include "dpdsop/dpd.h"
#include "dpdsop/device/pair_term.h"

#define DS_FORMULAS "dpdsop/device/lj_cut_evaluator.h" /* this file's second part, in each arithmetic */
#include "dpdsop/device/each_arithmetic.h"

/* Pairs are expected to stay farther apart than this many sigma: there the potential is 43 epsilon. The range of forces
   reaches 16 times as far, to 0.64 sigma and 830 epsilon. */
#define DS_LJ_CLOSEST 0.8
#define DS_LJ_HIGHEST_ENERGY 1024.0

static inline double ds_lj_cut_offset(const ds_pair_model *m, int k)
{
  const double s = m->cutoff[k] > 0.0 ? m->coeff[DS_LJ_SIGMA][k] / m->cutoff[k] : 0.0, s6 = s * s * s * s * s * s;
  return m->coeff[DS_LJ_SHIFT][k] * 4.0 * m->coeff[DS_LJ_EPSILON][k] * s6 * (s6 - 1.0);
}

static inline void ds_lj_cut_set_coefficients(const ds_pair_model *m, int k, ds_lj_cut_coeff *c)
{
  const double unit = m->cutoff[k] * c->inverse_cut; /* of lengths: the largest cutoff */
  const double sigma = unit > 0.0 ? m->coeff[DS_LJ_SIGMA][k] / unit : 0.0, epsilon = m->coeff[DS_LJ_EPSILON][k];
  c->sigma2 = sigma * sigma;
  c->force = unit > 0.0 ? 24.0 * epsilon / unit : 0.0;
  c->energy = 4.0 * epsilon;
  c->offset = ds_lj_cut_offset(m, k);
}

static inline double ds_lj_cut_force_bound(const ds_pair_model *m, int k)
{
  const double sigma = m->coeff[DS_LJ_SIGMA][k], s6 = pow(DS_LJ_CLOSEST, -6.0);
  return sigma > 0.0 ? 24.0 * fabs(m->coeff[DS_LJ_EPSILON][k]) * (2.0 * s6 - 1.0) * s6 / (DS_LJ_CLOSEST * sigma) : 0.0;
}

static inline double ds_lj_cut_energy_bound(const ds_pair_model *m, int k)
{
  return DS_LJ_HIGHEST_ENERGY * fabs(m->coeff[DS_LJ_EPSILON][k]) + fabs(ds_lj_cut_offset(m, k));
}

#endif
#else

typedef struct {
  DS_REAL cut2, inverse_cut;
  DS_REAL sigma2; /* sigma^2 */
  DS_REAL force;  /* 24 epsilon over the unit of length */
  DS_REAL energy; /* 4 epsilon */
  DS_REAL offset; /* energy at the cutoff, which is taken away; 0: none is */
  DS_REAL padding[2];
} DS_R(ds_lj_cut_coeff);

DS_FUNC DS_R(ds_pair_term) DS_R(ds_lj_cut_term)(const DS_R(ds_lj_cut_coeff) * c, const DS_R(ds_pair_geometry) * p,
                                                uint32_t signature_i, uint32_t signature_j, DS_REAL special,
                                                DS_REAL special_root, int general, DS_REAL force_scale, DS_REAL energy_scale)
{
  DS_R(ds_pair_term) t;
  const DS_REAL rinv = DS_R(ds_rsqrt)(p->r2), rinv2 = rinv * rinv;
  const DS_REAL s2 = c->sigma2 * rinv2, s6 = s2 * s2 * s2;
  const DS_REAL f = force_scale * (special * (c->force * (s6 * DS_R(fma)((DS_REAL) 2, s6, (DS_REAL) -1)) * rinv2));
  (void) signature_i, (void) signature_j, (void) special_root, (void) general; /* no noise */
  t.fx = f * p->dx;
  t.fy = f * p->dy;
  t.fz = f * p->dz;
  t.energy = special * DS_R(fma)(c->energy, s6 * (s6 - (DS_REAL) 1), -c->offset) * energy_scale;
  return t;
}

#endif
