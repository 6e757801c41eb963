/* -*- c++ -*- Angles of the engine: LAMMPS's angle styles harmonic and cosine.   SPDX-License-Identifier: GPL-2.0-or-later

   As in bond_gpu.h. The arc cosine of style harmonic is the engine's own, which is bitwise identical on any CPU. LAMMPS's
   style takes that of the mathematical library. */

#ifdef ANGLE_CLASS
// clang-format off
AngleStyle(harmonic/gpu,AngleHarmonicGPU);
AngleStyle(harmonic/exact/gpu,AngleHarmonicGPU);
AngleStyle(cosine/gpu,AngleCosineGPU);
AngleStyle(cosine/exact/gpu,AngleCosineGPU);
// clang-format on
#else

#ifndef LMP_ANGLE_GPU_H
#define LMP_ANGLE_GPU_H

#include "angle.h"

#include "bonded_style.h"

namespace LAMMPS_NS {

class AngleGPU : public BondedStyle<Angle> {
 public:
  void compute(int, int) override;
  void *extract(const char *name, int &dim) override { return find_coefficients(name, dim); }
  double single(int, int, int, int) override;

 protected:
  AngleGPU(class LAMMPS *, const char *name, int engine_style, std::vector<BondedCoefficients::Column>);
  double cosine_of(int, int, int) const;

 private:
  void find_sides(int, int, int, double first[3], double third[3]) const;
};

class AngleHarmonicGPU : public AngleGPU {
 public:
  AngleHarmonicGPU(class LAMMPS *);
  double equilibrium_angle(int type) override { return coefficients.of(type).at; }
  void born_matrix(int, int, int, int, double &, double &) override;
};

class AngleCosineGPU : public AngleGPU {
 public:
  AngleCosineGPU(class LAMMPS *);
  double equilibrium_angle(int) override;
  void born_matrix(int, int, int, int, double &, double &) override;
};

}    // namespace LAMMPS_NS

#endif
#endif
