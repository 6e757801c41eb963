/* Bonds and angles between atoms that stay with the engine: the operations of LAMMPS's bond styles harmonic and fene and
   of its angle styles harmonic and cosine, in their order, each rounded by itself.
   The arc cosine of LAMMPS's angle style harmonic is the mathematical library's, whose last bit differs between host and
   GPU. The style with an arc cosine of its own has the same bits everywhere.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_BONDED_H
#define DPDSOP_BONDED_H

#include "dpdsop/device/motion.h"

#define DS_CUBE_ROOT_OF_2 1.25992104989487316477
#define DS_SMALLEST_SINE 0.001
#define DS_FENE_LEAST 0.1 /* of 1 - r^2/at^2: LAMMPS warns of longer bonds, and takes this */

/* 1 - (r / longest)^2, whose logarithm is the energy of a fene bond. */
DS_FUNC double ds_fene_argument(const ds_bonded_type *t, double r2)
{
  return 1.0 - r2 / (t->at * t->at);
}

/* The same, but not below DS_FENE_LEAST. */
DS_FUNC double ds_fene_argument_limited(const ds_bonded_type *t, double r2, int *too_long)
{
  const double rest = ds_fene_argument(t, r2);
  if (rest < DS_FENE_LEAST) *too_long = 1;
  return rest < DS_FENE_LEAST ? DS_FENE_LEAST : rest;
}

/* 1 where r is below the minimum of the second part of the potential. */
DS_FUNC int ds_fene_is_repulsive(const ds_bonded_type *t, double r2)
{
  return r2 < DS_CUBE_ROOT_OF_2 * t->sigma * t->sigma;
}

/* Force over distance. `too_long` is set where a fene bond is longer than LAMMPS lets pass without a word. */
DS_FUNC double ds_bond_force(int style, const ds_bonded_type *t, double r2, int *too_long)
{
  if (style == DS_BOND_STYLE_HARMONIC) {
    const double r = sqrt(r2);
    return r > 0.0 ? -2.0 * (t->k * (r - t->at)) / r : 0.0;
  }
  double force = -t->k / ds_fene_argument_limited(t, r2, too_long);
  if (ds_fene_is_repulsive(t, r2)) {
    const double s2 = t->sigma * t->sigma / r2, s6 = s2 * s2 * s2;
    force += 48.0 * t->epsilon * s6 * (s6 - 0.5) / r2;
  }
  return force;
}

DS_FUNC double ds_bond_energy(int style, const ds_bonded_type *t, double r2)
{
  int too_long;
  if (style == DS_BOND_STYLE_HARMONIC) {
    const double stretch = sqrt(r2) - t->at;
    return t->k * stretch * stretch;
  }
  const double longest2 = t->at * t->at;
  const double factor = -0.5 * t->k * longest2, logarithm = log(ds_fene_argument_limited(t, r2, &too_long));
  if (!ds_fene_is_repulsive(t, r2)) return factor * logarithm;
  const double s2 = t->sigma * t->sigma / r2, s6 = s2 * s2 * s2;
  return factor * logarithm + (4.0 * t->epsilon * s6 * (s6 - 1.0) + t->epsilon);
}

/* asin(x) - x for |x| <= 1/2. tools/fit-polynomials derives the coefficients. */
DS_FUNC double ds_arc_sine_excess(double x)
{
  const double t = x * x;
  double p = 0.02828922709997124;
  p = p * t - 0.01091353867705994;
  p = p * t + 0.016132837515231493;
  p = p * t + 0.0077704215273638588;
  p = p * t + 0.011882241805831735;
  p = p * t + 0.013928754300783677;
  p = p * t + 0.01735533675871348;
  p = p * t + 0.022372043542760747;
  p = p * t + 0.030381947493973379;
  p = p * t + 0.044642857101407071;
  p = p * t + 0.075000000000220127;
  p = p * t + 0.16666666666666646;
  return x * t * p;
}

