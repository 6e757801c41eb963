/* -*- c++ -*- Styles and coefficients of bonds and angles, as the engine has them.   SPDX-License-Identifier: GPL-2.0-or-later */

#ifndef LMP_DPDSOP_BONDED_TYPES_H
#define LMP_DPDSOP_BONDED_TYPES_H

#include "dpdsop/resident.h"

#include <string>
#include <vector>

namespace LAMMPS_NS {
class LAMMPS;

namespace BondedTypes {

// Those of this package, and LAMMPS's own as far as they tell their coefficients; DS_BOND_STYLE_NONE: there are none; -1: the
// engine has no such style

int style_of_bonds(const LAMMPS *);
int style_of_angles(const LAMMPS *);
std::string why_not_bonds(LAMMPS *);    // empty: the engine has the style, or there is none
std::string why_not_angles(LAMMPS *);

// by type, from 1 on; false: they cannot be read

bool read_bonds(const LAMMPS *, std::vector<ds_bonded_type> &);
bool read_angles(const LAMMPS *, std::vector<ds_bonded_type> &);

}    // namespace BondedTypes
}    // namespace LAMMPS_NS

#endif
