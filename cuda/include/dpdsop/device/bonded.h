/* Bonds and angles between atoms that stay with the engine: the operations of LAMMPS's bond styles harmonic and fene and
   of its angle styles harmonic and cosine, in their order, each rounded by itself.
   The arc cosine of angle style harmonic is the mathematical library's, whose last bit differs between host and GPU.
   SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DPDSOP_BONDED_H
#define DPDSOP_BONDED_H

#include "dpdsop/device/motion.h"

#define DS_CUBE_ROOT_OF_2 1.25992104989487316477
#define DS_SMALLEST_SINE 0.001
#define DS_FENE_LEAST 0.1 /* of 1 - r^2/at^2: LAMMPS warns of longer bonds, and takes this */

/* Force over distance. `too_long` is set where a fene bond is longer than LAMMPS lets pass without a word. */
DS_FUNC double ds_bond_force(int style, const ds_bonded_type *t, double r2, int *too_long)
{
  if (style == DS_BOND_STYLE_HARMONIC) {
    const double r = sqrt(r2);
    return r > 0.0 ? -2.0 * (t->k * (r - t->at)) / r : 0.0;
  }
  const double rest = 1.0 - r2 / (t->at * t->at);
  if (!(rest >= DS_FENE_LEAST)) *too_long = 1;
  double force = -t->k / rest;
  if (r2 < DS_CUBE_ROOT_OF_2 * t->sigma * t->sigma) {
    const double s2 = t->sigma * t->sigma / r2, s6 = s2 * s2 * s2;
    force += 48.0 * t->epsilon * s6 * (s6 - 0.5) / r2;
  }
  return force;
}

DS_FUNC double ds_bond_energy(int style, const ds_bonded_type *t, double r2)
{
  if (style == DS_BOND_STYLE_HARMONIC) {
    const double way = sqrt(r2) - t->at;
    return t->k * way * way;
  }
  const double longest2 = t->at * t->at;
  const double factor = -0.5 * t->k * longest2, logarithm = log(1.0 - r2 / longest2);
  if (!(r2 < DS_CUBE_ROOT_OF_2 * t->sigma * t->sigma)) return factor * logarithm;
  const double s2 = t->sigma * t->sigma / r2, s6 = s2 * s2 * s2;
  return factor * logarithm + (4.0 * t->epsilon * s6 * (s6 - 1.0) + t->epsilon);
}

/* Of the first and the third atom, at d1 and d3 from the one in the middle; returns the energy. */
DS_FUNC double ds_angle_forces(int style, const ds_bonded_type *t, const double d1[3],
                               const double d3[3], double f1[3], double f3[3])
{
  const double r1_2 = ds_dot(d1, d1), r3_2 = ds_dot(d3, d3);
  const double r1_r3 = sqrt(r1_2) * sqrt(r3_2);
  double cosine = ds_dot(d1, d3) / r1_r3, slope = t->k, energy;
  if (cosine > 1.0) cosine = 1.0;
  if (cosine < -1.0) cosine = -1.0;
  if (style == DS_ANGLE_STYLE_HARMONIC) {
    double sine = sqrt(1.0 - cosine * cosine);
    if (sine < DS_SMALLEST_SINE) sine = DS_SMALLEST_SINE;
    const double away = acos(cosine) - t->at, pull = t->k * away;
    slope = -2.0 * pull * (1.0 / sine);
    energy = pull * away;
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

#endif
