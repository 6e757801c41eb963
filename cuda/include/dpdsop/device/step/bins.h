/* The bin that a particle is in, and what is added up there: LAMMPS's compute chunk/atom with bins, and fix ave/chunk.
   SPDX-License-Identifier: GPL-2.0-or-later

   DS_ADD_TO_BINS: number 0 which of the program's binnings; 1 to 4 what of velocities is no heat, for DS_BIN_MVV. What
   DS_BIN_ATOM_VALUE reads has been tallied in the same step. Comparisons
   and roundings are LAMMPS's, so that each particle is in the bin in which LAMMPS has it. Positions stay as they are. */
#ifndef DPDSOP_STEP_BINS_H
#define DPDSOP_STEP_BINS_H

#include "dpdsop/device/step/atom_value.h"

enum {
  DS_NO_BIN = -1,
  DS_MAX_PERIODS = 64 /* that a center of shells is away from the box at most */
};

/* The image in the box, of a particle that has left it since lists were rebuilt. */
DS_FUNC double ds_image_inside(double x, double lo, double hi, double period)
{
  if (x < lo) x += period;
  if (x >= hi) x -= period;
  return x;
}

/* A coordinate, or a fraction of the box. */
DS_FUNC double ds_bin_coordinate(const ds_binning *b, const double x[3], int axis)
{
  const double *const inverse = b->inverse;
  const double from_lo[3] = {x[0] - b->lo[0], x[1] - b->lo[1], x[2] - b->lo[2]};
  double at = ds_component(x, axis);
  if (b->reduced && axis == 0) at = inverse[0] * from_lo[0] + inverse[5] * from_lo[1] + inverse[4] * from_lo[2];
  if (b->reduced && axis == 1) at = inverse[1] * from_lo[1] + inverse[3] * from_lo[2];
  if (b->reduced && axis == 2) at = inverse[2] * from_lo[2];
  if (!b->periodic[axis]) return at;
  return b->reduced ? ds_image_inside(at, 0.0, 1.0, 1.0) : ds_image_inside(at, b->lo[axis], b->hi[axis], b->period[axis]);
}

/* Number `bin` of n, where those before the first and behind the last have been moved to these, or are none. */
DS_FUNC int ds_bin_within(double bin, int n, int keeps_below, int keeps_above)
{
  if (!(bin >= 0.0)) return keeps_below ? 0 : DS_NO_BIN;
  if (bin >= (double) n) return keeps_above ? n - 1 : DS_NO_BIN;
  return (int) bin;
}

/* LAMMPS cuts a number of type int; what is far outside stays so here. */
DS_FUNC double ds_bin_number(double at, double first, double inverse)
{
  return trunc((at - first) * inverse) - (at < first ? 1.0 : 0.0);
}

DS_FUNC int ds_layer_of(const ds_binning *b, int k, const double x[3])
{
  const ds_bin_layers *const l = &b->layers[k];
  const double at = ds_bin_coordinate(b, x, l->axis);
  return ds_bin_within(ds_bin_number(at, l->first, l->inverse), l->n, l->keeps_below, l->keeps_above);
}

/* From the center of shells, along one axis. */
DS_FUNC double ds_from_center(const ds_binning *b, const double x[3], int axis)
{
  const double period = b->period[axis];
  double at = x[axis];
  if (b->periodic[axis]) at = ds_image_inside(at, b->lo[axis], b->hi[axis], period);
  double d = at - b->center[axis];
  if (!b->nearest || !b->periodic[axis]) return d;
  for (int k = 0; k < DS_MAX_PERIODS && fabs(d) > 0.5 * period; k++) d = d < 0.0 ? d + period : d - period;
  return d;
}

DS_FUNC int ds_shell_of(const ds_binning *b, const double x[3])
{
  const int along = b->kind == DS_BINS_CYLINDER ? b->layers[0].axis : -1;
  double sum = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    if (axis == along) continue;
    const double d = ds_from_center(b, x, axis);
    sum += d * d;
  }
  return ds_bin_within(ds_bin_number(sqrt(sum), b->radius, b->inverse_width), b->nshells, b->keeps_beyond, b->keeps_beyond);
}

/* DS_NO_BIN: it is in none. */
DS_FUNC int ds_bin_of(const ds_binning *b, const double x[3])
{
  int bin = 0;
  if (b->kind != DS_BINS_LAYERS) bin = ds_shell_of(b, x);
  for (int k = 0; k < b->nlayers && bin != DS_NO_BIN; k++) {
    const int layer = ds_layer_of(b, k, x);
    bin = layer == DS_NO_BIN ? DS_NO_BIN : bin * b->layers[k].n + layer;
  }
  return bin;
}

