/* -*- c++ -*- Bonds of the engine: LAMMPS's bond styles harmonic and fene.   SPDX-License-Identifier: GPL-2.0-or-later

   Under run_style verlet these styles act on LAMMPS's arrays. Run_style verlet/gpu only takes their coefficients, and the
   engine makes the forces, by the same functions and so with the same bits. The classes derive from LAMMPS's class Bond, and
   not from its styles of the same names, because the package MOLECULE, which has these, may not be installed. */

#ifdef BOND_CLASS
// clang-format off
BondStyle(harmonic/gpu,BondHarmonicGPU);
BondStyle(harmonic/exact/gpu,BondHarmonicGPU);
BondStyle(fene/gpu,BondFENEGPU);
BondStyle(fene/exact/gpu,BondFENEGPU);
// clang-format on
#else

#ifndef LMP_BOND_GPU_H
#define LMP_BOND_GPU_H

#include "bond.h"

#include "bonded_style.h"

namespace LAMMPS_NS {

class BondGPU : public BondedStyle<Bond> {
 public:
  void compute(int, int) override;
  void *extract(const char *name, int &dim) override { return find_coefficients(name, dim); }
  double single(int, double, int, int, double &) override;

 protected:
  BondGPU(class LAMMPS *, const char *name, int engine_style, std::vector<BondedCoefficients::Column>);
  double length(int type) const { return coefficients.of(type).at; }

  // Warns of a bond that is too long, or stops LAMMPS if it is much too long. members: tags of its atoms, or nothing
  void complain(double r2, const ds_bonded_type &, const std::string &members) const;
};

class BondHarmonicGPU : public BondGPU {
 public:
  BondHarmonicGPU(class LAMMPS *);
  double equilibrium_distance(int type) override { return length(type); }
  void born_matrix(int, double, int, int, double &, double &) override;
};

class BondFENEGPU : public BondGPU {
 public:
  BondFENEGPU(class LAMMPS *);
  void init_style() override;
  double equilibrium_distance(int type) override;
  void born_matrix(int, double, int, int, double &, double &) override;
};

}    // namespace LAMMPS_NS

#endif
#endif
