/* What fixes with flat walls have in common: faces, places, units.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "fix_step_walls.h"

#include "domain.h"
#include "lattice.h"

#include <algorithm>
#include <cstring>

using namespace LAMMPS_NS;

/* ---------------------------------------------------------------------- */

FixStepWalls::FixStepWalls(LAMMPS *lmp, int narg, char **arg) :
    FixStep(lmp, narg, arg), in_periodic(false), in_lattice(true)
{
}

/* ---------------------------------------------------------------------- */

static constexpr const char *const FACES[] = {"xlo", "xhi", "ylo", "yhi", "zlo", "zhi"};

const char *FixStepWalls::name(const Wall &wall)
{
  return FACES[2 * wall.axis + (wall.side > 0 ? 1 : 0)];
}

bool FixStepWalls::take_face(const char *word, const char *place)
{
  Wall wall = {};
  int face = 0;
  while (face < 6 && strcmp(word, FACES[face]) != 0) face++;
  if (face == 6) return false;
  wall.axis = face / 2;
  wall.side = face % 2 ? 1 : -1;
  for (const Wall &other : walls)
    if (other.axis == wall.axis && other.side == wall.side) refuse(fmt::format("two walls {}", word), "one of each face");
  wall.at_edge = strcmp(place, "EDGE") == 0;
  if (!wall.at_edge) wall.place = take_value(place, word);
  walls.push_back(wall);
  return true;
}

bool FixStepWalls::take_keyword(int &k, int narg, char **arg)
{
  if (strcmp(arg[k], "units") == 0) {
    const std::string units = next(k, narg, arg);
    if (units != "box" && units != "lattice") refuse(fmt::format("units {}", units), "box, lattice");
    in_lattice = units == "lattice";
    return true;
  }
  if (strcmp(arg[k], "pbc") == 0) {
    in_periodic = utils::logical(FLERR, next(k, narg, arg), false, lmp) != 0;
    return true;
  }
  return false;
}

/* ---------------------------------------------------------------------- */

void FixStepWalls::finish()
{
  if (walls.empty()) refuse("no wall", "xlo, xhi, ylo, yhi, zlo, zhi and where it is");
  for (const Wall &wall : walls) {
    if (domain->periodicity[wall.axis] && !in_periodic)
      refuse(fmt::format("wall {} in a periodic direction", name(wall)), "a boundary f, s or m there; or pbc yes");
    if (domain->dimension == 2 && wall.axis == 2)
      refuse(fmt::format("wall {} of a system of two dimensions", name(wall)), "walls along x and y");
    const double scale[3] = {domain->lattice->xlattice, domain->lattice->ylattice,
                             domain->lattice->zlattice};
    if (!wall.at_edge && in_lattice) scale_value(wall.place, scale[wall.axis]);
  }
}

void FixStepWalls::init()
{
  FixStep::init();
  for (const Wall &wall : walls)
    if (wall.at_edge || is_ahead(wall.place)) check(wall);
}

bool FixStepWalls::changes_in_run() const
{
  const bool moves =
      std::any_of(walls.begin(), walls.end(), [](const Wall &wall) { return wall.at_edge; }) && domain->box_change;
  return moves || FixStep::changes_in_run();
}

void FixStepWalls::check(const Wall &wall) const
{
  const double at = coordinate(wall), lo = domain->boxlo[wall.axis], hi = domain->boxhi[wall.axis];
  if (domain->triclinic && !wall.at_edge) return;    // the box extends beyond boxlo and boxhi
  if (!(at >= lo && at <= hi) && domain->boundary[wall.axis][wall.side > 0 ? 1 : 0] == 1)
    refuse(fmt::format("wall {} at {}, outside of the box from {} to {}", name(wall), at, lo, hi),
           "a place in the box");
}

/* ---------------------------------------------------------------------- */

double FixStepWalls::coordinate(const Wall &wall) const
{
  if (!wall.at_edge) return value(wall.place);
  return wall.side < 0 ? domain->boxlo[wall.axis] : domain->boxhi[wall.axis];
}

void FixStepWalls::set(ds_operation &o, const Wall &wall) const
{
  o.number[0] = wall.axis;
  o.number[1] = wall.side;
  o.number[2] = coordinate(wall);
}
