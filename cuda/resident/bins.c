/* Bins that particles are added up in.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "step.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------- checks */

static ds_status check_layers(const ds_binning *b, int k, ds_error *err)
{
  for (int j = 0; j < b->nlayers; j++) {
    const ds_bin_layers *const l = &b->layers[j];
    if (l->axis < 0 || l->axis > 2 || l->n < 1 || !isfinite(l->first) || !(l->inverse > 0.0) || !isfinite(l->inverse))
      return ds_fail(err, DS_ERR_ARGUMENT, "bins %d have %d layers of thickness %g from %g on, along axis %d", k, (int) l->n,
                     1.0 / l->inverse, l->first, (int) l->axis);
  }
  return DS_OK;
}

static ds_status check_shells(const ds_binning *b, int k, ds_error *err)
{
  if (b->nshells < 1 || !(b->radius >= 0.0) || !(b->inverse_width > 0.0) || !isfinite(b->inverse_width) ||
      !isfinite(b->center[0]) || !isfinite(b->center[1]) || !isfinite(b->center[2]))
    return ds_fail(err, DS_ERR_ARGUMENT, "bins %d have %d shells of thickness %g from a radius of %g on", k, (int) b->nshells,
                   1.0 / b->inverse_width, b->radius);
  return DS_OK;
}

static ds_status check_values(const ds_binning *b, int k, ds_error *err)
{
  if (b->nvalues < 1 || b->nvalues > DS_BIN_VALUES)
    return ds_fail(err, DS_ERR_ARGUMENT, "bins %d have %d values; allowed: 1 to %d", k, (int) b->nvalues, DS_BIN_VALUES);
  for (int j = 0; j < b->nvalues; j++)
    if (b->value[j] < 0 || b->value[j] >= DS_BIN_VALUE_KINDS || !(b->unit[j] > 0.0))
      return ds_fail(err, DS_ERR_ARGUMENT, "value %d of bins %d is of kind %d, in units of %g", j, k, (int) b->value[j],
                     b->unit[j]);
  return DS_OK;
}

/* Pointers are those of the caller, who has to have as many numbers there. */
static ds_status check_molecules(const ds_binning *b, int k, ds_error *err)
{
  const ds_bin_molecules *const m = &b->molecules;
  if (m->nbins < 1 || m->n < 0 || (m->n > 0 && !m->bin))
    return ds_fail(err, DS_ERR_ARGUMENT, "bins %d are %d, of %lld molecules", k, (int) m->nbins, (long long) m->n);
  for (int64_t j = 0; j < m->n; j++)
    if (m->bin[j] < DS_NO_BIN || m->bin[j] >= m->nbins)
      return ds_fail(err, DS_ERR_ARGUMENT, "molecule %lld is in bin %d of %d", (long long) (m->first + j), (int) m->bin[j],
                     (int) m->nbins);
  return DS_OK;
}

static int is_source(const ds_atom_value *v)
{
  int is_finite = isfinite(v->mvv) && isfinite(v->factor);
  for (int k = 0; k < 4; k++) is_finite = is_finite && isfinite(v->bias[k]);
  return is_finite && v->parts >= 0 && v->parts < 1 << DS_TALLIES && (v->is_virial || !v->kinetic);
}

static ds_status check_sources(const ds_binning *b, int k, ds_error *err)
{
  if (b->nsources < 0 || b->nsources > DS_BIN_SOURCES)
    return ds_fail(err, DS_ERR_ARGUMENT, "bins %d have %d values of particles; allowed: 0 to %d", k, (int) b->nsources,
                   DS_BIN_SOURCES);
  for (int j = 0; j < b->nsources; j++)
    if (!is_source(&b->source[j]))
      return ds_fail(err, DS_ERR_ARGUMENT, "value %d of particles in bins %d has parts %d and the factor %g", j, k,
                     (int) b->source[j].parts, b->source[j].factor);
  for (int j = 0; j < b->nvalues; j++) {
    const int of = (int) b->source_of[j];
    if (b->value[j] != DS_BIN_ATOM_VALUE) continue;
    if (of < 0 || of >= b->nsources || b->component[j] < 0 ||
        b->component[j] >= (b->source[of].is_virial ? DS_VIRIAL_COMPONENTS : 1))
      return ds_fail(err, DS_ERR_ARGUMENT, "value %d of bins %d is component %d of value %d of particles, of %d", j, k,
                     (int) b->component[j], of, (int) b->nsources);
  }
  return DS_OK;
}

