/* The style of the DPD thermostat alone.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpdsop/dpd.h"

#include "../pair/style.h"
#include "dpdsop/dpd_tstat_evaluator.h"
#include "sweeps.h"

static void record(const ds_pair_model *m, int k, double *record)
{
  record[2] = m->coeff[DS_TSTAT_GAMMA][k];
  record[3] = ds_noise_amplitude(m, record[2]);
  record[4] = m->coeff[DS_TSTAT_POWER][k];
}

static double force_bound(const ds_pair_model *m, int k)
{
  const double gamma = m->coeff[DS_TSTAT_GAMMA][k];
  return DS_LARGEST_DEVIATE * ds_noise_amplitude(m, gamma) + ds_friction_bound(m, k, gamma);
}

static double energy_bound(const ds_pair_model *m, int k)
{
  (void) m, (void) k;
  return 0.0;
}

static double single(const ds_pair_model *m, int k, double r2, double special, double *force_over_r)
{
  (void) m, (void) k, (void) r2, (void) special;
  *force_over_r = 0.0;
  return 0.0;
}

const ds_pair_style ds_style_dpd_tstat = {
    "dpd/tstat",
    2,
    {{"gamma", DS_COEFF_FRICTION}, {"power", DS_COEFF_EXPONENT}},
    sizeof(ds_dpd_tstat_coeff_d) / sizeof(double),
    record,
    force_bound,
    energy_bound,
    single,
    DS_HOST_SWEEPS(ds_dpd_tstat),
    DS_CUDA_SWEEPS(ds_dpd_tstat)};
