/* Energy and stress of a particle: LAMMPS's computes pe/atom and stress/atom.   SPDX-License-Identifier: GPL-2.0-or-later

   Parts are added in LAMMPS's order: pairs, bonds, angles, motion. Those of a particle are made of integers, so that the value
   has the same bits whoever has tallied them. */
#ifndef DPDSOP_STEP_ATOM_VALUE_H
#define DPDSOP_STEP_ATOM_VALUE_H

#include "dpdsop/device/step/bias.h"

enum { DS_VIRIAL_COMPONENTS = 6 };

/* Of xx yy zz xy xz yz, the two axes. */
DS_FUNC int ds_first_axis(int component)
{
  return component < 3 ? component : component == 5 ? 1 : 0;
}

DS_FUNC int ds_second_axis(int component)
{
  return component < 3 ? component : component == 3 ? 1 : 2;
}

DS_FUNC double ds_tally_of(const ds_atom_value *value, const ds_tallies *t, int part, size_t i, int component)
{
  return value->is_virial ? t->virial[part][DS_VIRIAL_COMPONENTS * i + (size_t) component] : t->energy[part][i];
}

/* Of particle i, which is `p`. */
DS_FUNC double ds_atom_value_of(const ds_step_context *c, const ds_atom_value *value, const ds_tallies *t, size_t i,
                                int component, const ds_particle *p)
{
  double sum = 0.0, v[3];
  if (!(p->mask & value->group)) return 0.0;
  for (int part = 0; part < DS_TALLIES; part++)
    if (value->parts >> part & 1) sum += ds_tally_of(value, t, part, i, component);
  if (value->kinetic) {
    ds_thermal_velocity(c, value->bias, p, v);
    sum += value->mvv * p->mass * ds_component(v, ds_first_axis(component)) * ds_component(v, ds_second_axis(component));
  }
  return sum * value->factor;
}

/* What it reads, as a set (ds_tallies). */
DS_FUNC int ds_tallies_of(const ds_atom_value *value)
{
  return value->is_virial ? value->parts << DS_TALLIES : value->parts;
}

#endif
