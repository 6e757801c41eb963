/* Operations of a step on the host: of particles, bins and rigid bodies.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "nve_halves.h"

#include <string.h>

/* What one thread has found. */
typedef struct {
  ds_exact_sum sum[DS_LAUNCH_OPERATIONS][DS_OPERATION_SUMS];
  unsigned long long fault; /* 0: none */
  int moved;
} found;

static void note_fault(found *mine, unsigned long long fault)
{
  if (fault > mine->fault) mine->fault = fault;
}

static void add_part(int64_t *to, int64_t part)
{
  if (!part) return;
#pragma omp atomic
  *to += part;
}

/* To a sum of all threads: integers, in any order. */
static void add_term(ds_exact_sum *to, const ds_exact_sum *term)
{
  add_part(&to->low, term->low);
  add_part(&to->high, term->high);
  add_part(&to->top, term->top);
  add_part(&to->invalid, term->invalid);
}

static void add_to_body(const ds_step_launch *l, const ds_operation *o, int body, const double add[DS_BODY_SUMS])
{
  for (int j = 0; j < DS_BODY_SUMS; j++) {
    const ds_exact_sum term = ds_exact_term(add[j], o->number[j / 3]);
    add_term(l->body_sums + (size_t) DS_BODY_SUMS * (size_t) body + j, &term);
  }
}

/* A particle with a fault stays where it is, which the error names. */
static void operate_on(const ds_resident_view *a, const ds_step_launch *l, const double *sums_read, int i, int64_t step,
                       found *mine)
{
  double add[DS_OPERATION_SUMS];
  ds_particle p;
  if (ds_launch_passes_by(a, l, i)) return;
  memset(&p, 0, sizeof p);
  ds_read_particle(a, l, i, &p);
  for (int k = 0; k < l->n; k++) {
    if (ds_run_operation(DS_ALL_SETS, a, l, sums_read, k, i, &p, add)) {
      note_fault(mine, ds_fault_of(l, k, i, step));
      break;
    }
    const ds_operation *const o = &l->operation[k];
    for (int j = 0; j < o->nsums && l->tally[k]; j++) ds_exact_add_number(&mine->sum[k][j], add[j], o->unit);
    if (o->kind == DS_BODY_SUM && p.body >= 0) add_to_body(l, o, p.body, add);
  }
  ds_write_particle(a, l, i, &p);
  if (l->check) mine->moved |= ds_has_moved(a, l, i, &p);
}

static void join(const ds_step_launch *l, const found *mine, found *all)
{
  for (int k = 0; k < l->n; k++)
    for (int j = 0; j < l->operation[k].nsums; j++) ds_exact_add(&all->sum[k][j], &mine->sum[k][j]);
  note_fault(all, mine->fault);
  all->moved |= mine->moved;
}

static void report(const ds_step_launch *l, const found *all, const ds_launch_id *launch)
{
  for (int k = 0; k < l->n; k++)
    for (int j = 0; j < l->operation[k].nsums && l->tally[k]; j++) {
      ds_exact_sum *const sum = l->sums + l->place[k] * DS_OPERATION_SUMS + j;
      ds_exact_add(sum, &all->sum[k][j]);
      if (l->operation[k].flags & DS_ADDS_UP) ds_exact_carry(sum);
    }
  if (all->fault) launch->control->operation_fault = all->fault;
  if (all->moved) launch->control->moved = 1;
  if (all->fault || all->moved) ds_stage_stop(launch);
}

/* Returns whether the particle has moved too far. */
static int halve_steps_of(const ds_resident_view *a, const ds_nve_halves *m, int i)
{
  const double none[3] = {0.0, 0.0, 0.0};
  double x[3], x_ref[3];
  ds_read_vector(a->x, i, x);
  if (m->n[0] + m->n[1] > 0) {
    double v[3], f[3];
    ds_read_vector(a->v, i, v);
    ds_read_vector(a->f, i, f);
    ds_make_halves(a, m, i, f, x, v);
    ds_write_vector(a->v, i, v);
  }
  if (m->n[1]) ds_write_vector(a->x, i, x);
  if (m->clear) ds_write_vector(a->f, i, none);
  if (!m->check) return 0;
  ds_read_vector(a->x_ref, i, x_ref);
  return ds_distance2(x, x_ref) > m->trigger2;
}

