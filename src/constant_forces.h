/* -*- c++ -*- Fixes of LAMMPS that add a constant force, found out by their public interface.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_CONSTANT_FORCES_H
#define LMP_DPDSOP_CONSTANT_FORCES_H

#include "pointers.h"

#include "dpdsop/motion.h"

namespace LAMMPS_NS {

class ConstantForces : protected Pointers {
 public:
  ConstantForces(class LAMMPS *);

  static bool knows(const class Fix *);    // gravity, addforce

  // Has the fix add its force in this step, and watches. False where that depends on anything but type and mass, or
  // is rounded in another way than ds_push_atom does it. Arrays of atoms are to be LAMMPS's. The values that the
  // fix keeps are of no use afterwards, till its next call

  bool watch(class Fix *, int vflag, int fused, ds_push &);

 private:
  bool has_variable(class Fix *, int vflag);
  bool read(class Fix *, ds_push &);
  bool pushes_at(class Fix *, int i, const double x[3], double push[3]);
  bool has_region(class Fix *, int i);
};

}    // namespace LAMMPS_NS

#endif
