/* Forces on the host: sweeps, and the sums of rows into the caller's arrays.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "evaluation.h"

#include <string.h>

static ds_status reserve_rows(ds_evaluation *e, ds_error *err)
{
  const size_t n = (size_t) e->io.slots + 1;
  ds_status s = ds_queue_reserve(e->queue, &e->row_force, 3 * n, sizeof(int64_t), "force sums", err);
  if (!s && e->tally) s = ds_queue_reserve(e->queue, &e->row_energy, n, sizeof(int64_t), "energy sums", err);
  if (!s && e->tally) s = ds_queue_reserve(e->queue, &e->row_virial, 6 * n, sizeof(int64_t), "virial sums", err);
  return s;
}

/* Of several threads' faults that of the first row is named. */
static ds_sweep_fault sweep_rows(const ds_evaluation *e)
{
  enum { ROWS = 2048 };
  static ds_host_sweep_function *const sweep_of[DS_ISA_COUNT] = DS_KERNEL_TABLE(ds_host_sweep);
  ds_sweep_function *const function = sweep_of[e->isa](e->style, e->precision);
  const int slots = e->io.slots;
  ds_sweep_fault fault = {0, 0, 0, 0.0};
#pragma omp parallel for num_threads(e->threads) schedule(dynamic)
  for (int first = 0; first < slots; first += ROWS) {
    ds_sweep_fault mine = {0, 0, 0, 0.0};
    function(e, first, first + ROWS < slots ? first + ROWS : slots, &mine);
    if (mine.found) {
#pragma omp critical
      if (!fault.found || mine.i < fault.i) fault = mine;
    }
  }
  return fault;
}

static void report(const ds_evaluation *e, const ds_sweep_fault *fault, const ds_launch_id *launch)
{
  launch->control->force_fault = 1;
  launch->control->fault_tag[0] = e->io.tag[fault->i];
  launch->control->fault_tag[1] = e->io.tag[fault->j];
  launch->control->fault_force = fault->force;
  ds_stage_stop(launch);
}

static void deliver(const ds_array *to, int put, ptrdiff_t atom, int components, const int64_t *sum, double unit)
{
  for (int c = 0; c < components && to->data; c++) {
    const double value = (double) sum[c] * unit;
    if (put)
      ds_array_put(to, atom, c, value);
    else
      ds_array_add(to, atom, c, value);
  }
}

/* The sums of all rows into the caller's arrays; rows of ghosts have none. */
static void deliver_rows(const ds_evaluation *e)
{
  const ds_sweep_io *const io = &e->io;
  const int64_t *const f = DS_DATA(int64_t, e->row_force), *const u = DS_DATA(int64_t, e->row_energy),
                       *const w = DS_DATA(int64_t, e->row_virial);
#pragma omp parallel for num_threads(e->threads)
  for (int row = 0; row < io->slots; row++) {
    const size_t r = (size_t) row;
    const ptrdiff_t i = io->atom_of_slot[row];
    if (i >= io->nlocal) continue;
    deliver(&io->force, io->put_force, i, 3, f + 3 * r, io->unit.force);
    if (!e->tally) continue;
    deliver(&io->energy, io->put_energy, i, 1, u + r, io->unit.half_energy);
    deliver(&io->virial, io->put_virial, i, 6, w + 6 * r, io->unit.half_virial);
  }
}

static void add_up(const ds_evaluation *e, ds_sweep_sums *sums)
{
  const int64_t *const f = DS_DATA(int64_t, e->row_force), *const u = DS_DATA(int64_t, e->row_energy),
                       *const w = DS_DATA(int64_t, e->row_virial);
  memset(sums, 0, sizeof *sums);
  for (int row = 0; row < e->io.slots; row++) {
    const size_t r = (size_t) row;
    if (e->io.atom_of_slot[row] >= e->io.nlocal) continue;
    for (size_t c = 0; c < 3; c++) /* modulo 2^64: parts may overflow, the total does not */
      sums->force[c] = (int64_t) ((uint64_t) sums->force[c] + (uint64_t) f[3 * r + c]);
    ds_sum_add(sums->energy, u[r]);
    for (size_t c = 0; c < 6; c++) ds_sum_add(sums->virial[c], w[6 * r + c]);
  }
}

static ds_status sweep(ds_evaluation *e, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(e->queue, e->step);
  if (ds_stage_stopped(&launch)) return DS_OK;
  const ds_status s = reserve_rows(e, err);
  if (s) return s;
  const ds_sweep_fault fault = sweep_rows(e);
  if (fault.found) {
    report(e, &fault, &launch);
    return DS_OK;
  }
  deliver_rows(e);
  if (e->tally) add_up(e, &launch.control->sums);
  return DS_OK;
}

const ds_force_stages ds_force_stages_host = {sweep, NULL};
