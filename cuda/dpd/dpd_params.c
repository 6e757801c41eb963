/* Checked model -> kernel parameters.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "dpd_params.h"

#include <math.h>
#include <stdlib.h>

/* Largest |xi| of Box-Muller on 32-bit words: sqrt(2 * 32 ln 2). */
static const double largest_deviate = 6.66;

static ds_status check_pair(const ds_dpd_model *m, int i, int j, ds_error *err)
{
  const int k = i * m->ntypes + j, t = j * m->ntypes + i;
  if (!isfinite(m->a[k]))
    return ds_fail(err, DS_ERR_ARGUMENT, "A = %g of types %d %d must be finite", m->a[k], i + 1,
                   j + 1);
  if (!(m->gamma[k] >= 0.0) || !isfinite(m->gamma[k]))
    return ds_fail(err, DS_ERR_ARGUMENT, "gamma = %g of types %d %d must be >= 0", m->gamma[k],
                   i + 1, j + 1);
  if (!(m->cutoff[k] >= 0.0) || !isfinite(m->cutoff[k]))
    return ds_fail(err, DS_ERR_ARGUMENT, "cutoff = %g of types %d %d must be >= 0", m->cutoff[k],
                   i + 1, j + 1);
  if (!(m->power[k] > 0.0) || !isfinite(m->power[k]))
    return ds_fail(err, DS_ERR_ARGUMENT, "power = %g of types %d %d must be > 0", m->power[k],
                   i + 1, j + 1);
  if (m->a[k] != m->a[t] || m->gamma[k] != m->gamma[t] || m->cutoff[k] != m->cutoff[t] ||
      m->power[k] != m->power[t])
    return ds_fail(err, DS_ERR_ARGUMENT, "coefficients of types %d %d and %d %d differ", i + 1,
                   j + 1, j + 1, i + 1);
  return DS_OK;
}

static ds_status check_model(const ds_dpd_model *m, ds_error *err)
{
  if (m->ntypes < 1 || m->ntypes > 4096)
    return ds_fail(err, DS_ERR_ARGUMENT, "number of types %d must be 1 to 4096", m->ntypes);
  if (!(m->kT >= 0.0) || !isfinite(m->kT))
    return ds_fail(err, DS_ERR_ARGUMENT, "kT = %g must be >= 0", m->kT);
  if (!(m->dt > 0.0) || !isfinite(m->dt))
    return ds_fail(err, DS_ERR_ARGUMENT, "timestep %g must be > 0", m->dt);
  if (!(m->skin >= 0.0) || !isfinite(m->skin))
    return ds_fail(err, DS_ERR_ARGUMENT, "skin %g must be >= 0", m->skin);
  for (int k = 0; k < 4; k++)
    if (!(m->special[k] >= 0.0 && m->special[k] <= 1.0))
      return ds_fail(err, DS_ERR_ARGUMENT, "special bond factor %g must be 0 to 1", m->special[k]);
  for (int i = 0; i < m->ntypes; i++)
    for (int j = 0; j < m->ntypes; j++)
      if (check_pair(m, i, j, err)) return DS_ERR_ARGUMENT;
  return DS_OK;
}

static ds_status reserve_tables(ds_dpd_params *p, int ntypes, ds_error *err)
{
  const size_t n = (size_t) ntypes * (size_t) ntypes;
  if (p->ntypes == ntypes) return DS_OK;
  ds_dpd_params_free(p);
  p->coeff_f = malloc(n * sizeof *p->coeff_f);
  p->coeff_d = malloc(n * sizeof *p->coeff_d);
  p->core2 = malloc(n * sizeof *p->core2);
  p->list2 = malloc(n * sizeof *p->list2);
  if (!p->coeff_f || !p->coeff_d || !p->core2 || !p->list2)
    return ds_fail(err, DS_ERR_MEMORY, "coefficient tables of %d types: no host memory", ntypes);
  p->ntypes = ntypes;
  return DS_OK;
}

static void set_pair(ds_dpd_params *p, const ds_dpd_model *m, int k)
{
  const double cut = m->cutoff[k] / p->cutoff;
  const double list = cut > 0.0 ? (m->cutoff[k] + m->skin) / p->cutoff : 0.0;
  ds_dpd_coeff_d *d = &p->coeff_d[k];
  ds_dpd_coeff_f *f = &p->coeff_f[k];
  d->a = m->a[k];
  d->gamma = m->gamma[k];
  d->sigma = sqrt(2.0 * m->gamma[k] * m->kT) / sqrt(m->dt);
  d->inverse_cut = cut > 0.0 ? 1.0 / cut : 0.0;
  d->cut2 = cut * cut;
  d->power = m->power[k];
  d->energy = 0.5 * m->a[k] * m->cutoff[k];
  d->unused = 0.0;
  f->a = (float) d->a;
  f->gamma = (float) d->gamma;
  f->sigma = (float) d->sigma;
  f->inverse_cut = (float) d->inverse_cut;
  f->cut2 = (float) d->cut2;
  f->power = (float) d->power;
  f->energy = (float) d->energy;
  f->unused = 0.0f;
  p->core2[k] = f->cut2;
  /* A little more than asked, so that rounding never loses a pair: that of a single-precision distance,
     and in double precision, whose lists are built from the upper halves of positions, 2^-30 of an
     edge; good for edges of up to 2,000 cutoffs. */
  p->list2[k] = (float) (list * list * (1.0 + 1e-5));
  if (m->power[k] != 1.0) p->general_power = 1;
}

