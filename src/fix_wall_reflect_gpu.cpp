/* Walls that reflect or send back: LAMMPS's fix wall/reflect, and fix wall/bounce.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_wall_reflect_gpu.h"

#include "update.h"

#include <algorithm>
#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

FixWallReflectGPU::FixWallReflectGPU(LAMMPS *lmp, int narg, char **arg) :
    FixStepWalls(lmp, narg, arg), bounces(strncmp(style, "wall/bounce", 11) == 0)
{
  for (int k = 3; k < narg; k++) {
    if (k + 1 < narg && take_face(arg[k], arg[k + 1])) {
      velocity.push_back({{0.0, 0.0, 0.0}});
      k++;
    } else if (bounces && strcmp(arg[k], "velocity") == 0 && !velocity.empty() && k + 3 < narg) {
      for (double &v : velocity.back().along) v = number(arg[++k], "velocity");
      if (velocity.back().along[walls.back().axis] != 0.0)
        refuse("a velocity across the wall", "one along it, 0 across");
    } else if (bounces && strcmp(arg[k], "region") == 0) {
      take_region(next(k, narg, arg));
    } else if (!take_keyword(k, narg, arg))
      refuse(fmt::format("keyword {}", arg[k]),
             bounces ? "a face with its coordinate, velocity vx vy vz behind it; region; units, pbc"
                     : "a face with its coordinate; units, pbc");
  }
  if (!walls.empty() || !has_region()) finish();
}

/* ---------------------------------------------------------------------- */

void FixWallReflectGPU::init()
{
  StepRecords r;
  FixStepWalls::init();
  if (has_region() && region_of(r) < 0) refuse(why_not_declared(), "a region of styles of this package, as block/exact/gpu");
}

/* ---------------------------------------------------------------------- */

void FixWallReflectGPU::declare(StepRecords &r, bigint)
{
  for (size_t k = 0; k < walls.size(); k++) {
    ds_operation &o = r.add(bounces ? DS_WALL_BOUNCE : DS_WALL_REFLECT, DS_AT_POST_INTEGRATE, groupbit);
    set(o, walls[k]);
    std::copy(velocity[k].along, velocity[k].along + 3, o.number + 3);
  }
  if (!has_region()) return;
  ds_operation &o = r.add(DS_REGION_BOUNCE, DS_AT_POST_INTEGRATE, groupbit);
  o.region = region_of(r);
  o.flags = DS_OUTSIDE_REGION;
  o.number[0] = update->dt;
}
