/* Walls that push: LAMMPS's fixes wall/lj93, wall/lj126, wall/harmonic, on the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_wall_gpu.h"

#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

FixWallGPU::FixWallGPU(LAMMPS *lmp, int narg, char **arg) :
    FixStepWalls(lmp, narg, arg), kind(DS_WALL_HARMONIC)
{
  if (strncmp(style, "wall/lj93", 9) == 0) kind = DS_WALL_LJ93;
  if (strncmp(style, "wall/lj126", 10) == 0) kind = DS_WALL_LJ126;
  for (int k = 3; k < narg; k++) {
    if (k + 4 < narg && take_face(arg[k], arg[k + 1])) {
      const Strength s = {take_value(arg[k + 2], "epsilon"), take_value(arg[k + 3], "sigma"), number(arg[k + 4], "cutoff")};
      if (!(s.cutoff > 0.0)) refuse(fmt::format("cutoff {}", arg[k + 4]), "cutoff > 0");
      strength.push_back(s);
      k += 4;
    } else if (strcmp(arg[k], "fld") == 0) {
      if (utils::logical(FLERR, next(k, narg, arg), false, lmp)) refuse("fld yes", "fld no");
    } else if (!take_keyword(k, narg, arg))
      refuse(fmt::format("keyword {}", arg[k]), "a face with coordinate, epsilon, sigma and cutoff; units, pbc, fld no");
  }
  finish();
  scalar_flag = vector_flag = 1;
  size_vector = static_cast<int>(walls.size());
  global_freq = 1;
  extscalar = extvector = 1;
  energy_global_flag = virial_global_flag = virial_peratom_flag = 1;
}

/* ----------------------------------------------------------------------
   Coefficients of the potentials in LAMMPS's manual
------------------------------------------------------------------------- */

void FixWallGPU::declare(StepRecords &r, bigint)
{
  for (size_t k = 0; k < walls.size(); k++) {
    const Strength &s = strength[k];
    const double epsilon = value(s.epsilon), sigma = value(s.sigma);
    ds_operation &o = r.add(kind, DS_AT_POST_FORCE, groupbit);
    double *const c = o.number + 4;
    set(o, walls[k]);
    o.nsums = thermo_virial ? 3 : 2;
    o.unit = units.energy;
    o.number[3] = s.cutoff;
    const double r3 = pow(sigma, 3.0), r9 = pow(sigma, 9.0), r6 = pow(sigma, 6.0), r12 = pow(sigma, 12.0);
    const double i = 1.0 / s.cutoff, i2 = i * i, i4 = i2 * i2, i6 = i2 * i2 * i2;
    if (kind == DS_WALL_LJ93) {
      c[0] = 6.0 / 5.0 * epsilon * r9;
      c[1] = 3.0 * epsilon * r3;
      c[2] = 2.0 / 15.0 * epsilon * r9;
      c[3] = epsilon * r3;
      c[4] = c[2] * i4 * i4 * i - c[3] * i2 * i;
    } else if (kind == DS_WALL_LJ126) {
      c[0] = 48.0 * epsilon * r12;
      c[1] = 24.0 * epsilon * r6;
      c[2] = 4.0 * epsilon * r12;
      c[3] = 4.0 * epsilon * r6;
      c[4] = i6 * (c[2] * i6 - c[3]);
    } else {
      c[0] = 2.0 * epsilon;
      c[1] = epsilon;
    }
  }
}

double FixWallGPU::compute_scalar()
{
  double energy = 0.0;
  for (int k = 0; k < size_vector; k++) energy += total(k, 0);
  return energy;
}

void FixWallGPU::find_virial(const Totals &sum, double of_all[6]) const
{
  for (int k = 0; k < size_vector; k++) of_all[walls[k].axis] += sum(k, 2);
}
