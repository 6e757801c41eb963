/* -*- c++ -*- Dissipative particle dynamics with charges that are smeared out by Slater functions, on host or GPU.
   LAMMPS's package GPU has a dpd/coul/slater/long/gpu, too: hence the other name of this class.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef PAIR_CLASS
// clang-format off
PairStyle(dpd/coul/slater/long/gpu,PairDPDCoulSlaterLongExactGPU);
PairStyle(dpd/coul/slater/long/exact/gpu,PairDPDCoulSlaterLongExactGPU);
// clang-format on
#else

#ifndef LMP_PAIR_DPD_COUL_SLATER_LONG_EXACT_GPU_H
#define LMP_PAIR_DPD_COUL_SLATER_LONG_EXACT_GPU_H

#include "pair_slater_gpu.h"

#include <memory>

namespace LAMMPS_NS {

class PairDPDCoulSlaterLongExactGPU : public PairSlaterGPU {
 public:
  PairDPDCoulSlaterLongExactGPU(class LAMMPS *);
  ~PairDPDCoulSlaterLongExactGPU() override;
  void settings(int, char **) override;
  void coeff(int, char **) override;
  double init_one(int, int) override;
  void write_restart(FILE *) override;
  void read_restart(FILE *) override;
  double single(int, int, int, int, double, double, double, double &) override;
  void *extract(const char *, int &) override;

 protected:
  EngineModel &coulomb() override { return *charges; }
  const char *name_of_cutoff() const override { return "cutoff_coul"; }
  void allocate() override;
  void set_coefficients() override;
  std::string before_cutoff(int i, int j) const override { return charged[i][j] ? " yes" : " no"; }

 private:
  std::unique_ptr<EngineModel> charges;
  int **charged;    // whether charges of these types interact
};

}    // namespace LAMMPS_NS

#endif
#endif