/* Of -1 to 1, to two units of the last place. Of operations that are rounded by themselves alone. */
DS_FUNC double ds_arc_cosine(double x)
{
  const double pi = 3.14159265358979311600, rest = 1.2246467991473532e-16; /* which pi lacks */
  if (fabs(x) <= 0.5) return 0.5 * pi - (x - (0.5 * rest - ds_arc_sine_excess(x)));
  const double half = sqrt(0.5 * (1.0 - fabs(x))); /* sine of half the angle */
  if (x > 0.0) return 2.0 * (half + ds_arc_sine_excess(half));
  return pi - (2.0 * half - (rest - 2.0 * ds_arc_sine_excess(half)));
}

/* d1 and d3: from the atom in the middle to the others. */
DS_FUNC double ds_angle_cosine(const double d1[3], const double d3[3], double r1_r3)
{
  const double cosine = ds_dot(d1, d3) / r1_r3;
  return cosine > 1.0 ? 1.0 : cosine < -1.0 ? -1.0 : cosine;
}

/* Of the first and the third atom, at d1 and d3 from the one in the middle; returns the energy. */
DS_FUNC double ds_angle_forces(int style, const ds_bonded_type *t, const double d1[3], const double d3[3], double f1[3],
                               double f3[3])
{
  const double r1_2 = ds_dot(d1, d1), r3_2 = ds_dot(d3, d3);
  const double r1_r3 = sqrt(r1_2) * sqrt(r3_2);
  const double cosine = ds_angle_cosine(d1, d3, r1_r3);
  double slope = t->k, energy;
  if (style != DS_ANGLE_STYLE_COSINE) {
    double sine = sqrt(1.0 - cosine * cosine);
    if (sine < DS_SMALLEST_SINE) sine = DS_SMALLEST_SINE;
    const double angle = style == DS_ANGLE_STYLE_HARMONIC ? acos(cosine) : ds_arc_cosine(cosine);
    const double bend = angle - t->at, slope_of_energy = t->k * bend;
    slope = -2.0 * slope_of_energy * (1.0 / sine);
    energy = slope_of_energy * bend;
  } else {
    energy = t->k * (1.0 + cosine);
  }
  const double own1 = slope * cosine / r1_2, other = -slope / r1_r3, own3 = slope * cosine / r3_2;
  for (int d = 0; d < 3; d++) {
    f1[d] = own1 * d1[d] + other * d3[d];
    f3[d] = own3 * d3[d] + other * d1[d];
  }
  return energy;
}

/* ------------------------------------------------------------------------------------------- values */

/* Of a term: energy, virial xx yy zz xy xz yz. */
enum { DS_TERM_SUMS = 7 };

/* `way`: from the second member to the first. */
DS_FUNC void ds_bond_values(int style, const ds_bonded_type *t, const double way[3], double value[DS_TERM_SUMS])
{
  int too_long = 0;
  const double r2 = ds_dot(way, way), force = ds_bond_force(style, t, r2, &too_long);
  value[0] = ds_bond_energy(style, t, r2);
  for (int d = 0; d < 3; d++) value[1 + d] = way[d] * way[d] * force;
  value[4] = way[0] * way[1] * force;
  value[5] = way[0] * way[2] * force;
  value[6] = way[1] * way[2] * force;
}

/* d1 and d3: from the atom in the middle to the others. */
DS_FUNC void ds_angle_values(int style, const ds_bonded_type *t, const double d1[3], const double d3[3],
                             double value[DS_TERM_SUMS])
{
  double f1[3], f3[3];
  value[0] = ds_angle_forces(style, t, d1, d3, f1, f3);
  for (int d = 0; d < 3; d++) value[1 + d] = d1[d] * f1[d] + d3[d] * f3[d];
  value[4] = d1[0] * f1[1] + d3[0] * f3[1];
  value[5] = d1[0] * f1[2] + d3[0] * f3[2];
  value[6] = d1[1] * f1[2] + d3[1] * f3[2];
}

/* The part of each member in such a value. */
DS_FUNC double ds_member_share(int members, double value)
{
  return members == 3 ? value * (1.0 / 3.0) : members == 2 ? 0.5 * value : 0.25 * value;
}

#endif
