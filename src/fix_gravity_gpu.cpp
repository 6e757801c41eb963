/* A constant acceleration: LAMMPS's fix gravity, on the engine.   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_gravity_gpu.h"

#include "pi.h"

#include "domain.h"

#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

FixGravityGPU::FixGravityGPU(LAMMPS *lmp, int narg, char **arg) :
    FixStep(lmp, narg, arg), kind(VECTOR), magnitude(0), towards()
{
  static constexpr struct {
    const char *name;
    int n;
    const char *values[3];
  } KINDS[] = {{"chute", 1, {"angle"}}, {"spherical", 2, {"phi", "theta"}}, {"vector", 3, {"x", "y", "z"}}};
  static constexpr char SYNTAX[] = "magnitude chute angle, spherical phi theta, or vector x y z";
  scalar_flag = 1;
  global_freq = 1;
  extscalar = 1;
  energy_global_flag = 1;
  if (narg < 5) refuse("too few arguments", SYNTAX);
  magnitude = take_value(arg[3], "magnitude");
  int k = 0;
  while (k < 3 && strcmp(arg[4], KINDS[k].name) != 0) k++;
  if (k == 3) refuse(fmt::format("style {}", arg[4]), SYNTAX);
  kind = static_cast<Kind>(k);
  if (narg != 5 + KINDS[k].n)
    refuse(fmt::format("{} with {} values", arg[4], narg - 5),
           std::string(SYNTAX) + "; LAMMPS's own fix has disable, too (suffix off)");
  for (int d = 0; d < KINDS[k].n; d++) towards[d] = take_value(arg[5 + d], KINDS[k].values[d]);
}

/* ---------------------------------------------------------------------- */

void FixGravityGPU::init()
{
  FixStep::init();
  if (changes_in_run()) return;
  double direction[3];
  find_direction(direction);
  if (!std::isfinite(direction[0])) refuse("a direction of length 0", "x y z with a length > 0");
}

/* ---------------------------------------------------------------------- */

void FixGravityGPU::find_direction(double direction[3]) const
{
  const bool flat = domain->dimension == 2;
  if (kind == VECTOR) {
    for (int d = 0; d < 3; d++) direction[d] = flat && d == 2 ? 0.0 : value(towards[d]);
    const double length = sqrt(direction[0] * direction[0] + direction[1] * direction[1] +
                               direction[2] * direction[2]);
    for (int d = 0; d < 3; d++) direction[d] /= length;
    return;
  }
  const double phi = kind == CHUTE ? 0.0 : value(towards[0]) * DEGREE;
  const double theta = (kind == CHUTE ? 180.0 - value(towards[0]) : value(towards[1])) * DEGREE;
  direction[0] = flat ? sin(theta) : sin(theta) * cos(phi);
  direction[1] = flat ? cos(theta) : sin(theta) * sin(phi);
  direction[2] = flat ? 0.0 : cos(theta);
}

/* ---------------------------------------------------------------------- */

void FixGravityGPU::declare(StepRecords &r, bigint)
{
  double direction[3];
  find_direction(direction);
  ds_operation &o = r.add(DS_GRAVITY, DS_AT_POST_FORCE, groupbit);
  o.nsums = 1;
  o.unit = units.energy;
  for (int d = 0; d < 3; d++) o.number[d] = value(magnitude) * direction[d];
}