/* The bin of a molecule with this number. */
DS_FUNC int ds_bin_of_molecule(const ds_bin_molecules *m, int64_t number)
{
  return number < m->first || number - m->first >= m->n ? DS_NO_BIN : m->bin[number - m->first];
}

/* Of all layers and shells, or of molecules. */
DS_FUNC int64_t ds_bins_count(const ds_binning *b)
{
  if (b->kind == DS_BINS_MOLECULES) return b->molecules.nbins;
  int64_t n = b->kind == DS_BINS_LAYERS ? 1 : b->nshells;
  for (int k = 0; k < b->nlayers; k++) n *= b->layers[k].n;
  return n;
}

DS_FUNC double ds_bin_value_of(const ds_step_context *c, const ds_operation *o, int32_t kind, const ds_particle *p)
{
  double v[3];
  switch (kind) {
  case DS_BIN_VX:
  case DS_BIN_VY:
  case DS_BIN_VZ: return ds_component(p->v, kind - DS_BIN_VX);
  case DS_BIN_FX:
  case DS_BIN_FY:
  case DS_BIN_FZ: return ds_component(p->f, kind - DS_BIN_FX);
  case DS_BIN_MASS: return p->mass;
  case DS_BIN_PX:
  case DS_BIN_PY:
  case DS_BIN_PZ: return p->mass * ds_component(p->v, kind - DS_BIN_PX);
  case DS_BIN_MXX: return p->mass * p->v[0] * p->v[0];
  case DS_BIN_MYY: return p->mass * p->v[1] * p->v[1];
  case DS_BIN_MZZ: return p->mass * p->v[2] * p->v[2];
  case DS_BIN_MXY: return p->mass * p->v[0] * p->v[1];
  case DS_BIN_MXZ: return p->mass * p->v[0] * p->v[2];
  case DS_BIN_MYZ: return p->mass * p->v[1] * p->v[2];
  case DS_BIN_MVV: ds_thermal_velocity(c, o->number + 1, p, v); return (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) * p->mass;
  default: return 1.0;
  }
}

/* DS_BIN_MRX to DS_BIN_MRYZ: LAMMPS's computes com/chunk, gyration, gyration/chunk. Unwrapped positions of molecules are far
   from the origin after a while, so that the center of mass comes first and products are those of vectors from there. */
DS_FUNC int ds_bin_is_of_unwrapped(int32_t kind)
{
  return kind >= DS_BIN_MRX && kind <= DS_BIN_MRYZ;
}

DS_FUNC double ds_bin_unwrapped_value(const ds_step_context *c, const ds_binning *b, int bin, int32_t kind,
                                      const ds_particle *p)
{
  double x[3];
  ds_unwrapped(c, p, x);
  for (int d = 0; d < 3 && b->center_of; d++) x[d] -= b->center_of[3 * (size_t) bin + (size_t) d];
  if (kind < DS_BIN_MRXX) return p->mass * ds_component(x, kind - DS_BIN_MRX);
  const int product = kind - DS_BIN_MRXX;
  return p->mass * (ds_component(x, ds_first_axis(product)) * ds_component(x, ds_second_axis(product)));
}

/* Whether molecules are its bins, or values are made of unwrapped positions. */
DS_FUNC int ds_bins_read_unwrapped(const ds_binning *b)
{
  int reads = b->kind == DS_BINS_MOLECULES;
  for (int j = 0; j < b->nvalues; j++) reads = reads || ds_bin_is_of_unwrapped(b->value[j]);
  return reads;
}

/* What its values read of particles' tallies, as a set (ds_tallies). */
DS_FUNC int ds_tallies_of_bins(const ds_binning *b)
{
  int set = 0;
  for (int j = 0; j < b->nvalues; j++)
    if (b->value[j] == DS_BIN_ATOM_VALUE) set |= ds_tallies_of(&b->source[b->source_of[j]]);
  return set;
}

/* Whether something is added up in this step. */
DS_FUNC int ds_bins_are_due(const ds_binning *b, int64_t step)
{
  const int64_t past = step % b->period_of_steps;
  return step >= b->begin && (past == 0 || b->period_of_steps - past < b->within);
}

#endif
