/* Rigid bodies where operations of a step find them.   SPDX-License-Identifier: GPL-2.0-or-later */
#include "step.h"

#include <string.h>

/* Principal moments below this part of the largest are 0: as LAMMPS has it. */
static const double SMALLEST_MOMENT = 1e-7;

/* ------------------------------------------------------------------------------------------- use */

static size_t sum_bytes(const ds_bodies *b)
{
  return DS_BODY_SUMS * (size_t) b->n * sizeof(ds_exact_sum);
}

static ds_status reserve(ds_steps *steps, ds_error *err)
{
  ds_bodies *const b = &steps->bodies;
  const size_t n = (size_t) b->n + 1, size = DS_BODY_SUMS * sizeof(ds_exact_sum);
  ds_status s = ds_queue_wait(steps->queue, "rigid bodies", err); /* what grows is filled anew */
  if (!s) s = ds_reserve(&steps->memory, &b->state, n, sizeof(ds_body), "rigid bodies", err);
  if (!s) s = ds_reserve(&steps->memory, &b->sums, n, size, "sums of rigid bodies", err);
  return s ? s : ds_reserve(&steps->pinned, &b->sums_host, n, size, "sums of rigid bodies", err);
}

ds_status ds_bodies_set(ds_steps *steps, const ds_body *from, int n, ds_error *err)
{
  ds_bodies *const b = &steps->bodies;
  ds_queue *const q = steps->queue;
  if (n > 0 && ds_check_pointer(from, "rigid bodies", err)) return DS_ERR_ARGUMENT;
  if (n < 0) return ds_fail(err, DS_ERR_ARGUMENT, "%d rigid bodies", n);
  b->n = n;
  if (n == 0) return DS_OK;
  ds_status s = reserve(steps, err);
  if (!s) s = ds_queue_copy(q, b->state.data, from, (size_t) n * sizeof *from, "copying rigid bodies", err);
  if (!s) s = ds_queue_clear(q, b->sums.data, sum_bytes(b), "clearing sums of rigid bodies", err);
  if (!s) s = ds_queue_wait(q, "rigid bodies", err);
  if (s) b->n = 0;
  return s;
}

ds_status ds_bodies_get(ds_steps *steps, ds_body *to, ds_error *err)
{
  const ds_bodies *const b = &steps->bodies;
  ds_status s = b->n > 0 ? ds_check_pointer(to, "place for rigid bodies", err) : DS_OK;
  if (!s) s = ds_queue_copy(steps->queue, to, b->state.data, (size_t) b->n * sizeof *to, "copying rigid bodies", err);
  return s ? s : ds_queue_wait(steps->queue, "rigid bodies", err);
}

ds_status ds_bodies_check(const ds_steps *steps, const int32_t *numbers, int n, ds_error *err)
{
  const int bodies = steps->bodies.n;
  for (int i = 0; i < n && numbers; i++)
    if (numbers[i] < -1 || numbers[i] >= bodies)
      return ds_fail(err, DS_ERR_ARGUMENT, "atom %d is of rigid body %d; allowed: -1 to %d", i, (int) numbers[i], bodies - 1);
  return DS_OK;
}

ds_status ds_bodies_reduce(ds_steps *steps, ds_error *err)
{
  ds_bodies *const b = &steps->bodies;
  ds_queue *const q = steps->queue;
  ds_status s = ds_queue_copy(q, b->sums_host.data, b->sums.data, sum_bytes(b), "copying sums of rigid bodies", err);
  if (!s) s = ds_queue_wait(q, "sums of rigid bodies", err);
  if (s) return s;
  steps->reduce(steps->reduce_user, DS_DATA(ds_exact_sum, b->sums_host), DS_BODY_SUMS * b->n);
  return ds_queue_copy(q, b->sums.data, b->sums_host.data, sum_bytes(b), "copying sums of rigid bodies", err);
}

ds_status ds_bodies_move(ds_steps *steps, ds_body_launch *what, int64_t step, ds_error *err)
{
  what->body = steps->bodies.state.data;
  what->sums = steps->bodies.sums.data;
  what->n = steps->bodies.n;
  return steps->stages->move_bodies(steps->queue, what, step, err);
}

/* Of bodies as they are now, which are the same in each process. The sums begin at 0. */
ds_status ds_bodies_add_up(ds_steps *steps, int place, int64_t step, ds_error *err)
{
  ds_exact_sum *const sums = DS_DATA(ds_exact_sum, steps->sums) + place * DS_OPERATION_SUMS;
  const ds_body_sums_launch what = {steps->bodies.state.data, steps->bodies.n, steps->program.operation[place], sums};
  steps->cleared &= ~((uint32_t) 1 << place);
  const ds_status s =
      ds_queue_clear(steps->queue, sums, DS_OPERATION_SUMS * sizeof *sums, "clearing sums over rigid bodies", err);
  return s ? s : steps->stages->add_up_bodies(steps->queue, &what, step, err);
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
