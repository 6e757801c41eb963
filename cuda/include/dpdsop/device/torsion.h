/* Torsions, which are terms of four atoms: the operations of LAMMPS's dihedral styles harmonic, charmm and opls and of its
   improper style harmonic, in their order, each rounded by itself.
   The arc cosine, the sine and the cosine of LAMMPS's opls and of its harmonic impropers are the mathematical library's, whose
   last bits differ between host and GPU. The other styles have the same bits everywhere.
   Vectors between the atoms, as in LAMMPS: b[0] from the second to the first, b[1] from the second to the third, b[2] from the
   third to the fourth. Their cosines are between -1 and 1 but for rounding, so that LAMMPS's warning of others never comes.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_TORSION_H
#define DPDSOP_TORSION_H

#include "dpdsop/device/bonded.h"

#define DS_SMALLEST_TORSION_SINE 1e-5

/* 1 / x, but 0 of 0. */
DS_FUNC double ds_inverse_or_0(double x)
{
  return x > 0.0 ? 1.0 / x : 0.0;
}

DS_FUNC double ds_limited_cosine(double c)
{
  return c > 1.0 ? 1.0 : c < -1.0 ? -1.0 : c;
}

DS_FUNC double ds_not_below(double x, double least)
{
  return x < least ? least : x;
}

/* Forces on the first and the fourth atom are f[0] and f[3]. That on the second is the sum of `s`, of `sign`, less f[0]; the
   third has the rest. */
DS_FUNC void ds_balance_torsion(double sign, const double s[3], double f[4][3])
{
  for (int d = 0; d < 3; d++) {
    f[1][d] = sign * s[d] - f[0][d];
    f[2][d] = -sign * s[d] - f[3][d];
  }
}

/* ------------------------------------------------------------------------------------- styles of series */

/* 1 + cos(m phi - shift), by adding phi m times, and its derivative by phi. c, s: of phi. */
DS_FUNC double ds_fourier_value(const ds_bonded_type *t, double c, double s, double *slope)
{
  const int m = (int) t->multiplicity;
  double cosine = 1.0, previous = 0.0, sine = 0.0;
  for (int i = 0; i < m; i++) {
    previous = cosine * c - sine * s;
    sine = cosine * s + sine * c;
    cosine = previous;
  }
  *slope = 0.0;
  if (m == 0) return 1.0 + t->cosine;
  *slope = (sine * t->cosine - previous * t->sine) * -(double) m;
  return cosine * t->cosine + sine * t->sine + 1.0;
}

DS_FUNC double ds_fourier_forces(const ds_bonded_type *t, double b[3][3], double f[4][3])
{
  double back[3], p[3], q[3], s[3], slope;
  for (int d = 0; d < 3; d++) back[d] = -b[1][d];
  ds_cross(b[0], back, p);
  ds_cross(b[2], back, q);
  const double length = sqrt(ds_dot(back, back)), by_length = ds_inverse_or_0(length);
  const double by_p2 = ds_inverse_or_0(ds_dot(p, p)), by_q2 = ds_inverse_or_0(ds_dot(q, q)), by_pq = sqrt(by_p2 * by_q2);
  const double cosine = ds_limited_cosine(ds_dot(p, q) * by_pq), sine = length * by_pq * ds_dot(p, b[2]);
  const double value = ds_fourier_value(t, cosine, sine, &slope);
  const double of_p = ds_dot(b[0], back) * by_p2 * by_length, of_q = ds_dot(b[2], back) * by_q2 * by_length;
  const double first = -by_p2 * length, fourth = by_q2 * length, strength = -t->k * slope;
  for (int d = 0; d < 3; d++) {
    s[d] = strength * (of_p * p[d] - of_q * q[d]);
    f[0][d] = strength * (first * p[d]);
    f[3][d] = strength * (fourth * q[d]);
  }
  ds_balance_torsion(1.0, s, f);
  return t->k * value;
}

/* ------------------------------------------------------------------------------ styles of the cosine */

/* Where the angle between the planes of the atoms depends on their places: inverse squares of the three lengths, products of
   the inverse lengths 1 2, 2 3, 1 3, cosines of the angles between the vectors 1 3, 1 2, and -2 3; inverse squares of the sines
   of the last two; and the inverse product of these sines. */
typedef struct {
  double inverse2[3], by_12, by_23, by_13, c0, c1, c2, s1, s2, s12;
} ds_torsion_geometry;

/* Of a derivative of the energy by the cosine: the parts of the vectors in the forces on the atoms. */
typedef struct {
  double a11, a22, a33, a12, a13, a23;
} ds_torsion_parts;

