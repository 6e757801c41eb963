/* -*- c++ -*- LAMMPS's fixes ave/time and ave/correlate in a run of KOKKOS, which leave atoms where they are.
   SPDX-License-Identifier: GPL-2.0-or-later

   LAMMPS brings all atoms to the host and back in each step in which a fix works that is not KOKKOS's. These fixes change no
   atom, and what they average mostly reads none on the host. */

#ifdef FIX_CLASS
// clang-format off
FixStyle(ave/time/kk,FixAveTimeKokkos);
FixStyle(ave/correlate/kk,FixAveCorrelateKokkos);
// clang-format on
#else

#ifndef LMP_FIX_AVE_KOKKOS_H
#define LMP_FIX_AVE_KOKKOS_H

#include "fix_ave_correlate.h"
#include "fix_ave_time.h"

#include <string>
#include <vector>

namespace LAMMPS_NS {

template <class FIX> class FixAveKokkos : public FIX {
 public:
  FixAveKokkos(class LAMMPS *, int, char **);
  void init() override;
  void end_of_step() override;

 private:
  std::vector<std::string> computes;    // IDs of those that are averaged
  bool has_variables;
  bool reads_atoms;    // something that is averaged reads LAMMPS's arrays of atoms
};

using FixAveTimeKokkos = FixAveKokkos<FixAveTime>;
using FixAveCorrelateKokkos = FixAveKokkos<FixAveCorrelate>;

}    // namespace LAMMPS_NS

#endif
#endif
