/* The style of DPD with a transverse thermostat.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/dpd.h"

#include "../pair/style.h"
#include "dpdsop/dpd_ext_evaluator.h"
#include "sweeps.h"

static void record(const ds_pair_model *m, int k, double *record)
{
  const double a = m->coeff[DS_EXT_A][k], gamma = m->coeff[DS_EXT_GAMMA][k],
               across = m->coeff[DS_EXT_GAMMA_ACROSS][k];
  record[2] = a;
  record[3] = 0.5 * a * m->cutoff[k];
  record[4] = gamma;
  record[5] = ds_noise_amplitude(m, gamma);
  record[6] = m->coeff[DS_EXT_POWER][k];
  record[7] = across;
  record[8] = ds_noise_amplitude(m, across);
  record[9] = m->coeff[DS_EXT_POWER_ACROSS][k];
}

/* As for DPD, and the same across the line of centers, where the noise is a vector. */
static double force_bound(const ds_pair_model *m, int k)
{
  const double gamma = m->coeff[DS_EXT_GAMMA][k], across = m->coeff[DS_EXT_GAMMA_ACROSS][k];
  return fabs(m->coeff[DS_EXT_A][k]) +
         DS_LARGEST_DEVIATE *
             (ds_noise_amplitude(m, gamma) + sqrt(3.0) * ds_noise_amplitude(m, across)) +
         ds_friction_bound(m, k, gamma + across);
}

static double energy_bound(const ds_pair_model *m, int k)
{
  return fabs(0.5 * m->coeff[DS_EXT_A][k] * m->cutoff[k]);
}

/* The conservative force is that of DPD. */
static double single(const ds_pair_model *m, int k, double r2, double special, double *force_over_r)
{
  const double w = 1.0 - sqrt(r2) / m->cutoff[k];
  *force_over_r = special * m->coeff[DS_EXT_A][k] * w / sqrt(r2);
  return special * 0.5 * m->coeff[DS_EXT_A][k] * m->cutoff[k] * w * w;
}

const ds_pair_style ds_style_dpd_ext = {"dpd/ext",
                                        5,
                                        {{"A", DS_COEFF_FINITE},
                                         {"gamma", DS_COEFF_FRICTION},
                                         {"gamma_across", DS_COEFF_FRICTION},
                                         {"s", DS_COEFF_EXPONENT},
                                         {"s_across", DS_COEFF_EXPONENT}},
                                        sizeof(ds_dpd_ext_coeff_d) / sizeof(double),
                                        record,
                                        force_bound,
                                        energy_bound,
                                        single,
                                        DS_HOST_SWEEPS(ds_dpd_ext),
                                        DS_CUDA_SWEEPS(ds_dpd_ext)};