DS_FUNC ds_torsion_parts ds_parts_of_torsion(const ds_torsion_geometry *g, double cosine, double slope)
{
  const double c = cosine * slope, s12 = g->s12 * slope;
  ds_torsion_parts a;
  a.a11 = c * g->inverse2[0] * g->s1;
  a.a22 = -g->inverse2[1] * (2.0 * g->c0 * s12 - c * (g->s1 + g->s2));
  a.a33 = c * g->inverse2[2] * g->s2;
  a.a12 = -g->by_12 * (g->c1 * c * g->s1 + g->c2 * s12);
  a.a13 = -g->by_13 * s12;
  a.a23 = g->by_23 * (g->c2 * c * g->s2 + g->c1 * s12);
  return a;
}

/* Dihedrals add the parts of the vectors up in this order, impropers that of the first vector, or of the first of two, last. */
DS_FUNC double ds_three_in_order(int first_last, double first, double second, double third)
{
  return first_last ? second + third + first : first + second + third;
}

DS_FUNC void ds_forces_of_parts(const ds_torsion_parts *a, int first_last, double b[3][3], double f[4][3])
{
  double s[3];
  for (int d = 0; d < 3; d++) {
    const double x = b[0][d], y = b[1][d], z = b[2][d];
    s[d] = ds_three_in_order(first_last, a->a12 * x, a->a22 * y, a->a23 * z);
    f[0][d] = ds_three_in_order(first_last, a->a11 * x, a->a12 * y, a->a13 * z);
    f[3][d] = ds_three_in_order(first_last, a->a13 * x, a->a23 * y, a->a33 * z);
  }
  ds_balance_torsion(-1.0, s, f);
}

/* With the sines of the angles at least DS_SMALLEST_SINE. Returns the cosine of the torsion. */
DS_FUNC double ds_dihedral_geometry(double b[3][3], ds_torsion_geometry *g)
{
  double length[3], back[3], sine[2];
  for (int k = 0; k < 3; k++) {
    const double r2 = ds_dot(b[k], b[k]);
    g->inverse2[k] = 1.0 / r2;
    length[k] = sqrt(r2);
    back[k] = -b[1][k];
  }
  const double by_1 = sqrt(g->inverse2[0]), by_3 = sqrt(g->inverse2[2]);
  g->c0 = ds_dot(b[0], b[2]) * by_1 * by_3;
  g->by_12 = 1.0 / (length[0] * length[1]);
  g->by_23 = 1.0 / (length[1] * length[2]);
  g->by_13 = by_1 * by_3;
  g->c1 = ds_dot(b[0], b[1]) * g->by_12;
  g->c2 = ds_dot(back, b[2]) * g->by_23;
  sine[0] = 1.0 / ds_not_below(sqrt(ds_not_below(1.0 - g->c1 * g->c1, 0.0)), DS_SMALLEST_SINE);
  sine[1] = 1.0 / ds_not_below(sqrt(ds_not_below(1.0 - g->c2 * g->c2, 0.0)), DS_SMALLEST_SINE);
  g->s1 = sine[0] * sine[0];
  g->s2 = sine[1] * sine[1];
  g->s12 = sine[0] * sine[1];
  return ds_limited_cosine((g->c0 + g->c1 * g->c2) * g->s12);
}

/* With the squares of these sines at least DS_SMALLEST_SINE. */
DS_FUNC double ds_improper_geometry(double b[3][3], ds_torsion_geometry *g)
{
  double by[3];
  for (int k = 0; k < 3; k++) {
    g->inverse2[k] = 1.0 / ds_dot(b[k], b[k]);
    by[k] = sqrt(g->inverse2[k]);
  }
  g->c0 = ds_dot(b[0], b[2]) * by[0] * by[2];
  g->c1 = ds_dot(b[0], b[1]) * by[0] * by[1];
  g->c2 = -ds_dot(b[2], b[1]) * by[2] * by[1];
  g->by_12 = by[0] * by[1];
  g->by_23 = by[1] * by[2];
  g->by_13 = by[0] * by[2];
  g->s1 = 1.0 / ds_not_below(1.0 - g->c1 * g->c1, DS_SMALLEST_SINE);
  g->s2 = 1.0 / ds_not_below(1.0 - g->c2 * g->c2, DS_SMALLEST_SINE);
  g->s12 = sqrt(g->s1 * g->s2);
  return ds_limited_cosine((g->c1 * g->c2 + g->c0) * g->s12);
}

