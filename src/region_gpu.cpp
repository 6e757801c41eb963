/* Regions that say what they are: LAMMPS's styles block, sphere, cylinder, plane, union and intersect, for the engine.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include "region_gpu.h"

#include "domain.h"
#include "error.h"

#include "dpdsop/device/step/region.h"

#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;

static constexpr double OPEN = 1.0e20;

/* ---------------------------------------------------------------------- */

RegionGPU::RegionGPU(LAMMPS *lmp, int narg, char **arg) :
    Region(lmp, narg, arg), user("Region " + std::string(arg[1])), shape()
{
  bboxflag = 0;    // LAMMPS does not set it before a style does
}

RegionGPU::~RegionGPU()
{
  delete[] contact;
}

void RegionGPU::refuse(const std::string &what, const std::string &allowed) const
{
  error->all(FLERR, "{}: {}, allowed: {}", user, what, allowed);
}

/* ----------------------------------------------------------------------
   Reads a number, or INF or EDGE where LAMMPS's region styles allow them
------------------------------------------------------------------------- */

double RegionGPU::number(const char *word, double scale, bool may_be_open) const
{
  if (may_be_open && strcmp(word, "INF") == 0) return OPEN;
  if (strncmp(word, "v_", 2) == 0)
    refuse(fmt::format("variable {}", word), "numbers; LAMMPS's own region moves (suffix off)");
  const double value = utils::numeric(FLERR, word, false, lmp);
  if (!std::isfinite(value)) refuse(fmt::format("number {}", word), "finite numbers");
  return scale * value;
}

void RegionGPU::finish(int narg, char **arg)
{
  static constexpr const char *const REFUSED[] = {"move", "rotate", "open"};
  for (int k = 0; k < narg; k++)
    for (const char *word : REFUSED)
      if (strcmp(arg[k], word) == 0)
        refuse(fmt::format("keyword {}", word), "side, units; LAMMPS's own region has it (suffix off)");
  shape.outside = interior ? 0 : 1;
  cmax = tmax = 1;
  contact = new Contact[cmax];
}

void RegionGPU::bound(const double lo[3], const double hi[3])
{
  bboxflag = interior;
  extent_xlo = lo[0], extent_xhi = hi[0];
  extent_ylo = lo[1], extent_yhi = hi[1];
  extent_zlo = lo[2], extent_zhi = hi[2];
}

/* ----------------------------------------------------------------------
   Whether a point is in the interior. LAMMPS takes keyword side into account itself
------------------------------------------------------------------------- */

int RegionGPU::inside(double x, double y, double z)
{
  const double at[3] = {x, y, z};
  ds_region in = shape;
  in.outside = 0;
  return ds_in_simple_region(&in, at);
}

int RegionGPU::surface_interior(double *, double)
{
  refuse("a fix asks for the surface", "LAMMPS's own region, which has one (suffix off)");
}

int RegionGPU::surface_exterior(double *x, double cutoff)
{
  return surface_interior(x, cutoff);
}

int RegionGPU::record(std::vector<ds_region> &all)
{
  all.push_back(shape);
  return static_cast<int>(all.size()) - 1;
}

/* ---------------------------------------------------------------------- */

RegBlockGPU::RegBlockGPU(LAMMPS *lmp, int narg, char **arg) : RegionGPU(lmp, narg, arg)
{
  if (narg < 8) refuse("too few arguments", "xlo xhi ylo yhi zlo zhi");
  options(narg - 8, &arg[8]);
  const double scale[3] = {xscale, yscale, zscale};
  shape.kind = DS_REGION_BLOCK;
  for (int k = 0; k < 6; k++) {
    const int d = k / 2;
    if (strcmp(arg[2 + k], "EDGE") == 0) {
      if (!domain->box_exist) refuse("EDGE before there is a box", "a number");
      shape.number[k] = domain->triclinic ? (k % 2 ? domain->boxhi_bound[d] : domain->boxlo_bound[d])
                                          : (k % 2 ? domain->boxhi[d] : domain->boxlo[d]);
    } else {
      shape.number[k] = number(arg[2 + k], scale[d], true);
      if (shape.number[k] == OPEN && k % 2 == 0) shape.number[k] = -OPEN;
    }
  }
  for (int d = 0; d < 3; d++)
    if (shape.number[2 * d] > shape.number[2 * d + 1])
      refuse(fmt::format("from {} to {}", arg[2 + 2 * d], arg[3 + 2 * d]), "lo <= hi");
  finish(narg - 8, &arg[8]);
  const double *const b = shape.number, lo[3] = {b[0], b[2], b[4]}, hi[3] = {b[1], b[3], b[5]};
  bound(lo, hi);
}

/* ---------------------------------------------------------------------- */

RegSphereGPU::RegSphereGPU(LAMMPS *lmp, int narg, char **arg) : RegionGPU(lmp, narg, arg)
{
  if (narg < 6) refuse("too few arguments", "x y z radius");
  options(narg - 6, &arg[6]);
  const double scale[4] = {xscale, yscale, zscale, xscale};
  double lo[3], hi[3];
  shape.kind = DS_REGION_SPHERE;
  for (int k = 0; k < 4; k++) shape.number[k] = number(arg[2 + k], scale[k], false);
  if (!(shape.number[3] >= 0.0)) refuse(fmt::format("radius {}", arg[5]), "radius >= 0");
  finish(narg - 6, &arg[6]);
  for (int d = 0; d < 3; d++) {
    lo[d] = shape.number[d] - shape.number[3];
    hi[d] = shape.number[d] + shape.number[3];
  }
  bound(lo, hi);
}

