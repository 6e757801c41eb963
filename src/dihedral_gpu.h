/* -*- c++ -*- Dihedrals of the engine: LAMMPS's dihedral styles harmonic, charmm and opls.
   SPDX-License-Identifier: GPL-2.0-or-later

   Style opls needs only powers of a cosine, so it is bitwise identical on any CPU. LAMMPS's style takes sines and an arc
   cosine of the mathematical library. */

#ifdef DIHEDRAL_CLASS
// clang-format off
DihedralStyle(harmonic/gpu,DihedralHarmonicGPU);
DihedralStyle(harmonic/exact/gpu,DihedralHarmonicGPU);
DihedralStyle(charmm/gpu,DihedralCharmmGPU);
DihedralStyle(charmm/exact/gpu,DihedralCharmmGPU);
DihedralStyle(opls/gpu,DihedralOPLSGPU);
DihedralStyle(opls/exact/gpu,DihedralOPLSGPU);
// clang-format on
#else

#ifndef LMP_DIHEDRAL_GPU_H
#define LMP_DIHEDRAL_GPU_H

#include "dihedral.h"

#include "torsion_style.h"

namespace LAMMPS_NS {

class DihedralGPU : public TorsionStyle<Dihedral> {
 protected:
  DihedralGPU(class LAMMPS *, const char *name, int engine_style, std::vector<BondedCoefficients::Column>);
  const int *const *get_list(int &n) const override;
};

class DihedralHarmonicGPU : public DihedralGPU {
 public:
  DihedralHarmonicGPU(class LAMMPS *);
};

// LAMMPS's style also has an interaction of the first and the fourth atom, times a weight. Here the weight must be 0

class DihedralCharmmGPU : public DihedralGPU {
 public:
  DihedralCharmmGPU(class LAMMPS *);
  ds_bonded_type type_of(int type) const override;
  void write_restart(FILE *) override;
  void read_restart(FILE *) override;
};

class DihedralOPLSGPU : public DihedralGPU {
 public:
  DihedralOPLSGPU(class LAMMPS *);
};

}    // namespace LAMMPS_NS

#endif
#endif