/* As LAMMPS does it: by the angle, whose sign is that of the volume that the vectors span. */
DS_FUNC double ds_opls_angle(double b[3][3], double cosine)
{
  double normal[3];
  ds_cross(b[0], b[1], normal);
  const double volume = ds_dot(normal, b[2]) / sqrt(ds_dot(normal, normal)) / sqrt(ds_dot(b[2], b[2])), phi = acos(cosine);
  return volume < 0.0 ? -phi : phi;
}

DS_FUNC double ds_opls_by_angle(const ds_bonded_type *t, double c, double phi, double *slope)
{
  double sine = sin(phi);
  if (fabs(sine) < DS_SMALLEST_TORSION_SINE) sine = DS_SMALLEST_TORSION_SINE;
  const double by_sine = 1.0 / sine;
  *slope = t->k - 2.0 * t->k2 * sin(2.0 * phi) * by_sine + 3.0 * t->k3 * sin(3.0 * phi) * by_sine -
           4.0 * t->k4 * sin(4.0 * phi) * by_sine;
  return t->k * (1.0 + c) + t->k2 * (1.0 - cos(2.0 * phi)) + t->k3 * (1.0 + cos(3.0 * phi)) + t->k4 * (1.0 - cos(4.0 * phi));
}

/* The same by polynomials of Chebyshev, which are cos n phi, and sin n phi / sin phi, in terms of cos phi. */
DS_FUNC double ds_opls_by_cosine(const ds_bonded_type *t, double c, double *slope)
{
  const double c2 = c * c, cos2 = 2.0 * c2 - 1.0;
  *slope = t->k - 4.0 * t->k2 * c + 3.0 * t->k3 * (4.0 * c2 - 1.0) - 16.0 * t->k4 * c * cos2;
  return t->k * (1.0 + c) + t->k2 * (1.0 - cos2) + t->k3 * (1.0 + c * (4.0 * c2 - 3.0)) + t->k4 * (2.0 - 2.0 * cos2 * cos2);
}

DS_FUNC double ds_opls_forces(int style, const ds_bonded_type *t, double b[3][3], double f[4][3])
{
  ds_torsion_geometry g;
  const double c = ds_dihedral_geometry(b, &g);
  double slope;
  const double energy = style == DS_DIHEDRAL_STYLE_OPLS ? ds_opls_by_angle(t, c, ds_opls_angle(b, c), &slope)
                                                        : ds_opls_by_cosine(t, c, &slope);
  const ds_torsion_parts a = ds_parts_of_torsion(&g, c, slope);
  ds_forces_of_parts(&a, 0, b, f);
  return energy;
}

DS_FUNC double ds_improper_forces(int style, const ds_bonded_type *t, double b[3][3], double f[4][3])
{
  ds_torsion_geometry g;
  const double c = ds_improper_geometry(b, &g), sine = ds_not_below(sqrt(1.0 - c * c), DS_SMALLEST_SINE);
  const double away = (style == DS_IMPROPER_STYLE_HARMONIC ? acos(c) : ds_arc_cosine(c)) - t->at, pull = t->k * away;
  const ds_torsion_parts a = ds_parts_of_torsion(&g, c, -pull * 2.0 / sine);
  ds_forces_of_parts(&a, 1, b, f);
  return pull * away;
}

/* ------------------------------------------------------------------------------------------ all styles */

/* On the four atoms; returns the energy. */
DS_FUNC double ds_torsion_forces(int style, const ds_bonded_type *t, double b[3][3], double f[4][3])
{
  if (style == DS_DIHEDRAL_STYLE_FOURIER) return ds_fourier_forces(t, b, f);
  if (style == DS_IMPROPER_STYLE_HARMONIC || style == DS_IMPROPER_STYLE_HARMONIC_EXACT)
    return ds_improper_forces(style, t, b, f);
  return ds_opls_forces(style, t, b, f);
}

DS_FUNC double ds_torsion_virial(double b[3][3], double f[4][3], int row, int column)
{
  return b[0][row] * f[0][column] + b[1][row] * f[2][column] + (b[2][row] + b[1][row]) * f[3][column];
}

DS_FUNC void ds_torsion_values(int style, const ds_bonded_type *t, double b[3][3], double value[DS_TERM_SUMS])
{
  double f[4][3];
  value[0] = ds_torsion_forces(style, t, b, f);
  for (int d = 0; d < 3; d++) value[1 + d] = ds_torsion_virial(b, f, d, d);
  value[4] = ds_torsion_virial(b, f, 0, 1);
  value[5] = ds_torsion_virial(b, f, 0, 2);
  value[6] = ds_torsion_virial(b, f, 1, 2);
}

#endif
