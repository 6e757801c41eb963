/* A group that is tethered: LAMMPS's fix spring tether, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_spring_gpu.h"

#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

FixSpringGPU::FixSpringGPU(LAMMPS *lmp, int narg, char **arg) :
    FixStep(lmp, narg, arg), constant(0.0), at(), rest(0.0), along()
{
  if (narg != 9 || strcmp(arg[3], "tether") != 0)
    refuse(narg > 3 ? fmt::format("{} with {} values", arg[3], narg - 4) : "too few arguments",
           "tether K x y z R0; LAMMPS's own fix has couple (suffix off)");
  scalar_flag = vector_flag = 1;
  size_vector = 4;
  global_freq = 1;
  extscalar = extvector = 1;
  energy_global_flag = 1;
  constant = number(arg[4], "K");
  for (int d = 0; d < 3; d++) {
    along[d] = strcmp(arg[5 + d], "NULL") != 0;
    if (along[d]) at[d] = number(arg[5 + d], "position");
  }
  rest = number(arg[8], "R0");
  if (!(rest >= 0.0)) refuse(fmt::format("R0 {}", arg[8]), "R0 >= 0");
}

/* ----------------------------------------------------------------------
   Adds up the center of mass, then adds each atom's part of the force
------------------------------------------------------------------------- */

void FixSpringGPU::declare(StepRecords &r, bigint)
{
  StepArrays::add_center(r, DS_AT_POST_FORCE, groupbit, units);
  ds_operation &o = r.add(DS_SPRING_TETHER, DS_AT_POST_FORCE, groupbit);
  o.flags = DS_AFTER_SUMS;
  o.from = 0;
  o.number[0] = constant;
  for (int d = 0; d < 3; d++) {
    o.number[1 + d] = at[d];
    o.number[4 + d] = along[d] ? 1.0 : 0.0;
  }
  o.number[7] = rest;
  o.number[8] = units.length;
}

/* ---------------------------------------------------------------------- */

double FixSpringGPU::pull(double force[3]) const
{
  const double mass = total(0, 3);
  double away[3] = {0.0, 0.0, 0.0};
  for (int d = 0; d < 3; d++)
    if (along[d]) away[d] = (mass > 0.0 ? total(0, d) / mass * units.length : 0.0) - at[d];
  double r = sqrt(away[0] * away[0] + away[1] * away[1] + away[2] * away[2]);
  if (r < 1e-10) r = 1e-10;
  for (int d = 0; d < 3; d++) force[d] = -constant * (r - rest) * away[d] / r;
  return r;
}

double FixSpringGPU::compute_scalar()
{
  double force[3];
  const double stretched = pull(force) - rest;
  return 0.5 * constant * stretched * stretched;
}

double FixSpringGPU::compute_vector(int k)
{
  double force[3];
  const double r = pull(force);
  if (k < 3) return force[k];
  const double size = sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]);
  return r < rest ? -size : size;
}