/* Not too many to be counted: the product of four numbers of 31 bits may overflow. */
static int are_countable(const ds_binning *b)
{
  double n = b->kind == DS_BINS_LAYERS ? 1.0 : b->kind == DS_BINS_MOLECULES ? b->molecules.nbins : b->nshells;
  for (int k = 0; k < b->nlayers; k++) n *= b->layers[k].n;
  return n * b->nvalues <= 2147483647.0;
}

ds_status ds_bins_check(const ds_binning *b, int k, ds_error *err)
{
  static const int least[] = {1, 0, 1, 0}, most[] = {3, 0, 1, 0};
  const int has_shells = b->kind == DS_BINS_SPHERE || b->kind == DS_BINS_CYLINDER;
  if (b->kind < DS_BINS_LAYERS || b->kind > DS_BINS_MOLECULES || b->nlayers < least[b->kind] || b->nlayers > most[b->kind])
    return ds_fail(err, DS_ERR_ARGUMENT, "bins %d are of kind %d with layers along %d axes", k, (int) b->kind,
                   (int) b->nlayers);
  if (check_layers(b, k, err) || (has_shells && check_shells(b, k, err)) ||
      (b->kind == DS_BINS_MOLECULES && check_molecules(b, k, err)) || check_values(b, k, err) || check_sources(b, k, err))
    return DS_ERR_ARGUMENT;
  if (b->begin < 0 || b->period_of_steps < 1 || b->within < 1)
    return ds_fail(err, DS_ERR_ARGUMENT, "bins %d are added to in the last %lld of %lld steps, from %lld on", k,
                   (long long) b->within, (long long) b->period_of_steps, (long long) b->begin);
  if (!are_countable(b))
    return ds_fail(err, DS_ERR_ARGUMENT, "bins %d with %d values are more than 2147483647 numbers", k, (int) b->nvalues);
  return DS_OK;
}

int ds_bins_reads(const ds_binning *b)
{
  int fields = DS_POSITION | (ds_bins_read_unwrapped(b) ? DS_IMAGE : 0);
  for (int j = 0; j < b->nvalues; j++) {
    const int32_t kind = b->value[j];
    if ((kind >= DS_BIN_VX && kind <= DS_BIN_VZ) || kind == DS_BIN_MVV || (kind >= DS_BIN_PX && kind <= DS_BIN_MYZ))
      fields |= DS_VELOCITY;
    if (kind >= DS_BIN_FX && kind <= DS_BIN_FZ) fields |= DS_FORCE;
    if (kind == DS_BIN_ATOM_VALUE && b->source[b->source_of[j]].kinetic) fields |= DS_VELOCITY;
  }
  return fields;
}

/* ------------------------------------------------------------------------------------------- use */

ds_status ds_bins_clear(ds_steps *steps, ds_bins *bins, ds_error *err)
{
  bins->terms = 0;
  return ds_queue_clear(steps->queue, bins->cells.data, bins->n * sizeof(ds_exact_sum), "clearing bins", err);
}

static ds_status reserve(ds_steps *steps, ds_bins *bins, size_t n, ds_error *err)
{
  if (n == bins->n) return DS_OK;
  bins->n = 0;
  const ds_status s = ds_reserve(&steps->memory, &bins->cells, n, sizeof(ds_exact_sum), "bins", err);
  if (s) return s;
  bins->n = n;
  return ds_bins_clear(steps, bins, err);
}

