/* model.c: interaction parameters.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "support/model.h"
#include "support/system.h"

#include <math.h>
#include <string.h>

static void set_both(double *matrix, int ntypes, int i, int j, double value)
{
  matrix[(i - 1) * ntypes + j - 1] = matrix[(j - 1) * ntypes + i - 1] = value;
}

void model_pair(test_model *t, int i, int j, double a, double gamma, double cutoff, double power)
{
  set_both(t->a, t->m.ntypes, i, j, t->style == &ds_style_dpd_tstat ? 0.0 : a);
  set_both(t->gamma, t->m.ntypes, i, j, gamma);
  set_both(t->cutoff, t->m.ntypes, i, j, cutoff);
  set_both(t->power, t->m.ntypes, i, j, power);
}

void model_across(test_model *t, int i, int j, double gamma, double power)
{
  set_both(t->across, t->m.ntypes, i, j, gamma);
  set_both(t->power_across, t->m.ntypes, i, j, power);
}

void model_lj(test_model *t, int i, int j, double epsilon, double sigma, double cutoff, int shift)
{
  model_pair(t, i, j, epsilon, 0.0, cutoff, 1.0);
  set_both(t->sigma, t->m.ntypes, i, j, sigma);
  set_both(t->shift, t->m.ntypes, i, j, shift);
}

void model_mdpd(test_model *t, int i, int j, double a, double b, double gamma, double cutoff, double cutoff_d,
                double rho_cutoff)
{
  model_pair(t, i, j, a, gamma, cutoff, 1.0);
  set_both(t->b, t->m.ntypes, i, j, b);
  set_both(t->cutoff_d, t->m.ntypes, i, j, cutoff_d);
  set_both(t->rho_cutoff, t->m.ntypes, i, j, rho_cutoff);
}

void model_mass(test_model *t, int i, double mass)
{
  for (int j = 0; j < t->m.ntypes; j++) t->mass[j * t->m.ntypes + i - 1] = mass;
}

void model_style(test_model *t, const ds_pair_style *style)
{
  const int n = t->m.ntypes * t->m.ntypes;
  t->style = style;
  memset(t->m.coeff, 0, sizeof t->m.coeff);
  if (style == &ds_style_dpd_tstat) {
    memset(t->a, 0, (size_t) n * sizeof *t->a);
    t->m.coeff[DS_TSTAT_GAMMA] = t->gamma;
    t->m.coeff[DS_TSTAT_POWER] = t->power;
  } else if (style == &ds_style_dpd_ext) {
    t->m.coeff[DS_EXT_A] = t->a;
    t->m.coeff[DS_EXT_GAMMA] = t->gamma;
    t->m.coeff[DS_EXT_GAMMA_ACROSS] = t->across;
    t->m.coeff[DS_EXT_POWER] = t->power;
    t->m.coeff[DS_EXT_POWER_ACROSS] = t->power_across;
  } else if (style == &ds_style_lj_cut) {
    t->m.coeff[DS_LJ_EPSILON] = t->a;
    t->m.coeff[DS_LJ_SIGMA] = t->sigma;
    t->m.coeff[DS_LJ_SHIFT] = t->shift;
  } else if (style == &ds_style_coul_slater) {
    t->m.coeff[DS_COUL_SCALE] = t->a;
    t->m.coeff[DS_COUL_STRENGTH] = t->strength;
    t->m.coeff[DS_COUL_LAMDA] = t->lamda;
    t->m.coeff[DS_COUL_EWALD] = t->ewald;
    t->m.coeff[DS_COUL_LARGEST] = t->largest;
  } else if (style == &ds_style_mdpd) {
    t->m.coeff[DS_MDPD_A] = t->a;
    t->m.coeff[DS_MDPD_B] = t->b;
    t->m.coeff[DS_MDPD_GAMMA] = t->gamma;
    t->m.coeff[DS_MDPD_CUTOFF_D] = t->cutoff_d;
    t->m.coeff[DS_MDPD_RHO_CUTOFF] = t->rho_cutoff;
    t->m.coeff[DS_MDPD_MASS] = t->mass;
    for (int i = 1; i <= t->m.ntypes; i++) model_mass(t, i, 1.0);
  } else {
    t->m.coeff[DS_DPD_A] = t->a;
    t->m.coeff[DS_DPD_GAMMA] = t->gamma;
    t->m.coeff[DS_DPD_POWER] = t->power;
  }
}

void model_open(test_model *t, int ntypes, double a, double gamma, double cutoff, double power,
                double skin)
{
  memset(&t->m, 0, sizeof t->m);
  t->m.ntypes = ntypes;
  t->m.cutoff = t->cutoff;
  t->m.kT = 1.0;
  t->m.dt = 0.01;
  t->m.skin = skin;
  t->m.seed = 12345;
  for (int k = 0; k < 4; k++) t->m.special[k] = 1.0;
  model_style(t, &ds_style_dpd);
  for (int i = 1; i <= ntypes; i++)
    for (int j = i; j <= ntypes; j++) {
      model_pair(t, i, j, a, gamma, cutoff, power);
      model_across(t, i, j, 0.0, 1.0);
    }
}

void model_coul(test_model *t, int ntypes, double strength, double lamda, double ewald, double cutoff, double skin)
{
  model_open(t, ntypes, 1.0, 0.0, cutoff, 1.0, skin);
  model_style(t, &ds_style_coul_slater);
  for (int i = 1; i <= ntypes; i++)
    for (int j = i; j <= ntypes; j++) {
      set_both(t->strength, ntypes, i, j, strength);
      set_both(t->lamda, ntypes, i, j, lamda);
      set_both(t->ewald, ntypes, i, j, ewald);
      set_both(t->largest, ntypes, i, j, TEST_LARGEST_CHARGE);
    }
}

double model_cutoff(const test_model *t)
{
  double most = 0.0;
  for (int k = 0; k < t->m.ntypes * t->m.ntypes; k++) most = fmax(most, t->cutoff[k]);
  return most;
}

double model_range(const test_model *t)
{
  return model_cutoff(t) + t->m.skin;
}
