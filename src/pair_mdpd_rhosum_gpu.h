/* -*- c++ -*- Ranges of the densities that mdpd/gpu makes, so that LAMMPS's inputs run, which have mdpd/rhosum beside mdpd.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef PAIR_CLASS
// clang-format off
PairStyle(mdpd/rhosum/gpu,PairMDPDRhosumExactGPU);
PairStyle(mdpd/rhosum/exact/gpu,PairMDPDRhosumExactGPU);
// clang-format on
#else

#ifndef LMP_PAIR_MDPD_RHOSUM_EXACT_GPU_H
#define LMP_PAIR_MDPD_RHOSUM_EXACT_GPU_H

#include "pair.h"

namespace LAMMPS_NS {

class PairMDPDRhosumExactGPU : public Pair {
 public:
  PairMDPDRhosumExactGPU(class LAMMPS *);
  ~PairMDPDRhosumExactGPU() override;
  void compute(int, int) override;
  void settings(int, char **) override;
  void coeff(int, char **) override;
  void init_style() override;
  double init_one(int, int) override;
  double range_of(int i, int j) const;    // 0: such pairs have no part in densities

 private:
  double **cut;
  void allocate();
};

}    // namespace LAMMPS_NS

#endif
#endif
