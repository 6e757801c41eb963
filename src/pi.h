/* -*- c++ -*- The number pi and a degree in radians: LAMMPS has them in a header that it does not install.
   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_PI_H
#define LMP_DPDSOP_PI_H

namespace LAMMPS_NS {

constexpr double PI = 3.14159265358979323846, DEGREE = PI / 180.0;

}    // namespace LAMMPS_NS

#endif
