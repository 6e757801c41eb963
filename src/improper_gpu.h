/* -*- c++ -*- Impropers of the engine: LAMMPS's improper style harmonic.   SPDX-License-Identifier: GPL-2.0-or-later

   Its arc cosine is the engine's own, which is bitwise identical on any CPU. */

#ifdef IMPROPER_CLASS
// clang-format off
ImproperStyle(harmonic/gpu,ImproperHarmonicGPU);
ImproperStyle(harmonic/exact/gpu,ImproperHarmonicGPU);
// clang-format on
#else

#ifndef LMP_IMPROPER_GPU_H
#define LMP_IMPROPER_GPU_H

#include "improper.h"

#include "torsion_style.h"

namespace LAMMPS_NS {

class ImproperGPU : public TorsionStyle<Improper> {
 protected:
  ImproperGPU(class LAMMPS *, const char *name, int engine_style, std::vector<BondedCoefficients::Column>);
  const int *const *get_list(int &n) const override;
};

class ImproperHarmonicGPU : public ImproperGPU {
 public:
  ImproperHarmonicGPU(class LAMMPS *);
};

}    // namespace LAMMPS_NS

#endif
#endif
