/* -*- c++ -*- LAMMPS's fix ave/time in a run of KOKKOS, which leaves atoms where they are.
   SPDX-License-Identifier: GPL-2.0-or-later

   LAMMPS brings all atoms to the host and back in each step in which a fix works that is not KOKKOS's. Fix ave/time changes no
   atom, and what it averages mostly reads none on the host. */

#ifdef FIX_CLASS
// clang-format off
FixStyle(ave/time/kk,FixAveTimeKokkos);
// clang-format on
#else

#ifndef LMP_FIX_AVE_TIME_KOKKOS_H
#define LMP_FIX_AVE_TIME_KOKKOS_H

#include "fix_ave_time.h"

#include <string>
#include <vector>

namespace LAMMPS_NS {

class FixAveTimeKokkos : public FixAveTime {
 public:
  FixAveTimeKokkos(class LAMMPS *, int, char **);
  void init() override;
  void end_of_step() override;

 private:
  std::vector<std::string> computes;    // IDs of those that are averaged
  bool has_variables;
  bool reads_atoms;    // something that is averaged reads LAMMPS's arrays of atoms
};

}    // namespace LAMMPS_NS

#endif
#endif
