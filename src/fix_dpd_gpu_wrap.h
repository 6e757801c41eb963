/* -*- c++ -*- Internal fix of the pair styles of this package: atoms are wrapped into a sheared box before it flips.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifdef FIX_CLASS
// clang-format off
FixStyle(DPD_GPU/WRAP,FixDPDGPUWrap);
// clang-format on
#else

#ifndef LMP_FIX_DPD_GPU_WRAP_H
#define LMP_FIX_DPD_GPU_WRAP_H

#include "fix.h"

namespace LAMMPS_NS {

class FixDPDGPUWrap : public Fix {
 public:
  static constexpr char ID[] = "DPD_GPU_WRAP";
  static constexpr char STYLE[] = "DPD_GPU/WRAP";

  // Called before fixes are initialized. In a triclinic box that fix deform changes, makes this fix; else deletes it

  static void keep(class LAMMPS *, const std::string &user);
  static void drop(class LAMMPS *);

  FixDPDGPUWrap(class LAMMPS *, int, char **);
  int setmask() override;
  void post_integrate() override;

  bool flips_box() const;    // fix deform flips the box in the present step
};

}    // namespace LAMMPS_NS

#endif
#endif
