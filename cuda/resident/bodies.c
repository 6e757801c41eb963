/* Rigid bodies where operations of a step find them.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "bodies_stage.h"
#include "dpdsop/device/step/rotation.h"

#include <string.h>

/* Principal moments below this part of the largest are 0: as LAMMPS has it. */
static const double SMALLEST_MOMENT = 1e-7;

/* -------------------------------------------------------------------------------------------- memory */

static size_t sum_bytes(const ds_bodies *b)
{
  return DS_BODY_SUMS * (size_t) b->n * sizeof(ds_exact_sum);
}

static ds_status reserve(ds_bodies *b, ds_queue *q, ds_error *err)
{
  const ds_memory *const memory = q->memory.memory, *const pinned = q->pinned.memory;
  const size_t n = (size_t) b->n + 1;
  ds_status s = ds_queue_wait(q, "rigid bodies", err); /* what grows is filled anew */
  if (!s) s = ds_buffer_reserve(memory, &b->state, n, sizeof(ds_body), "rigid bodies", err);
  if (!s) s = ds_buffer_reserve(memory, &b->sums, DS_BODY_SUMS * n, sizeof(ds_exact_sum), "sums of rigid bodies", err);
  if (!s) s = ds_buffer_reserve(pinned, &b->sums_host, DS_BODY_SUMS * n, sizeof(ds_exact_sum), "sums of rigid bodies", err);
  return s;
}

ds_status ds_bodies_set(ds_bodies *b, ds_queue *q, const ds_body *from, int n, ds_error *err)
{
  if (n < 0) return ds_fail(err, DS_ERR_ARGUMENT, "%d rigid bodies", n);
  b->n = n;
  if (n == 0) return DS_OK;
  ds_status s = reserve(b, q, err);
  if (!s) s = ds_queue_copy(q, b->state.data, from, (size_t) n * sizeof *from, "copying rigid bodies", err);
  if (!s) s = ds_queue_clear(q, b->sums.data, sum_bytes(b), "clearing sums of rigid bodies", err);
  if (!s) s = ds_queue_wait(q, "rigid bodies", err);
  if (s) b->n = 0;
  return s;
}

ds_status ds_bodies_get(ds_bodies *b, ds_queue *q, ds_body *to, ds_error *err)
{
  const ds_status s = ds_queue_copy(q, to, b->state.data, (size_t) b->n * sizeof *to, "copying rigid bodies", err);
  return s ? s : ds_queue_wait(q, "rigid bodies", err);
}

void ds_bodies_close(ds_bodies *b, ds_queue *q)
{
  ds_buffer_free(q->memory.memory, &b->state);
  ds_buffer_free(q->memory.memory, &b->sums);
  ds_buffer_free(q->pinned.memory, &b->sums_host);
  b->n = 0;
}

ds_status ds_bodies_check(const ds_bodies *b, const int32_t *numbers, int n, ds_error *err)
{
  for (int i = 0; i < n && numbers; i++)
    if (numbers[i] < -1 || numbers[i] >= b->n)
      return ds_fail(err, DS_ERR_ARGUMENT, "atom %d is of rigid body %d; allowed: -1 to %d", i, (int) numbers[i], b->n - 1);
  return DS_OK;
}

/* -------------------------------------------------------------------------------------------- motion */

ds_status ds_bodies_reduce(ds_bodies *b, ds_queue *q, ds_reduction *reduce, void *user, ds_error *err)
{
  ds_status s = ds_queue_copy(q, b->sums_host.data, b->sums.data, sum_bytes(b), "copying sums of rigid bodies", err);
  if (!s) s = ds_queue_wait(q, "sums of rigid bodies", err);
  if (s) return s;
  reduce(user, DS_DATA(ds_exact_sum, b->sums_host), DS_BODY_SUMS * b->n);
  return ds_queue_copy(q, b->sums.data, b->sums_host.data, sum_bytes(b), "copying sums of rigid bodies", err);
}

ds_status ds_bodies_move(ds_bodies *b, ds_queue *q, ds_body_launch *what, int64_t step, ds_error *err)
{
  what->body = b->state.data;
  what->sums = b->sums.data;
  what->n = b->n;
  return DS_CHOOSE_STAGE(q, ds_bodies_host, ds_bodies_cuda)(q, what, step, err);
}