/* ---------------------------------------------------------------------- */

RegCylinderGPU::RegCylinderGPU(LAMMPS *lmp, int narg, char **arg) : RegionGPU(lmp, narg, arg)
{
  if (narg < 8) refuse("too few arguments", "axis c1 c2 radius lo hi");
  options(narg - 8, &arg[8]);
  const double scale[3] = {xscale, yscale, zscale};
  const int axis = arg[2][0] - 'x', first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
  if (strlen(arg[2]) != 1 || axis < 0 || axis > 2) refuse(fmt::format("axis {}", arg[2]), "x, y, z");
  double *const c = shape.number, lo[3] = {}, hi[3] = {};
  shape.kind = DS_REGION_CYLINDER;
  c[0] = axis;
  c[1] = number(arg[3], scale[first], false);
  c[2] = number(arg[4], scale[second], false);
  c[3] = number(arg[5], scale[first], false);
  if (!(c[3] > 0.0)) refuse(fmt::format("radius {}", arg[5]), "radius > 0");
  for (int k = 0; k < 2; k++) {
    if (strcmp(arg[6 + k], "EDGE") == 0) {
      if (!domain->box_exist) refuse("EDGE before there is a box", "a number");
      c[4 + k] = domain->triclinic ? (k ? domain->boxhi_bound[axis] : domain->boxlo_bound[axis])
                                   : (k ? domain->boxhi[axis] : domain->boxlo[axis]);
    } else {
      c[4 + k] = number(arg[6 + k], scale[axis], true);
      if (c[4 + k] == OPEN && k == 0) c[4] = -OPEN;
    }
  }
  if (c[4] > c[5]) refuse(fmt::format("from {} to {}", arg[6], arg[7]), "lo <= hi");
  finish(narg - 8, &arg[8]);
  lo[axis] = c[4], hi[axis] = c[5];
  lo[first] = c[1] - c[3], hi[first] = c[1] + c[3];
  lo[second] = c[2] - c[3], hi[second] = c[2] + c[3];
  bound(lo, hi);
}

/* ---------------------------------------------------------------------- */

RegPlaneGPU::RegPlaneGPU(LAMMPS *lmp, int narg, char **arg) : RegionGPU(lmp, narg, arg)
{
  if (narg < 8) refuse("too few arguments", "x y z nx ny nz");
  options(narg - 8, &arg[8]);
  const double scale[3] = {xscale, yscale, zscale};
  double *const p = shape.number;
  shape.kind = DS_REGION_PLANE;
  for (int d = 0; d < 3; d++) {
    p[d] = number(arg[2 + d], scale[d], false);
    p[3 + d] = number(arg[5 + d], scale[d], false);
  }
  const double length = sqrt(p[3] * p[3] + p[4] * p[4] + p[5] * p[5]);
  if (!(length > 0.0)) refuse("a normal of length 0", "nx ny nz with a length > 0");
  for (int d = 3; d < 6; d++) p[d] /= length;
  finish(narg - 8, &arg[8]);
}

/* ---------------------------------------------------------------------- */

RegUnionGPU::RegUnionGPU(LAMMPS *lmp, int narg, char **arg) :
    RegionGPU(lmp, narg, arg), all(strncmp(style, "intersect", 9) == 0)
{
  const int n = narg > 2 ? utils::inumeric(FLERR, arg[2], false, lmp) : 0;
  if (n < 2 || narg < 3 + n) refuse(fmt::format("{} regions", n), "N >= 2 and as many IDs");
  for (int k = 0; k < n; k++) parts.push_back(arg[3 + k]);
  options(narg - 3 - n, &arg[3 + n]);
  shape.kind = all ? DS_REGION_INTERSECT : DS_REGION_UNION;
  finish(narg - 3 - n, &arg[3 + n]);
  found();
}

void RegUnionGPU::init()
{
  Region::init();
  for (Region *part : found()) part->init();
}

std::vector<Region *> RegUnionGPU::found() const
{
  std::vector<Region *> regions;
  for (const std::string &part : parts) {
    Region *const region = domain->get_region_by_id(part);
    if (!region) refuse(fmt::format("region {} does not exist", part), "IDs of regions");
    regions.push_back(region);
  }
  return regions;
}

int RegUnionGPU::inside(double x, double y, double z)
{
  int in = 0, n = 0;
  for (Region *part : found()) {
    n++;
    in += part->match(x, y, z) ? 1 : 0;
  }
  return all ? in == n : in > 0;
}

/* ----------------------------------------------------------------------
   Parts of LAMMPS's styles, and parts that are unions themselves, cannot be recorded
------------------------------------------------------------------------- */

int RegUnionGPU::record(std::vector<ds_region> &list)
{
  const size_t before = list.size();
  shape.first = static_cast<int>(before);
  shape.count = static_cast<int>(parts.size());
  for (Region *part : found()) {
    auto *const known = dynamic_cast<StepRegion *>(part);
    const bool simple = known && !dynamic_cast<RegUnionGPU *>(part) && known->record(list) >= 0;
    if (simple) continue;
    list.resize(before);
    return -1;
  }
  return RegionGPU::record(list);
}
