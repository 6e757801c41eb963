/* A constant acceleration: LAMMPS's fix gravity, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_gravity_gpu.h"

#include "domain.h"

#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

FixGravityGPU::FixGravityGPU(LAMMPS *lmp, int narg, char **arg) :
    FixStep(lmp, narg, arg), magnitude(0), direction()
{
  static constexpr char SYNTAX[] = "magnitude chute angle, spherical phi theta, or vector x y z";
  static constexpr double DEGREE = 3.14159265358979323846 / 180.0;
  scalar_flag = 1;
  global_freq = 1;
  extscalar = 1;
  energy_global_flag = 1;
  if (narg < 5) refuse("too few arguments", SYNTAX);
  magnitude = take_value(arg[3], "magnitude");
  const bool flat = domain->dimension == 2;
  if (strcmp(arg[4], "chute") == 0 && narg == 6) {
    const double angle = number(arg[5], "angle") * DEGREE;
    direction[0] = sin(angle);
    direction[flat ? 1 : 2] = -cos(angle);
  } else if (strcmp(arg[4], "spherical") == 0 && narg == 7) {
    const double phi = number(arg[5], "phi") * DEGREE, theta = number(arg[6], "theta") * DEGREE;
    direction[0] = flat ? sin(theta) : sin(theta) * cos(phi);
    direction[1] = flat ? cos(theta) : sin(theta) * sin(phi);
    direction[2] = flat ? 0.0 : cos(theta);
  } else if (strcmp(arg[4], "vector") == 0 && narg == 8) {
    for (int d = 0; d < 3; d++) direction[d] = number(arg[5 + d], "direction");
    if (flat) direction[2] = 0.0;
    const double length = sqrt(direction[0] * direction[0] + direction[1] * direction[1] +
                               direction[2] * direction[2]);
    if (!(length > 0.0)) refuse("a direction of length 0", "x y z with a length > 0");
    for (double &d : direction) d /= length;
  } else
    refuse(fmt::format("style {} with {} values", arg[4], narg - 5), SYNTAX);
}

/* ---------------------------------------------------------------------- */

void FixGravityGPU::declare(StepRecords &r, bigint)
{
  ds_operation &o = r.add(DS_GRAVITY, DS_AT_POST_FORCE, groupbit);
  o.nsums = 1;
  o.unit = units.energy;
  for (int d = 0; d < 3; d++) o.number[d] = value(magnitude) * direction[d];
}
