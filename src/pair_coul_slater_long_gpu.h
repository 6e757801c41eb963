/* -*- c++ -*- Charges that are smeared out by Slater functions, the part of their forces in real space, on host or GPU.
   LAMMPS's package GPU has a coul/slater/long/gpu, too: hence the other name of this class.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef PAIR_CLASS
// clang-format off
PairStyle(coul/slater/long/gpu,PairCoulSlaterLongExactGPU);
PairStyle(coul/slater/long/exact/gpu,PairCoulSlaterLongExactGPU);
// clang-format on
#else

#ifndef LMP_PAIR_COUL_SLATER_LONG_EXACT_GPU_H
#define LMP_PAIR_COUL_SLATER_LONG_EXACT_GPU_H

#include "pair_slater_gpu.h"

namespace LAMMPS_NS {

class PairCoulSlaterLongExactGPU : public PairSlaterGPU {
 public:
  PairCoulSlaterLongExactGPU(class LAMMPS *);
  void settings(int, char **) override;
  void coeff(int, char **) override;
  void write_data(FILE *) override;
  void write_data_all(FILE *) override;
  double single(int, int, int, int, double, double, double, double &) override;

 protected:
  EngineModel &coulomb() override;
  const char *name_of_cutoff() const override { return "cutoff"; }
};

}    // namespace LAMMPS_NS

#endif
#endif
