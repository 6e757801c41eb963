/* -*- c++ -*- Many-body dissipative particle dynamics with signature noise, on host or GPU.
   LAMMPS's package GPU has an mdpd/gpu, too, with a class PairMDPDGPU: hence the other name of this class.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef PAIR_CLASS
// clang-format off
PairStyle(mdpd/gpu,PairMDPDExactGPU);
PairStyle(mdpd/exact/gpu,PairMDPDExactGPU);
// clang-format on
#else

#ifndef LMP_PAIR_MDPD_EXACT_GPU_H
#define LMP_PAIR_MDPD_EXACT_GPU_H

#include "pair_gpu.h"

namespace LAMMPS_NS {

class PairMDPDExactGPU : public PairGPU {
 public:
  PairMDPDExactGPU(class LAMMPS *);
  void coeff(int, char **) override;
  void init_style() override;
  double init_one(int, int) override;
  void show_atoms(class EngineHandle &) override;    // densities, if LAMMPS's atoms have an array for them

  // The one sub-style of this kind that makes forces; null: there is none

  static PairMDPDExactGPU *of(class Force *);
  bool has_pair(int i, int j) const { return allocated && setflag[i][j] != 0; }

 private:
  class PairMDPDRhosumExactGPU *rhosum;    // whose ranges densities have; null: it is cutoff_d
  bool collapse_told;                      // the user has been warned

  void check_cutoff_d(int, int) const;
  double range_of_density(int, int) const;
  void warn_of_collapse(int, int);
};

}    // namespace LAMMPS_NS

#endif
#endif
