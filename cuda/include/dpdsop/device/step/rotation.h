/* Rotation of a group taken away: LAMMPS's fix momentum angular.   SPDX-License-Identifier: GPL-2.0-or-later

   number of both operations: 0 unit of length, that of the center of mass, too (DS_SUM_CENTER); 1 unit of velocity; powers
   of two.
   DS_SUM_ROTATION reads the center of mass, r is the vector from there. Sums 0 to 2: angular momentum m r x v, in units of
   length and velocity; 3 to 8: inertia, m (r.r - a a) xx yy zz, - m a b xy xz yz, in units of length squared.
   DS_REMOVE_ROTATION reads these sums (`from`) and the center of mass (`also`): v becomes v - w x r, where the inertia times
   the angular velocity w is the angular momentum. */
#ifndef DPDSOP_STEP_ROTATION_H
#define DPDSOP_STEP_ROTATION_H

#include "dpdsop/device/motion.h"
#include "dpdsop/device/step/particle.h"

/* As LAMMPS's velocity command and fix momentum have it: an inertia whose determinant is not above this is taken apart into
   principal moments, and those below this part of the largest are none. */
#define DS_SINGULAR 1e-6

/* A symmetric matrix: xx yy zz xy xz yz. */
DS_FUNC double ds_determinant(const double m[6])
{
  return m[0] * (m[1] * m[2] - m[5] * m[5]) - m[3] * (m[3] * m[2] - m[5] * m[4]) + m[4] * (m[3] * m[5] - m[1] * m[4]);
}

/* Cramer's rule. */
DS_FUNC void ds_solve(const double m[6], double determinant, const double b[3], double x[3])
{
  const double xx = m[1] * m[2] - m[5] * m[5], yy = m[0] * m[2] - m[4] * m[4], zz = m[0] * m[1] - m[3] * m[3];
  const double xy = m[4] * m[5] - m[3] * m[2], xz = m[3] * m[5] - m[4] * m[1], yz = m[3] * m[4] - m[0] * m[5];
  x[0] = (xx * b[0] + xy * b[1] + xz * b[2]) / determinant;
  x[1] = (xy * b[0] + yy * b[1] + yz * b[2]) / determinant;
  x[2] = (xz * b[0] + yz * b[1] + zz * b[2]) / determinant;
}

/* Columns p and q of the matrix and of the axes are turned so that element pq becomes 0 (Golub & Van Loan, Matrix
   Computations, 8.5: Jacobi's method). */
DS_FUNC void ds_jacobi_rotation(double m[3][3], double axis[3][3], int p, int q)
{
  if (m[p][q] == 0.0) return;
  const double tau = (m[q][q] - m[p][p]) / (2.0 * m[p][q]), root = sqrt(1.0 + tau * tau);
  const double t = tau < 0.0 ? -1.0 / (root - tau) : 1.0 / (root + tau);
  const double c = 1.0 / sqrt(1.0 + t * t), s = t * c;
  const int other = 3 - p - q;
  const double change = t * m[p][q], at_p = m[other][p], at_q = m[other][q];
  m[p][p] -= change;
  m[q][q] += change;
  m[p][q] = m[q][p] = 0.0;
  m[other][p] = m[p][other] = c * at_p - s * at_q;
  m[other][q] = m[q][other] = s * at_p + c * at_q;
  for (int k = 0; k < 3; k++) {
    const double of_p = axis[k][p], of_q = axis[k][q];
    axis[k][p] = c * of_p - s * of_q;
    axis[k][q] = s * of_p + c * of_q;
  }
}

/* The angular velocity of a body that can rotate about some of its principal axes only, as a line or a point. */
DS_FUNC void ds_angular_velocity_about_axes(const double inertia[6], const double momentum[3], double w[3])
{
  enum { SWEEPS = 12 }; /* each squares what is left off the diagonal */
  double m[3][3] = {
      {inertia[0], inertia[3], inertia[4]}, {inertia[3], inertia[1], inertia[5]}, {inertia[4], inertia[5], inertia[2]}};
  double axis[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, largest = 0.0;
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    ds_jacobi_rotation(m, axis, 0, 1);
    ds_jacobi_rotation(m, axis, 0, 2);
    ds_jacobi_rotation(m, axis, 1, 2);
  }
  for (int k = 0; k < 3; k++) largest = m[k][k] > largest ? m[k][k] : largest;
  for (int d = 0; d < 3; d++) w[d] = 0.0;
  for (int k = 0; k < 3; k++) {
    if (!(m[k][k] > 0.0) || m[k][k] < DS_SINGULAR * largest) continue;
    double along = 0.0;
    for (int d = 0; d < 3; d++) along += momentum[d] * axis[d][k];
    for (int d = 0; d < 3; d++) w[d] += along / m[k][k] * axis[d][k];
  }
}

DS_FUNC void ds_angular_velocity(const double inertia[6], const double momentum[3], double w[3])
{
  const double determinant = ds_determinant(inertia);
  if (determinant > DS_SINGULAR)
    ds_solve(inertia, determinant, momentum, w);
  else
    ds_angular_velocity_about_axes(inertia, momentum, w);
}

DS_FUNC void ds_sum_rotation(const ds_step_context *c, const ds_operation *o, const ds_particle *p, double *add)
{
  const double length = o->number[0], velocity = o->number[1], mass = c->from[3];
  double x[3], r[3], v[3];
  ds_unwrapped(c, p, x);
  for (int d = 0; d < 3; d++) {
    r[d] = x[d] / length - c->from[d] / mass;
    v[d] = p->v[d] / velocity;
  }
  add[0] = p->mass * (r[1] * v[2] - r[2] * v[1]);
  add[1] = p->mass * (r[2] * v[0] - r[0] * v[2]);
  add[2] = p->mass * (r[0] * v[1] - r[1] * v[0]);
  add[3] = p->mass * (r[1] * r[1] + r[2] * r[2]);
  add[4] = p->mass * (r[0] * r[0] + r[2] * r[2]);
  add[5] = p->mass * (r[0] * r[0] + r[1] * r[1]);
  add[6] = -p->mass * r[0] * r[1];
  add[7] = -p->mass * r[0] * r[2];
  add[8] = -p->mass * r[1] * r[2];
}

DS_FUNC void ds_remove_rotation(const ds_step_context *c, const ds_operation *o, ds_particle *p)
{
  const double length = o->number[0], velocity = o->number[1], mass = c->also[3];
  double x[3], r[3], momentum[3], inertia[6], w[3];
  if (!(mass > 0.0)) return;
  ds_unwrapped(c, p, x);
  for (int d = 0; d < 3; d++) {
    r[d] = x[d] - c->also[d] / mass * length;
    momentum[d] = c->from[d] * length * velocity;
  }
  for (int k = 0; k < 6; k++) inertia[k] = c->from[3 + k] * length * length;
  ds_angular_velocity(inertia, momentum, w);
  p->v[0] -= w[1] * r[2] - w[2] * r[1];
  p->v[1] -= w[2] * r[0] - w[0] * r[2];
  p->v[2] -= w[0] * r[1] - w[1] * r[0];
}

#endif
