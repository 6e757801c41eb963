/* Checked model -> the sweeps' tables.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "../styles/style.h"
#include "dpdsop/device/signature.h"
#include "evaluation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ds_status check_coefficient(const ds_pair_style *style, const ds_pair_model *m, int c, int i, int j,
                                   ds_precision precision, ds_error *err)
{
  const char *const name = style->coefficient[c].name;
  const ds_coeff_kind kind = style->coefficient[c].kind;
  const double v = m->coeff[c][i * m->ntypes + j];
  const double most = precision == DS_PRECISION_DOUBLE ? 1e150 : 1e30; /* far from the largest numbers of its arithmetic */
  char rule[64] = "";
  if (!(fabs(v) <= most)) snprintf(rule, sizeof rule, "at most %g", most);
  if (kind == DS_COEFF_FINITE && !isfinite(v)) snprintf(rule, sizeof rule, "finite");
  if ((kind == DS_COEFF_FRICTION || kind == DS_COEFF_LENGTH) && (!(v >= 0.0) || !isfinite(v)))
    snprintf(rule, sizeof rule, ">= 0");
  if (kind == DS_COEFF_POSITIVE && m->cutoff[i * m->ntypes + j] > 0.0 && !(v > 0.0 && isfinite(v)))
    snprintf(rule, sizeof rule, "> 0");
  if (kind == DS_COEFF_RANGE && !(v >= 0.0 && v <= m->cutoff[i * m->ntypes + j]))
    snprintf(rule, sizeof rule, "0 to the cutoff %g", m->cutoff[i * m->ntypes + j]);
  if (kind == DS_COEFF_MASS && m->cutoff[i * m->ntypes + j] > 0.0 && !(v > 0.0)) snprintf(rule, sizeof rule, "> 0");
  if (kind == DS_COEFF_EXPONENT && !(v > 0.0 && v <= DS_MAX_EXPONENT))
    snprintf(rule, sizeof rule, "> 0 and <= %d", DS_MAX_EXPONENT);
  if (rule[0]) return ds_fail(err, DS_ERR_ARGUMENT, "%s = %g of types %d %d must be %s", name, v, i + 1, j + 1, rule);
  if (kind == DS_COEFF_FRICTION && !(ds_noise_amplitude(m, v) <= most))
    return ds_fail(err, DS_ERR_ARGUMENT, "sqrt(2 %s kT / timestep) = %g of types %d %d must be at most %g", name,
                   ds_noise_amplitude(m, v), i + 1, j + 1, most);
  return DS_OK;
}

static ds_status check_pair(const ds_pair_style *style, const ds_pair_model *m, int i, int j, ds_precision precision,
                            ds_error *err)
{
  const double cutoff = m->cutoff[i * m->ntypes + j];
  if (!(cutoff >= 0.0) || !isfinite(cutoff))
    return ds_fail(err, DS_ERR_ARGUMENT, "cutoff = %g of types %d %d must be >= 0", cutoff, i + 1, j + 1);
  int differ = cutoff != m->cutoff[j * m->ntypes + i];
  for (int c = 0; c < style->coefficients; c++) {
    if (check_coefficient(style, m, c, i, j, precision, err)) return DS_ERR_ARGUMENT;
    if (style->coefficient[c].kind != DS_COEFF_MASS)
      differ |= m->coeff[c][i * m->ntypes + j] != m->coeff[c][j * m->ntypes + i];
  }
  return differ ? ds_fail(err, DS_ERR_ARGUMENT, "coefficients of types %d %d and %d %d differ", i + 1, j + 1, j + 1, i + 1)
                : DS_OK;
}

static ds_status check_model(const ds_pair_style *style, const ds_pair_model *m, ds_precision precision, ds_error *err)
{
  double longest = 0.0;
  if (m->ntypes < 1 || m->ntypes > 4096)
    return ds_fail(err, DS_ERR_ARGUMENT, "number of types %d must be 1 to 4096", m->ntypes);
  if (!m->cutoff) return ds_fail(err, DS_ERR_ARGUMENT, "matrix of cutoff is missing (NULL)");
  for (int c = 0; c < style->coefficients; c++)
    if (!m->coeff[c]) return ds_fail(err, DS_ERR_ARGUMENT, "matrix of %s is missing (NULL)", style->coefficient[c].name);
  if (!(m->kT >= 0.0) || !isfinite(m->kT)) return ds_fail(err, DS_ERR_ARGUMENT, "kT = %g must be >= 0", m->kT);
  if (!(m->dt > 0.0) || !isfinite(m->dt)) return ds_fail(err, DS_ERR_ARGUMENT, "timestep %g must be > 0", m->dt);
  if (!(m->skin >= 0.0) || !isfinite(m->skin)) return ds_fail(err, DS_ERR_ARGUMENT, "skin %g must be >= 0", m->skin);
  if (m->place >= DS_SIGNATURE_PLACES)
    return ds_fail(err, DS_ERR_ARGUMENT, "place %u among models with one seed must be below %u", m->place, DS_SIGNATURE_PLACES);
  for (int k = 0; k < 4; k++)
    if (!(m->special[k] >= 0.0 && m->special[k] <= 1.0))
      return ds_fail(err, DS_ERR_ARGUMENT, "special bond factor %g must be 0 to 1", m->special[k]);
  for (int i = 0; i < m->ntypes; i++)
    for (int j = 0; j < m->ntypes; j++)
      if (check_pair(style, m, i, j, precision, err)) return DS_ERR_ARGUMENT;
  for (int k = 0; k < m->ntypes * m->ntypes; k++) longest = fmax(longest, m->cutoff[k]);
  if (!(longest > 0.0)) return ds_fail(err, DS_ERR_ARGUMENT, "no pair of types has a cutoff > 0");
  return DS_OK;
}

