/* Orientations of rigid bodies: quaternions, and how they turn in a step.   SPDX-License-Identifier: GPL-2.0-or-later

   Quaternion and angular velocity: dq/dt = 1/2 (0, w) q (Evans, Mol. Phys. 34, 317 (1977)). */
#ifndef DPDSOP_STEP_BODY_ORIENTATION_H
#define DPDSOP_STEP_BODY_ORIENTATION_H

#include "dpdsop/device/motion.h"
#include "dpdsop/step.h"

/* axis[k]: principal axis k in space. */
DS_FUNC void ds_body_axes(const double q[4], double axis[3][3])
{
  const double ww = q[0] * q[0], xx = q[1] * q[1], yy = q[2] * q[2], zz = q[3] * q[3];
  const double wx = 2.0 * q[0] * q[1], wy = 2.0 * q[0] * q[2], wz = 2.0 * q[0] * q[3];
  const double xy = 2.0 * q[1] * q[2], xz = 2.0 * q[1] * q[3], yz = 2.0 * q[2] * q[3];
  axis[0][0] = ww + xx - yy - zz;
  axis[0][1] = xy + wz;
  axis[0][2] = xz - wy;
  axis[1][0] = xy - wz;
  axis[1][1] = ww - xx + yy - zz;
  axis[1][2] = yz + wx;
  axis[2][0] = xz + wy;
  axis[2][1] = yz - wx;
  axis[2][2] = ww - xx - yy + zz;
}

DS_FUNC void ds_body_to_space(const double axis[3][3], const double in_body[3], double in_space[3])
{
  for (int d = 0; d < 3; d++) in_space[d] = axis[0][d] * in_body[0] + axis[1][d] * in_body[1] + axis[2][d] * in_body[2];
}

DS_FUNC void ds_space_to_body(const double axis[3][3], const double in_space[3], double in_body[3])
{
  for (int k = 0; k < 3; k++) in_body[k] = ds_dot(axis[k], in_space);
}

/* Angular velocity along the principal axes. */
DS_FUNC void ds_body_principal_omega(const ds_body *b, const double axis[3][3], double principal[3])
{
  ds_space_to_body(axis, b->momentum, principal);
  for (int k = 0; k < 3; k++) principal[k] = b->inertia[k] > 0.0 ? principal[k] / b->inertia[k] : 0.0;
}

/* Angular velocity in space that the body's angular momentum gives at the orientation q. */
DS_FUNC void ds_body_omega(const ds_body *b, const double q[4], double omega[3])
{
  double axis[3][3], principal[3];
  ds_body_axes(q, axis);
  ds_body_principal_omega(b, axis, principal);
  ds_body_to_space(axis, principal, omega);
}

DS_FUNC void ds_make_unit_quaternion(double q[4])
{
  const double scale = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int k = 0; k < 4; k++) q[k] *= scale;
}

/* q rotated with the angular velocity w for a time dt, to first order. */
DS_FUNC void ds_rotated_quaternion(const double q[4], const double w[3], double dt, double to[4])
{
  const double half = 0.5 * dt;
  double cross[3];
  ds_cross(w, q + 1, cross);
  to[0] = q[0] - half * ds_dot(w, q + 1);
  for (int d = 0; d < 3; d++) to[1 + d] = q[1 + d] + half * (q[0] * w[d] + cross[d]);
  ds_make_unit_quaternion(to);
}

/* Richardson's iteration, as the page of LAMMPS's fix rigid describes it: a whole step, two half ones of which the second takes
   the angular velocity in the middle, and the extrapolation from both. omega becomes that in the middle of the step. */
DS_FUNC void ds_rotate_body_by_richardson(ds_body *b, double dt)
{
  double once[4], half[4], twice[4];
  ds_body_omega(b, b->quaternion, b->omega);
  ds_rotated_quaternion(b->quaternion, b->omega, dt, once);
  ds_rotated_quaternion(b->quaternion, b->omega, 0.5 * dt, half);
  ds_body_omega(b, half, b->omega);
  ds_rotated_quaternion(half, b->omega, 0.5 * dt, twice);
  for (int k = 0; k < 4; k++) b->quaternion[k] = 2.0 * twice[k] - once[k];
  ds_make_unit_quaternion(b->quaternion);
}

/* --------------------------------------------------------------------------- rotations one by one: no_squish */

/* With the same bits on every machine: sums and products alone, each rounded by itself. To 2^-52 of angles up to some thousand.
   The angle is brought to |r| <= pi/4, in which the terms of the series from r^20 on are below 2^-60. */
DS_FUNC void ds_sin_cos(double angle, double *sine, double *cosine)
{
  enum { TERMS = 9 };
  const double half_pi_high = 0x1.921fb54400000p+0, half_pi_low = 0x1.0b4611a626331p-34;
  const double n = floor(angle * (2.0 / 3.14159265358979323846) + 0.5), quarter = n - 4.0 * floor(0.25 * n);
  const double r = (angle - n * half_pi_high) - n * half_pi_low, r2 = r * r;
  double s = 1.0, c = 1.0;
  for (int k = TERMS; k > 0; k--) {
    s = 1.0 - r2 / (2 * k * (2 * k + 1)) * s;
    c = 1.0 - r2 / (2 * k * (2 * k - 1)) * c;
  }
  s *= r;
  *sine = quarter == 0.0 ? s : quarter == 1.0 ? c : quarter == 2.0 ? -s : -c;
  *cosine = quarter == 0.0 ? c : quarter == 1.0 ? -s : quarter == 2.0 ? -c : s;
}

/* About principal axis k alone for a time dt, by the angular momentum along it: q becomes q (cos a, sin a about k). The angular
   momentum in space stays: so a body without torques keeps it to the last bit. */
DS_FUNC void ds_turn_body_about(ds_body *b, int k, double dt)
{
  const double *const moment = b->inertia;
  double axis[3][3], q[4], s, c;
  if (!(moment[k] > 0.0)) return;
  for (int j = 0; j < 4; j++) q[j] = b->quaternion[j];
  ds_body_axes(q, axis);
  ds_sin_cos(0.5 * dt * ds_dot(axis[k], b->momentum) / moment[k], &s, &c);
  const int next = (k + 1) % 3, last = (k + 2) % 3;
  b->quaternion[0] = c * q[0] - s * q[1 + k];
  b->quaternion[1 + k] = c * q[1 + k] + s * q[0];
  b->quaternion[1 + next] = c * q[1 + next] + s * q[1 + last];
  b->quaternion[1 + last] = c * q[1 + last] - s * q[1 + next];
}

/* Miller et al., J. Chem. Phys. 116, 8649 (2002), in the order of LAMMPS's fix rigid/nve: half a step about the third axis,
   half about the second, a whole one about the first, and back. omega becomes that at the end. */
DS_FUNC void ds_rotate_body_by_no_squish(ds_body *b, double dt)
{
  ds_turn_body_about(b, 2, 0.5 * dt);
  ds_turn_body_about(b, 1, 0.5 * dt);
  ds_turn_body_about(b, 0, dt);
  ds_turn_body_about(b, 1, 0.5 * dt);
  ds_turn_body_about(b, 2, 0.5 * dt);
  ds_make_unit_quaternion(b->quaternion);
  ds_body_omega(b, b->quaternion, b->omega);
}

#endif
