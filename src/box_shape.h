/* -*- c++ -*- LAMMPS's box as numbers: corners, tilt factors, and the rates with which they change.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_BOX_SHAPE_H
#define LMP_DPDSOP_BOX_SHAPE_H

namespace LAMMPS_NS {

struct BoxShape {
  double lo[3], hi[3], tilt[3];    // xy xz yz
  double rate[6], rate_of_lo[3];   // rates of edges xx yy zz yz xz xy, and of the lower corner

  static BoxShape of(const class Domain *);
  void give_to(class Domain *) const;
  bool operator==(const BoxShape &) const;

  // Squares of the distances between opposite faces

  void widths2(double[3]) const;
};

}    // namespace LAMMPS_NS

#endif
