/* Particles added up in bins on the host.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "step_particle.h"

static void add_part(int64_t *to, int64_t part)
{
  if (part == 0) return;
#pragma omp atomic
  *to += part;
}

/* Integers: threads may come in any order. */
static void add_particle(const ds_resident_view *a, const ds_bin_launch *l, int i)
{
  ds_particle p;
  memset(&p, 0, sizeof p);
  const int bin = ds_find_bin(DS_BINS_ALL, a, l, i, &p);
  if (bin == DS_NO_BIN) return;
  ds_exact_sum *const cells = l->cells + (size_t) bin * (size_t) l->binning.nvalues;
  for (int j = 0; j < l->binning.nvalues; j++) {
    const ds_exact_sum term = ds_bin_term(DS_BINS_ALL, l, bin, j, i, &p);
    add_part(&cells[j].low, term.low);
    add_part(&cells[j].high, term.high);
    add_part(&cells[j].top, term.top);
    add_part(&cells[j].invalid, term.invalid);
  }
}

ds_status ds_bin_host(ds_queue *q, const ds_resident_view *a, const ds_bin_launch *l, int64_t step, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  (void) err;
  if (ds_stage_stopped(&launch)) return DS_OK;
#pragma omp parallel for num_threads(a->threads)
  for (int i = 0; i < a->n; i++) add_particle(a, l, i);
  return DS_OK;
}

ds_status ds_carry_host(ds_queue *q, ds_exact_sum *cells, size_t n, ds_error *err)
{
  (void) q;
  (void) err;
  for (size_t k = 0; k < n; k++) ds_exact_carry(&cells[k]);
  return DS_OK;
}