ds_status ds_bodies_host(ds_queue *q, const ds_body_launch *what, int64_t step, ds_error *err)
{
  const ds_launch_id launch = ds_queue_launch_id(q, step);
  (void) err;
  if (ds_stage_stopped(&launch)) return DS_OK;
  for (int k = 0; k < what->n; k++) ds_move_body(what, k);
  return DS_OK;
}

/* The sums begin at 0. */
ds_status ds_bodies_add_up(ds_bodies *b, ds_queue *q, const ds_operation *o, ds_exact_sum *sums, int64_t step, ds_error *err)
{
  const ds_body_sums_launch what = {b->state.data, b->n, *o, sums};
  const ds_status s = ds_queue_clear(q, sums, DS_OPERATION_SUMS * sizeof *sums, "clearing sums over rigid bodies", err);
  return s ? s : DS_CHOOSE_STAGE(q, ds_body_sums_host, ds_body_sums_cuda)(q, &what, step, err);
}

ds_status ds_body_sums_host(ds_queue *q, const ds_body_sums_launch *what, int64_t step, ds_error *err)
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

/* ------------------------------------------------------------------------------------------- inertia */

static void swap_axes(double moment[3], double axis[3][3], int a, int b)
{
  const double m = moment[a];
  moment[a] = moment[b];
  moment[b] = m;
  for (int d = 0; d < 3; d++) {
    const double x = axis[a][d];
    axis[a][d] = axis[b][d];
    axis[b][d] = x;
  }
}

/* Axes are rows. The component that is largest is found first, so that no small number divides (Shepperd, J. Guidance 1, 223
   (1978)). */
static void find_quaternion(const double axis[3][3], double q[4])
{
  const double trace = axis[0][0] + axis[1][1] + axis[2][2];
  const double square[4] = {1.0 + trace, 1.0 + 2.0 * axis[0][0] - trace, 1.0 + 2.0 * axis[1][1] - trace,
                            1.0 + 2.0 * axis[2][2] - trace}; /* four times each */
  int largest = 0;
  for (int k = 1; k < 4; k++)
    if (square[k] > square[largest]) largest = k;
  const double twice = sqrt(square[largest]), part = 0.5 / twice;
  const double of_w[3] = {axis[1][2] - axis[2][1], axis[2][0] - axis[0][2], axis[0][1] - axis[1][0]};
  q[largest] = 0.5 * twice;
  if (largest == 0) {
    for (int d = 0; d < 3; d++) q[1 + d] = part * of_w[d];
  } else {
    const int a = largest - 1, b = (a + 1) % 3, c = (a + 2) % 3;
    q[0] = part * of_w[a];
    q[1 + b] = part * (axis[a][b] + axis[b][a]);
    q[1 + c] = part * (axis[a][c] + axis[c][a]);
  }
  ds_make_unit_quaternion(q);
}

void ds_body_set_inertia(ds_body *body, const double inertia[6])
{
  enum { SWEEPS = 12 }; /* each squares what is left off the diagonal */
  double m[3][3] = {
      {inertia[0], inertia[3], inertia[4]}, {inertia[3], inertia[1], inertia[5]}, {inertia[4], inertia[5], inertia[2]}};
  double column[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, axis[3][3];
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    ds_jacobi_rotation(m, column, 0, 1);
    ds_jacobi_rotation(m, column, 0, 2);
    ds_jacobi_rotation(m, column, 1, 2);
  }
  for (int k = 0; k < 3; k++) {
    body->inertia[k] = m[k][k];
    for (int d = 0; d < 3; d++) axis[k][d] = column[d][k];
  }
  if (body->inertia[0] > body->inertia[1]) swap_axes(body->inertia, axis, 0, 1);
  if (body->inertia[1] > body->inertia[2]) swap_axes(body->inertia, axis, 1, 2);
  if (body->inertia[0] > body->inertia[1]) swap_axes(body->inertia, axis, 0, 1);
  for (int k = 0; k < 3; k++)
    if (body->inertia[k] < SMALLEST_MOMENT * body->inertia[2]) body->inertia[k] = 0.0;
  ds_cross(axis[0], axis[1], axis[2]); /* right-handed */
  find_quaternion((const double(*)[3]) axis, body->quaternion);
  ds_body_omega(body, body->quaternion, body->omega);
}