int ds_bins_have_tables(const ds_binning *b)
{
  return b->kind == DS_BINS_MOLECULES || b->center_of != NULL;
}

static ds_status copy_table(ds_steps *steps, ds_buffer *to, const void *from, size_t n, size_t bytes, const char *what,
                            ds_error *err)
{
  const ds_status s = ds_reserve(&steps->memory, to, n, bytes, what, err);
  return s ? s : ds_queue_copy(steps->queue, to->data, from, n * bytes, what, err);
}

/* Tables of the binning to where stages work. What is under way there has ended: these operations act once, and are waited
   for. */
static ds_status place_tables(ds_steps *steps, ds_bins *bins, ds_binning *b, ds_error *err)
{
  ds_bin_molecules *const m = &b->molecules;
  ds_status s = DS_OK;
  if (ds_queue_is_host(steps->queue)) return DS_OK;
  if (b->kind == DS_BINS_MOLECULES) {
    s = copy_table(steps, &bins->molecules, m->bin, (size_t) m->n, sizeof *m->bin, "bins of molecules", err);
    m->bin = bins->molecules.data;
  }
  if (!s && b->center_of) {
    s = copy_table(steps, &bins->centers, b->center_of, 3 * (size_t) ds_bins_count(b), sizeof *b->center_of,
                   "centers of bins", err);
    b->center_of = bins->centers.data;
  }
  return s;
}

/* A cell takes 2^31 terms (device/step/exact_sum.h); what is left of those before counts as one. */
ds_status ds_bins_add(ds_steps *steps, ds_bins *bins, const ds_resident_view *a, ds_bin_launch *what, int64_t step,
                      ds_error *err)
{
  static const int64_t MAX_TERMS = (int64_t) 1 << 31;
  const size_t n = (size_t) ds_bins_count(&what->binning) * (size_t) what->binning.nvalues;
  ds_status s = reserve(steps, bins, n, err);
  if (!s) s = place_tables(steps, bins, &what->binning, err);
  if (!s && bins->terms + a->n > MAX_TERMS) {
    s = steps->stages->carry(steps->queue, DS_DATA(ds_exact_sum, bins->cells), n, err);
    bins->terms = 1;
  }
  if (s) return s;
  bins->terms += a->n;
  what->cells = DS_DATA(ds_exact_sum, bins->cells);
  return steps->stages->bin(steps->queue, a, what, step, err);
}

/* None have been added to where there are no cells yet. */
ds_status ds_bins_take(ds_steps *steps, int binning, ds_exact_sum *cells, size_t n, ds_error *err)
{
  const size_t bytes = n * sizeof *cells;
  if (ds_check_pointer(cells, "place for bins", err)) return DS_ERR_ARGUMENT;
  if (binning < 0 || binning >= DS_MAX_BINNINGS)
    return ds_fail(err, DS_ERR_ARGUMENT, "bins %d; allowed: 0 to %d", binning, DS_MAX_BINNINGS - 1);
  ds_bins *const bins = &steps->bins[binning];
  memset(cells, 0, bytes);
  if (bins->n == 0) return DS_OK;
  if (n != bins->n) return ds_fail(err, DS_ERR_ARGUMENT, "%zu numbers of bins are to be taken, and there are %zu", n, bins->n);
  ds_status s = ds_reserve(&steps->pinned, &bins->host, n, sizeof *cells, "bins", err);
  if (!s) s = ds_queue_copy(steps->queue, bins->host.data, bins->cells.data, bytes, "copying bins", err);
  if (!s) s = ds_bins_clear(steps, bins, err);
  if (!s) s = ds_queue_wait(steps->queue, "bins", err);
  if (!s) memcpy(cells, bins->host.data, bytes);
  return s;
}
