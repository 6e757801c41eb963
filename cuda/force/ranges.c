/* What the models of all styles want of lists and sweeps: ranges of lists, and tables where stages work.
   SPDX-License-Identifier: GPL-2.0-or-later */
#include "pair_state.h"

#include <stdlib.h>

/* ------------------------------------------------------------------------------------------ ranges */

/* Whether a list of the old ranges has all pairs of the new ones. */
static int list_still_good(const ds_list_ranges *old, const ds_list_ranges *r)
{
  for (int k = 0; k < r->ntypes * r->ntypes; k++)
    if (r->squared[k] * r->cutoff * r->cutoff > old->squared[k] * old->cutoff * old->cutoff * (1.0 + 1e-6)) return 0;
  return 1;
}

/* A style acts on atoms of this type, counted from 0. */
static int acts_on(const ds_sweep_tables *t, int type)
{
  for (int other = 0; other < t->ntypes; other++)
    if (t->cut[type * t->ntypes + other] > 0.0) return 1;
  return 0;
}

/* There are atoms on which a style does not act. */
static int is_for_some(const ds_interaction *k)
{
  int types = 0;
  for (int type = 0; type < k->tables.ntypes; type++) types += acts_on(&k->tables, type);
  return !k->style->density_bound && (k->style->charged || types < k->tables.ntypes);
}

/* Styles that act on some atoms only have lists of their own, beside others. Returns those that have none, and their number. */
static int choose_own_lists(ds_pair *pair, const ds_sweep_tables *shared[])
{
  int n = 0;
  for (int k = 0; k < pair->interactions; k++)
    if (!is_for_some(&pair->interaction[k])) shared[n++] = &pair->interaction[k].tables;
  for (int k = 0; k < pair->interactions; k++) {
    pair->interaction[k].own.is_wanted = n > 0 && is_for_some(&pair->interaction[k]);
    if (n == 0) shared[k] = &pair->interaction[k].tables;
  }
  return n ? n : pair->interactions;
}

/* In place of the old ones; where some list has been made for those, and lacks pairs now, all are given up. */
static ds_status renew_ranges(ds_pair *pair, ds_list_ranges *of, int have_list, const ds_sweep_tables *const tables[], int n,
                              double unit, ds_error *err)
{
  ds_list_ranges next;
  const ds_status s = ds_ranges_make(&next, tables, n, unit, err);
  if (s) return s;
  if (have_list && (next.ntypes != of->ntypes || !list_still_good(of, &next))) pair->have_list = 0;
  free(of->squared);
  *of = next;
  return s;
}

ds_status ds_pair_renew_ranges(ds_pair *pair, ds_error *err)
{
  const ds_sweep_tables *tables[DS_MAX_STYLES], *shared[DS_MAX_STYLES];
  int has_own[DS_MAX_STYLES], are_split = 0;
  for (int k = 0; k < pair->interactions; k++) {
    tables[k] = &pair->interaction[k].tables;
    has_own[k] = ds_pair_has_own_list(pair, k);
    are_split |= has_own[k];
  }
  ds_status s = renew_ranges(pair, &pair->ranges, 1, tables, pair->interactions, 0.0, err);
  const double unit = pair->ranges.cutoff;
  if (!s) s = renew_ranges(pair, &pair->shared, are_split, shared, choose_own_lists(pair, shared), unit, err);
  for (int k = 0; k < pair->interactions && !s; k++)
    s = renew_ranges(pair, &pair->interaction[k].own.ranges, has_own[k], &tables[k], 1, unit, err);
  return s;
}

/* ------------------------------------------------------------------------------------------ tables */

/* Of a list of a style's own: ranges, and the types on which the style acts. */
static ds_status send_own(ds_pair *pair, ds_interaction *k, ds_error *err)
{
  const size_t n = (size_t) k->tables.ntypes;
  ds_own_list *const own = &k->own;
  if (!own->is_wanted || ds_queue_is_host(&pair->queue)) return DS_OK;
  uint8_t *const acts = calloc(n, 1);
  if (!acts) return ds_fail(err, DS_ERR_MEMORY, "%d types of a style: no host memory", (int) n);
  for (size_t type = 0; type < n; type++) acts[type] = (uint8_t) acts_on(&k->tables, (int) type);
  ds_status s = ds_queue_upload(&pair->queue, &own->type, acts, n, 1, "types of a style", err);
  if (!s)
    s = ds_queue_upload(&pair->queue, &own->list2, own->ranges.squared, n * n, sizeof(float), "ranges of a style's list", err);
  free(acts);
  return s;
}

ds_status ds_pair_send_tables(ds_pair *pair, ds_error *err)
{
  const size_t pairs = (size_t) pair->ranges.ntypes * (size_t) pair->ranges.ntypes;
  const size_t real = ds_is_double(pair) ? sizeof(double) : sizeof(float);
  ds_status s = DS_OK;
  if (pair->sent.model == pair->version.model) return DS_OK;
  for (int k = 0; k < pair->interactions && !s; k++) {
    ds_interaction *const a = &pair->interaction[k];
    s = ds_queue_upload(&pair->queue, &a->coeff, a->tables.coeff, pairs * (size_t) a->tables.words, real, "coefficients", err);
    if (!s) s = send_own(pair, a, err);
  }
  if (!s)
    s = ds_queue_upload(&pair->queue, &pair->list2, pair->ranges.squared, pairs, sizeof(float), "ranges of the list", err);
  if (!s)
    s = ds_queue_upload(&pair->queue, &pair->shared_list2, pair->shared.squared, pairs, sizeof(float), "ranges of the list",
                        err);
  if (!s) pair->sent.model = pair->version.model;
  return s;
}
