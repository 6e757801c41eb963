/* Host backend: forces and sums.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "host_state.h"
#include "sweep.h"

#include <string.h>

static void gather(const ds_dpd *dpd, ds_host_state *h)
{
  const uint32_t *order = ARRAY(uint32_t, h->list.order);
  const size_t bytes = h->wide ? 32 : 16;
  const char *p = h->wide ? h->position64.data : h->position.data;
  const char *v = h->wide ? h->velocity64.data : h->velocity.data;
  char *sp = h->slot_position.data, *sv = h->slot_velocity.data;
#pragma omp parallel for num_threads(dpd->options.threads)
  for (int s = 0; s < h->list.slots; s++) {
    const size_t from = bytes * order[s], to = bytes * (size_t) s;
    memcpy(sp + to, p + from, bytes);
    memcpy(sv + to, v + from, bytes);
  }
}

static ds_sweep_function *sweep_of(const ds_dpd *dpd, const ds_host_state *h)
{
  static ds_sweep_function *const mixed[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_sweep_mixed);
  static ds_sweep_function *const single[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_sweep_single);
  static ds_sweep_function *const wide[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_sweep_double);
  switch (dpd->options.precision) {
  case DS_PRECISION_SINGLE:
    return single[h->isa];
  case DS_PRECISION_DOUBLE:
    return wide[h->isa];
  default:
    return mixed[h->isa];
  }
}

static ds_status sweep(ds_dpd *dpd, ds_host_state *h, int tally, ds_error *err)
{
  enum { ROWS = 2048 };
  ds_sweep_function *const function = sweep_of(dpd, h);
  ds_sweep_fault fault = {0, 0, 0, 0.0};
  const ds_sweep s = {&dpd->frame,
                      &dpd->params,
                      h->slot_position.data,
                      h->slot_velocity.data,
                      h->list.row_slot.data,
                      h->list.count.data,
                      h->list.entries.data,
                      (size_t) h->list.capacity,
                      h->force.data,
                      h->energy.data,
                      h->virial.data,
                      tally,
                      h->list.coded || dpd->params.special[0] != 1.0};
#pragma omp parallel for num_threads(dpd->options.threads) schedule(dynamic)
  for (int first = 0; first < h->list.rows; first += ROWS) {
    ds_sweep_fault mine = {0, 0, 0, 0.0};
    function(&s, first, first + ROWS < h->list.rows ? first + ROWS : h->list.rows, &mine);
    if (mine.found) {
#pragma omp critical
      fault = mine;
    }
  }
  if (!fault.found) return DS_OK;
  const int64_t *tag = ARRAY(int64_t, h->tag);
  const uint32_t *order = ARRAY(uint32_t, h->list.order);
  return ds_dpd_force_error(dpd, tag[order[fault.i]], tag[order[fault.j]], fault.force, err);
}

/* Add the sums of all rows to the caller's arrays. */
static void deliver(const ds_dpd *dpd, const ds_host_state *h, const ds_dpd_result *result)
{
  const uint32_t *order = ARRAY(uint32_t, h->list.order), *slot = ARRAY(uint32_t, h->list.row_slot);
  const int64_t *f = ARRAY(int64_t, h->force), *e = ARRAY(int64_t, h->energy),
                *w = ARRAY(int64_t, h->virial);
  const ds_scales *scales = &dpd->params.scales;
  const double unit = 1.0 / scales->force; /* powers of two: exact */
  const double half_energy = 0.5 / scales->energy, half_virial = 0.5 * dpd->params.cutoff * unit;
#pragma omp parallel for num_threads(dpd->options.threads)
  for (int r = 0; r < h->list.rows; r++) {
    const ptrdiff_t i = order[slot[r]];
    for (int c = 0; c < 3; c++)
      ds_array_add(&result->f, i, c, (double) f[3 * (size_t) r + (size_t) c] * unit);
    if (result->eatom.data) ds_array_add(&result->eatom, i, 0, (double) e[r] * half_energy);
    if (result->vatom.data)
      for (int c = 0; c < 6; c++)
        ds_array_add(&result->vatom, i, c, (double) w[6 * (size_t) r + (size_t) c] * half_virial);
  }
}

static void add_up(const ds_host_state *h, ds_dpd_sums *sums)
{
  const int64_t *f = ARRAY(int64_t, h->force), *e = ARRAY(int64_t, h->energy),
                *w = ARRAY(int64_t, h->virial);
  memset(sums, 0, sizeof *sums);
  for (size_t r = 0; r < (size_t) h->list.rows; r++) {
    for (size_t c = 0; c < 3; c++) /* modulo 2^64: parts may overflow, the total does not */
      sums->force[c] = (int64_t) ((uint64_t) sums->force[c] + (uint64_t) f[3 * r + c]);
    ds_sum_add(sums->energy, e[r]);
    for (size_t c = 0; c < 6; c++) ds_sum_add(sums->virial[c], w[6 * r + c]);
  }
}

ds_status ds_host_compute(ds_dpd *dpd, ds_dpd_result *result, ds_error *err)
{
  ds_host_state *h = dpd->state;
  const int tally =
      result->want_energy || result->want_virial || result->eatom.data || result->vatom.data;
  ds_status s = ds_host_space_only(&result->f, "forces", err);
  if (!s) s = ds_host_space_only(&result->eatom, "energies of the atoms", err);
  if (!s) s = ds_host_space_only(&result->vatom, "virials of the atoms", err);
  if (s) return s;
  gather(dpd, h);
  s = sweep(dpd, h, tally, err);
  if (s) return s;
  deliver(dpd, h, result);
  if (tally) {
    ds_dpd_sums sums;
    add_up(h, &sums);
    ds_dpd_finish_sums(dpd, &sums, result);
  }
  return ds_succeed(err);
}
