/* -*- c++ -*- Angles of the engine: LAMMPS's angle styles harmonic and cosine.   SPDX-License-Identifier: GPL-2.0-or-later

   They are to angles what bond_gpu.h is to bonds. The arc cosine of style harmonic is the engine's own, which has the same
   bits on any processor; those of LAMMPS's style are its mathematical library's. */

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

#include "bonded_coefficients.h"

namespace LAMMPS_NS {

class AngleGPU : public Angle {
 public:
  ~AngleGPU() override;
  void compute(int, int) override;
  void coeff(int, char **) override;
  void write_restart(FILE *file) override { coefficients.write_restart(file); }
  void read_restart(FILE *) override;
  void write_data(FILE *file) override { coefficients.write_data(file); }
  void *extract(const char *, int &) override;
  double single(int, int, int, int) override;

  const int engine_style;    // DS_ANGLE_STYLE_HARMONIC_EXACT ...
  std::vector<ds_bonded_type> types() const { return coefficients.all(); }

 protected:
  AngleGPU(class LAMMPS *, const char *name, int engine_style, std::vector<BondedCoefficients::Column>);
  BondedCoefficients coefficients;
  double cosine_of(int, int, int) const;

 private:
  void allocate();
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