/* What the arithmetic of a pair multiplies stays far from the largest numbers. */
static ds_status check_range(const ds_dpd_params *p, ds_precision precision, ds_error *err)
{
  const double most = precision == DS_PRECISION_DOUBLE ? 1e150 : 1e30;
  for (int k = 0; k < p->ntypes * p->ntypes; k++) {
    const ds_dpd_coeff_d *d = &p->coeff_d[k];
    const int i = k / p->ntypes + 1, j = k % p->ntypes + 1;
    if (!(fabs(d->a) <= most) || !(d->gamma <= most))
      return ds_fail(err, DS_ERR_ARGUMENT, "A = %g, gamma = %g of types %d %d must be at most %g",
                     d->a, d->gamma, i, j, most);
    if (!(d->sigma <= most))
      return ds_fail(err, DS_ERR_ARGUMENT,
                     "sqrt(2 gamma kT / timestep) = %g of types %d %d must be at most %g", d->sigma,
                     i, j, most);
  }
  return DS_OK;
}

/* Largest power of two s with bound * s <= limit; 1 for a bound of zero. */
static double scale_for(double bound, double limit)
{
  int exponent;
  if (!(bound > 0.0)) return 1.0;
  frexp(limit / bound, &exponent);
  exponent -= 1;
  if (exponent > 120) exponent = 120; /* both the scale and its inverse are normal single numbers */
  if (exponent < -120) exponent = -120;
  return ldexp(1.0, exponent);
}

/* Forces up to 16 times what coefficients, kT and dt let one expect fit the fixed-point range: repulsion
   at contact, the largest noise, and the friction of atoms that approach by a sixteenth of the cutoff
   in a step, which counts where the thermostat is cold. */
static void set_scales(ds_dpd_params *p, const ds_dpd_model *m, ds_precision precision)
{
  const int exact64 = precision == DS_PRECISION_DOUBLE;
  double force = 0.0, energy = 0.0;
  for (int k = 0; k < m->ntypes * m->ntypes; k++) {
    const ds_dpd_coeff_d *d = &p->coeff_d[k];
    const double friction = d->gamma * m->cutoff[k] / (16.0 * m->dt);
    force = fmax(force, fabs(d->a) + largest_deviate * d->sigma + friction);
    energy = fmax(energy, fabs(d->energy));
  }
  p->scales.force = scale_for(16.0 * force, exact64 ? DS_PAIR_LIMIT64 : DS_PAIR_LIMIT);
  /* an atom's energy is a sum without cancellation: room for 2^16 pairs at contact */
  p->scales.energy = scale_for(energy, exact64 ? DS_PAIR_LIMIT64 / 256.0 : DS_PAIR_LIMIT);
  p->scales.forcef = (float) p->scales.force;
  p->scales.energyf = (float) p->scales.energy;
}

ds_status ds_dpd_params_set(ds_dpd_params *p, const ds_dpd_model *m, ds_precision precision,
                            ds_error *err)
{
  const size_t n = (size_t) m->ntypes * (size_t) m->ntypes;
  ds_status s = check_model(m, err);
  if (!s) s = reserve_tables(p, m->ntypes, err);
  if (s) return s;
  p->cutoff = 0.0;
  for (size_t k = 0; k < n; k++) p->cutoff = fmax(p->cutoff, m->cutoff[k]);
  if (!(p->cutoff > 0.0)) return ds_fail(err, DS_ERR_ARGUMENT, "no pair of types has a cutoff > 0");
  p->range = p->cutoff + m->skin;
  p->seed = m->seed;
  p->general_power = 0;
  for (size_t k = 0; k < n; k++) set_pair(p, m, (int) k);
  s = check_range(p, precision, err);
  if (s) return s;
  for (int k = 0; k < 4; k++) {
    p->special[k] = m->special[k];
    p->special_root[k] = sqrt(m->special[k]);
    p->specialf[k] = (float) p->special[k];
    p->special_rootf[k] = (float) p->special_root[k];
  }
  set_scales(p, m, precision);
  return ds_succeed(err);
}

void ds_dpd_params_free(ds_dpd_params *p)
{
  free(p->coeff_f);
  free(p->coeff_d);
  free(p->core2);
  free(p->list2);
  p->coeff_f = NULL;
  p->coeff_d = NULL;
  p->core2 = p->list2 = NULL;
  p->ntypes = 0;
}