static ds_status reserve(ds_sweep_tables *t, int ntypes, int words, ds_error *err)
{
  const size_t n = (size_t) ntypes * (size_t) ntypes;
  t->coeff = malloc(n * (size_t) words * sizeof(double));
  t->cut = malloc(n * sizeof *t->cut);
  t->ntypes = ntypes;
  t->words = words;
  if (t->coeff && t->cut) return DS_OK;
  ds_tables_free(t);
  return ds_fail(err, DS_ERR_MEMORY, "coefficient tables of %d types: no host memory", ntypes);
}

static void set_pair(ds_sweep_tables *t, const ds_pair_style *style, const ds_pair_model *m, ds_precision precision, int k)
{
  const double cut = m->cutoff[k] / t->cutoff;
  double word[DS_MAX_WORDS] = {cut * cut, cut > 0.0 ? 1.0 / cut : 0.0};
  const ds_array coeff = {t->coeff, precision == DS_PRECISION_DOUBLE ? DS_F64 : DS_F32, DS_SPACE_HOST, t->words, 1};
  style->set_coefficients(m, k, word);
  for (int w = 0; w < t->words; w++) ds_array_put(&coeff, k, w, word[w]);
  t->cut[k] = m->cutoff[k];
  for (int c = 0; c < style->coefficients; c++)
    if (style->coefficient[c].kind == DS_COEFF_EXPONENT && m->coeff[c][k] != 1.0) t->general = 1;
}

/* Forces up to 16 times what coefficients, kT and dt let one expect fit the fixed-point range. */
static void set_scales(ds_sweep_tables *t, const ds_pair_style *style, const ds_pair_model *m, ds_precision precision)
{
  const int is_double = precision == DS_PRECISION_DOUBLE;
  double force = 0.0, energy = 0.0, density = 0.0;
  for (int k = 0; k < m->ntypes * m->ntypes; k++) {
    force = fmax(force, style->force_bound(m, k));
    energy = fmax(energy, style->energy_bound(m, k));
    if (style->density_bound) density = fmax(density, style->density_bound(m, k));
  }
  t->force_scale = ds_scale_for(16.0 * force, is_double ? DS_PAIR_LIMIT64 : DS_PAIR_LIMIT);
  /* an atom's energy, and its density, are sums without cancellation: room for 2^16 pairs at contact */
  t->energy_scale = ds_scale_for(energy, is_double ? DS_PAIR_LIMIT64 / 256.0 : DS_PAIR_LIMIT);
  t->density_scale = ds_scale_for(density, is_double ? DS_PAIR_LIMIT64 / 256.0 : DS_PAIR_LIMIT);
}

ds_status ds_tables_make(ds_sweep_tables *t, const ds_pair_style *style, const ds_pair_model *m, ds_precision precision,
                         ds_error *err)
{
  ds_status s = check_model(style, m, precision, err);
  if (!s) s = reserve(t, m->ntypes, style->words, err);
  if (s) return s;
  for (int k = 0; k < m->ntypes * m->ntypes; k++) t->cutoff = fmax(t->cutoff, m->cutoff[k]);
  t->skin = m->skin;
  t->seed = m->seed;
  t->place = m->place;
  for (int k = 0; k < m->ntypes * m->ntypes; k++) set_pair(t, style, m, precision, k);
  for (int k = 0; k < 4; k++) {
    t->special[k] = m->special[k];
    t->special_root[k] = sqrt(m->special[k]);
  }
  set_scales(t, style, m, precision);
  return ds_succeed(err);
}

void ds_tables_free(ds_sweep_tables *t)
{
  free(t->coeff);
  free(t->cut);
}

/* ------------------------------------------------------------------------------------------- ranges */

/* A little more than asked, so that the rounding of a single-precision distance never loses a pair; that of
   positions, which depends on the box, is added where a list is built (list_distance.h). */
static float squared_range(const ds_sweep_tables *const tables[], int n, int k, double unit)
{
  double list = 0.0;
  for (int s = 0; s < n; s++)
    if (tables[s]->cut[k] > 0.0) list = fmax(list, (tables[s]->cut[k] + tables[s]->skin) / unit);
  return (float) (list * list * (1.0 + 1e-5));
}

ds_status ds_ranges_make(ds_list_ranges *r, const ds_sweep_tables *const tables[], int n, double unit, ds_error *err)
{
  const int pairs = tables[0]->ntypes * tables[0]->ntypes;
  *r = (ds_list_ranges){.ntypes = tables[0]->ntypes, .cutoff = unit, .shortest = INFINITY};
  r->squared = malloc((size_t) pairs * sizeof *r->squared);
  if (!r->squared) return ds_fail(err, DS_ERR_MEMORY, "ranges of %d types: no host memory", r->ntypes);
  for (int s = 0; s < n; s++) {
    if (unit == 0.0) r->cutoff = fmax(r->cutoff, tables[s]->cutoff);
    r->range = fmax(r->range, tables[s]->cutoff + tables[s]->skin);
    for (int k = 0; k < pairs; k++)
      if (tables[s]->cut[k] > 0.0) r->shortest = fmin(r->shortest, tables[s]->cut[k]);
  }
  for (int k = 0; k < pairs; k++) {
    r->squared[k] = squared_range(tables, n, k, r->cutoff);
    if (r->squared[k] != r->squared[0]) r->differ = 1;
  }
  return DS_OK;
}
