/* -*- c++ -*- Regions that say what they are: LAMMPS's styles block, sphere, cylinder, plane, union and intersect, for the
   engine.   SPDX-License-Identifier: GPL-2.0-or-later

   They do not move. Fixes like wall/region and wall/gran need surfaces, which only LAMMPS's own styles have. */

#ifdef REGION_CLASS
// clang-format off
RegionStyle(block/gpu,RegBlockGPU);
RegionStyle(block/exact/gpu,RegBlockGPU);
RegionStyle(sphere/gpu,RegSphereGPU);
RegionStyle(sphere/exact/gpu,RegSphereGPU);
RegionStyle(cylinder/gpu,RegCylinderGPU);
RegionStyle(cylinder/exact/gpu,RegCylinderGPU);
RegionStyle(plane/gpu,RegPlaneGPU);
RegionStyle(plane/exact/gpu,RegPlaneGPU);
RegionStyle(union/gpu,RegUnionGPU);
RegionStyle(union/exact/gpu,RegUnionGPU);
RegionStyle(intersect/gpu,RegUnionGPU);
RegionStyle(intersect/exact/gpu,RegUnionGPU);
// clang-format on
#else

#ifndef LMP_REGION_GPU_H
#define LMP_REGION_GPU_H

#include "region.h"

#include "step_region.h"

#include <string>

namespace LAMMPS_NS {

class RegionGPU : public Region, public StepRegion {
 public:
  RegionGPU(class LAMMPS *, int, char **);
  ~RegionGPU() override;
  int inside(double, double, double) override;
  int surface_interior(double *, double) override;
  int surface_exterior(double *, double) override;
  int record(std::vector<ds_region> &) override;

 protected:
  std::string user;
  ds_region shape;    // the interior, in units of the box
  double number(const char *word, double scale, bool may_be_open) const;
  [[noreturn]] void refuse(const std::string &what, const std::string &allowed) const;
  void finish(int narg, char **arg);                    // reads keywords behind the arguments of the shape
  void bound(const double lo[3], const double hi[3]);   // sets the bounding box
};

class RegBlockGPU : public RegionGPU {
 public:
  RegBlockGPU(class LAMMPS *, int, char **);
};

class RegSphereGPU : public RegionGPU {
 public:
  RegSphereGPU(class LAMMPS *, int, char **);
};

class RegCylinderGPU : public RegionGPU {
 public:
  RegCylinderGPU(class LAMMPS *, int, char **);
};

class RegPlaneGPU : public RegionGPU {
 public:
  RegPlaneGPU(class LAMMPS *, int, char **);
};

class RegUnionGPU : public RegionGPU {
 public:
  RegUnionGPU(class LAMMPS *, int, char **);
  void init() override;
  int inside(double, double, double) override;
  int record(std::vector<ds_region> &) override;

 private:
  std::vector<std::string> parts;
  bool all;    // intersection; else union
  std::vector<Region *> found() const;
};

}    // namespace LAMMPS_NS

#endif
#endif