static void halve_steps(const ds_resident_view *a, const ds_bonded_view *bonded, const ds_nve_halves *m,
                        const ds_launch_id *launch)
{
  int moved = 0;
#pragma omp parallel for num_threads(a->threads) reduction(| : moved)
  for (int i = 0; i < a->n; i++) {
    if (bonded) ds_add_bonded_forces(bonded, i);
    moved |= halve_steps_of(a, m, i);
  }
  if (!moved) return;
  launch->control->moved = 1;
  ds_stage_stop(launch);
}

static ds_status operate(ds_queue *q, const ds_resident_view *a, const ds_bonded_view *bonded, const ds_step_launch *l,
                         const ds_sorted_fill *next, int64_t step, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  double sums_read[DS_SUMS_READ];
  found all;
  ds_nve_halves halves;
  (void) err, (void) next;
  if (ds_stage_stopped(&launch)) return DS_OK;
  if (ds_take_halves(l, &halves)) {
    halve_steps(a, bonded, &halves, &launch);
    return DS_OK;
  }
  for (int k = 0; k < DS_SUMS_READ && l->reads_sums; k++) sums_read[k] = ds_sum_read(l, k);
  memset(&all, 0, sizeof all);
#pragma omp parallel num_threads(a->threads)
  {
    found mine;
    memset(&mine, 0, sizeof mine);
#pragma omp for
    for (int i = 0; i < a->n; i++) {
      if (bonded) ds_add_bonded_forces(bonded, i);
      operate_on(a, l, sums_read, i, step, &mine);
    }
#pragma omp critical(ds_step_join)
    join(l, &mine, &all);
  }
  report(l, &all, &launch);
  return DS_OK;
}

/* ------------------------------------------------------------------------------------------- bins */

static void add_to_bin(const ds_resident_view *a, const ds_bin_launch *l, int i)
{
  ds_particle p;
  memset(&p, 0, sizeof p);
  const int bin = ds_find_bin(DS_BINS_ALL, a, l, i, &p);
  if (bin == DS_NO_BIN) return;
  ds_exact_sum *const cells = l->cells + (size_t) bin * (size_t) l->binning.nvalues;
  for (int j = 0; j < l->binning.nvalues; j++) {
    const ds_exact_sum term = ds_bin_term(DS_BINS_ALL, l, bin, j, i, &p);
    add_term(&cells[j], &term);
  }
}

static ds_status bin(ds_queue *q, const ds_resident_view *a, const ds_bin_launch *l, int64_t step, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  (void) err;
  if (ds_stage_stopped(&launch)) return DS_OK;
#pragma omp parallel for num_threads(a->threads)
  for (int i = 0; i < a->n; i++) add_to_bin(a, l, i);
  return DS_OK;
}

static ds_status carry(ds_queue *q, ds_exact_sum *cells, size_t n, ds_error *err)
{
  (void) q;
  (void) err;
  for (size_t k = 0; k < n; k++) ds_exact_carry(&cells[k]);
  return DS_OK;
}

/* ----------------------------------------------------------------------------------------- bodies */

static ds_status move_bodies(ds_queue *q, const ds_body_launch *what, int64_t step, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  (void) err;
  if (ds_stage_stopped(&launch)) return DS_OK;
  for (int k = 0; k < what->n; k++) ds_move_body(what, k);
  return DS_OK;
}

static ds_status add_up_bodies(ds_queue *q, const ds_body_sums_launch *what, int64_t step, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  (void) err;
  if (ds_stage_stopped(&launch)) return DS_OK;
  for (int k = 0; k < what->n; k++) {
    double add[DS_BODY_KINETIC_SUMS];
    ds_body_kinetic(&what->body[k], add);
    for (int j = 0; j < what->operation.nsums; j++) ds_exact_add_number(&what->sums[j], add[j], what->operation.unit);
  }
  return DS_OK;
}

const ds_step_stages ds_step_stages_host = {operate, bin, carry, move_bodies, add_up_bodies, NULL};
