/* Forces on the host: sweeps, and the sums of rows into the caller's arrays.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "evaluation.h"

#include <string.h>

/* Sums of all rows, which begin at 0. Threads write those of their own rows alone: several threads have lists both ways. */
static ds_status clear_sums(ds_evaluation *e, int each, ds_error *err)
{
  const size_t n = (size_t) e->io.list.slots * (size_t) each;
  const ds_status s = ds_queue_reserve(e->queue, &e->row_sums, n + 1, sizeof(int64_t), "sums of rows", err);
  return s ? s : ds_queue_clear(e->queue, e->row_sums.data, n * sizeof(int64_t), "clearing sums of rows", err);
}

/* Of several threads' faults that of the first row is named. */
static ds_sweep_fault sweep_rows(const ds_evaluation *e)
{
  enum { ROWS = 2048 };
  const int slots = e->io.list.slots;
  ds_sweep_fault fault = {0, 0, 0, 0.0};
#pragma omp parallel for num_threads(e->threads) schedule(dynamic)
  for (int first = 0; first < slots; first += ROWS) {
    ds_sweep_fault mine = {0, 0, 0, 0.0};
    e->sweep_rows(e, first, first + ROWS < slots ? first + ROWS : slots, &mine);
    if (mine.found) {
#pragma omp critical
      if (!fault.found || mine.i < fault.i) fault = mine;
    }
  }
  return fault;
}

/* The sums of all rows into the caller's arrays; rows of ghosts have none. */
static void deliver_rows(const ds_evaluation *e)
{
  const ds_sweep_io *const io = &e->io;
#pragma omp parallel for num_threads(e->threads)
  for (int row = 0; row < io->list.slots; row++) {
    const int atom = io->list.atom_of_slot[row];
    if (atom < io->nlocal) ds_deliver_row(io, atom, ds_row_sums(e, row), e->tally);
  }
}

static void add_up(const ds_evaluation *e, ds_sweep_sums *sums)
{
  memset(sums, 0, sizeof *sums);
  for (int row = 0; row < e->io.list.slots; row++) {
    const int64_t *const sum = ds_row_sums(e, row);
    if (e->io.list.atom_of_slot[row] >= e->io.nlocal) continue;
    for (int c = 0; c < 3; c++) /* modulo 2^64: parts may overflow, the total does not */
      sums->force[c] = (int64_t) ((uint64_t) sums->force[c] + (uint64_t) sum[c]);
    if (!e->io.diagonal) ds_sum_add(sums->energy, sum[DS_SUM_ENERGY]);
    for (int c = 0; c < (e->io.diagonal ? 3 : 6); c++) ds_sum_add(sums->virial[c], sum[DS_SUM_VIRIAL + c]);
  }
}

static ds_status sweep(ds_evaluation *e, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(e->queue, e->step);
  if (ds_stage_stopped(&launch)) return DS_OK;
  const ds_status s = clear_sums(e, ds_sums_of_row(e), err);
  if (s) return s;
  const ds_sweep_fault fault = sweep_rows(e);
  if (fault.found) {
    launch.control->force_fault = ds_force_fault_of((int) fault.i, e->io.style, 0);
    launch.control->fault_tag[0] = e->io.tag[fault.i];
    launch.control->fault_tag[1] = e->io.tag[fault.j];
    launch.control->fault_force = fault.force;
    ds_stage_stop(&launch);
    return DS_OK;
  }
  deliver_rows(e);
  if (e->tally) add_up(e, &launch.control->sums[e->io.style]);
  return DS_OK;
}

/* ---------------------------------------------------------------------------------------- densities */

static void put_density(const ds_evaluation *e, int slot, double value)
{
  if (e->precision == DS_PRECISION_DOUBLE)
    ((double *) e->densities.of_slot)[slot] = value;
  else
    ((float *) e->densities.of_slot)[slot] = (float) value;
}

static ds_status density(ds_evaluation *e, ds_error *err)
{
  enum { ROWS = 512 };
  const ds_launch_id launch = ds_queue_launch_id(e->queue, e->step);
  const int slots = e->io.list.slots;
  if (ds_stage_stopped(&launch)) return DS_OK;
  const ds_status s = clear_sums(e, 1, err);
  if (s) return s;
  const int64_t *const sums = DS_DATA(int64_t, e->row_sums);
#pragma omp parallel for num_threads(e->threads) schedule(dynamic)
  for (int first = 0; first < slots; first += ROWS) e->density_rows(e, first, first + ROWS < slots ? first + ROWS : slots);
#pragma omp parallel for num_threads(e->threads)
  for (int slot = 0; slot < slots; slot++) {
    const int atom = e->io.list.atom_of_slot[slot];
    const double value = (double) sums[slot] * e->densities.unit;
    if (atom >= e->io.nlocal) continue;
    e->densities.of_atom[atom] = value;
    put_density(e, slot, value);
  }
  return DS_OK;
}

static ds_status spread(ds_evaluation *e, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(e->queue, e->step);
  (void) err;
  if (ds_stage_stopped(&launch)) return DS_OK;
#pragma omp parallel for num_threads(e->threads)
  for (int slot = 0; slot < e->io.list.slots; slot++) {
    const int atom = e->io.list.atom_of_slot[slot];
    if (atom >= e->io.nlocal) put_density(e, slot, e->densities.of_atom[ds_density_source(&e->densities, e->io.nlocal, atom)]);
  }
  return DS_OK;
}

const ds_force_stages ds_force_stages_host = {sweep, NULL, density, spread};
