/* The style of dissipative particle dynamics.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/dpd.h"

#include "../pair/style.h"
#include "dpdsop/dpd_evaluator.h"
#include "sweeps.h"

static ds_dpd_coeff_d coefficients(const ds_pair_model *m, int k)
{
  ds_dpd_coeff_d c;
  c.cut2 = m->cutoff[k] * m->cutoff[k];
  c.inverse_cut = 1.0 / m->cutoff[k];
  c.a = m->coeff[DS_DPD_A][k];
  c.gamma = m->coeff[DS_DPD_GAMMA][k];
  c.sigma = ds_noise_amplitude(m, c.gamma);
  c.power = m->coeff[DS_DPD_POWER][k];
  c.energy = 0.5 * c.a * m->cutoff[k];
  c.unused = 0.0;
  return c;
}

static void record(const ds_pair_model *m, int k, double *record)
{
  const ds_dpd_coeff_d c = coefficients(m, k);
  record[2] = c.a;
  record[3] = c.gamma;
  record[4] = c.sigma;
  record[5] = c.power;
  record[6] = c.energy;
}

/* Repulsion at contact, the largest noise, and friction. */
static double force_bound(const ds_pair_model *m, int k)
{
  const ds_dpd_coeff_d c = coefficients(m, k);
  return fabs(c.a) + DS_LARGEST_DEVIATE * c.sigma + ds_friction_bound(m, k, c.gamma);
}

static double energy_bound(const ds_pair_model *m, int k)
{
  return fabs(coefficients(m, k).energy);
}

static double single(const ds_pair_model *m, int k, double r2, double special, double *force_over_r)
{
  return ds_dpd_single(m, k / m->ntypes + 1, k % m->ntypes + 1, r2, 0.0, 0.0, special,
                       force_over_r);
}

double ds_dpd_single(const ds_pair_model *m, int itype, int jtype, double r2, double dot,
                     double noise, double special, double *force_over_r)
{
  const int k = (itype - 1) * m->ntypes + jtype - 1;
  const double cut = m->cutoff[k];
  double w;
  *force_over_r = 0.0;
  if (!(cut > 0.0) || r2 >= cut * cut || r2 <= DS_CONTACT2 * cut * cut) return 0.0;
  ds_dpd_coeff_d c = coefficients(m, k);
  if (noise == 0.0) c.sigma = 0.0; /* kT and dt need not be known for the conservative part */
  *force_over_r = ds_dpd_force_d(&c, r2, dot, noise, special, sqrt(special), 1, &w);
  return special * 0.5 * c.a * cut * w * w;
}

const ds_pair_style ds_style_dpd = {
    "dpd",
    3,
    {{"A", DS_COEFF_FINITE}, {"gamma", DS_COEFF_FRICTION}, {"power", DS_COEFF_EXPONENT}},
    sizeof(ds_dpd_coeff_d) / sizeof(double),
    record,
    force_bound,
    energy_bound,
    single,
    DS_HOST_SWEEPS(ds_dpd),
    DS_CUDA_SWEEPS(ds_dpd)};
