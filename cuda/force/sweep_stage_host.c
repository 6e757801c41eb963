/* Forces on the host: sweeps, and the sums of rows into the caller's arrays.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "evaluation.h"

#include <omp.h>
#include <string.h>

/* Each thread adds to sums of its own, as partners of its atoms may be in any row. */
typedef struct {
  int64_t *of_thread;
  size_t n;     /* sums of one thread */
  int each;     /* of a row */
  int threads;  /* that have added some */
} thread_sums;

static ds_status reserve_sums(ds_evaluation *e, int each, thread_sums *sums, ds_error *err)
{
  const size_t n = (size_t) e->io.list.slots * (size_t) each;
  const ds_status s =
      ds_queue_reserve(e->queue, &e->row_sums, n * (size_t) e->threads + 1, sizeof(int64_t), "sums of rows", err);
  *sums = (thread_sums) {DS_DATA(int64_t, e->row_sums), n, each, 1};
  return s;
}

/* By one thread of those that work in parallel. */
static int64_t *clear_own_sums(thread_sums *sums)
{
  int64_t *const mine = sums->of_thread + (size_t) omp_get_thread_num() * sums->n;
#pragma omp single nowait
  sums->threads = omp_get_num_threads();
  memset(mine, 0, sums->n * sizeof *mine);
  return mine;
}

/* Of all threads, in place of those of the first one. Modulo 2^64. */
static int64_t *add_up_row(const thread_sums *sums, int row)
{
  int64_t *const to = sums->of_thread + (size_t) row * (size_t) sums->each;
  for (int t = 1; t < sums->threads; t++)
    for (int c = 0; c < sums->each; c++) to[c] = (int64_t) ((uint64_t) to[c] + (uint64_t) to[(size_t) t * sums->n + (size_t) c]);
  return to;
}

/* Of several threads' faults that of the first row is named. */
static ds_sweep_fault sweep_rows(const ds_evaluation *e, thread_sums *sums)
{
  enum { ROWS = 2048 };
  const int slots = e->io.list.slots;
  ds_sweep_fault fault = {0, 0, 0, 0.0};
#pragma omp parallel num_threads(e->threads)
  {
    int64_t *const own = clear_own_sums(sums);
    ds_sweep_fault mine = {0, 0, 0, 0.0};
#pragma omp for schedule(dynamic)
    for (int first = 0; first < slots; first += ROWS) {
      ds_sweep_fault found = {0, 0, 0, 0.0};
      e->sweep_rows(e, first, first + ROWS < slots ? first + ROWS : slots, own, &found);
      if (found.found && (!mine.found || found.i < mine.i)) mine = found;
    }
#pragma omp critical
    if (mine.found && (!fault.found || mine.i < fault.i)) fault = mine;
  }
  return fault;
}

/* The sums of all rows into the caller's arrays; rows of ghosts have none. */
static void deliver_rows(const ds_evaluation *e, const thread_sums *sums)
{
  const ds_sweep_io *const io = &e->io;
#pragma omp parallel for num_threads(e->threads)
  for (int row = 0; row < io->list.slots; row++) {
    const int atom = io->list.atom_of_slot[row];
    if (atom < io->nlocal) ds_deliver_row(io, atom, add_up_row(sums, row), e->tally);
  }
}

static void add_up(const ds_evaluation *e, const int64_t *row_sums, ds_sweep_sums *sums)
{
  memset(sums, 0, sizeof *sums);
  for (int row = 0; row < e->io.list.slots; row++) {
    const int64_t *const sum = row_sums + (size_t) row * DS_ROW_SUMS;
    if (e->io.list.atom_of_slot[row] >= e->io.nlocal) continue;
    for (int c = 0; c < 3; c++) /* modulo 2^64: parts may overflow, the total does not */
      sums->force[c] = (int64_t) ((uint64_t) sums->force[c] + (uint64_t) sum[c]);
    ds_sum_add(sums->energy, sum[DS_SUM_ENERGY]);
    for (int c = 0; c < 6; c++) ds_sum_add(sums->virial[c], sum[DS_SUM_VIRIAL + c]);
  }
}

static ds_status sweep(ds_evaluation *e, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(e->queue, e->step);
  thread_sums sums;
  if (ds_stage_stopped(&launch)) return DS_OK;
  const ds_status s = reserve_sums(e, ds_sums_of_row(e), &sums, err);
  if (s) return s;
  const ds_sweep_fault fault = sweep_rows(e, &sums);
  if (fault.found) {
    launch.control->force_fault = ds_force_fault_of((int) fault.i, e->io.style, 0);
    launch.control->fault_tag[0] = e->io.tag[fault.i];
    launch.control->fault_tag[1] = e->io.tag[fault.j];
    launch.control->fault_force = fault.force;
    ds_stage_stop(&launch);
    return DS_OK;
  }
  deliver_rows(e, &sums);
  if (e->tally) add_up(e, sums.of_thread, &launch.control->sums[e->io.style]);
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
  thread_sums sums;
  if (ds_stage_stopped(&launch)) return DS_OK;
  const ds_status s = reserve_sums(e, 1, &sums, err);
  if (s) return s;
#pragma omp parallel num_threads(e->threads)
  {
    int64_t *const own = clear_own_sums(&sums);
#pragma omp for schedule(dynamic)
    for (int first = 0; first < slots; first += ROWS) e->density_rows(e, first, first + ROWS < slots ? first + ROWS : slots, own);
  }
#pragma omp parallel for num_threads(e->threads)
  for (int slot = 0; slot < slots; slot++) {
    const int atom = e->io.list.atom_of_slot[slot];
    const double value = (double) *add_up_row(&sums, slot) * e->densities.unit;
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
