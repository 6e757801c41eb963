/* Host backend: forces and sums.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "sweep_host.h"
#include "pair_host.h"

#include <string.h>

static ds_status reserve_rows(ds_host_state *h, int tally, ds_error *err)
{
  const size_t n = (size_t) h->list.slots + 1;
  ds_status s = ds_reserve(&h->pool, &h->force, 3 * n, sizeof(int64_t), "force sums", err);
  if (!s && tally) s = ds_reserve(&h->pool, &h->energy, n, sizeof(int64_t), "energy sums", err);
  if (!s && tally) s = ds_reserve(&h->pool, &h->virial, 6 * n, sizeof(int64_t), "virial sums", err);
  return s;
}

static ds_status sweep(ds_pair *pair, ds_host_state *h, int tally, ds_error *err)
{
  enum { ROWS = 2048 };
  static ds_host_sweep_function *const sweep_of[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_host_sweep);
  ds_sweep_function *const function = sweep_of[h->isa](pair->style, pair->options.precision);
  ds_sweep_fault fault = {0, 0, 0, 0.0};
  const ds_sweep s = {&pair->frame,
                      &pair->tables,
                      h->slot_position.data,
                      h->slot_velocity.data,
                      h->list.first.data,
                      h->list.count.data,
                      h->list.entries.data,
                      h->force.data,
                      tally ? h->energy.data : NULL,
                      tally ? h->virial.data : NULL,
                      tally,
                      ds_has_special(&pair->tables, h->atoms.special.max_special)};
#pragma omp parallel for num_threads(pair->options.threads) schedule(dynamic)
  for (int first = 0; first < h->list.slots; first += ROWS) {
    ds_sweep_fault mine = {0, 0, 0, 0.0};
    function(&s, first, first + ROWS < h->list.slots ? first + ROWS : h->list.slots, &mine);
    if (mine.found) { /* that of the first row is named, whichever thread is the first */
#pragma omp critical
      if (!fault.found || mine.i < fault.i) fault = mine;
    }
  }
  if (!fault.found) return DS_OK;
  const int32_t *const atom = DS_DATA(int32_t, h->list.atom_of_slot);
  const ds_array *const tag = &h->atoms.source.tag;
  return ds_pair_force_error(pair, pair->step, ds_array_int(tag, atom[fault.i], 0),
                             ds_array_int(tag, atom[fault.j], 0), fault.force, err);
}

/* Add the sums of all rows to the caller's arrays. */
static void deliver(const ds_pair *pair, const ds_host_state *h, const ds_pair_result *result)
{
  const int64_t *f = DS_DATA(int64_t, h->force), *e = DS_DATA(int64_t, h->energy),
                *w = DS_DATA(int64_t, h->virial);
  const ds_row_units unit = ds_row_units_of(&pair->tables);
#pragma omp parallel for num_threads(pair->options.threads)
  for (int r = 0; r < h->list.slots; r++) {
    const ptrdiff_t i = DS_DATA(int32_t, h->list.atom_of_slot)[r];
    if (i >= pair->nlocal) continue; /* ghosts have no forces */
    for (int c = 0; c < 3; c++) {
      const double force = (double) f[3 * (size_t) r + (size_t) c] * unit.force;
      if (result->put_force)
        ds_array_put(&result->f, i, c, force);
      else
        ds_array_add(&result->f, i, c, force);
    }
    if (result->eatom.data) ds_array_add(&result->eatom, i, 0, (double) e[r] * unit.half_energy);
    if (result->vatom.data)
      for (int c = 0; c < 6; c++)
        ds_array_add(&result->vatom, i, c, (double) w[6 * (size_t) r + (size_t) c] * unit.half_virial);
  }
}

static void add_up(const ds_pair *pair, const ds_host_state *h, ds_sweep_sums *sums)
{
  const int64_t *f = DS_DATA(int64_t, h->force), *e = DS_DATA(int64_t, h->energy),
                *w = DS_DATA(int64_t, h->virial);
  memset(sums, 0, sizeof *sums);
  for (int row = 0; row < h->list.slots; row++) {
    const size_t r = (size_t) row;
    if (DS_DATA(int32_t, h->list.atom_of_slot)[row] >= pair->nlocal) continue;
    for (size_t c = 0; c < 3; c++) /* modulo 2^64: parts may overflow, the total does not */
      sums->force[c] = (int64_t) ((uint64_t) sums->force[c] + (uint64_t) f[3 * r + c]);
    ds_sum_add(sums->energy, e[r]);
    for (size_t c = 0; c < 6; c++) ds_sum_add(sums->virial[c], w[6 * r + c]);
  }
}

ds_status ds_host_enqueue(ds_pair *pair, const ds_pair_result *wanted, ds_error *err)
{
  ds_host_state *h = pair->state;
  const int tally = ds_wants_tally(wanted);
  ds_status s = ds_host_space_only(&wanted->f, "forces", err);
  if (!s) s = ds_host_space_only(&wanted->eatom, "energies of the atoms", err);
  if (!s) s = ds_host_space_only(&wanted->vatom, "virials of the atoms", err);
  if (!s) s = ds_host_gather(pair, err);
  if (!s) s = reserve_rows(h, tally, err);
  if (!s) s = sweep(pair, h, tally, err);
  if (s) return s;
  deliver(pair, h, wanted);
  if (tally) {
    add_up(pair, h, &h->sums);
    h->have_sums = 1;
  }
  return ds_succeed(err);
}
